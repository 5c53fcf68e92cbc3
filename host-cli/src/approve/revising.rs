//! A revision that was given on the command line: it comes before whatever else is answered.

use gate::approval::Proposal;
use gate::digest::Digest;
use gate::ledger::How;

use super::{Approver, CallDecision, CallRequest, Offer, PushDecision, Revision, Word};

/// Has the first push that is shown revised, and leaves what comes of it to another.
pub struct Revising<'a> {
    /// What is to be different, until it has been said.
    pub revision: Option<Revision>,
    /// Whoever answers.
    pub inner: Box<dyn Approver + 'a>,
}

impl Approver for Revising<'_> {
    fn call(&mut self, request: &CallRequest<'_>) -> Word<CallDecision> {
        self.inner.call(request)
    }

    fn digest(&self) -> Option<Digest> {
        self.inner.digest()
    }

    fn revision(&mut self) -> Option<Revision> {
        self.revision.take()
    }

    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>) -> Word<PushDecision> {
        self.inner.push(proposal, offer)
    }

    fn how(&self) -> How {
        self.inner.how()
    }

    fn tell(&mut self, message: &str) {
        self.inner.tell(message);
    }
}
