//! Random histories: replay restores them exactly, including undo and compaction.

use proptest::{collection::vec, prelude::*};
use vfs::{
    Root,
    timeline::{Timeline, UndoLimits},
};

use crate::{
    life::{Lived, attachment, everything, make_change, replay},
    support::{Shorthand, kernel_on},
};

#[derive(Clone, Debug)]
enum Event {
    /// Calls on a kernel, as numbers, and whether the step can be undone.
    Step(Vec<u64>, bool),
    /// A step that undo cannot go back past.
    Settle(Vec<u64>),
    Failed(Vec<u64>),
    Undo(usize),
    UndoKeeping(usize),
    /// A step that only records a note.
    Note,
    Compact(usize),
}

fn event() -> impl Strategy<Value = Event> {
    let calls = || vec(any::<u64>(), 1..12);
    prop_oneof![
        10 => (calls(), prop::bool::weighted(0.8)).prop_map(|(calls, undoable)| Event::Step(calls, undoable)),
        1 => calls().prop_map(Event::Settle),
        1 => calls().prop_map(Event::Failed),
        3 => (1_usize..4).prop_map(Event::Undo),
        1 => (1_usize..4).prop_map(Event::UndoKeeping),
        1 => Just(Event::Note),
        1 => (0_usize..5).prop_map(Event::Compact),
    ]
}

fn live(events: &[Event], limits: UndoLimits) -> Lived {
    let mut lived = Lived::new(limits);
    (0..3).map(attachment).for_each(|(id, bytes)| lived.attachments.add(id, bytes));
    for (n, event) in events.iter().enumerate() {
        let meta = format!("event {n}").into_bytes();
        let timeline = &mut lived.timeline;
        let record = match event {
            Event::Step(calls, undoable) => {
                let mut kernel = kernel_on(timeline.current());
                calls.iter().for_each(|&choice| make_change(&mut kernel, choice));
                timeline.commit(kernel.root(), &meta, *undoable)
            }
            Event::Settle(calls) => {
                let mut kernel = kernel_on(timeline.current());
                calls.iter().for_each(|&choice| make_change(&mut kernel, choice));
                let record = timeline.settle_in_pieces(kernel.root(), &meta).concat();
                assert_eq!(timeline.undoable_steps(), 0);
                record
            }
            Event::Failed(calls) => {
                let mut kernel = kernel_on(timeline.current());
                calls.iter().for_each(|&choice| make_change(&mut kernel, choice));
                kernel.reset(timeline.current().clone());
                timeline.commit(kernel.root(), b"", true)
            }
            Event::Undo(steps) | Event::UndoKeeping(steps) => match timeline.peek_undo(*steps) {
                Ok(root) => {
                    let keep: &[&[u8]] = if matches!(event, Event::Undo(_)) { &[] } else { &[b"/n1", b"n2/n3"] };
                    let restored = root.graft(timeline.current(), keep);
                    assert_eq!(restored.verify(), Ok(()));
                    timeline.undo(*steps, restored, &meta).expect("it was possible just now")
                }
                Err(refused) => {
                    assert_eq!(timeline.undo(*steps, Root::new(), &meta), Err(refused));
                    assert!(refused.possible < refused.asked);
                    Vec::new()
                }
            },
            Event::Note => timeline.commit(timeline.current().clone(), &meta, false),
            Event::Compact(keep) => {
                let mut snapshot = timeline.snapshot(*keep);
                lived.journal = snapshot.by_ref().flatten().collect();
                timeline.compacted(&snapshot).expect("it was read to its end");
                Vec::new()
            }
        };
        lived.journal.extend(record);
    }
    lived
}

fn limits() -> impl Strategy<Value = UndoLimits> {
    let roots = prop_oneof![Just(100_usize), 0_usize..4];
    let bytes = prop_oneof![Just(1_u64 << 30), 0_u64..100_000];
    let history = prop_oneof![Just(1000_usize), 0_usize..6];
    (roots, bytes, history).prop_map(|(roots, bytes, history)| UndoLimits { roots, bytes, history })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn replay_gives_what_was_lived(events in vec(event(), 1..25), limits in limits(), chunk in 1_usize..100_000) {
        let lived = live(&events, limits);
        let replayed = replay(&lived.journal, &lived.attachments, chunk);
        prop_assert_eq!(everything(&replayed), everything(&lived.timeline));
        prop_assert_eq!(replayed.attachments(), lived.timeline.attachments());
        prop_assert_eq!(replayed.current().verify(), Ok(()));
    }

    #[test]
    fn a_compacted_journal_gives_the_same_with_as_many_steps_back(events in vec(event(), 1..25), keep in 0_usize..8) {
        let mut lived = live(&events, UndoLimits::default());
        let mut snapshot = lived.timeline.snapshot(keep);
        let chunks: Vec<Vec<u8>> = snapshot.by_ref().collect();
        prop_assert!(chunks.iter().all(|chunk| chunk.len() <= 1 << 20));
        let journal = chunks.concat();
        let possible = lived.timeline.undoable_steps().min(keep);
        prop_assert_eq!(lived.timeline.compacted(&snapshot), Ok(()));
        prop_assert_eq!(lived.timeline.undoable_steps(), possible);
        let mut replayed = replay(&journal, &lived.attachments, usize::MAX);
        prop_assert_eq!(everything(&replayed), everything(&lived.timeline));
        // The next record must be the same on both.
        let next = |timeline: &mut Timeline| {
            let mut kernel = kernel_on(timeline.current());
            kernel.make("/next", b"next");
            timeline.commit(kernel.root(), b"next", true)
        };
        prop_assert_eq!(next(&mut replayed), next(&mut lived.timeline));
    }
}
