//! What a tool may ask of the host, and how an answer finds its question.

use std::num::NonZeroU32;

use gix::bstr::BString;
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
    /// Bring a commit, and what is lacking of its history.
    Commits(CommitsWanted),
    /// Bring blobs.
    Blobs(BlobsWanted),
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

/// A commit that is to come in, with its history as far as there is none of it here, and all their trees.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CommitsWanted {
    /// The target, as the host named it.
    pub target: String,
    /// A commit that the target's refs reach.
    pub want: gix::ObjectId,
    /// Commits that are here, with their history as far as `shallow` says.
    pub have: Vec<gix::ObjectId>,
    /// Commits that are here without their parents. What is before them is not wanted.
    pub shallow: Vec<gix::ObjectId>,
    /// The most commits from `want` to the end of any line, where the target knows none of `have`. None for all.
    pub depth: Option<NonZeroU32>,
    /// Whether the blobs are to come along.
    pub blobs: bool,
}

/// Blobs that are to come in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BlobsWanted {
    /// The target, as the host named it.
    pub target: String,
    /// Each once, in order.
    pub blobs: Vec<BlobAt>,
}

/// A blob, and a place where the target has it: so nothing can be asked for that no ref reaches.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct BlobAt {
    /// A commit that the target's refs reach.
    pub commit: gix::ObjectId,
    /// From the root of its tree.
    pub path: BString,
    /// The blob.
    pub id: gix::ObjectId,
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
            Question::Commits(wanted) => {
                parts.add(b"commits");
                parts.add(wanted.target.as_bytes());
                parts.add(wanted.want.as_bytes());
                parts.add_ids(&wanted.have);
                parts.add_ids(&wanted.shallow);
                parts.add(&wanted.depth.map_or(0, NonZeroU32::get).to_be_bytes());
                parts.add(&[u8::from(wanted.blobs)]);
            }
            Question::Blobs(wanted) => {
                parts.add(b"blobs");
                parts.add(wanted.target.as_bytes());
                for BlobAt { commit, path, id } in &wanted.blobs {
                    parts.add(commit.as_bytes());
                    parts.add(path);
                    parts.add(id.as_bytes());
                }
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

    fn add_ids(&mut self, ids: &[gix::ObjectId]) {
        self.add(&ids.iter().flat_map(|id| id.as_bytes()).copied().collect::<Vec<_>>());
    }

    fn add_optional(&mut self, part: Option<&[u8]>) {
        self.0.update([u8::from(part.is_some())]);
        self.add(part.unwrap_or_default());
    }
}
