//! Timelines: undo, what a record costs, attachments, and compaction.

use std::ops::Range;

use vfs::{
    Bytes, Content, ROOT_FD, Root,
    content::Unreadable,
    journal::{Attachments, JournalErrorKind},
    timeline::{CannotUndo, HistoryEntry, SnapshotError, Timeline, UndoLimits},
};

use crate::{
    life::{Lived, attachment, everything, inflated, packed, replayer},
    support::{EDIT, Numbers, Shorthand, kernel_on},
};

#[test]
fn undo_takes_back_whole_steps_also_after_replay() {
    let mut lived = Lived::new(UndoLimits::default());
    lived.step("one", |kernel| kernel.make("/f", b"one"));
    lived.step("two", |kernel| kernel.make("/f", b"two"));
    lived.step("three", |kernel| kernel.make("/g", b"three"));
    let mut replayed = Lived { timeline: lived.replay(), ..lived };
    replayed.undo(2);
    let mut kernel = kernel_on(replayed.timeline.current());
    assert_eq!((kernel.content("/f"), kernel.content("/g").is_err()), (Ok(b"one".to_vec()), true));
    let history: Vec<_> = replayed.timeline.history().map(|entry| (entry.sequence, entry.meta.to_vec())).collect();
    assert_eq!(history, [(4, b"undo".to_vec()), (1, b"one".to_vec())]);
    assert_eq!(everything(&replayed.replay()), everything(&replayed.timeline));
}

#[test]
fn what_cannot_be_undone_stays_in_the_history_when_undo_passes_it() {
    let mut lived = Lived::new(UndoLimits::default());
    lived.step("edit", |kernel| kernel.make("/f", b"edit"));
    let root = lived.timeline.current().clone();
    lived.journal.extend(lived.timeline.commit(root, b"landed", false));
    lived.undo(1);
    let history: Vec<&[u8]> = lived.timeline.history().map(|entry| entry.meta).collect();
    assert_eq!(history, [&b"undo"[..], b"landed"]);
    assert_eq!(lived.timeline.undoable_steps(), 0);
    let refused = lived.timeline.undo(1, Root::new(), b"").expect_err("nothing is left");
    assert_eq!((refused.asked, refused.possible), (1, 0));
}

#[test]
fn undo_does_not_go_back_beyond_a_step_that_settles_also_after_replay_and_compaction() {
    let mut lived = Lived::new(UndoLimits::default());
    lived.step("before", |kernel| kernel.make("/f", b"before"));
    lived.settle("import", |kernel| kernel.make("/repository", b"imported"));
    assert_history_tells_the_truth(&mut lived, 0);
    lived.step("after", |kernel| kernel.make("/f", b"after"));
    assert_history_tells_the_truth(&mut lived, 1);
    let mut snapshot = lived.timeline.snapshot(20);
    lived.journal = snapshot.by_ref().flatten().collect();
    lived.timeline.compacted(&snapshot).expect("it was read to its end");
    assert_history_tells_the_truth(&mut lived, 1);
    lived.undo(1);
    let mut kernel = kernel_on(lived.timeline.current());
    assert_eq!(kernel.content("/f"), Ok(b"before".to_vec()));
    assert_eq!(kernel.content("/repository"), Ok(b"imported".to_vec()));
    let forgotten: Vec<_> = lived.timeline.history().map(|entry| (entry.meta.to_vec(), entry.forgotten)).collect();
    assert_eq!(forgotten, [(b"undo".to_vec(), false), (b"import".to_vec(), false), (b"before".to_vec(), true)]);
    assert_history_tells_the_truth(&mut lived, 0);
}

/// Undo can take back exactly the steps that the history calls undoable. One more changes nothing.
fn assert_history_tells_the_truth(lived: &mut Lived, possible: usize) {
    for timeline in [lived.replay(), lived.timeline.clone()] {
        let undoable: Vec<bool> = timeline.history().map(|entry| entry.undoable).collect();
        assert_eq!(undoable.iter().filter(|&&undoable| undoable).count(), possible);
        let refused = CannotUndo { asked: possible + 1, possible };
        assert_eq!(timeline.steps_to_undo(possible + 1), Err(refused));
        assert!(timeline.peek_undo(possible + 1).is_err_and(|error| error == refused));
        let sequences = |entries: Vec<HistoryEntry<'_>>| entries.iter().map(|entry| entry.sequence).collect::<Vec<_>>();
        let of_history = sequences(timeline.history().filter(|entry| entry.undoable).collect());
        assert_eq!(timeline.steps_to_undo(possible).map(sequences), Ok(of_history));
        let mut unchanged = timeline.clone();
        assert_eq!(unchanged.undo(possible + 1, Root::new(), b"undo"), Err(refused));
        assert_eq!(everything(&unchanged), everything(&timeline));
    }
}

