//! Makes the same calls on a kernel and on a real directory.

use std::{collections::BTreeMap, io::SeekFrom, os::fd::OwnedFd, path::Path};

use rustix::{
    fs::{self, AtFlags, FallocateFlags, Mode, OFlags},
    io::Errno as Real,
};
use vfs::{Errno, Fd, Kernel, Kind, OpenOptions, ROOT_FD};

use super::{
    op::Op,
    real::{Outcome, as_real, kind_of, our_stat, real_entries, real_stat},
};
use crate::support;

/// Above the directory where the calls start, so that `..` never leaves the temporary directory.
const ABOVE: &str = "1/2/3/4/5/6/7/8/9/10/11/12";

pub type Result<T> = std::result::Result<T, Real>;

pub struct Both {
    pub kernel: Kernel,
    /// Slot 0 is the directory where the calls start.
    pub slots: Vec<Option<Slot>>,
    written: u8,
}

pub struct Slot {
    pub ours: Fd,
    real: OwnedFd,
    append: bool,
}

impl Both {
    pub fn new(top: &Path) -> Self {
        std::fs::create_dir_all(top.join(ABOVE)).expect("a temporary directory is writable");
        let mut kernel = support::kernel();
        let mut path = String::new();
        for name in ABOVE.split('/') {
            path = format!("{path}/{name}");
            kernel.mkdir(ROOT_FD, path.as_bytes()).expect("it is the first");
        }
        let ours = kernel.open(ROOT_FD, path.as_bytes(), support::READ).expect("it was made");
        let real = fs::open(top.join(ABOVE), OFlags::DIRECTORY, Mode::empty()).expect("it was made");
        let slots = (0..5).map(|_| None).collect();
        let mut both = Self { kernel, slots, written: 0 };
        both.slots[0] = Some(Slot { ours, real, append: false });
        both
    }

    pub fn run(&mut self, op: &Op) {
        let (ours, real) = match self.both(op) {
            Some(outcomes) => outcomes,
            None => return,
        };
        assert_eq!(ours.map_err(as_real), real, "{op:?}: ours, and the real one");
    }

