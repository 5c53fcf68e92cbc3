//! The byte layout of preview1's structures, and its constants.

use crate::{
    inode::{Kind, Stat},
    kernel::FdStat,
};

/// `filetype` of a kind; a standard stream is a character device.
pub(super) fn filetype(kind: Option<Kind>) -> u8 {
    match kind {
        None => 2,
        Some(Kind::Directory) => 3,
        Some(Kind::File) => 4,
        Some(Kind::Symlink) => 7,
    }
}

/// The `rights` that express a descriptor's access mode.
pub(super) const RIGHT_READ: u64 = 1 << 1;
pub(super) const RIGHT_WRITE: u64 = 1 << 6;
/// All 30 rights.
const RIGHTS_ALL: u64 = (1 << 30) - 1;

/// `fdflags::append`.
pub(super) const FDFLAG_APPEND: u16 = 1;

/// `fdstat`, 24 bytes: filetype, flags, base rights, inheriting rights.
pub(super) fn fdstat(stat: FdStat) -> [u8; 24] {
    let mut rights = RIGHTS_ALL;
    if stat.kind != Some(Kind::Directory) {
        for (open, right) in [(stat.read, RIGHT_READ), (stat.write, RIGHT_WRITE)] {
            rights &= if open { !0 } else { !right };
        }
    }
    let flags = if stat.append { FDFLAG_APPEND } else { 0 };
    let mut bytes = [0; 24];
    bytes[0] = filetype(stat.kind);
    bytes[2..4].copy_from_slice(&flags.to_le_bytes());
    bytes[8..16].copy_from_slice(&rights.to_le_bytes());
    bytes[16..24].copy_from_slice(&RIGHTS_ALL.to_le_bytes());
    bytes
}

/// `filestat`, 64 bytes: device, inode, filetype, link count, size, three times in nanoseconds.
pub(super) fn filestat(stat: Option<Stat>) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[16] = filetype(stat.map(|stat| stat.kind));
    if let Some(stat) = stat {
        let time = stat.mtime.saturating_mul(1_000_000_000);
        let words = [(0, 1), (8, stat.ino.0), (24, u64::from(stat.nlink)), (32, stat.size)];
        for (at, word) in words.into_iter().chain([(40, time), (48, time), (56, time)]) {
            bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
        }
    }
    bytes
}

/// `dirent`, 24 bytes, which the name follows: next cookie, inode, length of the name, filetype.
pub(super) fn dirent(next: u64, ino: u64, name: usize, kind: Option<Kind>) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&next.to_le_bytes());
    bytes[8..16].copy_from_slice(&ino.to_le_bytes());
    bytes[16..20].copy_from_slice(&(name as u32).to_le_bytes());
    // 0 is "unknown": someone removed the entry while the directory was read.
    bytes[20] = if kind.is_some() { filetype(kind) } else { 0 };
    bytes
}

/// `event`, 32 bytes: user data, error, event type; no bytes to read, no flags.
pub(super) fn event(userdata: [u8; 8], kind: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&userdata);
    bytes[10] = kind;
    bytes
}

/// Bytes of a `subscription`: user data (8), tag of the event type (1, at 8), and its parameters.
pub(super) const SUBSCRIPTION: usize = 48;