#[test]
fn more_steps_than_trees_are_kept_cannot_be_undone() {
    let mut lived = Lived::new(UndoLimits::default());
    for n in 0..103 {
        lived.step("write", |kernel| kernel.make(&format!("/{n}"), b"content"));
    }
    assert_history_tells_the_truth(&mut lived, 100);
    lived.undo(100);
    let left: Vec<_> = lived.timeline.history().map(|entry| (entry.sequence, entry.undoable)).collect();
    assert_eq!(left, [(104, false), (3, false), (2, false), (1, false)]);
    assert_history_tells_the_truth(&mut lived, 0);
}

#[test]
fn a_step_that_costs_more_than_the_budget_cannot_be_undone_nor_can_those_before_it() {
    let mut lived = Lived::new(UndoLimits { bytes: 250_000, ..UndoLimits::default() });
    for n in 0..3_u8 {
        lived.step("write", |kernel| kernel.make(&format!("/{n}"), &vec![n; 100_000]));
    }
    assert_history_tells_the_truth(&mut lived, 3);
    lived.step("delete", |kernel| {
        (0..3).for_each(|n| kernel.unlink(ROOT_FD, format!("/{n}").as_bytes()).expect("it was made"));
    });
    assert_history_tells_the_truth(&mut lived, 0);
    lived.step("write", |kernel| kernel.make("/new", b"content"));
    assert_history_tells_the_truth(&mut lived, 1);
}

#[test]
fn a_step_without_change_or_facts_is_none() {
    let mut lived = Lived::new(UndoLimits::default());
    let root = lived.timeline.current().clone();
    assert_eq!(lived.timeline.commit(root.clone(), b"", true), Vec::<u8>::new());
    assert_eq!(lived.timeline.history().count(), 0);
    assert!(!lived.timeline.commit(root, b"read a file", false).is_empty());
    assert_eq!(lived.timeline.history().count(), 1);
}

#[test]
fn an_index_replaced_by_rename_costs_what_changed_in_it() {
    let mut numbers = Numbers(5);
    let mut index = numbers.bytes(1_000_000);
    let mut lived = Lived::new(UndoLimits::default());
    lived.step("first", |kernel| kernel.make("/index", &index));
    let before = lived.journal.len();
    index[400_000..400_020].copy_from_slice(&numbers.bytes(20));
    lived.step("second", |kernel| {
        kernel.make("/index.lock", &index);
        kernel.rename(ROOT_FD, b"/index.lock", ROOT_FD, b"/index").expect("it was made");
    });
    assert!(lived.journal.len() - before < 300, "{} bytes", lived.journal.len() - before);
    assert_eq!(everything(&lived.replay()), everything(&lived.timeline));
}

#[test]
fn taking_back_a_deletion_costs_nothing_and_shares_the_buffer_again() {
    let mut lived = Lived::new(UndoLimits::default());
    lived.step("make", |kernel| kernel.make("/f", &Numbers(9).bytes(1_000_000)));
    lived.step("delete", |kernel| kernel.unlink(ROOT_FD, b"/f").expect("it is there"));
    let before = lived.journal.len();
    lived.undo(1);
    assert!(lived.journal.len() - before < 200);
    assert_eq!(everything(&lived.replay()), everything(&lived.timeline));
}

#[test]
fn former_trees_are_kept_within_their_budget() {
    let mut lived = Lived::new(UndoLimits { bytes: 250_000, ..UndoLimits::default() });
    for n in 0..10_u8 {
        lived.step("rewrite", |kernel| kernel.make("/f", &vec![n; 100_000]));
    }
    assert_eq!(lived.timeline.undoable_steps(), 2);
    assert_eq!(everything(&lived.replay()), everything(&lived.timeline));
}

#[test]
fn an_attachment_is_referred_to_and_must_be_there() {
    let mut lived = Lived::new(UndoLimits::default());
    let (id, bytes) = attachment(1);
    lived.step("import", |kernel| {
        let content = Content::from_attachment(id, 0, bytes.clone());
        kernel.put_file(ROOT_FD, b"/pack", content, false).expect("there is room");
    });
    assert!(lived.journal.len() < 300, "its bytes are not in the journal");
    assert_eq!(lived.timeline.attachments().into_iter().collect::<Vec<_>>(), [id]);
    let missing = replayer(&Attachments::new()).feed(Bytes::from(lived.journal.clone())).expect_err("it is missing");
    assert_eq!(missing.kind, JournalErrorKind::MissingAttachment);
    lived.attachments.add(id, bytes.clone());
    let replayed = lived.replay();
    let content = replayed.current().find(b"/pack").expect("it is there").1.content().expect("a file");
    assert_eq!(content.bytes().unwrap().as_ptr(), bytes.as_ptr(), "it is the buffer that was given");
    lived.attachments.add(id, bytes.slice(1..));
    let short = replayer(&lived.attachments).feed(Bytes::from(lived.journal)).expect_err("it is too short");
    assert_eq!(short.kind, JournalErrorKind::Malformed);
}

