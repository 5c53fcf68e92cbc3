//! Histories of a tree, with all its states.

use std::collections::BTreeMap;

use vfs::timeline::{Timeline, UndoLimits};

use crate::choices::Choices;
use crate::life::{Lived, attachment, make_change};
use crate::support::kernel_on;

/// A journal, and the timeline at each length since the last compaction.
pub struct Life {
    pub lived: Lived,
    pub states: BTreeMap<usize, Timeline>,
}

impl Life {
    pub fn live(choices: &mut Choices<'_>) -> Self {
        let limits = match choices.below(4) {
            0 => {
                let roots = choices.below(4);
                UndoLimits { roots, bytes: 1 << 30, history: roots + choices.below(4) }
            }
            1 => UndoLimits { roots: 100, bytes: choices.below(100_000) as u64, history: 1000 },
            _ => UndoLimits::default(),
        };
        let mut lived = Lived::new(limits);
        (0..3).map(attachment).for_each(|(id, bytes)| lived.attachments.add(id, bytes));
        let mut life = Life { states: BTreeMap::from([(lived.journal.len(), lived.timeline.clone())]), lived };
        for n in 0..choices.below(9) {
            life.event(choices, format!("event {n}").as_bytes());
        }
        life
    }

    fn event(&mut self, choices: &mut Choices<'_>, meta: &[u8]) {
        let timeline = &mut self.lived.timeline;
        let event = choices.below(8);
        let mut changed = || {
            let mut kernel = kernel_on(timeline.current());
            (0..choices.below(6)).for_each(|_| make_change(&mut kernel, choices.number()));
            kernel.root()
        };
        let record = match event {
            0..=2 => {
                let next = changed();
                timeline.commit(next, meta, event > 0)
            }
            3 => {
                let next = changed();
                timeline.settle_in_pieces(next, meta).concat()
            }
            4 => timeline.commit(timeline.current().clone(), meta, false),
            5 | 6 => {
                let steps = choices.below(4);
                let Ok(root) = timeline.peek_undo(steps) else { return };
                let keep: &[&[u8]] = if event == 5 { &[] } else { &[b"/n1", b"n2/n3"] };
                let restored = root.graft(timeline.current(), keep);
                assert_eq!(restored.verify(), Ok(()));
                timeline.undo(steps, restored, meta).unwrap_or_default()
            }
            _ => {
                let mut snapshot = timeline.snapshot(choices.below(5));
                self.lived.journal = snapshot.by_ref().flatten().collect();
                timeline.compacted(&snapshot).expect("it was read to its end");
                self.states.clear();
                Vec::new()
            }
        };
        self.lived.journal.extend(record);
        self.states.insert(self.lived.journal.len(), self.lived.timeline.clone());
    }
}
