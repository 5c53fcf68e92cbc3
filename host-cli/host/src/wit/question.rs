//! What a call asks, and what it is answered.

use super::{Target, ToolError};

/// `question`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Identifies it.
    pub key: Vec<u8>,
    /// What it asks.
    pub body: QuestionBody,
}

/// `question-body`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionBody {
    /// May this call go on?
    Approval(Approval),
    /// Which refs has this target?
    Refs(Target),
    /// Push these commits.
    Push(Push),
    /// Fetch a commit and its history.
    Commits(CommitsWanted),
    /// Fetch blobs.
    Blobs(BlobsWanted),
}

/// `approval`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// How much harm it can do.
    pub risk: Risk,
    /// One line.
    pub summary: String,
    /// More lines; may be empty.
    pub detail: String,
}

/// `risk`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Risk {
    Low,
    Medium,
    High,
}

/// `push`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// The target, by the host's name.
    pub target: String,
    /// A full name.
    pub reference: String,
    /// Forty hex digits, or none for a new branch.
    pub old: Option<String>,
    /// Forty hex digits.
    pub new: String,
    /// Bytes in the pack.
    pub pack_size: u64,
}

/// `commits-wanted`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitsWanted {
    /// The target, by the host's name.
    pub target: String,
    /// Forty hex digits.
    pub want: String,
    /// Commits that the sandbox has.
    pub have: Vec<String>,
    /// Commits that it has without their parents.
    pub shallow: Vec<String>,
    /// The most commits on any path of parents.
    pub depth: Option<u32>,
    /// Whether blobs are wanted too.
    pub blobs: bool,
}

/// `blobs-wanted`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobsWanted {
    /// The target, by the host's name.
    pub target: String,
    /// The blobs.
    pub blobs: Vec<BlobAt>,
}

/// `blob-at`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobAt {
    /// Forty hex digits.
    pub commit: String,
    /// From the root of the commit's tree.
    pub path: Vec<u8>,
    /// Forty hex digits.
    pub id: String,
}

/// `reference`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// A full name.
    pub name: String,
    /// Forty hex digits.
    pub id: String,
    /// What a tag object peels to.
    pub peeled: Option<String>,
}

/// `refs`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refs {
    /// The target's canonical name.
    pub target: String,
    /// The branch that HEAD names.
    pub head: Option<String>,
    /// All refs.
    pub references: Vec<Reference>,
}

/// `landed`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landed {
    /// The target's canonical name.
    pub target: String,
    /// A full name.
    pub reference: String,
    /// Where the ref was.
    pub old: Option<String>,
    /// Where it is.
    pub new: String,
}

/// `fetched`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Packs that are attached.
    pub packs: Vec<AttachedPack>,
    /// Commits whose parents were left out.
    pub shallow: Vec<String>,
}

/// `attached-pack`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedPack {
    /// The SHA-256 of the pack.
    pub pack: Vec<u8>,
    /// The SHA-256 of its index.
    pub index: Vec<u8>,
}

/// `conflict`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// `non-fast-forward` or `other`.
    pub reason: String,
    /// For a person.
    pub message: String,
    /// Where the ref is now.
    pub target_head: Option<String>,
}

/// `answer`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Of the question.
    pub key: Vec<u8>,
    /// The answer.
    pub body: AnswerBody,
}

/// `answer-body`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerBody {
    /// The call may go on.
    Approved,
    /// It may not, for this reason.
    Rejected(String),
    /// A target's refs.
    Refs(Refs),
    /// The push has landed.
    Landed(Landed),
    /// The push cannot be made as things are.
    Conflict(Conflict),
    /// What was fetched.
    Fetched(Fetched),
    /// The host could not do it.
    Failed(ToolError),
}
