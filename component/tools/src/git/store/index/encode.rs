//! Encodes the index (gitformat-index): version 2, or 3 if an entry has flags that version 2 lacks. It writes no extensions.
//!
//! Encodes all of it in memory: a writer that hashes piece by piece takes several times as long, and every change writes the whole index.

use gix::index::entry::Flags;
use gix::index::{Entry, State};

use crate::error::ToolError;
use crate::git::store::repo::damaged;

/// Bytes of an entry before its path, without extended flags.
const FIXED: usize = 62;
/// The alignment of entries, counted from the first one.
const ALIGNED: usize = 8;

/// The whole file, including the checksum. This drops entries that are marked for removal.
pub fn file(state: &State) -> Result<Vec<u8>, ToolError> {
    let entries = || state.entries().iter().filter(|entry| !entry.flags.contains(Flags::REMOVE));
    let version: u32 = if entries().any(|entry| further(entry.flags) != 0) { 3 } else { 2 };
    let count = u32::try_from(entries().count()).map_err(|error| damaged(&error))?;
    let mut bytes = Vec::with_capacity(state.entries().len() * (FIXED + ALIGNED) + state.path_backing().len() + 64);
    bytes.extend_from_slice(b"DIRC");
    bytes.extend_from_slice(&version.to_be_bytes());
    bytes.extend_from_slice(&count.to_be_bytes());
    entries().for_each(|entry| append(entry, state, &mut bytes));
    let mut hasher = gix::hash::hasher(state.object_hash());
    hasher.update(&bytes);
    let checksum = hasher.try_finalize().map_err(|error| damaged(&error))?;
    bytes.extend_from_slice(checksum.as_slice());
    Ok(bytes)
}

fn append(entry: &Entry, state: &State, bytes: &mut Vec<u8>) {
    let (stat, path, start) = (entry.stat, entry.path(state), bytes.len());
    let mut fixed = [0; FIXED];
    let words = [
        stat.ctime.secs,
        stat.ctime.nsecs,
        stat.mtime.secs,
        stat.mtime.nsecs,
        stat.dev,
        stat.ino,
        entry.mode.bits(),
        stat.uid,
        stat.gid,
        stat.size,
    ];
    for (place, word) in fixed.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_be_bytes());
    }
    fixed[40..60].copy_from_slice(entry.id.as_bytes());
    let further = further(entry.flags);
    let kept = entry.flags & (Flags::STAGE_MASK | Flags::ASSUME_VALID);
    let longest = Flags::PATH_LEN.bits() as usize;
    let extended = if further != 0 { Flags::EXTENDED } else { Flags::empty() };
    let flags = (kept | extended).bits() | path.len().min(longest) as u32;
    fixed[60..].copy_from_slice(&(flags as u16).to_be_bytes());
    bytes.extend_from_slice(&fixed);
    if further != 0 {
        bytes.extend_from_slice(&further.to_be_bytes());
    }
    bytes.extend_from_slice(path);
    // At least one NUL ends a path.
    let length = bytes.len() - start;
    bytes.resize(start + (length / ALIGNED + 1) * ALIGNED, 0);
}

/// The extended flags of an entry, which need version 3.
fn further(flags: Flags) -> u16 {
    const FURTHER: [(Flags, u16); 3] =
        [(Flags::EXTENDED_2, 1 << 15), (Flags::SKIP_WORKTREE, 1 << 14), (Flags::INTENT_TO_ADD, 1 << 13)];
    FURTHER.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, bit)| bit).sum()
}

#[cfg(test)]
mod tests {
    use gix::ObjectId;
    use gix::index::entry::stat::Time;
    use gix::index::entry::{Mode, Stat};
    use gix::index::{File, State, write};

    use super::*;

    fn state(flags: &[Flags]) -> State {
        let mut state = State::new(gix::hash::Kind::Sha1);
        for (n, flags) in (0u8..).zip(flags) {
            let word = u32::from_be_bytes([n, 2, 3, 4]);
            let time = Time { secs: word, nsecs: word + 1 };
            let stat = Stat { mtime: time, ctime: time, dev: 5, ino: word, uid: 7, gid: 8, size: 9 + word };
            let id = ObjectId::from_bytes_or_panic(&[n; 20]);
            let path = format!("{n:03}{}", "x".repeat(usize::from(n) * if n == 20 { 300 } else { 1 }));
            state.dangerously_push_entry(stat, id, *flags, Mode::FILE_EXECUTABLE, path.as_str().into());
        }
        state
    }

    #[test]
    fn it_is_byte_for_byte_what_gix_writes() {
        let staged = Flags::from_stage(gix::index::entry::Stage::Theirs);
        let plain = [Flags::empty(), Flags::ASSUME_VALID, staged, Flags::UPTODATE].repeat(8);
        let skipped = Flags::EXTENDED | Flags::SKIP_WORKTREE;
        let extended = [Flags::empty(), skipped, Flags::EXTENDED | Flags::INTENT_TO_ADD, Flags::REMOVE].repeat(8);
        for flags in [&[][..], &plain, &extended] {
            let state = state(flags);
            let ours = file(&state).unwrap();
            let mut theirs = Vec::new();
            File::from_state(state, std::path::PathBuf::new())
                .write_to(&mut theirs, write::Options::default())
                .unwrap();
            assert!(ours == theirs);
        }
    }
}
