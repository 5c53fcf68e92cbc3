//! Stands in for the person where there is no terminal, and says so.

use gate::approval::{Decision, Proposal};
use gate::ledger::How;
use gate::review::Screen;
use host::review::Notes;

use crate::approve::{Approver, CallDecision, CallRequest, Offer, PushDecision, Response};
use crate::report;
use crate::screen;

/// Prints the review that a person would see, and approves the push.
pub(super) struct Announced;

impl Approver for Announced {
    fn call(&mut self, _: &CallRequest) -> Response<CallDecision> {
        Response::Given(CallDecision::Approve)
    }

    fn push(&mut self, proposal: &Proposal, _: Option<&Offer>, _: &Notes<'_>) -> Response<PushDecision> {
        let review = proposal.review();
        let shown = report::print(&review.prompt_box(&Screen::default())).and_then(|_| report::print(&review.patch()));
        if let Err(error) = shown {
            return Response::Unavailable { reason: error.message, hint: screen::hint::words(&error.hint) };
        }
        report::note("there is no terminal, so the demo approves its own push");
        Response::Given(PushDecision::Decided(Decision::Approve { digest: proposal.digest() }))
    }

    fn how(&self) -> How {
        How::Unattended
    }

    fn tell(&mut self, message: &str) {
        report::note(message);
    }
}
