//! A repository on a git server, as any forge's.

use std::rc::Rc;

use gix_hash::ObjectId;
use gix_object::Kind;

use super::{
    fetch::{Blobs, Fetch, Read},
    land::Land,
    location::Location,
    refs::{Refs, Tip},
    settle::Settle,
};
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

impl Server for Location {
    fn target(&self) -> CanonicalTarget {
        Location::target(self)
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

    fn blobs(&self, blobs: Vec<BlobAt>, known: Rc<dyn Objects>, _: PackLimits) -> Conversation<Fetched> {
        Box::new(Blobs::new(self.clone(), blobs, known))
    }

    fn read(&self, objects: Vec<(ObjectId, Kind)>, limits: PackLimits) -> Conversation<Fetched> {
        Box::new(Read::new(self.clone(), objects, limits))
    }

    /// All is in the pack, so nothing has to be known of what the target has.
    fn land(&self, push: Redeemed, _: Rc<dyn Objects>, along: Option<Along>) -> Conversation<Landing> {
        Box::new(Land::new(self.clone(), push, along))
    }

    fn settle(&self, intent: &Intent, sent: Option<Timestamp>, now: Timestamp) -> Result<Conversation<Settled>, Fault> {
        Ok(Box::new(Settle::new(intent, sent, now)?))
    }
}
