//! Why a push did not land, or landed only in part.

use bstr::BString;
use gix_hash::ObjectId;

use super::TargetError;
use crate::hint::{Act, Hint};

/// What blocks a push. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// The branch is not where the push expects it.
    NonFastForward,
    /// Files of the push were changed in the worktree.
    Dirty,
    /// Files of the push have staged changes.
    Staged,
    /// The index has unmerged entries.
    Unmerged,
    /// Untracked files or links are where the push must write.
    Untracked,
    /// A leading folder is a symlink.
    Symlink,
    /// Names that this disk cannot tell apart.
    Collision,
    /// A changed path needs a filter, `ident` or another encoding.
    Filter,
    /// Another program holds the index lock.
    IndexLocked,
    /// Another program holds the lock of the branch.
    RefLocked,
    /// A merge, rebase or bisect is in progress.
    InProgress,
    /// A name that is not safe on this machine.
    UnsafePath,
    /// The push changes a submodule entry.
    Submodule,
    /// The worktree where the branch is checked out cannot be updated.
    Worktree,
    /// Another branch's name blocks a new branch.
    RefName,
}

/// Why a push failed.
#[derive(Debug, thiserror::Error)]
pub enum LandError {
    /// Something blocks the push; nothing was changed.
    #[error("{message}")]
    Conflict {
        /// What blocks it.
        obstacle: Obstacle,
        /// The paths concerned, if any.
        paths: Vec<BString>,
        /// The branch's current head, for [`Obstacle::NonFastForward`].
        target_head: Option<ObjectId>,
        /// One sentence without a full stop.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// Something failed; nothing was changed.
    #[error(transparent)]
    Failed(#[from] TargetError),
    /// The push is half done. The intent must stay open until `recover` finishes or undoes it.
    #[error("{}: {source}", if *landed { "the branch is updated, but its worktree is not" } else { "the push failed, and so did undoing it" })]
    Unfinished {
        /// True if the branch moved.
        landed: bool,
        /// What failed.
        source: Box<LandError>,
    },
}

impl LandError {
    /// A conflict that concerns no path.
    pub fn conflict(obstacle: Obstacle, message: impl Into<String>, hint: impl Into<String>) -> Self {
        LandError::Conflict {
            obstacle,
            paths: Vec::new(),
            target_head: None,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A conflict about paths. The message names the first few, the list all of them.
    pub fn paths(obstacle: Obstacle, what: &str, paths: Vec<BString>, hint: impl Into<String>) -> Self {
        let mut names: Vec<String> = paths.iter().take(5).map(|path| format!("`{}`", path.escape_ascii())).collect();
        if paths.len() > names.len() {
            names.push(format!("and {} more", paths.len() - names.len()));
        }
        LandError::Conflict {
            obstacle,
            message: format!("{what}: {}", names.join(", ")),
            paths,
            target_head: None,
            hint: hint.into(),
        }
    }

    /// The branch is not where the push expects it, but at `actual`.
    pub fn moved(branch: &str, actual: Option<ObjectId>) -> Self {
        LandError::Conflict {
            obstacle: Obstacle::NonFastForward,
            paths: Vec::new(),
            target_head: actual,
            message: match actual {
                Some(id) => format!("`{branch}` has moved to {id}"),
                None => format!("`{branch}` no longer exists"),
            },
            hint: "pull, then push again".to_owned(),
        }
    }

    /// What the person can do about it.
    pub fn hint(&self) -> Hint {
        match self {
            LandError::Conflict { hint, .. } => hint.as_str().into(),
            LandError::Failed(error) => error.hint.clone().unwrap_or_default().into(),
            LandError::Unfinished { .. } => Hint::new("", Act::Status { sandbox: None }, " to finish it"),
        }
    }
}
