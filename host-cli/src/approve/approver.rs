//! Whoever answers for the person in this process.

use gate::approval::Proposal;
use gate::digest::Digest;
use gate::forge::Along;
use gate::ledger::How;
use host::review::Notes;

use super::{CallDecision, CallRequest, Offer, PushDecision, Response, Revision};

/// Answers approval questions. The caller holds no lock while it asks.
pub trait Approver {
    /// Asks about a call inside the sandbox.
    fn call(&mut self, request: &CallRequest) -> Response<CallDecision>;

    /// The digest of the push that was approved in advance, if any.
    fn digest(&self) -> Option<Digest> {
        None
    }

    /// Takes the edits that were given in advance, once.
    fn revision(&mut self) -> Option<Revision> {
        None
    }

    /// The change request that the server shall make of the push, if it makes any itself.
    fn along(&self) -> Option<Along> {
        None
    }

    /// Shows a push and asks about it. `offer` is the rule that the person may save.
    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>, notes: &Notes<'_>) -> Response<PushDecision>;

    /// Whether it asks a person, who takes their time.
    fn takes_time(&self) -> bool {
        false
    }

    /// Whether it shows a person what it asks, so that nobody has to print a push that they left.
    fn shows(&self) -> bool {
        false
    }

    /// How the decision is made, for the audit log.
    fn how(&self) -> How;

    /// Prints a note for the person.
    fn tell(&mut self, message: &str);
}
