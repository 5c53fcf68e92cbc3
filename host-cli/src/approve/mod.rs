//! How a person is asked, and how they may have answered beforehand.

mod prompt;
mod revising;
mod revision;
mod scripted;

use std::path::PathBuf;

use gate::approval::{Decision, Proposal};
use gate::digest::Digest;
use gate::ledger::How;
use gate::policy::Severity;

pub use prompt::Prompt;
pub use revising::Revising;
pub use revision::{LeftOut, Revision};
pub use scripted::Scripted;

/// A call inside the sandbox that the policy wants a person's word for.
#[derive(Clone, Debug)]
pub struct CallRequest<'a> {
    /// The tool.
    pub tool: &'a str,
    /// How grave it is.
    pub severity: Severity,
    /// One line.
    pub summary: &'a str,
    /// More lines; may be empty.
    pub detail: &'a str,
    /// The rule that could be remembered.
    pub offer: Option<&'a Offer>,
}

/// A rule by which a call such as this one would not be asked about again, and where it would be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// As it stands in a policy file.
    pub rule: String,
    /// The file.
    pub file: PathBuf,
}

/// A person's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<T> {
    /// They have decided.
    Given(T),
    /// They have approved, and want the rule that was offered and shown to them.
    Remembered(T),
    /// Nobody could be asked, for this reason; how to answer is in the hint.
    Nobody {
        /// One sentence without a full stop.
        reason: String,
        /// What to do.
        hint: String,
    },
}

/// What was decided about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallDecision {
    /// Go ahead.
    Approve,
    /// Do not, for this reason, which the agent reads; may be empty.
    Reject(String),
}

/// What was decided about a push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushDecision {
    /// It goes as it is, or not at all.
    Decided(Decision),
    /// It is to be made anew, and shown again.
    Revise(Revision),
}

/// Whoever can be asked. No lock is held meanwhile.
pub trait Approver {
    /// Asks about a call inside the sandbox.
    fn call(&mut self, request: &CallRequest<'_>) -> Word<CallDecision>;

    /// The push that they have been told to approve, if they have been told of one.
    fn digest(&self) -> Option<Digest> {
        None
    }

    /// How they have said beforehand that they would have the push, once.
    fn revision(&mut self) -> Option<Revision> {
        None
    }

    /// Shows a push and asks about it. The rule that could be remembered is in `offer`.
    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>) -> Word<PushDecision>;

    /// How whoever decides does so, for the audit log.
    fn how(&self) -> How;

    /// Says what the person should know and need not answer.
    fn tell(&mut self, message: &str);
}
