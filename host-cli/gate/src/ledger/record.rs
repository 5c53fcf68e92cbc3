//! What a line of the log can say.

use gix_hash::ObjectId;
use serde::{Deserialize, Serialize};

use super::line;
use super::who::{Brief, Decided};
use crate::{
    digest::Digest,
    id::{Nonce, SandboxId},
    policy::Caller,
    refname::BranchRef,
    target::CanonicalTarget,
    time::Timestamp,
};

/// What is about to be written, and all that is needed to finish or settle it after a crash. That it was approved is the same line: there is
/// no moment between the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    /// The sandbox that pushes.
    pub sandbox: SandboxId,
    /// The id of the tool call.
    pub call_id: String,
    /// The tool call, to be made again with the answer.
    pub call: serde_json::Value,
    /// Spent by this record.
    pub nonce: Nonce,
    /// What was approved.
    pub digest: Digest,
    /// Who approved it.
    pub approved: Decided,
    /// Where it is written.
    pub target: CanonicalTarget,
    /// The branch.
    pub reference: BranchRef,
    /// Where the branch was.
    #[serde(with = "line::optional_id")]
    pub old: Option<ObjectId>,
    /// Where the branch shall be.
    #[serde(with = "line::id")]
    pub new: ObjectId,
    /// When.
    pub at: Timestamp,
    /// What else the host needs to finish, such as the paths of a worktree and the name of a lock; this
    /// crate does not look into it.
    #[serde(default)]
    pub host: serde_json::Value,
}

/// How a push ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The intent's nonce.
    pub nonce: Nonce,
    /// How.
    pub result: PushResult,
    /// Who settled it, where somebody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Brief>,
    /// When.
    pub at: Timestamp,
}

/// The ways a push ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PushResult {
    /// The branch is at the new head, or beyond.
    Landed,
    /// The branch is where it was.
    NotLanded,
    /// The branch is elsewhere. It is blocked until the person settles it.
    InDoubt,
    /// The person settled it.
    Settled,
}

/// A push that somebody was shown and did not want.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejection {
    /// What was shown.
    pub digest: Digest,
    /// Who rejected it.
    pub rejected: Decided,
    /// Why; may be empty.
    pub reason: Brief,
    /// Where it would have gone.
    pub target: CanonicalTarget,
    /// The branch.
    pub reference: BranchRef,
    /// Where the branch was.
    #[serde(with = "line::optional_id")]
    pub old: Option<ObjectId>,
    /// Where the branch would have been.
    #[serde(with = "line::id")]
    pub new: ObjectId,
    /// When.
    pub at: Timestamp,
}

/// A call inside the sandbox that somebody was asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallWord {
    /// The id of the call, by which the sandbox's history knows it.
    pub call_id: Brief,
    /// Who called.
    pub caller: Caller,
    /// The tool.
    pub tool: Brief,
    /// What they were told of it.
    pub summary: Brief,
    /// What they said.
    pub verdict: CallVerdict,
    /// Who.
    pub decided: Decided,
    /// When.
    pub at: Timestamp,
}

/// What somebody said of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallVerdict {
    /// Go ahead. What became of it, the sandbox's history says.
    Approved,
    /// Do not, for this reason, which may be empty.
    Rejected(Brief),
}

/// A rule that somebody wanted remembered, when they approved what it would have allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remembered {
    /// The rule, as it stands in the policy file.
    pub rule: Brief,
    /// Who.
    pub decided: Decided,
    /// When.
    pub at: Timestamp,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// A push is about to be written. It is the largest by far, and boxed for that.
    Intent(Box<Intent>),
    /// A push has ended.
    Outcome(Outcome),
    /// A push was rejected.
    Rejection(Box<Rejection>),
    /// A call was approved or rejected.
    Call(Box<CallWord>),
    /// A rule was remembered.
    Remembered(Box<Remembered>),
}

impl Record {
    /// When it was.
    pub fn at(&self) -> Timestamp {
        match self {
            Record::Intent(intent) => intent.at,
            Record::Outcome(outcome) => outcome.at,
            Record::Rejection(rejection) => rejection.at,
            Record::Call(call) => call.at,
            Record::Remembered(remembered) => remembered.at,
        }
    }
}
