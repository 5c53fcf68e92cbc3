//! What GitHub answers, as far as it matters here.

use gix_hash::ObjectId;
use gix_object::Kind;
use serde::{Deserialize, Deserializer, de::Error};

/// An object id in an answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Id(pub ObjectId);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hex = String::deserialize(deserializer)?;
        match ObjectId::from_hex(hex.as_bytes()) {
            Ok(id) if hex.len() == 40 => Ok(Id(id)),
            _ => Err(D::Error::custom("an object id is 40 hex digits")),
        }
    }
}

/// Anything that is named by its id.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub sha: Id,
}

/// `GET /repos/{owner}/{repo}`
#[derive(Debug, Deserialize)]
pub(super) struct About {
    pub full_name: String,
    pub default_branch: Option<String>,
    #[serde(default)]
    pub archived: bool,
}

/// A ref of `GET …/git/ref/…` and `GET …/git/matching-refs/…`.
#[derive(Debug, Deserialize)]
pub(super) struct Reference {
    #[serde(rename = "ref")]
    pub name: String,
    pub object: Pointed,
}

/// What a ref or a tag points to.
#[derive(Debug, Deserialize)]
pub(super) struct Pointed {
    pub sha: Id,
    #[serde(rename = "type")]
    pub kind: String,
}

impl Pointed {
    pub fn kind(&self) -> Option<Kind> {
        Kind::from_bytes(self.kind.as_bytes()).ok()
    }
}

/// A tag of `GET …/tags`, led to its commit.
#[derive(Debug, Deserialize)]
pub(super) struct Peeled {
    pub name: String,
    pub commit: Named,
}

/// An author, committer or tagger.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Person {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub email: Option<String>,
    pub date: String,
}

/// A signature, with what was signed.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Verification {
    #[serde(default)]
    pub signature: Option<String>,
    #[serde(default)]
    pub payload: Option<String>,
}

/// `GET …/git/commits/{sha}`
#[derive(Debug, Deserialize)]
pub(super) struct Commit {
    pub sha: Id,
    pub author: Person,
    pub committer: Person,
    pub message: String,
    pub tree: Named,
    pub parents: Vec<Named>,
    #[serde(default)]
    pub verification: Verification,
}

/// A commit of `GET …/commits` and `GET …/compare/…`.
#[derive(Debug, Deserialize)]
pub(super) struct Listed {
    sha: Id,
    commit: ListedCommit,
    parents: Vec<Named>,
}

#[derive(Debug, Deserialize)]
struct ListedCommit {
    author: Person,
    committer: Person,
    message: String,
    tree: Named,
    #[serde(default)]
    verification: Verification,
}

impl Listed {
    pub fn sha(&self) -> ObjectId {
        self.sha.0
    }
}

impl From<Listed> for Commit {
    fn from(listed: Listed) -> Self {
        let Listed { sha, commit, parents } = listed;
        let ListedCommit { author, committer, message, tree, verification } = commit;
        Commit { sha, author, committer, message, tree, parents, verification }
    }
}

/// `GET …/compare/{base}...{head}`
#[derive(Debug, Deserialize)]
pub(super) struct Comparison {
    /// `identical`, `ahead`, `behind` or `diverged`.
    pub status: String,
    /// How many commits all pages list.
    #[serde(default)]
    pub total_commits: Option<usize>,
    #[serde(default)]
    pub commits: Vec<Listed>,
}

/// `GET …/git/trees/{sha}`
#[derive(Debug, Deserialize)]
pub(super) struct Tree {
    pub tree: Vec<TreeEntry>,
    #[serde(default)]
    pub truncated: bool,
}

/// An entry of a tree, or with `recursive` of one below it.
#[derive(Debug, Deserialize)]
pub(super) struct TreeEntry {
    pub path: String,
    pub mode: String,
    pub sha: Id,
}

/// `GET …/git/blobs/{sha}`
#[derive(Debug, Deserialize)]
pub(super) struct Blob {
    pub content: String,
    pub encoding: String,
}

/// `GET …/git/tags/{sha}`
#[derive(Debug, Deserialize)]
pub(super) struct Tag {
    pub tag: String,
    pub message: String,
    #[serde(default)]
    pub tagger: Option<Person>,
    pub object: Pointed,
    #[serde(default)]
    pub verification: Verification,
}
