//! The pack in the making, and its bounds.

use patch::sort::sort;
use std::{collections::HashSet, rc::Rc};

use gix_hash::ObjectId;
use gix_object::Kind;

use super::Fetched;
use crate::{
    github::Fault,
    objects::Objects,
    pack::{PackLimits, PackWriter},
};

/// What was found so far.
pub(super) struct Found {
    known: Rc<dyn Objects>,
    limits: PackLimits,
    pack: PackWriter,
    ids: HashSet<ObjectId>,
    /// Bytes of all objects together.
    bytes: u64,
}

impl Found {
    pub fn new(known: Rc<dyn Objects>, limits: PackLimits) -> Self {
        Found { known, limits, pack: PackWriter::new(), ids: HashSet::new(), bytes: 0 }
    }

    /// Whether the host had the object before.
    pub fn is_known(&self, id: ObjectId) -> Result<bool, Fault> {
        Ok(self.known.contains(&id)?)
    }

    /// Whether the object need not be fetched.
    pub fn has(&self, id: ObjectId) -> Result<bool, Fault> {
        Ok(self.ids.contains(&id) || self.is_known(id)?)
    }

    /// Adds an object that has been found to be `id`, unless it is there.
    pub fn add(&mut self, kind: Kind, id: ObjectId, content: &[u8]) -> Result<(), Fault> {
        if !self.ids.insert(id) {
            return Ok(());
        }
        let (bytes, limits) = (content.len() as u64, &self.limits);
        self.bytes += bytes;
        let what = if bytes > limits.object_bytes {
            format!("the {kind} {id} has {bytes} bytes, more than the {} allowed", limits.object_bytes)
        } else if self.bytes > limits.total_bytes {
            format!("the objects have more than the {} bytes allowed", limits.total_bytes)
        } else if self.ids.len() > limits.objects as usize {
            format!("there are more than the {} objects allowed", limits.objects)
        } else if self.pack.len() as u64 > limits.pack_bytes {
            format!("the pack has more than the {} bytes allowed", limits.pack_bytes)
        } else {
            return Ok(self.pack.add(kind, content)?);
        };
        Err(Fault::too_large(what).with_hint("bring in fewer files (`paths`), or less history (`depth`)"))
    }

    pub fn finish(self, mut shallow: Vec<ObjectId>) -> Result<Fetched, Fault> {
        sort(&mut shallow);
        shallow.dedup();
        Ok(Fetched { pack: self.pack.finish()?, shallow })
    }
}
