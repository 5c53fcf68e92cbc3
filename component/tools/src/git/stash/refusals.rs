//! Why a merged tree cannot be brought into the working folder, in git's words (git's unpack-trees.c, `setup_unpack_trees_porcelain`).

use gix::bstr::{BStr, BString};

use crate::error::{ErrorKind, ToolError};

/// What stands in the way.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Reason {
    /// The index has something else than the tree that is left.
    Staged,
    /// The file is not what the index has.
    Changed,
    /// A folder has files that are not tracked.
    Folder,
    /// The call works in the folder.
    WorkingDir,
    /// An untracked file would be overwritten.
    Overwritten,
    /// An untracked file would be removed.
    Removed,
}

/// Paths that something stands in the way of.
#[derive(Debug, Default)]
pub struct Refusals(Vec<(Reason, BString)>);

impl Refusals {
    /// Notes one.
    pub fn add(&mut self, reason: Reason, path: &BStr) {
        self.0.push((reason, path.to_owned()));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What git says on its error stream, where a merge is refused.
    pub fn say(&self, err: &mut Vec<u8>) {
        const LOCAL: (&str, &str) = (
            "Your local changes to the following files would be overwritten by merge:\n",
            "Please commit your changes or stash them before you merge.",
        );
        let kinds = [
            (Reason::Staged, LOCAL),
            (Reason::Changed, LOCAL),
            (Reason::Folder, ("Updating the following directories would lose untracked files in them:\n", "")),
            (Reason::WorkingDir, ("Refusing to remove the current working directory:\n", "")),
            (
                Reason::Overwritten,
                (
                    "The following untracked working tree files would be overwritten by merge:\n",
                    "Please move or remove them before you merge.",
                ),
            ),
            (
                Reason::Removed,
                (
                    "The following untracked working tree files would be removed by merge:\n",
                    "Please move or remove them before you merge.",
                ),
            ),
        ];
        for (reason, (before, after)) in kinds {
            let mut paths = self.0.iter().filter(|(why, _)| *why == reason).peekable();
            if paths.peek().is_none() {
                continue;
            }
            err.extend_from_slice(b"error: ");
            err.extend_from_slice(before.as_bytes());
            for (_, path) in paths {
                err.push(b'\t');
                err.extend_from_slice(path);
                err.push(b'\n');
            }
            err.extend_from_slice(after.as_bytes());
            err.push(b'\n');
        }
        err.extend_from_slice(b"Aborting\n");
    }

    /// `error` with what to do about it.
    pub fn explain(&self, error: ToolError) -> ToolError {
        ToolError { kind: ErrorKind::Conflict, ..error }.hint(
            "Nothing has changed. Commit these changes, put them away with git_stash, or undo them with git_restore; \
             untracked files are moved with move_file. Then try again.",
        )
    }
}
