//! The tree as a script sees it: the zones at `/`, and `/tmp`, which file tools do not have.
//!
//! Which paths a script reaches is decided by [`Zones`] alone. `.git` is there, but nothing in it: it is in no listing, so `find` and
//! `grep -r` do not enter it.

use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind as Io};
use std::path::Path;

use gix::bstr::{BStr, BString, ByteSlice};
use shell::World;
use shell::world::{Kind, Now, Stat};

use crate::call::Moment;
use crate::deadline::Deadline;
use crate::error::{ErrorKind, ToolError};
use crate::paths::{Access, SandboxPath, WORKSPACE, Zones, is_git_folder_name};
use crate::platform;
use crate::toolset::shell::touched::Touched;

/// Programs of the world.
const PROGRAMS: [&str; 1] = ["git"];

/// The tree during one script.
pub struct Tree {
    zones: Zones,
    workspace: SandboxPath,
    deadline: Deadline,
    now: Moment,
    /// The next number of [`World::random`].
    random: Cell<u64>,
    /// What has been changed.
    pub touched: RefCell<Touched>,
    /// Why the script as a whole fails: a limit of the tree, which no command can do anything about.
    pub full: RefCell<Option<ToolError>>,
}

impl Tree {
    /// The tree of these zones, at this time.
    pub fn new(zones: Zones, deadline: Deadline, now: Moment) -> Tree {
        Tree {
            workspace: zones.workspace(),
            zones,
            deadline,
            now,
            random: Cell::new(now.nanos),
            touched: RefCell::default(),
            full: RefCell::default(),
        }
    }

    /// The place of an absolute path.
    fn place(&self, path: &BStr, access: Access) -> io::Result<SandboxPath> {
        // The tree has only names in UTF-8 where tools can reach them.
        let named = path.to_str().map_err(|_| io::Error::from(Io::InvalidFilename))?;
        let first = named.split('/').find(|part| !part.is_empty()).unwrap_or_default();
        if self.zones.zone(first).is_none() {
            // What is not there cannot be forbidden.
            let writes = matches!(access, Access::Write | Access::Entry);
            return Err(if writes { Io::PermissionDenied.into() } else { Io::NotFound.into() });
        }
        self.zones.resolve(named, &self.workspace, access).map_err(|error| system(&error))
    }

    /// The place of a path whose entry is about to be changed. What was there is remembered.
    fn changing(&self, path: &BStr, access: Access) -> io::Result<SandboxPath> {
        let place = self.place(path, access)?;
        if place.is_root() && access == Access::Entry {
            return Err(Io::PermissionDenied.into());
        }
        if place.is_temporary() {
            platform::create_dir_all(&self.zones.zone_of(&place).real())?;
        }
        self.touched.borrow_mut().note(&place)?;
        Ok(place)
    }

    /// What has come of a change. A limit of the tree ends the script, however it goes on.
    fn limited<T>(&self, path: &BStr, done: io::Result<T>) -> io::Result<T> {
        done.inspect_err(|error| {
            if matches!(error.kind(), Io::StorageFull | Io::QuotaExceeded | Io::FileTooLarge) {
                let shown = path.to_str_lossy();
                self.full.borrow_mut().get_or_insert_with(|| ToolError::io(&shown, error));
            }
        })
    }

    fn is_git_folder(&self, path: &BStr) -> bool {
        path.strip_prefix(b"/").and_then(|path| path.strip_prefix(WORKSPACE.as_bytes())) == Some(b"/.git")
    }
}

impl World for Tree {
    fn stat(&self, path: &BStr, follow: bool) -> io::Result<Stat> {
        if path == "/" || self.is_git_folder(path) {
            return Ok(folder(path));
        }
        let place = self.place(path, if follow { Access::Read } else { Access::Look })?;
        if place.is_temporary() && place.is_root() {
            return Ok(Stat { writable: true, ..folder(path) });
        }
        platform::stat(&place.real()).map(|found| of(&found, &self.zones, &place))
    }

    fn list(&self, path: &BStr) -> io::Result<Vec<(BString, Stat)>> {
        if path == "/" {
            let named = |name: &str| (BString::from(name), folder(name.as_bytes().as_bstr()));
            return Ok(self.zones.names().into_iter().map(named).collect());
        }
        let place = self.place(path, Access::Read)?;
        let entries = match platform::list(&place.real()) {
            // It is made with its first file.
            Err(_) if place.is_temporary() && place.is_root() => Vec::new(),
            entries => entries?,
        };
        let shown = entries.into_iter().filter(|entry| !is_git_folder_name(&entry.name));
        Ok(shown.map(|entry| (BString::from(entry.name), of(&entry.stat, &self.zones, &place))).collect())
    }

    fn read(&self, path: &BStr) -> io::Result<bytes::Bytes> {
        let place = self.place(path, Access::Read)?;
        match platform::stat(&place.real())?.kind {
            platform::Kind::Folder => Err(Io::IsADirectory.into()),
            _ => platform::read(&place.real()).map(bytes::Bytes::from),
        }
    }

