//! The one error of exchanges, and how an answer becomes one.

use gix_hash::ObjectId;
use serde::Deserialize;

use super::{Repository, Response};
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
        /// Its new name, if the server told it.
        to: Option<Repository>,
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
    /// The name is not one of a repository on GitHub.
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

    pub(super) fn malformed(what: impl std::fmt::Display) -> Self {
        Fault::new(FaultKind::Malformed, format!("cannot understand GitHub's answer: {what}"))
    }

    pub(super) fn too_large(what: impl Into<String>) -> Self {
        Fault::new(FaultKind::TooLarge, what)
    }

    /// The fault that an answer stands for, other than success, a redirect or a limit.
    pub(super) fn of(response: &Response) -> Self {
        let said = said(response);
        let of = |kind, what: &str| Fault::new(kind, with(what, &said));
        match response.status {
            401 => of(FaultKind::Unauthorized, "GitHub does not accept the token")
                .with_hint("sign in again, or use a token that has not expired"),
            403 if said.to_lowercase().contains("archived") => archived(),
            403 => of(FaultKind::Forbidden, "the token may not do this").with_hint(MAY),
            404 | 410 => not_found(),
            409 if is_empty(&said) => empty(),
            413 => of(FaultKind::TooLarge, "GitHub refused the request as too large"),
            status => of(FaultKind::Remote { status }, &format!("GitHub refused with status {status}")),
        }
    }
}

/// GitHub also hides workflows from tokens that may not write them, as if nothing were there.
const MAY: &str = "use a token that may read and write the contents of the repository, and its workflows if a push \
                   changes any";

impl From<crate::Fault> for Fault {
    fn from(fault: crate::Fault) -> Self {
        Fault { kind: FaultKind::Gate(fault.kind), message: fault.message, hint: fault.hint }
    }
}

pub(super) fn missing(id: ObjectId, what: impl Into<String>) -> Fault {
    Fault::new(FaultKind::MissingObject { id }, what).with_hint("read the branches again: they may have moved")
}

pub(super) fn not_found() -> Fault {
    Fault::new(FaultKind::NotFound, "there is no such repository, or the token may not see it")
        .with_hint(format!("check the name, and {MAY}"))
}

pub(super) fn archived() -> Fault {
    Fault::new(FaultKind::Archived, "the repository is archived, so nobody can push to it")
        .with_hint("unarchive the repository in its settings, or push elsewhere")
}

pub(super) fn empty() -> Fault {
    Fault::new(FaultKind::EmptyRemote, "the repository is empty, and GitHub takes objects only after a first commit")
        .with_hint("make a first commit on GitHub, such as a README, then pull and push again")
}

pub(super) fn is_empty(said: &str) -> bool {
    said.to_lowercase().contains("repository is empty")
}

/// Characters of a server's message that are shown.
const SHOWN: usize = 300;

/// What the server says, safe to show in one line.
pub(super) fn said(response: &Response) -> String {
    #[derive(Deserialize)]
    struct Error {
        message: String,
        #[serde(default)]
        errors: serde_json::Value,
    }
    // A larger body holds no message, but a page of HTML or worse.
    if response.body.len() > 1 << 16 {
        return String::new();
    }
    let Ok(error) = serde_json::from_slice::<Error>(&response.body) else { return String::new() };
    let details = error.errors.as_array().into_iter().flatten().filter_map(|error| match error {
        serde_json::Value::String(error) => Some(error.as_str()),
        error => error.get("message").and_then(serde_json::Value::as_str),
    });
    let all: Vec<&str> = std::iter::once(error.message.as_str()).chain(details).collect();
    clean(&all.join("; "))
}

/// Text of the server's, cut and made safe to show in one line.
pub(super) fn clean(said: &str) -> String {
    let cut: String = said.chars().take(SHOWN).collect();
    text::name(cut.trim().trim_end_matches('.').as_bytes())
}

fn with(what: &str, said: &str) -> String {
    if said.is_empty() { what.to_owned() } else { format!("{what}: {said}") }
}
