//! The one error of exchanges.

use gix_hash::ObjectId;

use crate::text;

/// Why an exchange failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// What is wrong, one sentence without a full stop. What the server says in it has been
    /// shortened and escaped for a terminal.
    pub message: String,
    /// What to do about it. Empty if nothing can be done.
    pub hint: String,
}

/// The kinds of fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// The server does not know the token, or there is none.
    Unauthorized,
    /// The token may not do that.
    Forbidden,
    /// There is no such repository, or the token may not see it.
    NotFound,
    /// The repository has another name now. Nothing follows by itself, because the approval, the
    /// log and the settings of a sandbox name the old one.
    Renamed {
        /// Its new location, as a target names it, if the server told it.
        to: Option<String>,
    },
    /// The repository has no commit yet, and so cannot take objects.
    EmptyRemote,
    /// The repository is read-only.
    Archived,
    /// The server asks to be left alone for longer than an exchange waits.
    Limited {
        /// How many seconds it named, if it did.
        seconds: Option<u64>,
    },
    /// The server stored another object than it was given.
    WrongObject {
        /// What was sent.
        wanted: ObjectId,
        /// What the server made of it.
        got: ObjectId,
    },
    /// The object cannot be rebuilt from what the server tells of it.
    Inexact {
        /// The object.
        id: ObjectId,
    },
    /// The repository does not have the object, or no branch or tag leads to it.
    MissingObject {
        /// The object.
        id: ObjectId,
    },
    /// The object cannot be written in the server's terms.
    Unsendable {
        /// The object.
        id: ObjectId,
    },
    /// An answer, or what was asked for, is larger than the host takes.
    TooLarge,
    /// The answer is not what the server's documentation says.
    Malformed,
    /// The server refused to move the branch, such as by a rule that protects it.
    Refused,
    /// The server refused, for a reason that has no kind of its own.
    Remote {
        /// The HTTP status.
        status: u16,
    },
    /// The server did not answer, however often it was asked.
    NoAnswer,
    /// The name is not one of a repository on the forge.
    BadName,
    /// The exchange was polled after its end.
    Over,
    /// A fault of the gate's own.
    Gate(crate::FaultKind),
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

    /// The repository does not have the object `id`, or shows it to nobody.
    pub(crate) fn missing(id: ObjectId, what: impl Into<String>) -> Self {
        Fault::new(FaultKind::MissingObject { id }, what).with_hint("read the branches again: they may have moved")
    }

    pub(crate) fn too_large(what: impl Into<String>) -> Self {
        Fault::new(FaultKind::TooLarge, what)
    }
}

impl From<crate::Fault> for Fault {
    fn from(fault: crate::Fault) -> Self {
        Fault { kind: FaultKind::Gate(fault.kind), message: fault.message, hint: fault.hint }
    }
}

/// Characters of a server's message that are shown.
const SHOWN: usize = 300;

/// Text of a server's, cut and made safe to show in one line.
pub(crate) fn clean(said: &str) -> String {
    let cut: String = said.chars().take(SHOWN).collect();
    text::name(cut.trim().trim_end_matches('.').as_bytes())
}
