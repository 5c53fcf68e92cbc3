//! The folder that holds everything of the demo.

use std::path::{Path, PathBuf};

use gate::hex;

use crate::error::{Doing, Result};
use crate::store::disk;
use crate::{interrupt, platform};

/// A new folder, removed at the end unless it is kept.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    keep: bool,
}

impl Folder {
    pub(super) fn make(keep: bool) -> Result<Self> {
        let temporary = std::env::temp_dir();
        let temporary = temporary.canonicalize().doing("find", &temporary)?;
        let path = temporary.join(format!("gitgate-demo-{}", hex::encode(&platform::random::<4>()?)));
        disk::private_folder(&path).doing("make", &path)?;
        if !keep {
            interrupt::temporary(Some(path.clone()));
        }
        Ok(Folder { path, keep })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        interrupt::temporary(None);
        if !self.keep
            && let Err(error) = std::fs::remove_dir_all(&self.path)
        {
            tracing::warn!("cannot remove {}: {error}", self.path.display());
        }
    }
}
