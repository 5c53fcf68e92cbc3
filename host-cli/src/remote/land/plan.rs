//! A plan: everything that a landing will do, written before it does any of it. The host records it
//! with the intent, so that recovery knows after a crash what was being done.

use gate::id::Nonce;
use gix::ObjectId;
use gix::bstr::BString;
use gix::objs::tree::{EntryKind, EntryMode};
use serde::{Deserialize, Serialize};

use super::text;
use crate::remote::{LandError, TargetError, TargetErrorKind};

/// What a landing will do.
///
/// Everything that it makes for itself lies in one folder, `gitgate/<nonce>` in the git folder of
/// the worktree that is updated (else in the repository's): `lock` (a copy of the index lock),
/// `ref` (a copy of the branch lock), `moving` (the branch is about to be moved), `index` (the new
/// index), `new/N` and `old/N` (content to be put in place and content moved aside, for the N-th
/// path).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::remote) struct Plan {
    /// The layout of this record.
    pub(super) version: u32,
    /// The nonce of the approval, which names everything that this landing makes.
    pub(super) nonce: Nonce,
    /// The full name of the branch.
    pub(super) reference: String,
    /// Where the branch is; `None` makes it.
    #[serde(with = "text::optional_id")]
    pub(super) old: Option<ObjectId>,
    /// Where it will be.
    #[serde(with = "text::id")]
    pub(super) new: ObjectId,
    /// The line for the logs of the refs, with its line feed.
    pub(super) log_line: String,
    /// The worktree where the branch is checked out.
    pub(super) worktree: Option<WorktreePlan>,
}

/// What a landing will do to a worktree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WorktreePlan {
    /// The top folder.
    #[serde(with = "text::path")]
    pub(super) root: std::path::PathBuf,
    /// The worktree's own git folder, which holds its index.
    #[serde(with = "text::path")]
    pub(super) git_dir: std::path::PathBuf,
    /// The changed paths in the order of their names.
    pub(super) paths: Vec<PathPlan>,
}

/// One changed path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PathPlan {
    #[serde(with = "text::bytes")]
    pub(super) path: BString,
    /// What the branch has now.
    pub(super) old: Option<Form>,
    /// What it will have.
    pub(super) new: Option<Form>,
    /// Whether the path is on the disk; a path outside a sparse checkout is only in the index.
    pub(super) on_disk: bool,
}

/// A file or link, as git stores it and as it lies on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Form {
    #[serde(with = "text::id")]
    pub(super) id: ObjectId,
    pub(super) mode: Mode,
    /// The blob id that the bytes on the disk have, line endings as they are there.
    #[serde(with = "text::id")]
    pub(super) raw: ObjectId,
    /// Whether it is a symlink on the disk, which a link in git need not be everywhere.
    pub(super) link: bool,
}

/// The modes of what is not a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Mode {
    File,
    Executable,
    Link,
}

impl Mode {
    /// The mode of a tree's entry; of a folder or submodule there is none.
    pub(super) fn of(entry: EntryMode) -> Option<Mode> {
        match entry.kind() {
            EntryKind::Blob => Some(Mode::File),
            EntryKind::BlobExecutable => Some(Mode::Executable),
            EntryKind::Link => Some(Mode::Link),
            EntryKind::Tree | EntryKind::Commit => None,
        }
    }

    pub(super) fn to_index(self) -> gix::index::entry::Mode {
        match self {
            Mode::File => gix::index::entry::Mode::FILE,
            Mode::Executable => gix::index::entry::Mode::FILE_EXECUTABLE,
            Mode::Link => gix::index::entry::Mode::SYMLINK,
        }
    }

    /// The permissions of a new file, before the process's umask applies.
    pub(super) fn permissions(self) -> u32 {
        match self {
            Mode::Executable => 0o777,
            Mode::File | Mode::Link => 0o666,
        }
    }
}

impl Plan {
    pub(super) const VERSION: u32 = 2;

    /// Fails for a plan of another version: only the gitgate that wrote it can continue it.
    pub(super) fn ensure_readable(&self) -> Result<(), LandError> {
        if self.version == Plan::VERSION {
            return Ok(());
        }
        Err(LandError::Failed(
            TargetError::new(
                TargetErrorKind::Unsupported,
                format!(
                    "another version of gitgate started this push (plan version {}, supported {})",
                    self.version,
                    Plan::VERSION
                ),
            )
            .hint("run that version once to finish the push"),
        ))
    }

    /// The content of our index lock, which distinguishes it from anybody else's.
    pub(super) fn lock_content(&self) -> Vec<u8> {
        format!("gitgate push {}\n", self.nonce).into_bytes()
    }

    /// The content of our branch lock, which becomes the content of the branch.
    pub(super) fn ref_content(&self) -> Vec<u8> {
        format!("{}\n", self.new).into_bytes()
    }
}
