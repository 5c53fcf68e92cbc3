//! The cache of the compiled component: a file in the user's cache folder, named after everything
//! it depends on.
//!
//! Its content runs as machine code in this process. It is therefore trusted only if nobody but the
//! user can have written it: the user must own the file and its folder, and both must be closed
//! to everybody else.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gate::hex;
use sha2::{Digest, Sha256};

use crate::home::user_folder;
use crate::store::checked::Checked;
use crate::store::disk::{self, Disk, RealDisk};

/// How many compiled components of other builds are kept, for users who switch between builds.
const OTHERS: usize = 3;

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

    /// The file, if it exists, can be trusted and is what was stored.
    pub fn file(&self) -> Option<&Path> {
        let folder = fs::symlink_metadata(self.folder()).ok()?;
        let file = fs::symlink_metadata(&self.0).ok()?;
        if !(folder.is_dir() && is_private(&folder) && file.is_file() && is_private(&file)) {
            tracing::warn!("ignoring {}: other users can access it", self.0.display());
            return None;
        }
        if !self.is_whole(&file) {
            tracing::warn!("ignoring {}: it is not what gitgate stored", self.0.display());
            return None;
        }
        Some(&self.0)
    }

    /// True if the file has the hash that was stored beside it. Hashing takes as long as a whole
    /// call, so a file that was whole recently and is unchanged since is trusted, as attachments
    /// are.
    fn is_whole(&self, seen: &Metadata) -> bool {
        let stored = fs::read_to_string(self.sum()).ok().and_then(|text| hex::decode::<32>(&text));
        let Some(stored) = stored else { return false };
        let checked = self.checked();
        if checked.contains(&stored, seen) {
            return true;
        }
        let whole = fs::read(&self.0).is_ok_and(|content| Sha256::digest(content)[..] == stored);
        if whole {
            checked.add(&stored, seen);
        }
        whole
    }

    /// The path of the hash.
    fn sum(&self) -> PathBuf {
        self.0.with_extension("sha256")
    }

    fn checked(&self) -> Checked {
        Checked::new(self.folder().join("checked"), Arc::new(RealDisk))
    }

    /// Stores `compiled`, and removes old files of other gitgate versions.
    pub fn store(&self, compiled: &[u8]) -> io::Result<()> {
        disk::private_folder(self.folder())?;
        close(self.folder())?;
        let sum: [u8; 32] = Sha256::digest(compiled).into();
        disk::replace(&RealDisk, &self.0, |file| RealDisk.write(file, compiled))?;
        // If the process ends between the two writes, nobody trusts the file.
        disk::replace(&RealDisk, &self.sum(), |file| RealDisk.write(file, hex::encode(&sum).as_bytes()))?;
        self.checked().add(&sum, &fs::symlink_metadata(&self.0)?);
        let mut others = Vec::new();
        for entry in fs::read_dir(self.folder())? {
            let path = entry?.path();
            if path != self.0 && path.extension().is_some_and(|extension| extension == "cwasm") {
                others.push((fs::symlink_metadata(&path)?.modified()?, path));
            }
        }
        others.sort();
        for (_, path) in others.iter().rev().skip(OTHERS) {
            // A process that runs the file has it mapped and keeps it.
            fs::remove_file(path)?;
            let _ = fs::remove_file(path.with_extension("sha256"));
        }
        Ok(())
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

/// Closes a folder of the user's to everybody else.
#[cfg(unix)]
fn close(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let metadata = fs::symlink_metadata(folder)?;
    if metadata.is_dir() && metadata.uid() == user() && !is_private(&metadata) {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn close(_: &Path) -> io::Result<()> {
    Ok(())
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
    fn a_stored_file_is_found_and_a_few_older_ones_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let old: Vec<Cached> = (0..OTHERS + 2).map(|n| Cached::below(folder.path(), &format!("old-{n}"))).collect();
        for (age, cached) in old.iter().rev().enumerate() {
            cached.store(b"old code").unwrap();
            let day = std::time::Duration::from_secs(86_400 * (1 + age as u64));
            fs::File::options()
                .write(true)
                .open(&cached.0)
                .unwrap()
                .set_modified(std::time::SystemTime::now() - day)
                .unwrap();
        }
        let new = Cached::below(folder.path(), "new");
        assert_eq!(new.file(), None);
        new.store(b"code").unwrap();
        assert_eq!(fs::read(new.file().unwrap()).unwrap(), b"code");
        assert_eq!(old.iter().filter(|cached| cached.file().is_some()).count(), OTHERS);
        assert!(old[OTHERS + 1].file().is_some() && old[0].file().is_none(), "the oldest are gone");
    }

    #[test]
    fn attack_23_what_is_not_what_was_stored_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let cached = Cached::below(folder.path(), "key");
        for damage in [&b"cOde"[..], b"cod", b"codes", b""] {
            cached.store(b"code").unwrap();
            assert!(cached.file().is_some());
            fs::write(&cached.0, damage).unwrap();
            assert_eq!(cached.file(), None);
        }
        cached.store(b"code").unwrap();
        fs::remove_file(cached.folder().join("checked")).unwrap();
        assert!(cached.file().is_some(), "a note of an earlier check is advice");
        fs::remove_file(cached.sum()).unwrap();
        assert_eq!(cached.file(), None);
    }

    #[test]
    fn a_folder_of_the_users_own_is_closed_before_it_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let cached = Cached::below(folder.path(), "key");
        fs::create_dir(cached.folder()).unwrap();
        fs::set_permissions(cached.folder(), fs::Permissions::from_mode(0o755)).unwrap();
        cached.store(b"code").unwrap();
        assert!(cached.file().is_some());
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
