//! Where to create a temporary file, and what to remove with it.

use std::io;
use std::path::{Path, PathBuf};

use crate::{create_dir, remove_dir};

/// How to prepare the directory of the file.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ContainingDirectory {
    /// It must exist.
    Exists,
    /// Create it and its parents.
    CreateAllRaceProof {
        /// How often to try again after a race.
        retries: create_dir::Retries,
        /// Git's `core.sharedRepository`; `0` if unset.
        shared_repository_permissions: i32,
    },
}

impl ContainingDirectory {
    pub(crate) fn ensure(self, dir: &Path) -> io::Result<()> {
        match self {
            ContainingDirectory::Exists => Ok(()),
            ContainingDirectory::CreateAllRaceProof { retries, shared_repository_permissions } => {
                create_dir::all(dir, retries, shared_repository_permissions).map(|_| ())
            }
        }
    }
}

/// What to remove together with a file that was not persisted.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum AutoRemove {
    /// Only the file.
    Tempfile,
    /// The file, and its parents while they are empty.
    TempfileAndEmptyParentDirectoriesUntil {
        /// The folder that stays even if it is empty.
        boundary_directory: PathBuf,
    },
}

impl AutoRemove {
    pub(crate) fn clean_up(&self, dir: &Path) {
        if let AutoRemove::TempfileAndEmptyParentDirectoriesUntil { boundary_directory } = self {
            // Folders that are not empty stay. That is no failure: this only tidies up.
            let _ = remove_dir::empty_upward_until_boundary(dir, boundary_directory);
        }
    }
}
