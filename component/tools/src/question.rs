//! What a tool may ask of the host, and how an answer finds its question.

use sha2::{Digest, Sha256};

use crate::approval::Approval;

/// A need that only the host can meet.
#[derive(Clone, Debug)]
pub enum Question {
    /// May this call go on?
    Approval(Approval),
    /// Which refs has this target?
    Refs(Target),
    /// Take these commits there.
    Push(Push),
}

/// A place that has a repository, as a caller named it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Target {
    /// `local`, `local-bare`, `github`, `git` or `bundle`.
    pub kind: String,
    /// A path, `OWNER/REPO`, or a URL.
    pub location: String,
    /// A branch without `refs/heads/`.
    pub branch: Option<String>,
}

/// Commits that are to leave the sandbox.
#[derive(Clone, Debug)]
pub struct Push {
    /// The target, as the host named it.
    pub target: String,
    /// The full name of the ref.
    pub reference: String,
    /// What the ref is now.
    pub old: Option<gix::ObjectId>,
    /// What it is to be.
    pub new: gix::ObjectId,
    /// Every object that `new` needs and `old` lacks.
    pub pack: Vec<u8>,
}

/// Names a question. An answer to another question does not count.
pub type Key = [u8; 32];

impl Question {
    /// The SHA-256 of everything that is asked, each part with its length before it.
    pub fn key(&self) -> Key {
        let mut parts = Parts(Sha256::new());
        match self {
            Question::Approval(approval) => {
                parts.add(b"approval");
                parts.add(approval.summary.as_bytes());
                parts.add(approval.risk.name().as_bytes());
            }
            Question::Refs(target) => {
                parts.add(b"refs");
                parts.add(target.kind.as_bytes());
                parts.add(target.location.as_bytes());
                parts.add_optional(target.branch.as_deref().map(str::as_bytes));
            }
            Question::Push(push) => {
                parts.add(b"push");
                parts.add(push.target.as_bytes());
                parts.add(push.reference.as_bytes());
                parts.add_optional(push.old.as_ref().map(|id| id.as_bytes()));
                // `new` names every object of the pack; how they are packed makes no other question.
                parts.add(push.new.as_bytes());
            }
        }
        parts.0.finalize().into()
    }
}

struct Parts(Sha256);

impl Parts {
    fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_be_bytes());
        self.0.update(part);
    }

    fn add_optional(&mut self, part: Option<&[u8]>) {
        self.0.update([u8::from(part.is_some())]);
        self.add(part.unwrap_or_default());
    }
}
