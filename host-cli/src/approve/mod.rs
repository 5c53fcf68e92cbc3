//! How a person is asked, and how they may have answered beforehand.

mod prompt;
mod scripted;

use gate::approval::{Decision, Proposal};
use gate::digest::Digest;
use gate::ledger::How;
use gate::policy::Severity;

pub use prompt::Prompt;
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
}

/// A person's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<T> {
    /// They have decided.
    Given(T),
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

/// Whoever can be asked. No lock is held meanwhile.
pub trait Approver {
    /// Asks about a call inside the sandbox.
    fn call(&mut self, request: &CallRequest<'_>) -> Word<CallDecision>;

    /// The push that they have been told to approve, if they have been told of one.
    fn digest(&self) -> Option<Digest> {
        None
    }

    /// Shows a push and asks about it.
    fn push(&mut self, proposal: &Proposal) -> Word<Decision>;

    /// How whoever decides does so, for the audit log.
    fn how(&self) -> How;

    /// Says what the person should know and need not answer.
    fn tell(&mut self, message: &str);
}
