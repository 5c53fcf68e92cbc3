//! The one error of this crate: what it refused, why, and what to do about it.

use gix_hash::ObjectId;
use serde::Serialize;

/// Why something was refused.
///
/// `kind` is for programs, `message` says in one sentence what is wrong, and `hint` what a person
/// can do. Names from the component are escaped for a terminal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[error("{message}")]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// What is wrong, one sentence without a full stop.
    pub message: String,
    /// What to do about it. Empty if nothing can be done.
    pub hint: String,
}

/// The kinds of fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The pack is not a whole, well-formed pack.
    MalformedPack,
    /// An object's content breaks the rules of its kind.
    MalformedObject,
    /// A tree names something that some filesystem would take for `.git`, or for a path outside.
    UnsafePath,
    /// Something refers to an object that neither the pack nor the target has.
    MissingObject,
    /// A limit on size, number, depth or ratio was exceeded.
    TooLarge,
    /// The pack holds an object that the push does not need.
    UnneededObject,
    /// A ref name is not valid, or not a branch.
    BadRef,
    /// gitgate does not write to this kind of target, or its name is invalid.
    BadTarget,
    /// The target's branch is not where the push expects it.
    Conflict {
        /// The kind of conflict.
        reason: ConflictReason,
        /// The branch's current head, or `None` if it does not exist.
        #[serde(serialize_with = "hex_option")]
        target_head: Option<ObjectId>,
    },
    /// A person, or the digest they gave, did not approve this.
    Refused,
    /// The approval came too late.
    Expired,
    /// The nonce was used before.
    Spent,
    /// The policy denies it.
    Policy,
    /// A comment is empty or too long, or about something that the review does not show.
    BadComment,
    /// A line of the audit log is damaged or contradicts another.
    DamagedLedger,
    /// The host could not read or write what it was asked for.
    Host,
}

/// The kinds of push conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictReason {
    /// The branch holds commits that the push does not build on.
    NonFastForward,
    /// Something in the target blocks the push, such as a changed file in the worktree.
    Other,
}

impl Fault {
    /// A fault of `kind` without a hint.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Fault { kind, message: message.into(), hint: String::new() }
    }

    /// The same fault with a hint on what to do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// A pack that is not well formed.
    pub(crate) fn pack(message: impl Into<String>) -> Self {
        Fault::new(FaultKind::MalformedPack, message)
    }

    /// An exceeded limit.
    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Fault::new(FaultKind::TooLarge, message)
            .with_hint("push fewer commits at a time, earlier ones first, or remake them without their largest files")
    }
}

fn hex_option<S: serde::Serializer>(id: &Option<ObjectId>, serializer: S) -> Result<S::Ok, S::Error> {
    match id {
        Some(id) => serializer.collect_str(id),
        None => serializer.serialize_none(),
    }
}
