//! The questions that a tool can ask the host, and the keys that match answers to questions.

use std::num::NonZeroU32;

use gix::bstr::BString;
use sha2::{Digest, Sha256};

/// What a tool needs from the host.
#[derive(Clone, Debug)]
pub enum Question {
    /// May this call continue?
    Approval(Approval),
    /// Which refs does this target have?
    Refs(Target),
    /// Push these commits.
    Push(Push),
    /// Fetch a commit and the missing part of its history.
    Commits(CommitsWanted),
    /// Fetch blobs.
    Blobs(BlobsWanted),
    /// Note these answers to comments, and say which comments are open.
    Comments(Vec<CommentAnswer>),
}

/// What the agent says to a comment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CommentAnswer {
    /// The comment's id, or the beginning of it.
    pub comment: String,
    /// What.
    pub text: String,
}

/// The text of an approval request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Approval {
    /// How much harm the call could do.
    pub risk: Risk,
    /// One line for a person.
    pub summary: String,
    /// More lines, if one line does not say everything.
    pub detail: String,
    /// The calls of other tools that the call comes to. What is ruled about them holds for it too.
    pub parts: Vec<Part>,
}

/// A call of another tool, as a part of one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Part {
    /// The tool.
    pub tool: String,
    /// A JSON object.
    pub arguments: String,
}

/// How much harm a call could do.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Risk {
    /// It only reads, or its effect is easy to see and undo.
    Low,
    /// It changes the repository.
    Medium,
    /// It can destroy work, or reaches beyond the sandbox.
    High,
}

impl Risk {
    /// The name in the interface.
    pub fn name(self) -> &'static str {
        match self {
            Risk::Low => "low",
            Risk::Medium => "medium",
            Risk::High => "high",
        }
    }
}

/// A repository outside the sandbox, as a caller named it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Target {
    /// `local`, `local-bare`, `github`, `git` or `bundle`.
    pub kind: String,
    /// A path, `OWNER/REPO`, or a URL.
    pub location: String,
    /// A branch without `refs/heads/`.
    pub branch: Option<String>,
}

/// Commits to push out of the sandbox.
#[derive(Clone, Debug)]
pub struct Push {
    /// The target, as the host named it.
    pub target: String,
    /// The full name of the ref.
    pub reference: String,
    /// The commit that the ref points to now.
    pub old: Option<gix::ObjectId>,
    /// The commit that the ref should point to.
    pub new: gix::ObjectId,
    /// Every object that `new` needs and `old` lacks.
    pub pack: Vec<u8>,
}

/// A commit to fetch, with the missing part of its history, and all trees of these commits.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CommitsWanted {
    /// The target, as the host named it.
    pub target: String,
    /// A commit reachable from the target's refs.
    pub want: gix::ObjectId,
    /// Commits that the sandbox has, with their history down to `shallow`.
    pub have: Vec<gix::ObjectId>,
    /// Commits that the sandbox has without their parents. The tool does not want their history.
    pub shallow: Vec<gix::ObjectId>,
    /// Maximum number of commits on any path of parents from `want`, if the target has none of `have`. `None` means no limit.
    pub depth: Option<NonZeroU32>,
    /// Whether to fetch the blobs too.
    pub blobs: bool,
}

/// Blobs to fetch.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BlobsWanted {
    /// The target, as the host named it.
    pub target: String,
    /// Sorted, without duplicates.
    pub blobs: Vec<BlobAt>,
}

/// A blob and its location in the target. So a tool can only ask for blobs that a ref reaches.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct BlobAt {
    /// A commit reachable from the target's refs.
    pub commit: gix::ObjectId,
    /// Path from the root of the commit's tree.
    pub path: BString,
    /// The blob.
    pub id: gix::ObjectId,
}

/// Identifies a question. The tool ignores an answer with another key.
pub type Key = [u8; 32];

impl Question {
    /// The SHA-256 of the whole question. The length of each part precedes it.
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
                // `new` determines every object of the pack, so another packing is the same question.
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
            Question::Comments(answers) => {
                parts.add(b"comments");
                for CommentAnswer { comment, text } in answers {
                    parts.add(comment.as_bytes());
                    parts.add(text.as_bytes());
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