    fn write(&self, path: &BStr, content: Vec<u8>) -> io::Result<()> {
        let place = self.changing(path, Access::Write)?;
        self.limited(path, platform::put_file(&place.real(), content, None))
    }

    fn make_folder(&self, path: &BStr) -> io::Result<()> {
        let place = self.changing(path, Access::Write)?;
        self.limited(path, platform::create_dir(&place.real()))
    }

    fn remove_file(&self, path: &BStr) -> io::Result<()> {
        let place = self.changing(path, Access::Entry)?;
        platform::remove_file(&place.real())
    }

    fn remove_folder(&self, path: &BStr) -> io::Result<()> {
        let place = self.changing(path, Access::Entry)?;
        platform::remove_dir(&place.real())
    }

    fn rename(&self, from: &BStr, to: &BStr) -> io::Result<()> {
        let [old, new] = [self.changing(from, Access::Entry)?, self.changing(to, Access::Entry)?];
        if old == new {
            return Ok(());
        }
        self.touched.borrow_mut().note_all(&old, &new)?;
        let kinds = [&old, &new].map(|place| platform::stat(&place.real()).map(|stat| stat.kind));
        let is_folder = |kind| kind == platform::Kind::Folder;
        match kinds {
            [Err(error), _] => return Err(error),
            [Ok(_), Err(_)] => {}
            [Ok(old_kind), Ok(new_kind)] => match (is_folder(old_kind), is_folder(new_kind)) {
                (true, true) => platform::remove_dir(&new.real())?,
                (false, false) => platform::remove_file(&new.real())?,
                (true, false) => return Err(Io::NotADirectory.into()),
                (false, true) => return Err(Io::IsADirectory.into()),
            },
        }
        platform::rename(&old.real(), &new.real())
    }

    fn link(&self, target: &BStr, path: &BStr) -> io::Result<()> {
        let place = self.changing(path, Access::Entry)?;
        let target = target.to_str().map_err(|_| io::Error::from(Io::InvalidFilename))?;
        self.limited(path, platform::symlink(Path::new(target), &place.real()))
    }

    fn read_link(&self, path: &BStr) -> io::Result<BString> {
        let place = self.place(path, Access::Look)?;
        let target = std::fs::read_link(place.real())?;
        Ok(target.to_str().ok_or(Io::InvalidFilename)?.into())
    }

    fn real_path(&self, path: &BStr) -> io::Result<BString> {
        if path == "/" {
            return Ok(path.to_owned());
        }
        let place = self.place(path, Access::Read)?;
        self.stat(path, true)?;
        Ok(place.shown().into())
    }

    fn set_executable(&self, path: &BStr, executable: bool) -> io::Result<()> {
        let place = self.changing(path, Access::Write)?;
        match platform::stat(&place.real())?.kind {
            platform::Kind::File => platform::set_executable(&place.real(), executable),
            // A folder can always be entered.
            _ => Ok(()),
        }
    }

    fn set_modified(&self, path: &BStr, nanos: i128) -> io::Result<()> {
        let place = self.changing(path, Access::Write)?;
        platform::set_modified(&place.real(), u64::try_from(nanos / 1_000_000_000).unwrap_or(0))
    }

    fn now(&self) -> Now {
        Now { nanos: self.now.nanos.into(), utc_offset: self.now.utc_offset }
    }

    fn random(&self) -> u64 {
        // SplitMix64: nothing may depend on it, but all of its bits have to differ.
        self.random.set(self.random.get().wrapping_add(0x9E37_79B9_7F4A_7C15));
        let mut mixed = self.random.get();
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn passed(&self, units: u32) -> bool {
        self.deadline.passed(units)
    }

    fn has_program(&self, name: &str) -> bool {
        PROGRAMS.contains(&name)
    }
}

/// A folder that is not one of the tree.
fn folder(path: &BStr) -> Stat {
    let inode = path.iter().fold(1, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add((*byte).into()));
    Stat { kind: Kind::Folder, size: 0, executable: true, writable: false, modified: 0, inode }
}

fn of(found: &platform::Stat, zones: &Zones, place: &SandboxPath) -> Stat {
    Stat {
        kind: match found.kind {
            platform::Kind::Folder => Kind::Folder,
            platform::Kind::Link => Kind::Link,
            platform::Kind::File | platform::Kind::Other => Kind::File,
        },
        size: found.size,
        executable: found.executable,
        writable: zones.is_writable(place),
        modified: i128::from(found.index.mtime.secs) * 1_000_000_000,
        inode: found.index.ino.into(),
    }
}

/// What a system would say.
fn system(error: &ToolError) -> io::Error {
    let kind = match &error.kind {
        ErrorKind::SandboxViolation => Io::PermissionDenied,
        ErrorKind::NotFound => Io::NotFound,
        ErrorKind::BadArgs => Io::InvalidInput,
        _ => return io::Error::other(error.message.clone()),
    };
    kind.into()
}
