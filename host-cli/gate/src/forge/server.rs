//! What a repository on a forge's server can do.

use std::rc::Rc;

use gix_hash::ObjectId;
use gix_object::Kind;

use super::{Along, BlobAt, Exchange, Fault, Fetched, Landing, Listing, Settled, Wanted};
use crate::{
    approval::Redeemed, ledger::Intent, objects::Objects, pack::PackLimits, refname::BranchRef,
    target::CanonicalTarget, time::Timestamp,
};

/// An exchange that ends with a `T`.
pub type Conversation<T> = Box<dyn Exchange<Out = T>>;

/// A repository on a server. Each function begins a conversation with the server, and asks nothing yet.
pub trait Server {
    /// The target that approvals are bound to.
    fn target(&self) -> CanonicalTarget;

    /// Lists the branches and tags.
    fn refs(&self) -> Conversation<Listing>;

    /// Reads the head of one branch, `None` if the branch does not exist.
    fn tip(&self, reference: BranchRef) -> Conversation<Option<ObjectId>>;

    /// Fetches a commit and the history that the sandbox lacks, with all their trees.
    fn fetch(&self, wanted: Wanted) -> Conversation<Fetched>;

    /// Fetches what stands at its path in a commit of `known`, which is what the host has verified and
    /// given to the sandbox.
    fn blobs(&self, blobs: Vec<BlobAt>, known: Rc<dyn Objects>, limits: PackLimits) -> Conversation<Fetched>;

    /// Fetches single objects for the host itself, such as what a push is compared with.
    fn read(&self, objects: Vec<(ObjectId, Kind)>, limits: PackLimits) -> Conversation<Fetched>;

    /// Lands an approved push. `base` has objects that the target surely has, as far as the host knows them. A server
    /// that makes change requests of pushes itself is asked for what goes `along`; on any other they are made
    /// [afterwards](super::Forge::propose).
    fn land(&self, push: Redeemed, base: Rc<dyn Objects>, along: Option<Along>) -> Conversation<Landing>;

    /// Finds out what became of an intent at the time `now`. `sent` is when the last request that
    /// [moves](super::Request::moves) was about to be sent, as the host recorded it; `None` if the
    /// host has recorded none.
    ///
    /// # Errors
    /// [`FaultKind::BadName`](super::FaultKind::BadName) if its target is not on this forge.
    fn settle(&self, intent: &Intent, sent: Option<Timestamp>, now: Timestamp) -> Result<Conversation<Settled>, Fault>;
}
