//! What a person is asked, and what they can answer.

mod revision;

use gate::approval::Decision;
use gate::policy::Severity;

pub use revision::{LeftOut, Revision};

/// A call inside the sandbox that the policy asks a person about.
#[derive(Clone, Debug)]
pub struct CallRequest {
    /// The tool.
    pub tool: String,
    /// How much harm it can do.
    pub severity: Severity,
    /// One line.
    pub summary: String,
    /// More lines; may be empty.
    pub detail: String,
    /// Why they are asked, as far as they cannot know.
    pub reasons: Vec<String>,
    /// The rule that the person may save.
    pub offer: Option<Offer>,
}

/// A rule that would approve similar calls from now on, and where it is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// In the syntax of a policy file.
    pub rule: String,
    /// What a person calls the place.
    pub place: String,
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
    /// The agent is to mend it: all comments on it that are open are sent.
    AskChanges {
        /// What is to be said besides the comments; may be empty.
        reason: String,
    },
    /// Edit the push, then ask again.
    Revise(Revision),
}
