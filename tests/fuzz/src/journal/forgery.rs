//! Journals with right checksums that no sandbox would have written.

use vfs::diff::changed_paths;
use vfs::journal::Attachments;
use vfs::timeline::{Timeline, UndoLimits};
use vfs::{ROOT_FD, Root};

use super::life::Life;
use super::read;
use crate::choices::Choices;
use crate::life::everything;
use crate::support::kernel_on;

/// Bytes of a record before its payload, and the places in them of its kind, its length, and its two checksums.
const FRAME: usize = 45;
const KIND: usize = 4;
const LENGTH: usize = 5;
const PREVIOUS: usize = 29;
const CHECKSUM: usize = 37;

/// A record with right checksums and an arbitrary payload, before others whose checksums continue it.
pub fn forged(choices: &mut Choices<'_>, life: &Life) {
    let mut journal = life.lived.journal.clone();
    let ends: Vec<usize> = life.states.keys().copied().collect();
    let Some(pair) = (ends.len() > 1).then(|| choices.below(ends.len() - 1)) else { return };
    let (start, end) = (ends[pair], ends[pair + 1]);
    if end - start < FRAME {
        return;
    }
    let tail = journal.split_off(end);
    for _ in 0..=choices.below(4) {
        let payload = start + FRAME..journal.len();
        let at = payload.start + choices.below(payload.len() + 1);
        match choices.below(5) {
            0 | 1 if at < journal.len() => journal[at] = choices.byte(),
            2 => journal.truncate(at),
            3 => drop(journal.splice(at..at, choices.bytes(6).iter().copied())),
            _ => journal[start + KIND] = 1 + choices.byte() % 3,
        }
    }
    seal(&mut journal, start);
    let before = journal[start + CHECKSUM..start + FRAME].to_vec();
    let next = journal.len();
    if tail.len() >= FRAME && !choices.one_in(3) {
        // Only the first of those that follow: it would be valid.
        let after = ends.get(pair + 2).map_or(tail.len(), |after| after - end);
        journal.extend_from_slice(&tail[..after]);
        journal[next + PREVIOUS..next + PREVIOUS + 8].copy_from_slice(&before);
        seal(&mut journal, next);
    }
    hostile(Some(&life.lived.attachments), &journal, choices.below(100) + 1);
}

/// Corrects length and checksum of the record at `at` after its payload changed.
fn seal(journal: &mut [u8], at: usize) {
    let length = (journal.len() - at - FRAME) as u64;
    journal[at + LENGTH..at + LENGTH + 8].copy_from_slice(&length.to_le_bytes());
    let covered = [&journal[at..at + CHECKSUM], &journal[at + FRAME..]].concat();
    let sum = twox_hash::XxHash64::oneshot(0, &covered);
    journal[at + CHECKSUM..at + FRAME].copy_from_slice(&sum.to_le_bytes());
}

/// Every accepted tree is possible, whoever wrote the journal. Every operation on old trees terminates, whatever those are.
pub fn hostile(attachments: Option<&Attachments>, journal: &[u8], chunk: usize) {
    let none = Attachments::new();
    let attachments = attachments.unwrap_or(&none);
    let limits = UndoLimits::default();
    let Ok((timeline, report)) = read(journal, attachments, limits, chunk) else { return };
    assert_eq!(timeline.current().verify(), Ok(()));
    assert!(report.valid_bytes as usize <= journal.len());
    for steps in 0..=timeline.undoable_steps().min(3) {
        go_back(timeline.clone(), steps);
    }
    let mut compacted = timeline.clone();
    let mut snapshot = compacted.snapshot(usize::MAX);
    let journal: Vec<u8> = snapshot.by_ref().flatten().collect();
    compacted.compacted(&snapshot).expect("it was read to its end");
    let (again, report) = read(&journal, attachments, limits, journal.len()).expect("what is written anew can be read");
    assert!(!report.torn_tail);
    assert_eq!(everything(&again), everything(&compacted), "what is written anew is the same");
}

/// Undoes into an old tree, which replay did not verify, and uses it as a host would.
fn go_back(mut timeline: Timeline, steps: usize) {
    let former = timeline.peek_undo(steps).expect("so many can be undone").clone();
    let present = timeline.current().clone();
    let restored = former.graft(&present, &[b"/n1", b"n2/n3"]);
    for (old, new) in [(&present, &restored), (&restored, &present), (&Root::new(), &restored)] {
        let (paths, inodes) = (changed_paths(old, new, |_| true).count(), old.inodes().chain(new.inodes()).count());
        assert!(paths <= 100 * inodes.max(1), "{paths} paths of {inodes} inodes");
    }
    if steps > 0 {
        timeline.undo(steps, restored, b"undo").expect("so many can be undone");
    }
    let mut kernel = kernel_on(timeline.current());
    for path in [b"/n0" as &[u8], b"/n1", b"/n2/n3", b"/n0/../n1/..", b"/n4/n4"] {
        // A call may also fail: an impossible tree is damaged, and the kernel says so.
        kernel.stat(ROOT_FD, path, true).map(drop).unwrap_or_default();
        kernel.list(ROOT_FD, path).map(drop).unwrap_or_default();
        kernel.rename(ROOT_FD, path, ROOT_FD, b"/n3/moved").unwrap_or_default();
        kernel.unlink(ROOT_FD, path).or_else(|_| kernel.rmdir(ROOT_FD, path)).unwrap_or_default();
        kernel.mkdir(ROOT_FD, path).unwrap_or_default();
    }
    timeline.commit(kernel.root(), b"used", true);
}
