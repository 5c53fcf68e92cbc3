//! The payload of a record: the facts of a step, then its difference.
//!
//! Format: `undoable`, number of steps (of an undo), trees and facts kept after the step, length and bytes of `meta`, difference. A base
//! record holds the number of previous steps instead, and for each its sequence number, `undoable` and `meta`. The record says how much the
//! timeline kept, so that replay keeps the same.

use bytes::Bytes;

use super::Step;
use crate::{
    journal::{self, ChunksReader, Rope},
    tree::Root,
    varint::{Malformed, Source, put, put_bytes},
};

/// The facts of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Payload<'a> {
    pub(super) undoable: bool,
    /// Steps that an undo takes back.
    pub(super) steps: u64,
    /// The number of steps that keep their tree.
    pub(super) roots: usize,
    /// The number of steps kept at all.
    pub(super) history: usize,
    pub(super) meta: &'a [u8],
}

/// The facts of a step, as read from a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) undoable: bool,
    pub(super) steps: u64,
    pub(super) roots: usize,
    pub(super) history: usize,
    pub(super) meta: Bytes,
}

impl Payload<'_> {
    pub(super) fn encode(self, before: &Root, after: &Root) -> Vec<Bytes> {
        let mut rope = Rope::default();
        rope.write(|out| {
            out.push(self.undoable.into());
            put(out, self.steps);
            put(out, self.roots as u64);
            put(out, self.history as u64);
            put_bytes(out, self.meta);
        });
        journal::encode(before, after, &mut rope);
        rope.into_pieces()
    }
}

impl Facts {
    /// Reads the facts. The difference follows.
    pub(super) fn decode(reader: &mut ChunksReader<'_>) -> Result<Self, Malformed> {
        let undoable = flag(reader)?;
        let steps = reader.varint()?;
        let roots = size(reader)?;
        let history = size(reader)?;
        let meta = reader.bytes()?.into();
        Ok(Self { undoable, steps, roots, history, meta })
    }
}

/// The payload of a base record: a whole tree and the facts of the steps to it.
pub(super) fn encode_base<'a>(steps: impl ExactSizeIterator<Item = &'a Step>, root: &Root) -> Vec<Bytes> {
    let mut rope = Rope::default();
    rope.write(|out| {
        put(out, steps.len() as u64);
        for step in steps {
            put(out, step.sequence);
            out.push(step.undoable.into());
            put_bytes(out, &step.meta);
        }
    });
    journal::encode(&Root::new(), root, &mut rope);
    rope.into_pieces()
}

/// Reads the steps of a base record. The tree follows.
pub(super) fn decode_base(reader: &mut ChunksReader<'_>) -> Result<Vec<Step>, Malformed> {
    let mut steps: Vec<Step> = Vec::new();
    for _ in 0..reader.count()? {
        let sequence = reader.varint()?;
        let undoable = flag(reader)?;
        let meta = reader.bytes()?.into();
        steps.push(Step { sequence, undoable, meta, before: None, cost: 0 });
    }
    Ok(steps)
}

fn flag(reader: &mut ChunksReader<'_>) -> Result<bool, Malformed> {
    match reader.byte()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Malformed),
    }
}

fn size(reader: &mut ChunksReader<'_>) -> Result<usize, Malformed> {
    usize::try_from(reader.varint()?).map_err(|_| Malformed)
}
