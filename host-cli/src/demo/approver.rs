//! Stands in for the person where there is no terminal to ask at, and says so.

use gate::approval::{Decision, Proposal};
use gate::ledger::How;

use crate::approve::{Approver, CallDecision, CallRequest, Offer, PushDecision, Word};
use crate::report;

/// Shows what a person would see, and approves it.
pub(super) struct Announced;

impl Approver for Announced {
    fn call(&mut self, _: &CallRequest<'_>) -> Word<CallDecision> {
        Word::Given(CallDecision::Approve)
    }

    fn push(&mut self, proposal: &Proposal, _: Option<&Offer>) -> Word<PushDecision> {
        let review = proposal.review();
        let shown = report::print(&review.prompt_box()).and_then(|_| report::print(&review.patch()));
        if let Err(error) = shown {
            return Word::Nobody { reason: error.message, hint: error.hint };
        }
        report::note("there is no terminal to ask at, so the demo approves its own push");
        Word::Given(PushDecision::Decided(Decision::Approve { digest: proposal.digest() }))
    }

    fn how(&self) -> How {
        How::Unattended
    }

    fn tell(&mut self, message: &str) {
        report::note(message);
    }
}
