//! Journals with cut, flipped or reordered bytes.

use vfs::journal::Attachments;
use vfs::timeline::Timeline;

use super::life::Life;
use super::read;
use crate::choices::Choices;
use crate::life::{everything, make_change, replay};
use crate::support::kernel_on;

/// Whatever happened to the bytes, replay returns the tree after some whole step that they still start with, or an error.
pub fn damaged(choices: &mut Choices<'_>, life: &Life) {
    let mut journal = life.lived.journal.clone();
    // Fewer bytes than a checksum has, so that no damage can repair one.
    for _ in 0..choices.below(5) {
        let at = choices.below(journal.len() + 1);
        let (from, length) = (choices.below(journal.len() + 1), choices.below(200));
        let piece = from..(from + length).min(journal.len());
        match choices.below(4) {
            0 if at < journal.len() => journal[at] ^= choices.byte(),
            1 => journal.truncate(at),
            2 => drop(journal.drain(piece)),
            _ => {
                let piece = journal[piece].to_vec();
                drop(journal.splice(at..at, piece));
            }
        }
    }
    let (attachments, limits) = (&life.lived.attachments, life.lived.timeline.limits());
    let outcome = read(&journal, attachments, limits, journal.len());
    let chunk = choices.below(300) + 1;
    match (&outcome, read(&journal, attachments, limits, chunk)) {
        (Ok((timeline, report)), Ok((again, same))) => {
            assert_eq!((everything(timeline), *report), (everything(&again), same), "in chunks of {chunk}");
        }
        (Err(error), Err(same)) => assert_eq!(*error, same, "in chunks of {chunk}"),
        (one, other) => panic!("in chunks of {chunk}: {:?} and {:?}", one.as_ref().err(), other.err()),
    }
    match outcome {
        Ok((timeline, report)) => {
            let valid = report.valid_bytes as usize;
            assert_eq!(journal[..valid], life.lived.journal[..valid], "what counts is what was written");
            assert_eq!(report.torn_tail, valid < journal.len());
            let Some(state) = life.states.get(&valid) else {
                let first = life.states.keys().next();
                assert!(first.is_some_and(|first| valid < *first), "{valid} is no end of a step");
                return assert_eq!(timeline.current().verify(), Ok(()));
            };
            assert_eq!(everything(&timeline), everything(state), "after {valid} bytes");
            goes_on(timeline, state.clone(), &journal[..valid], attachments, choices.below(5));
        }
        Err(error) => assert!(journal != life.lived.journal && !error.hint().is_empty(), "{error}"),
    }
}

/// Undo, compaction and the next record are the same after replay as before it.
fn goes_on(mut replayed: Timeline, mut lived: Timeline, journal: &[u8], attachments: &Attachments, keep: usize) {
    let mut journal = journal.to_vec();
    let next = |timeline: &mut Timeline| {
        let mut kernel = kernel_on(timeline.current());
        (0..4).for_each(|n| make_change(&mut kernel, n * 7919 + keep as u64));
        timeline.commit(kernel.root(), b"next", true)
    };
    if keep > 2 {
        let snapshot = |timeline: &mut Timeline| -> Vec<u8> {
            let mut snapshot = timeline.snapshot(keep);
            let journal = snapshot.by_ref().flatten().collect();
            timeline.compacted(&snapshot).expect("it was read to its end");
            journal
        };
        journal = snapshot(&mut replayed);
        assert_eq!(journal, snapshot(&mut lived), "the same is written anew");
    }
    let record = next(&mut replayed);
    assert_eq!(record, next(&mut lived), "the next record is the same");
    journal.extend(record);
    // If nothing is kept for undo, undo fails.
    if let Ok(restored) = replayed.peek_undo(1).cloned() {
        journal.extend(replayed.undo(1, restored, b"undo").expect("it was possible just now"));
    }
    assert_eq!(everything(&replay(&journal, attachments, 64)), everything(&replayed), "what goes on is replayed");
}
