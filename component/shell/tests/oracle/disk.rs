//! A real folder as a world.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bstr::{BStr, BString, ByteSlice};
use bytes::Bytes;
use shell::World;
use shell::world::{Kind, Now, Stat};

/// A folder, which scripts see at the same path.
pub struct Disk {
    left: Cell<u64>,
    numbers: RefCell<fastrand::Rng>,
}

impl Disk {
    /// One for a script that may do so many units of work.
    pub fn new(units: u64) -> Disk {
        Disk { left: Cell::new(units), numbers: RefCell::new(fastrand::Rng::with_seed(7)) }
    }
}

fn real(path: &BStr) -> PathBuf {
    path.to_path().expect("Linux's paths are bytes").to_owned()
}

fn stat_of(metadata: &fs::Metadata) -> Stat {
    let kind = match metadata.file_type() {
        kind if kind.is_dir() => Kind::Folder,
        kind if kind.is_symlink() => Kind::Link,
        _ => Kind::File,
    };
    Stat {
        kind,
        size: metadata.len(),
        executable: metadata.permissions().mode() & 0o100 != 0,
        writable: metadata.permissions().mode() & 0o200 != 0,
        modified: i128::from(metadata.mtime()) * 1_000_000_000 + i128::from(metadata.mtime_nsec()),
        inode: metadata.ino(),
    }
}

impl World for Disk {
    fn stat(&self, path: &BStr, follow: bool) -> io::Result<Stat> {
        let metadata = if follow { fs::metadata(real(path)) } else { fs::symlink_metadata(real(path)) };
        Ok(stat_of(&metadata?))
    }

    fn list(&self, path: &BStr) -> io::Result<Vec<(BString, Stat)>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(real(path))? {
            let entry = entry?;
            entries.push((BString::from(entry.file_name().as_bytes()), stat_of(&entry.path().symlink_metadata()?)));
        }
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(entries)
    }

    fn read(&self, path: &BStr) -> io::Result<Bytes> {
        Ok(fs::read(real(path))?.into())
    }

    fn write(&self, path: &BStr, content: Vec<u8>) -> io::Result<()> {
        fs::write(real(path), content)
    }

    fn make_folder(&self, path: &BStr) -> io::Result<()> {
        fs::create_dir(real(path))
    }

    fn remove_file(&self, path: &BStr) -> io::Result<()> {
        fs::remove_file(real(path))
    }

    fn remove_folder(&self, path: &BStr) -> io::Result<()> {
        fs::remove_dir(real(path))
    }

    fn rename(&self, from: &BStr, to: &BStr) -> io::Result<()> {
        fs::rename(real(from), real(to))
    }

    fn link(&self, target: &BStr, path: &BStr) -> io::Result<()> {
        std::os::unix::fs::symlink(real(target), real(path))
    }

    fn read_link(&self, path: &BStr) -> io::Result<BString> {
        Ok(fs::read_link(real(path))?.as_os_str().as_bytes().into())
    }

    fn real_path(&self, path: &BStr) -> io::Result<BString> {
        Ok(fs::canonicalize(real(path))?.as_os_str().as_bytes().into())
    }

    fn set_executable(&self, path: &BStr, executable: bool) -> io::Result<()> {
        fs::set_permissions(real(path), fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 }))
    }

    fn set_modified(&self, path: &BStr, nanos: i128) -> io::Result<()> {
        let nanos = u64::try_from(nanos).map_err(|_| io::ErrorKind::InvalidInput)?;
        let time = SystemTime::UNIX_EPOCH + Duration::from_nanos(nanos);
        let path: &Path = &real(path);
        fs::File::open(path)?.set_times(fs::FileTimes::new().set_modified(time))
    }

    fn now(&self) -> Now {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is later than 1970");
        Now { nanos: i128::try_from(since.as_nanos()).expect("it is not so late"), utc_offset: 0 }
    }

    fn random(&self) -> u64 {
        self.numbers.borrow_mut().u64(..)
    }

    fn passed(&self, units: u32) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(u64::from(units)));
        left <= u64::from(units)
    }

    fn has_program(&self, _: &str) -> bool {
        false
    }
}
