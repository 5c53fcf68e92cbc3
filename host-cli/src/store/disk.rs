//! The steps of durable writes, in one place so that a test can make each of them fail.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Durable changes to the disk. Reading and cleaning up do not go through here.
pub trait Disk: Send + Sync + std::fmt::Debug {
    /// Writes all of `bytes` at the file's position.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    /// Makes the file's content and length durable.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    /// Cuts the file to `len` bytes.
    fn cut(&self, file: &File, len: u64) -> io::Result<()> {
        file.set_len(len)
    }

    /// Replaces the file `to` with `from`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Renames the file `from` to `to`, unless `to` exists.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // Fall back to two steps if the filesystem has no such rename: a link never replaces an
            // existing file.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                fs::hard_link(from, to)?;
                fs::remove_file(from)
            }
            done => done.map_err(io::Error::from),
        }
    }

    /// Makes names in `folder` durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

/// The real disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {}

/// Writes `path` whole or not at all. `fill` writes a file beside it, which then replaces it
/// durably.
///
/// Only the owner can read and write the file. An error leaves nothing behind.
pub fn replace<T>(disk: &dyn Disk, path: &Path, fill: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let beside = beside(path)?;
    publish(disk, &beside, private(&mut OpenOptions::new()), fill, || disk.rename(&beside, path))
}

/// As [`replace`], for a file that does not exist, and as readable as the user's other files.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if `path` exists at the last moment. It stays unchanged.
pub fn create<T>(disk: &dyn Disk, path: &Path, fill: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let beside = beside(path)?;
    publish(disk, &beside, &mut OpenOptions::new(), fill, || disk.rename_new(&beside, path))
}

/// An unpredictable name in the folder of `path`.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let folder = path.parent().ok_or_else(|| io::Error::other("the path has no folder"))?;
    let mut name = OsString::from(".");
    name.push(path.file_name().ok_or_else(|| io::Error::other("the path has no name"))?);
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    name.push(format!(".{}.new", gate::hex::encode(&random)));
    Ok(folder.join(name))
}

fn publish<T>(
    disk: &dyn Disk,
    beside: &Path,
    options: &mut OpenOptions,
    fill: impl FnOnce(&mut File) -> io::Result<T>,
    put: impl FnOnce() -> io::Result<()>,
) -> io::Result<T> {
    let mut file = options.write(true).create_new(true).open(beside)?;
    let made = (|| {
        let value = fill(&mut file)?;
        disk.sync(&file)?;
        put()?;
        disk.sync_folder(beside.parent().expect("it was made from a path with a folder"))?;
        Ok(value)
    })();
    if made.is_err() {
        // Nobody reads a file of that name, so one that cannot be removed does no harm.
        let _ = fs::remove_file(beside);
    }
    made
}

/// The files that killed processes left in `folder` during [`replace`]. Empty if there is no
/// folder.
pub fn leftovers(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut left = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_beside) {
            left.push(entry.path());
        }
    }
    left.sort();
    Ok(left)
}

/// True if [`beside`] can give this name.
fn is_beside(name: &str) -> bool {
    let parts =
        name.strip_prefix('.').and_then(|name| name.strip_suffix(".new")).and_then(|name| name.rsplit_once('.'));
    parts.is_some_and(|(name, random)| !name.is_empty() && gate::hex::decode::<8>(random).is_some())
}

/// Removes those files. No other process may be replacing files in that folder.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    leftovers(folder)?.iter().try_for_each(fs::remove_file)
}

/// Options that make new files readable by their owner alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Creates a folder and its parents durably. Only the owner can enter it.
pub fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.is_dir()).collect();
    for folder in missing.into_iter().rev() {
        match builder.create(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists || !folder.is_dir() => return Err(error),
            _ => {}
        }
        RealDisk
            .sync_folder(folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new(".")))?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod faulty {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A disk whose `n`th step fails, a write having written half.
    #[derive(Debug)]
    pub(crate) struct Faulty {
        left: AtomicUsize,
        /// Whether every step after the failing one fails, too.
        pub(crate) stays: bool,
    }

    impl Faulty {
        pub(crate) fn at(step: usize) -> Self {
            Faulty { left: AtomicUsize::new(step + 1), stays: false }
        }

        pub(crate) fn from(step: usize) -> Self {
            Faulty { left: AtomicUsize::new(step + 1), stays: true }
        }

        fn step(&self) -> io::Result<()> {
            let left = self.left.load(Ordering::Relaxed);
            match left {
                0 if self.stays => Err(io::ErrorKind::StorageFull.into()),
                0 => Ok(()),
                left => {
                    self.left.store(left - 1, Ordering::Relaxed);
                    if left == 1 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
                }
            }
        }
    }

    impl Disk for Faulty {
        fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
            if let Err(error) = self.step() {
                file.write_all(&bytes[..bytes.len() / 2])?;
                return Err(error);
            }
            file.write_all(bytes)
        }

        fn sync(&self, file: &File) -> io::Result<()> {
            self.step()?;
            file.sync_data()
        }

        fn cut(&self, file: &File, len: u64) -> io::Result<()> {
            self.step()?;
            file.set_len(len)
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.step()?;
            fs::rename(from, to)
        }

        fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.step()?;
            RealDisk.rename_new(from, to)
        }

        fn sync_folder(&self, folder: &Path) -> io::Result<()> {
            self.step()?;
            File::open(folder)?.sync_all()
        }
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all_whichever_step_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        for step in 0.. {
            let replaced = replace(&Faulty::at(step), &path, |file| Faulty::at(step).write(file, b"new content"));
            let content = fs::read_to_string(&path).unwrap();
            let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            assert_eq!(left, ["file"], "step {step}");
            match replaced {
                Ok(()) => {
                    assert_eq!(content, "new content");
                    assert!(step > 2, "every step was tried");
                    break;
                }
                // Only when the folder cannot be synced is the new content there, though not surely
                // for good.
                Err(_) => assert!(content == "old" || step == 2 && content == "new content", "step {step}: {content}"),
            }
        }
    }

    #[test]
    fn a_new_file_never_takes_the_place_of_another_whichever_step_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for step in 0.. {
            let created = create(&Faulty::at(step), &path, |file| Faulty::at(step).write(file, b"content"));
            let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            match created {
                Ok(()) => {
                    assert_eq!(left, ["file"]);
                    break;
                }
                Err(_) => assert!(left.is_empty() || step == 2 && left == ["file"], "step {step}: {left:?}"),
            }
            let _ = fs::remove_file(&path);
        }
        fs::write(&path, "somebody else's").unwrap();
        let refused = create(&RealDisk, &path, |file| {
            // It came while the file was written.
            file.write_all(b"content")
        });
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "somebody else's");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_was_left_beside_files_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let theirs = [".0123456789abcdef.new", ".journal.01.new", ".journal.x", "a.new", "journal", "journal.base"];
        for name in [".journal.0123456789abcdef.new", ".journal.base.fedcba9876543210.new"].iter().chain(&theirs) {
            fs::write(at(name), "").unwrap();
        }
        assert_eq!(leftovers(folder.path()).unwrap().len(), 2);
        remove_leftovers(folder.path()).unwrap();
        remove_leftovers(&at("no such folder")).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        left.sort();
        assert_eq!(left, theirs);
    }
}
