//! Stands in for the person, and says so: where there is no terminal, and for the comment that the story needs.

use gate::approval::{Decision, Proposal};
use gate::comment::{Place, Weight};
use gate::ledger::How;
use gate::review::{Screen, Side};
use gate::seen::{Seen, State, interdiff};
use host::error::{ErrorKind, HostError, Result};
use host::review::{Draft, Look, Notes};

use crate::approve::{Approver, CallDecision, CallRequest, Offer, PushDecision, Response};
use crate::report;
use crate::screen;

/// Prints the review that a person would see, and approves the push.
pub(super) struct Announced;

impl Approver for Announced {
    fn call(&mut self, _: &CallRequest) -> Response<CallDecision> {
        Response::Given(CallDecision::Approve)
    }

    fn push(&mut self, proposal: &Proposal, _: Option<&Offer>, notes: &Notes<'_>) -> Response<PushDecision> {
        let review = proposal.review();
        let shown = report::print(&review.prompt_box(&Screen::default()))
            .and_then(|_| report::print(&review.patch()))
            .and_then(|_| report::print(&news(proposal, &notes.seen())));
        if let Err(error) = shown {
            return unavailable(&error);
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

fn unavailable<T>(error: &HostError) -> Response<T> {
    Response::Unavailable { reason: error.message.clone(), hint: screen::hint::words(&error.hint) }
}

/// What has changed in the parts of the push that were seen before.
fn news(proposal: &Proposal, seen: &Seen) -> String {
    let files = proposal.review().listed();
    let since = seen.compare(&files);
    let mut out = String::new();
    for (file, states) in files.iter().zip(&since.states) {
        for (unit, state) in file.units().iter().zip(states) {
            if let State::Changed(before) = state {
                out.push_str(&format!(
                    "Since you looked at {}:\n{}",
                    file.shown_path(),
                    interdiff(&before.text, unit.text)
                ));
            }
        }
    }
    out
}

/// Marks all of the push as seen, comments on a line of it and asks for changes.
pub(super) struct Commenting;

/// The file and the line that the comment is about, and what it says.
const ABOUT: (&str, u32, &str) = ("tests/test_greet.py", 5, "Test an empty name as well");

impl Commenting {
    fn comment(proposal: &Proposal, notes: &Notes<'_>) -> Result<()> {
        let (path, line, text) = ABOUT;
        let files = proposal.review().listed();
        let looks: Vec<Look> = files.iter().flat_map(|file| Look::at(file, true)).collect();
        notes.look(&looks)?;
        let file = files
            .iter()
            .find(|file| file.path == path)
            .ok_or_else(|| HostError::new(ErrorKind::Component, format!("the push does not have {path}")))?;
        let place = Place::of_lines(file, Side::New, line, line)?;
        report::print(&format!("  {}: {text}\n", place.line()))?;
        let commit = proposal.review().new;
        notes.add(Draft { commit, place, weight: Weight::Must, text: text.to_owned() }).map(drop)
    }
}

impl Approver for Commenting {
    fn call(&mut self, _: &CallRequest) -> Response<CallDecision> {
        Response::Given(CallDecision::Approve)
    }

    fn push(&mut self, proposal: &Proposal, _: Option<&Offer>, notes: &Notes<'_>) -> Response<PushDecision> {
        match Self::comment(proposal, notes) {
            Ok(()) => Response::Given(PushDecision::AskChanges { reason: "Nearly there".to_owned() }),
            Err(error) => unavailable(&error),
        }
    }

    fn how(&self) -> How {
        How::Unattended
    }

    fn tell(&mut self, message: &str) {
        report::note(message);
    }
}
