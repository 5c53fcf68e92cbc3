//! The answers of the real filesystem, in the kernel's terms.

use std::{collections::BTreeMap, os::fd::OwnedFd, path::Path};

use rustix::{
    fs::{self, FileType, RawDir},
    io::Errno as Real,
};
use vfs::{Errno, Kind};

/// The result of a call, as far as both sides can agree.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    Done,
    Number(u64),
    Bytes(Vec<u8>),
    Stat(Kind, Option<u64>, Option<u64>, bool),
    Entries(BTreeMap<String, Kind>),
}

pub fn as_real(errno: Errno) -> Real {
    match errno {
        Errno::Acces => Real::ACCESS,
        Errno::Badf => Real::BADF,
        Errno::Busy => Real::BUSY,
        Errno::Exist => Real::EXIST,
        Errno::Fbig => Real::FBIG,
        Errno::Inval => Real::INVAL,
        Errno::Isdir => Real::ISDIR,
        Errno::Loop => Real::LOOP,
        Errno::Nametoolong => Real::NAMETOOLONG,
        Errno::Noent => Real::NOENT,
        Errno::Nospc => Real::NOSPC,
        Errno::Notdir => Real::NOTDIR,
        Errno::Notempty => Real::NOTEMPTY,
        Errno::Perm => Real::PERM,
        other => panic!("no call here should end with {other:?}"),
    }
}

pub fn kind_of(kind: FileType) -> Kind {
    match kind {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Symlink,
        other => panic!("{other:?} was never made"),
    }
}

pub fn real_stat(stat: &fs::Stat) -> Outcome {
    let kind = kind_of(FileType::from_raw_mode(stat.st_mode));
    stat_outcome(kind, stat.st_size as u64, stat.st_nlink, stat.st_mode & 0o100 != 0)
}

/// Each filesystem has its own sizes and link counts of directories.
pub fn stat_outcome(kind: Kind, size: u64, nlink: u64, executable: bool) -> Outcome {
    let is_dir = kind == Kind::Directory;
    Outcome::Stat(kind, (!is_dir).then_some(size), (!is_dir).then_some(nlink), executable && kind == Kind::File)
}

pub fn our_stat(stat: vfs::Stat) -> Outcome {
    stat_outcome(stat.kind, stat.size, u64::from(stat.nlink), stat.executable)
}

pub fn real_entries(fd: &OwnedFd) -> Result<BTreeMap<String, Kind>, Real> {
    if FileType::from_raw_mode(fs::fstat(fd)?.st_mode) != FileType::Directory {
        return Err(Real::NOTDIR);
    }
    let mut buffer = Vec::with_capacity(8192);
    let mut entries = RawDir::new(fd, buffer.spare_capacity_mut());
    let mut found = BTreeMap::new();
    while let Some(entry) = entries.next() {
        let entry = entry?;
        found.insert(entry.file_name().to_bytes().escape_ascii().to_string(), kind_of(entry.file_type()));
    }
    // Each filesystem gives positions in a directory its own meaning, so leave none behind.
    fs::seek(fd, fs::SeekFrom::Start(0))?;
    Ok(found)
}

/// The real tree, in the form of [`tree_dump::visible`].
pub fn visible(top: &Path) -> BTreeMap<String, String> {
    use std::os::unix::{ffi::OsStrExt, fs::MetadataExt};
    let mut seen = BTreeMap::new();
    let mut pending = vec![(String::new(), top.to_owned())];
    while let Some((name, path)) = pending.pop() {
        let metadata = std::fs::symlink_metadata(&path).expect("it was listed");
        let nlink = metadata.nlink();
        let text = if metadata.is_dir() {
            for entry in std::fs::read_dir(&path).expect("it is a directory") {
                let entry = entry.expect("it can be read");
                pending.push((format!("{name}/{}", entry.file_name().as_bytes().escape_ascii()), entry.path()));
            }
            "directory".to_owned()
        } else if metadata.is_symlink() {
            let target = std::fs::read_link(&path).expect("it is a link");
            format!("link {:?} x{nlink}", target.as_os_str().as_bytes().escape_ascii().to_string())
        } else {
            let content = vfs::Bytes::from(std::fs::read(&path).expect("it is a file"));
            let executable = metadata.mode() & 0o100 != 0;
            format!("file {content:?} x{nlink} {}", if executable { "+x" } else { "-x" })
        };
        seen.insert(name, text);
    }
    seen
}
