//! Where a temporary file is made, and what goes with it when it is dropped.

use std::io;
use std::path::{Path, PathBuf};

use crate::{create_dir, remove_dir};

/// What to do about the directory that will hold the file.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ContainingDirectory {
    /// It is there, or it is an error.
    Exists,
    /// Create it and its parents.
    CreateAllRaceProof {
        /// How often to try again when somebody interferes.
        retries: create_dir::Retries,
        /// Git's `core.sharedRepository`, `0` for none.
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

/// What is removed with a file that was not persisted.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum AutoRemove {
    /// The file.
    Tempfile,
    /// The file, and its parents as far as they are empty.
    TempfileAndEmptyParentDirectoriesUntil {
        /// The folder that stays, empty or not.
        boundary_directory: PathBuf,
    },
}

impl AutoRemove {
    pub(crate) fn clean_up(&self, dir: &Path) {
        if let AutoRemove::TempfileAndEmptyParentDirectoriesUntil { boundary_directory } = self {
            // Folders that are not empty stay, which is no failure: tidying is all this is.
            let _ = remove_dir::empty_upward_until_boundary(dir, boundary_directory);
        }
    }
}
