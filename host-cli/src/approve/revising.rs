//! Applies the edits given on the command line before anything else is answered.

use gate::approval::Proposal;
use gate::digest::Digest;
use gate::forge::Along;
use gate::ledger::How;
use host::review::Notes;

use super::{Approver, CallDecision, CallRequest, Offer, PushDecision, Response, Revision};

/// Edits the first push, says what goes along with it, and leaves every decision to another approver.
pub struct Revising<'a> {
    /// The edits, until they are taken.
    pub revision: Option<Revision>,
    /// What the server shall make of the push.
    pub along: Option<Along>,
    /// Decides about the edited push.
    pub inner: Box<dyn Approver + 'a>,
}

impl Approver for Revising<'_> {
    fn call(&mut self, request: &CallRequest) -> Response<CallDecision> {
        self.inner.call(request)
    }

    fn digest(&self) -> Option<Digest> {
        self.inner.digest()
    }

    fn revision(&mut self) -> Option<Revision> {
        self.revision.take()
    }

    fn along(&self) -> Option<Along> {
        self.along.clone()
    }

    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>, notes: &Notes<'_>) -> Response<PushDecision> {
        self.inner.push(proposal, offer, notes)
    }

    fn takes_time(&self) -> bool {
        self.inner.takes_time()
    }

    fn shows(&self) -> bool {
        self.inner.shows()
    }

    fn how(&self) -> How {
        self.inner.how()
    }

    fn tell(&mut self, message: &str) {
        self.inner.tell(message);
    }
}