    /// The outcome on each side; `None` if the op cannot be compared.
    #[allow(clippy::type_complexity, reason = "the pair is taken apart at once")]
    fn both(&mut self, op: &Op) -> Option<(std::result::Result<Outcome, Errno>, Result<Outcome>)> {
        use Outcome::{Bytes, Done, Entries, Number};
        let Self { kernel, slots, written } = self;
        let slot = |n: &usize| slots[*n].as_ref();
        let done = |()| Done;
        Some(match op {
            Op::Open(at, path, how) => return self.open(*at, path, *how),
            Op::Close(n) => {
                let closed = slots[*n].take_if(|_| *n != 0)?;
                (kernel.close(closed.ours).map(done), Ok(Done))
            }
            Op::Read(n, length) => {
                let file = slot(n)?;
                let (mut a, mut b) = (vec![0; *length], vec![0; *length]);
                let ours = kernel.read(file.ours, &mut a).map(|n| Bytes(a[..n].to_vec()));
                (ours, rustix::io::read(&file.real, &mut b[..]).map(|n| Bytes(b[..n].to_vec())))
            }
            Op::Pread(n, length, offset) => {
                let file = slot(n)?;
                let (mut a, mut b) = (vec![0; *length], vec![0; *length]);
                let ours = kernel.pread(file.ours, &mut a, *offset).map(|n| Bytes(a[..n].to_vec()));
                (ours, rustix::io::pread(&file.real, &mut b[..], *offset).map(|n| Bytes(b[..n].to_vec())))
            }
            Op::Write(n, length) => {
                let file = slot(n)?;
                let bytes = data(written, *length);
                let ours = kernel.write(file.ours, &bytes).map(|n| Number(n as u64));
                (ours, rustix::io::write(&file.real, &bytes).map(|n| Number(n as u64)))
            }
            Op::Pwrite(n, length, offset) => {
                // Linux appends whatever the offset says, against POSIX.
                let file = slot(n).filter(|file| !file.append)?;
                let bytes = data(written, *length);
                let ours = kernel.pwrite(file.ours, &bytes, *offset).map(|n| Number(n as u64));
                (ours, rustix::io::pwrite(&file.real, &bytes, *offset).map(|n| Number(n as u64)))
            }
            Op::Seek(n, to) => {
                let file = slot(n)?;
                // Each filesystem gives positions in a directory its own meaning.
                if kernel.stat_fd(file.ours).expect("it is open").expect("it is no stream").kind == Kind::Directory {
                    return None;
                }
                let real = match *to {
                    SeekFrom::Start(at) => fs::SeekFrom::Start(at),
                    SeekFrom::Current(by) => fs::SeekFrom::Current(by),
                    SeekFrom::End(by) => fs::SeekFrom::End(by),
                };
                (kernel.seek(file.ours, *to).map(Number), fs::seek(&file.real, real).map(Number))
            }
            Op::Truncate(n, size) => {
                let file = slot(n)?;
                (kernel.set_size(file.ours, *size).map(done), fs::ftruncate(&file.real, *size).map(done))
            }
            Op::Allocate(n, offset, length) => {
                let file = slot(n)?;
                let real = fs::fallocate(&file.real, FallocateFlags::empty(), *offset, *length);
                (kernel.allocate(file.ours, *offset, *length).map(done), real.map(done))
            }
            Op::Readdir(n) => {
                let file = slot(n)?;
                let mut entries = BTreeMap::new();
                let ours = kernel.readdir(file.ours, 0, |entry| {
                    entries.insert(entry.name.escape_ascii().to_string(), entry.kind.expect("nothing is gone"));
                    true
                });
                (ours.map(|()| Entries(entries)), real_entries(&file.real).map(Entries))
            }
            Op::StatFd(n) => {
                let file = slot(n)?;
                let ours = kernel.stat_fd(file.ours).map(|stat| our_stat(stat.expect("it is no stream")));
                (ours, fs::fstat(&file.real).map(|stat| real_stat(&stat)))
            }
            Op::Mkdir(at, path) => {
                let at = slot(at)?;
                let real = fs::mkdirat(&at.real, path, Mode::from_raw_mode(0o755));
                (kernel.mkdir(at.ours, path.as_bytes()).map(done), real.map(done))
            }
            Op::Rmdir(at, path) => {
                let at = slot(at)?;
                let real = fs::unlinkat(&at.real, path, AtFlags::REMOVEDIR);
                (kernel.rmdir(at.ours, path.as_bytes()).map(done), real.map(done))
            }
            Op::Unlink(at, path) => {
                let at = slot(at)?;
                let real = fs::unlinkat(&at.real, path, AtFlags::empty());
                (kernel.unlink(at.ours, path.as_bytes()).map(done), real.map(done))
            }
            Op::Link(old, from, follow, new, to) => {
                let (old, new) = (slot(old)?, slot(new)?);
                let flags = if *follow { AtFlags::SYMLINK_FOLLOW } else { AtFlags::empty() };
                let ours = kernel.link(old.ours, from.as_bytes(), *follow, new.ours, to.as_bytes());
                (ours.map(done), fs::linkat(&old.real, from, &new.real, to, flags).map(done))
            }
            Op::Symlink(target, at, path) => {
                let at = slot(at)?;
                let ours = kernel.symlink(target.as_bytes(), at.ours, path.as_bytes());
                (ours.map(done), fs::symlinkat(target, &at.real, path).map(done))
            }
            Op::Readlink(at, path) => {
                let at = slot(at)?;
                let ours = kernel.readlink(at.ours, path.as_bytes()).map(|target| Bytes(target.to_vec()));
                (ours, fs::readlinkat(&at.real, path, Vec::new()).map(|target| Bytes(target.into_bytes())))
            }
            Op::Rename(old, from, new, to) => {
                let (old, new) = (slot(old)?, slot(new)?);
                let ours = kernel.rename(old.ours, from.as_bytes(), new.ours, to.as_bytes());
                (ours.map(done), fs::renameat(&old.real, from, &new.real, to).map(done))
            }
            Op::Stat(at, path, follow) => {
                let at = slot(at)?;
                let flags = if *follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
                let ours = kernel.stat(at.ours, path.as_bytes(), *follow).map(our_stat);
                (ours, fs::statat(&at.real, path, flags).map(|stat| real_stat(&stat)))
            }
            Op::Chmod(at, path, executable) => {
                let at = slot(at)?;
                let ours = kernel.set_executable(at.ours, path.as_bytes(), *executable);
                // A directory has this bit only in the real filesystem, so compare just that it is a directory.
                if ours == Err(Errno::Inval) {
                    let kind = fs::statat(&at.real, path, AtFlags::empty())
                        .map(|stat| kind_of(fs::FileType::from_raw_mode(stat.st_mode)));
                    assert_eq!(kind, Ok(Kind::Directory), "{op:?}: only a directory cannot be executable");
                    return None;
                }
                let mode = Mode::from_raw_mode(if *executable { 0o755 } else { 0o644 });
                (ours.map(done), fs::chmodat(&at.real, path, mode, AtFlags::empty()).map(done))
            }
            Op::Root => {
                kernel.root();
                return None;
            }
        })
    }

    #[allow(clippy::type_complexity, reason = "the pair is taken apart at once")]
    fn open(
        &mut self,
        at: usize,
        path: &str,
        how: OpenOptions,
    ) -> Option<(std::result::Result<Outcome, Errno>, Result<Outcome>)> {
        let free = self.slots.iter().position(Option::is_none)?;
        let at = self.slots[at].as_ref()?;
        let mut flags = match (how.read, how.write) {
            (true, true) => OFlags::RDWR,
            (false, true) => OFlags::WRONLY,
            _ => OFlags::RDONLY,
        };
        flags.set(OFlags::APPEND, how.append);
        flags.set(OFlags::CREATE, how.create);
        flags.set(OFlags::EXCL, how.exclusive && how.create);
        flags.set(OFlags::TRUNC, how.truncate);
        flags.set(OFlags::DIRECTORY, how.directory);
        flags.set(OFlags::NOFOLLOW, how.no_follow);
        let ours = self.kernel.open(at.ours, path.as_bytes(), how);
        let real = fs::openat(&at.real, path, flags, Mode::from_raw_mode(0o644));
        match (ours, real) {
            (Ok(ours), Ok(real)) => {
                self.slots[free] = Some(Slot { ours, real, append: how.append });
                Some((Ok(Outcome::Done), Ok(Outcome::Done)))
            }
            (ours, real) => Some((ours.map(|_| Outcome::Done), real.map(|_| Outcome::Done))),
        }
    }
}

/// Bytes that differ from those of the last write.
fn data(written: &mut u8, length: usize) -> Vec<u8> {
    *written = written.wrapping_add(1);
    vec![*written; length]
}
