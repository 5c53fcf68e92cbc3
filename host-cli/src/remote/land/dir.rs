//! An open folder. Everything below it is opened name by name.
//!
//! In a worktree no symlink is followed, so a link swapped in under a checked path leads nowhere.
//! Only the person controls the git folder: there, as in git, a folder may be a link.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use gix::bstr::{BStr, ByteSlice};
use rustix::fs::{self, AtFlags, Mode, OFlags};

use crate::remote::sharing::Sharing;

pub(super) use rustix::fs::{FileType, Stat};

/// A folder, by descriptor.
#[derive(Debug)]
pub(super) struct Dir {
    pub(super) fd: OwnedFd,
    realm: Realm,
}

/// The rules for a folder and everything below it.
#[derive(Clone, Copy, Debug)]
enum Realm {
    Worktree,
    Git(Sharing),
}

/// What stands at a name.
#[derive(Debug)]
pub(super) enum Found {
    Absent,
    File {
        stat: Stat,
        content: Vec<u8>,
    },
    Link {
        stat: Stat,
        text: Vec<u8>,
    },
    Folder,
    /// A device, socket or pipe.
    Special,
}

/// The result of walking to the folder of a path.
#[derive(Debug)]
pub(super) enum Parent {
    Here(Dir),
    /// A leading folder does not exist.
    Missing,
    /// Something other than a folder is at this many leading bytes of the path.
    Blocked(usize),
}

impl Dir {
    /// Opens the root of a worktree, or a folder that is only read. Trusts the given path.
    pub(super) fn open(path: &Path) -> io::Result<Dir> {
        Dir::open_in(path, Realm::Worktree)
    }

    /// Opens a folder in a git folder. `sharing` applies to everything created below it.
    pub(super) fn open_git(path: &Path, sharing: Sharing) -> io::Result<Dir> {
        Dir::open_in(path, Realm::Git(sharing))
    }

    fn open_in(path: &Path, realm: Realm) -> io::Result<Dir> {
        let fd = fs::open(path, OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::RDONLY, Mode::empty())?;
        Ok(Dir { fd, realm })
    }

    /// The same folder with the rules of a worktree.
    pub(super) fn for_worktree(self) -> Dir {
        Dir { realm: Realm::Worktree, ..self }
    }

    /// Who may use files created here.
    pub(super) fn sharing(&self) -> Sharing {
        match self.realm {
            Realm::Worktree => Sharing::Umask,
            Realm::Git(sharing) => sharing,
        }
    }

    /// The folder `name` in this one. In a worktree a symlink is an error.
    pub(super) fn child(&self, name: &[u8]) -> io::Result<Dir> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::RDONLY;
        let flags = match self.realm {
            Realm::Worktree => flags | OFlags::NOFOLLOW,
            Realm::Git(_) => flags,
        };
        Ok(Dir { fd: fs::openat(&self.fd, name, flags, Mode::empty())?, realm: self.realm })
    }

    /// The folder at a path of several names below this one, each as [`Dir::child`] has it.
    pub(super) fn descend(&self, path: &[u8]) -> io::Result<Dir> {
        let mut dir = self.child(b".")?;
        for name in path.split(|b| *b == b'/').filter(|name| !name.is_empty()) {
            dir = dir.child(name)?;
        }
        Ok(dir)
    }

    /// Walks to the folder that holds the last name of `path`.
    pub(super) fn parent_of(&self, path: &BStr) -> io::Result<Parent> {
        let mut dir = self.child(b".")?;
        for (end, _) in path.char_indices().filter(|(_, _, c)| *c == '/').map(|(start, end, _)| (start, end)) {
            let name = last_name(path[..end].as_bstr());
            match dir.child(name) {
                Ok(child) => dir = child,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Parent::Missing);
                }
                Err(error) => {
                    return match dir.stat(name)? {
                        Some(stat) if kind_of(&stat) != FileType::Directory => Ok(Parent::Blocked(end)),
                        _ => Err(error),
                    };
                }
            }
        }
        Ok(Parent::Here(dir))
    }

    /// The stat of `name` itself, without following links, or `None` if it is absent.
    pub(super) fn stat(&self, name: &[u8]) -> io::Result<Option<Stat>> {
        match fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What `name` is. The stat is older than the content, so a change in between shows as a
    /// different stat.
    pub(super) fn look(&self, name: &[u8]) -> io::Result<Found> {
        let Some(stat) = self.stat(name)? else {
            return Ok(Found::Absent);
        };
        Ok(match kind_of(&stat) {
            FileType::RegularFile => Found::File { stat, content: self.read(name)? },
            FileType::Symlink => Found::Link { stat, text: fs::readlinkat(&self.fd, name, Vec::new())?.into_bytes() },
            FileType::Directory => Found::Folder,
            _ => Found::Special,
        })
    }

    /// The content of the file `name`; a symlink is an error.
    pub(super) fn read(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let mut file = std::fs::File::from(fs::openat(&self.fd, name, flags, Mode::empty())?);
        let mut content = Vec::new();
        io::Read::read_to_end(&mut file, &mut content)?;
        Ok(content)
    }

    /// The names in this folder, sorted, without `.` and `..`.
    pub(super) fn names(&self) -> io::Result<Vec<Vec<u8>>> {
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(&self.fd)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(name.to_vec());
            }
        }
        names.sort();
        Ok(names)
    }

    /// True if this process may write in this folder.
    pub(super) fn is_writable(&self) -> bool {
        fs::accessat(&self.fd, ".", fs::Access::WRITE_OK, AtFlags::empty()).is_ok()
    }

    /// The device that this folder is on.
    pub(super) fn device(&self) -> io::Result<u64> {
        Ok(fs::fstat(&self.fd)?.st_dev)
    }
}

pub(super) fn kind_of(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// True if the owner may execute the file. Git stores nothing else of a mode.
pub(super) fn is_executable(stat: &Stat) -> bool {
    stat.st_mode & 0o100 != 0
}

/// The last name of a path.
pub(super) fn last_name(path: &BStr) -> &[u8] {
    path.rfind_byte(b'/').map_or(path.as_bytes(), |slash| &path[slash + 1..])
}

/// The folder part of a path, empty at the top.
pub(super) fn folder_of(path: &BStr) -> &BStr {
    path.rfind_byte(b'/').map_or(b"".as_bstr(), |slash| path[..slash].as_bstr())
}