#[test]
fn a_stream_in_an_attachment_is_referred_to_and_must_be_there() {
    let mut lived = Lived::new(UndoLimits::default());
    let (id, bytes) = attachment(1);
    lived.attachments.add(id, bytes.clone());
    lived.step("import", |kernel| {
        kernel.put_file(ROOT_FD, b"/file", inflated(1), false).expect("there is room");
        assert_eq!(kernel.stat(ROOT_FD, b"/file", true).map(|stat| stat.size), Ok(packed(1).len() as u64));
    });
    assert!(lived.journal.len() < 300, "neither its bytes nor its stream is in the journal");
    assert_eq!(lived.timeline.attachments().into_iter().collect::<Vec<_>>(), [id]);
    let mut again = kernel_on(lived.replay().current());
    assert_eq!(again.content("/file"), Ok(packed(1)));
    let compacted: Vec<u8> = lived.timeline.snapshot(0).flatten().collect();
    assert!(compacted.len() < 300);

    let missing = replayer(&Attachments::new()).feed(Bytes::from(lived.journal.clone())).expect_err("it is missing");
    assert_eq!(missing.kind, JournalErrorKind::MissingAttachment);
    let mut short = Attachments::new();
    short.add(id, bytes.slice(..bytes.len() - 1));
    let short = replayer(&short).feed(Bytes::from(lived.journal.clone())).expect_err("it is too short");
    assert_eq!(short.kind, JournalErrorKind::Malformed);

    // The record encodes a change of the content, and names the attachment as long as undo can lead back to it.
    let before = lived.journal.len();
    lived.step("edit", |kernel| {
        let fd = kernel.open_at("/file", EDIT).expect("it is there");
        kernel.pwrite(fd, b"changed", 100).expect("there is room");
    });
    assert!(lived.journal.len() - before < 200);
    assert_eq!(everything(&lived.replay()), everything(&lived.timeline));
    assert_eq!(lived.timeline.attachments().len(), 1);
    lived.undo(1);
    assert_eq!(kernel_on(lived.replay().current()).content("/file"), Ok(packed(1)));
    lived.settle("replace", |kernel| kernel.make("/file", b"another"));
    assert_eq!(lived.timeline.attachments().len(), 0);
}

#[test]
fn only_what_a_stream_in_an_attachment_can_be_is_referred_to() {
    let (id, bytes) = attachment(1);
    let attached = Content::from_attachment(id, 0, bytes.clone());
    let (end, length) = (bytes.len(), packed(1).len() as u64);
    assert!(Content::new(bytes).inflated(0..end, length).is_none(), "it is no attachment");
    let reversed = Range { start: end, end: end - 100 };
    for range in [0..end + 1, reversed, end - 63..end, end..end] {
        assert!(attached.inflated(range, 1).is_none());
    }
    for length in [64 * 1032 + 1, (64 << 20) + 1, u64::MAX] {
        assert!(attached.inflated(end - 64..end, length).is_none(), "no stream of so few bytes is {length}");
    }
    let inflated = attached.inflated(0..100, 1000).expect("it may be one");
    assert_eq!((inflated.len(), inflated.bytes()), (1000, Err(Unreadable)));
}

#[test]
fn a_snapshot_is_no_journal_before_its_end_or_after_a_change() {
    let mut lived = Lived::new(UndoLimits::default());
    lived.step("make", |kernel| kernel.make("/f", b"content"));
    let mut snapshot = lived.timeline.snapshot(1);
    assert_eq!(lived.timeline.compacted(&snapshot), Err(SnapshotError::Unfinished));
    snapshot.by_ref().for_each(drop);
    let (mut other, _) = Timeline::new([1; 16], UndoLimits::default());
    other.commit(other.current().clone(), b"a note", false);
    assert_eq!(other.compacted(&snapshot), Err(SnapshotError::Outdated), "it is another one's journal");
    lived.step("change", |kernel| kernel.make("/g", b"content"));
    assert_eq!(lived.timeline.compacted(&snapshot), Err(SnapshotError::Outdated));
}
