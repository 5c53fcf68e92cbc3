//! A repository on GitHub, as any forge's.

use std::rc::Rc;

use gix_hash::ObjectId;
use gix_object::Kind;

use super::{Blobs, Fetch, Land, Read, Refs, Repository, Settle, Tip};
use crate::{
    approval::Redeemed,
    forge::{Along, BlobAt, Conversation, Fault, Fetched, Landing, Listing, Server, Settled, Wanted},
    ledger::Intent,
    objects::Objects,
    pack::PackLimits,
    refname::BranchRef,
    target::CanonicalTarget,
    time::Timestamp,
};

impl Server for Repository {
    fn target(&self) -> CanonicalTarget {
        Repository::target(self)
    }

    fn refs(&self) -> Conversation<Listing> {
        Box::new(Refs::new(self.clone()))
    }

    fn tip(&self, reference: BranchRef) -> Conversation<Option<ObjectId>> {
        Box::new(Tip::new(self.clone(), reference))
    }

    fn fetch(&self, wanted: Wanted) -> Conversation<Fetched> {
        Box::new(Fetch::new(self.clone(), wanted))
    }

    fn blobs(&self, blobs: Vec<BlobAt>, known: Rc<dyn Objects>, limits: PackLimits) -> Conversation<Fetched> {
        Box::new(Blobs::new(self.clone(), blobs, known, limits))
    }

    fn read(&self, objects: Vec<(ObjectId, Kind)>, limits: PackLimits) -> Conversation<Fetched> {
        Box::new(Read::new(self.clone(), objects, limits))
    }

    fn land(&self, push: Redeemed, base: Rc<dyn Objects>, _: Option<Along>) -> Conversation<Landing> {
        Box::new(Land::over(push, base))
    }

    fn settle(&self, intent: &Intent, sent: Option<Timestamp>, now: Timestamp) -> Result<Conversation<Settled>, Fault> {
        Ok(Box::new(Settle::new(intent, sent, now)?))
    }
}
