//! The records of the log.

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

/// An approved push that is about to be written, with all that is needed to finish or settle it
/// after a crash. One line records both the approval and the intent, so there is no moment between
/// the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    /// The sandbox that pushes.
    pub sandbox: SandboxId,
    /// The id of the tool call.
    pub call_id: String,
    /// The tool call, which recovery repeats with the answer.
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
    /// The branch's new head.
    #[serde(with = "line::id")]
    pub new: ObjectId,
    /// When.
    pub at: Timestamp,
    /// What else the host needs to finish, such as the paths of a worktree and the name of a lock.
    /// This crate does not interpret it.
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
    /// Who settled it, if a person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Brief>,
    /// When.
    pub at: Timestamp,
}

/// The results of a push.
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

/// A push that was rejected after a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejection {
    /// What was shown.
    pub digest: Digest,
    /// Who rejected it.
    pub rejected: Decided,
    /// Why; may be empty.
    pub reason: Brief,
    /// The comments that were sent to the agent, if it was asked for changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<usize>,
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

/// A decision about a call inside the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecidedCall {
    /// The id of the call, by which the sandbox's history knows it.
    pub call_id: Brief,
    /// Who called.
    pub caller: Caller,
    /// The tool.
    pub tool: Brief,
    /// The summary that the person read.
    pub summary: Brief,
    /// The verdict.
    pub verdict: CallVerdict,
    /// Who.
    pub decided: Decided,
    /// When.
    pub at: Timestamp,
}

/// A verdict about a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallVerdict {
    /// Approved. The sandbox's history has the result.
    Approved,
    /// Rejected, for this reason, which may be empty.
    Rejected(Brief),
}

/// A rule that the person saved when they approved a call that it covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remembered {
    /// The rule, in the syntax of a policy file.
    pub rule: Brief,
    /// Who.
    pub decided: Decided,
    /// When.
    pub at: Timestamp,
}

/// What happened to a comment on a push.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommentEvent {
    /// The comment.
    pub comment: Brief,
    /// What.
    pub what: CommentChange,
    /// What it is about, in words.
    pub place: Brief,
    /// The beginning of what was said.
    pub text: Brief,
    /// Where the push would go.
    pub target: CanonicalTarget,
    /// The branch.
    pub reference: BranchRef,
    /// Who: a person, or the agent.
    pub by: Brief,
    /// When.
    pub at: Timestamp,
}

/// The changes of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommentChange {
    /// A person made it.
    Made,
    /// A person took it back before the agent was told of it.
    Withdrawn,
    /// It was answered.
    Answered,
    /// A person settled it.
    Settled,
    /// A person opened it again.
    Reopened,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// A push is about to be written. Boxed, because it is by far the largest.
    Intent(Box<Intent>),
    /// A push has ended.
    Outcome(Outcome),
    /// A push was rejected.
    Rejection(Box<Rejection>),
    /// A call was approved or rejected.
    Call(Box<DecidedCall>),
    /// A rule was saved.
    Remembered(Box<Remembered>),
    /// A comment was made, answered or settled.
    Comment(Box<CommentEvent>),
}

impl Record {
    /// The time of the record.
    pub fn at(&self) -> Timestamp {
        match self {
            Record::Intent(intent) => intent.at,
            Record::Outcome(outcome) => outcome.at,
            Record::Rejection(rejection) => rejection.at,
            Record::Call(call) => call.at,
            Record::Remembered(remembered) => remembered.at,
            Record::Comment(comment) => comment.at,
        }
    }
}
