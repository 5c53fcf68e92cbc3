//! Somebody who answers.

use gate::approval::{Decision, Proposal};
use gate::ledger::How;
use host::approve::Revision;
use host::review::Notes;

use crate::approve::{Approver, CallDecision, CallRequest, Offer, PushDecision, Response};

/// Somebody who says yes to everything, and what they have seen.
#[derive(Default)]
pub(super) struct Person {
    /// Says no instead.
    pub(super) refuses: bool,
    /// The calls that they were asked about.
    pub(super) calls: Vec<String>,
    /// The pushes that they were shown.
    pub(super) pushes: Vec<String>,
    /// What they were told.
    pub(super) notes: Vec<String>,
    /// They take their time, so what they are asked is kept before.
    pub(super) takes_time: bool,
    /// They read what they are asked on a screen.
    pub(super) shows: bool,
    /// How they edit the first push.
    pub(super) revises: Option<Revision>,
    /// What happens while they read a push.
    pub(super) meanwhile: Option<Box<dyn FnOnce()>>,
    /// What they say about the first push instead, looking at what was said before.
    pub(super) says: Option<Says>,
}

/// Says something about a push.
type Says = Box<dyn FnOnce(&Proposal, &Notes<'_>) -> PushDecision>;

impl Approver for Person {
    fn call(&mut self, request: &CallRequest) -> Response<CallDecision> {
        self.calls.push(format!("{}\n{}", request.summary, request.detail));
        Response::Given(match self.refuses {
            true => CallDecision::Reject("not now".to_owned()),
            false => CallDecision::Approve,
        })
    }

    fn push(&mut self, proposal: &Proposal, _: Option<&Offer>, notes: &Notes<'_>) -> Response<PushDecision> {
        self.pushes.push(format!("{}\n{}", proposal.review().warnings(), proposal.review().whole()));
        self.meanwhile.take().into_iter().for_each(|happens| happens());
        if let Some(says) = self.says.take() {
            return Response::Given(says(proposal, notes));
        }
        if let Some(revision) = self.revises.take() {
            return Response::Given(PushDecision::Revise(revision));
        }
        Response::Given(PushDecision::Decided(match self.refuses {
            true => Decision::Reject { reason: "not now".to_owned() },
            false => Decision::Approve { digest: proposal.digest() },
        }))
    }

    fn takes_time(&self) -> bool {
        self.takes_time
    }

    fn shows(&self) -> bool {
        self.shows
    }

    fn how(&self) -> How {
        How::Unattended
    }

    fn tell(&mut self, message: &str) {
        self.notes.push(message.to_owned());
    }
}
