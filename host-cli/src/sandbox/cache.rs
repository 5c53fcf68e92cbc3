//! Where the component lies compiled: a file in the user's cache folder, named by all that it depends on.
//!
//! What is in it will run as machine code of this process. So it is believed only if nobody but the user can have written it:
//! the file and its folder must be the user's own, and closed to everybody else.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::home::user_folder;
use crate::store::disk::{self, Disk, RealDisk};

/// The place of one compiled component.
#[derive(Debug)]
pub struct Cached(PathBuf);

impl Cached {
    /// The place for `key` in the user's cache folder, if there is such a folder.
    pub fn of(key: &str) -> Option<Self> {
        Some(Cached::below(&user_folder("XDG_CACHE_HOME", ".cache")?, key))
    }

    fn below(cache: &Path, key: &str) -> Self {
        Cached(cache.join("gitgate").join(format!("component-{key}.cwasm")))
    }

    /// The file, if it is there and can be believed.
    pub fn file(&self) -> Option<&Path> {
        let folder = fs::symlink_metadata(self.folder()).ok()?;
        let file = fs::symlink_metadata(&self.0).ok()?;
        if folder.is_dir() && is_private(&folder) && file.is_file() && is_private(&file) {
            return Some(&self.0);
        }
        tracing::warn!("{} is open to other users and not used", self.0.display());
        None
    }

    /// Stores `compiled`, and removes what other versions of gitgate left there.
    pub fn store(&self, compiled: &[u8]) -> io::Result<()> {
        disk::private_folder(self.folder())?;
        for entry in fs::read_dir(self.folder())? {
            let path = entry?.path();
            if path != self.0 && path.extension().is_some_and(|extension| extension == "cwasm") {
                // A process that runs it has it mapped, and keeps it.
                fs::remove_file(path)?;
            }
        }
        disk::replace(&RealDisk, &self.0, |file| RealDisk.write(file, compiled))
    }

    fn folder(&self) -> &Path {
        self.0.parent().expect("the file is in a folder")
    }
}

#[cfg(unix)]
fn is_private(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.mode() & 0o077 == 0 && metadata.uid() == user()
}

#[cfg(unix)]
fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_private(_: &Metadata) -> bool {
    // Profile folders are closed to other users by the system.
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_stored_file_is_found_and_older_ones_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let old = Cached::below(folder.path(), "old");
        old.store(b"old code").unwrap();
        let new = Cached::below(folder.path(), "new");
        assert_eq!(new.file(), None);
        new.store(b"code").unwrap();
        assert_eq!(fs::read(new.file().unwrap()).unwrap(), b"code");
        assert_eq!(old.file(), None);
    }

    #[test]
    fn what_others_can_reach_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let cached = Cached::below(folder.path(), "key");
        cached.store(b"code").unwrap();
        let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        open(&cached.0, 0o620);
        assert_eq!(cached.file(), None);
        open(&cached.0, 0o600);
        assert!(cached.file().is_some());
        open(cached.folder(), 0o777);
        assert_eq!(cached.file(), None);
        open(cached.folder(), 0o700);
        fs::rename(&cached.0, folder.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), &cached.0).unwrap();
        assert_eq!(cached.file(), None);
    }
}
