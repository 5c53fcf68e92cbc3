//! The steps that can fail while something is made durable, in one place so that a test can make each of them fail.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Durable changes to the disk. What is not durable (reading, removing what nobody needs) does not go through here.
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

    /// Puts the file `from` in the place of `to`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Makes names in `folder` durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

/// The disk as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {}

/// Writes `path` whole or not at all: `fill` writes a file beside it, which then takes its place durably.
///
/// The file can be read and written by its owner alone. On an error nothing is left of it.
pub fn replace<T>(disk: &dyn Disk, path: &Path, fill: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let folder = path.parent().ok_or_else(|| io::Error::other("the path has no folder"))?;
    let name = path.file_name().ok_or_else(|| io::Error::other("the path has no name"))?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.new", std::process::id()));
    let beside = folder.join(beside);
    let made = (|| {
        let mut file = private(OpenOptions::new().write(true).create(true).truncate(true)).open(&beside)?;
        let value = fill(&mut file)?;
        disk.sync(&file)?;
        disk.rename(&beside, path)?;
        disk.sync_folder(folder)?;
        Ok(value)
    })();
    if made.is_err() {
        // Nobody reads a file of that name, so one that cannot be removed does no harm.
        let _ = fs::remove_file(&beside);
    }
    made
}

/// Options that make new files readable by their owner alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a folder, with those above it, that only its owner can enter.
pub fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
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
                // Only when the folder cannot be synced is the new content there, though not surely for good.
                Err(_) => assert!(content == "old" || step == 2 && content == "new content", "step {step}: {content}"),
            }
        }
    }
}
