//! What a person is asked, and what they can answer.

mod revising;
mod revision;

use std::path::PathBuf;

use gate::approval::{Decision, Proposal};
use gate::digest::Digest;
use gate::ledger::How;
use gate::policy::Severity;

pub use revising::Revising;
pub use revision::{LeftOut, Revision};

/// A call inside the sandbox that the policy asks a person about.
#[derive(Clone, Debug)]
pub struct CallRequest<'a> {
    /// The tool.
    pub tool: &'a str,
    /// How much harm it can do.
    pub severity: Severity,
    /// One line.
    pub summary: &'a str,
    /// More lines; may be empty.
    pub detail: &'a str,
    /// The rule that the person may save.
    pub offer: Option<&'a Offer>,
}

/// A rule that would approve similar calls from now on, and the file to save it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// In the syntax of a policy file.
    pub rule: String,
    /// The file.
    pub file: PathBuf,
}

/// The answer to an approval question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response<T> {
    /// The person decided.
    Given(T),
    /// The person approved and wants to save the offered rule.
    Remembered(T),
    /// Nobody could be asked.
    Unavailable {
        /// One sentence without a full stop.
        reason: String,
        /// How to answer.
        hint: String,
    },
}

/// A decision about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallDecision {
    /// The call may run.
    Approve,
    /// The call must not run, for this reason, which the agent reads; may be empty.
    Reject(String),
}

/// A decision about a push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushDecision {
    /// Approved or rejected as it is.
    Decided(Decision),
    /// Edit the push, then ask again.
    Revise(Revision),
}

/// Answers approval questions. The caller holds no lock while it asks.
pub trait Approver {
    /// Asks about a call inside the sandbox.
    fn call(&mut self, request: &CallRequest<'_>) -> Response<CallDecision>;

    /// The digest of the push that was approved in advance, if any.
    fn digest(&self) -> Option<Digest> {
        None
    }

    /// Takes the edits that were given in advance, once.
    fn revision(&mut self) -> Option<Revision> {
        None
    }

    /// Shows a push and asks about it. `offer` is the rule that the person may save.
    fn push(&mut self, proposal: &Proposal, offer: Option<&Offer>) -> Response<PushDecision>;

    /// Whether it shows a person what it asks, so that nobody has to print a push that they left.
    fn shows(&self) -> bool {
        false
    }

    /// How the decision is made, for the audit log.
    fn how(&self) -> How;

    /// Prints a note for the person.
    fn tell(&mut self, message: &str);
}
