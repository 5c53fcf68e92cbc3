//! Records with right checksums and arbitrary payloads: replay refuses them with a message, never panics, and never yields an impossible
//! tree.

use std::sync::LazyLock;

use proptest::{collection::vec, prelude::*, sample::Index};
use vfs::{
    AttachmentId, Bytes, Errno, ROOT_FD, Root,
    diff::changed_paths,
    journal::{Attachments, HEADER_BYTES, JournalErrorKind},
    timeline::{Replayer, Timeline, UndoLimits},
};

use crate::{
    life::{Lived, attachment, inflated},
    support::{EDIT, Numbers, Shorthand, WRITE, kernel_on},
};

/// Bytes of a record before its payload, and the place of its checksum in them.
const FRAME: usize = 45;
const CHECKSUM: usize = 37;

/// A journal with two steps. The second contains every form of change to the first.
fn journal() -> (Vec<u8>, usize) {
    let mut lived = Lived::new(UndoLimits::default());
    lived.step("first", |kernel| {
        kernel.dir("/d");
        kernel.make("/d/long", &Numbers(3).bytes(500));
        kernel.make("/gone", b"content");
    });
    let last = lived.journal.len();
    lived.step("second", |kernel| {
        let fd = kernel.open_at("/d/long", EDIT).expect("it is there");
        kernel.pwrite(fd, b"changed", 100).expect("there is room");
        kernel.symlink(b"d", ROOT_FD, b"/link").expect("there is room");
        kernel.link(ROOT_FD, b"/d/long", false, ROOT_FD, b"/also").expect("it is there");
        kernel.set_executable(ROOT_FD, b"/d/long", true).expect("it is a file");
        kernel.unlink(ROOT_FD, b"/gone").expect("it is there");
        kernel.make("/new", b"new");
        kernel.make("/text", &b"one line of many\n".repeat(20));
        kernel.put_file(ROOT_FD, b"/packed", inflated(1), false).expect("there is room");
    });
    (lived.journal, last)
}

/// The attachments it refers to.
fn attachments() -> Attachments {
    static ATTACHMENT: LazyLock<(AttachmentId, Bytes)> = LazyLock::new(|| attachment(1));
    let (id, bytes) = ATTACHMENT.clone();
    let mut attachments = Attachments::new();
    attachments.add(id, bytes);
    attachments
}

/// Corrects length and checksum of the record at `at` after its payload changed.
fn seal(journal: &mut [u8], at: usize) {
    let length = (journal.len() - at - FRAME) as u64;
    journal[at + 5..at + 13].copy_from_slice(&length.to_le_bytes());
    let covered = [&journal[at..at + CHECKSUM], &journal[at + FRAME..]].concat();
    let sum = twox_hash::XxHash64::oneshot(0, &covered);
    journal[at + CHECKSUM..at + FRAME].copy_from_slice(&sum.to_le_bytes());
}

/// Undoes into an old tree, which replay did not verify, as a host would, and uses it. All of this must terminate.
fn go_back(mut timeline: Timeline, steps: usize) {
    let former = timeline.peek_undo(steps).expect("so many can be undone").clone();
    let present = timeline.current().clone();
    let restored = former.graft(&present, &[b"/d/long", b"/link"]);
    for (old, new) in [(&present, &restored), (&restored, &present), (&Root::new(), &restored)] {
        let (paths, inodes) = (changed_paths(old, new, |_| true).count(), old.inodes().chain(new.inodes()).count());
        assert!(paths <= 100 * inodes, "{paths} paths of {inodes} inodes");
    }
    if steps > 0 {
        timeline.undo(steps, restored, b"undo").expect("so many can be undone");
    }
    let mut kernel = kernel_on(timeline.current());
    for path in [b"/d" as &[u8], b"/d/long", b"/gone", b"/link", b"/also", b"/new", b"/d/../link/.."] {
        // A call may also fail: an impossible tree is damaged, and the kernel says so.
        kernel.stat(ROOT_FD, path, true).map(drop).unwrap_or_default();
        kernel.list(ROOT_FD, path).map(drop).unwrap_or_default();
        kernel.rename(ROOT_FD, path, ROOT_FD, b"/d/moved").unwrap_or_default();
        kernel.unlink(ROOT_FD, path).or_else(|_| kernel.rmdir(ROOT_FD, path)).unwrap_or_default();
        kernel.mkdir(ROOT_FD, path).unwrap_or_default();
    }
    timeline.commit(kernel.root(), b"used", true);
}

fn replayed(journal: Vec<u8>) -> Result<Timeline, JournalErrorKind> {
    let mut replayer = Replayer::new(None, UndoLimits::default(), attachments());
    let fed = replayer.feed(Bytes::from(journal));
    let (timeline, report) = fed.and_then(|()| replayer.finish()).map_err(|error| error.kind)?;
    assert!(!report.torn_tail, "its checksum is right");
    Ok(timeline)
}

fn outcome(journal: Vec<u8>) -> Result<(), JournalErrorKind> {
    let timeline = replayed(journal)?;
    assert_eq!(timeline.current().verify(), Ok(()));
    (0..=timeline.undoable_steps()).for_each(|steps| go_back(timeline.clone(), steps));
    Ok(())
}

#[test]
fn sealing_changes_nothing_of_what_is_right() {
    let (mut journal, last) = journal();
    let whole = journal.clone();
    seal(&mut journal, last);
    assert_eq!((&journal, outcome(journal.clone())), (&whole, Ok(())));
}

#[test]
fn a_payload_cut_anywhere_is_malformed() {
    let (journal, last) = journal();
    for length in last + FRAME..journal.len() {
        let mut cut = journal[..length].to_vec();
        seal(&mut cut, last);
        assert_eq!(outcome(cut), Err(JournalErrorKind::Malformed), "cut at {length}");
    }
}

#[test]
fn any_byte_of_a_payload_may_be_any_other() {
    let (journal, last) = journal();
    for at in last + FRAME..journal.len() {
        for byte in [0, 1, 2, 3, 4, 5, 0x7f, 0x80, 0xff] {
            let mut changed = journal.clone();
            changed[at] = byte;
            seal(&mut changed, last);
            let outcome = outcome(changed);
            assert!(
                matches!(outcome, Ok(()) | Err(JournalErrorKind::Malformed | JournalErrorKind::MissingAttachment)),
                "byte {at}: {outcome:?}"
            );
        }
    }
}

#[test]
fn a_compressed_file_that_is_none_is_an_error_to_read_and_to_change_and_nothing_else() {
    let (journal, last) = journal();
    let mut unreadable = [0, 0];
    for (at, turned) in (last + FRAME..journal.len()).flat_map(|at| [(at, 1), (at, 0xff)]) {
        let mut changed = journal.clone();
        changed[at] ^= turned;
        seal(&mut changed, last);
        let Ok(timeline) = replayed(changed) else { continue };
        for (path, unreadable) in ["/text", "/packed"].into_iter().zip(&mut unreadable) {
            let mut kernel = kernel_on(timeline.current());
            if kernel.content(path) != Err(Errno::Io) {
                continue;
            }
            *unreadable += 1;
            let fd = kernel.open_at(path, EDIT).expect("it is there");
            assert_eq!(kernel.pwrite(fd, b"changed", 3), Err(Errno::Io));
            assert_eq!(kernel.content(path), Err(Errno::Io), "it is as it was");
            assert_eq!(kernel.content("/new"), Ok(b"new".to_vec()));
            let compacted: Vec<u8> = timeline.snapshot(0).flatten().collect();
            let again = replayed(compacted).expect("it is copied as it is");
            assert_eq!(kernel_on(again.current()).content(path), Err(Errno::Io));
            let mut other = kernel_on(timeline.current());
            other.unlink(ROOT_FD, path.as_bytes()).expect("it can be removed");
            kernel.open_at(path, WRITE).and_then(|fd| kernel.close(fd)).expect("it can be cut to nothing");
            assert_eq!(kernel.content(path), Ok(Vec::new()));
            let mut other = kernel_on(timeline.current());
            other.make(path, b"another");
            assert_eq!(other.content(path), Ok(b"another".to_vec()), "it can be replaced");
        }
    }
    assert!(unreadable[0] > 5 && unreadable[1] > 1, "{unreadable:?}");
}

/// Replay verifies only the present tree. A record that is not the last may lead to an impossible tree if the next one leads out of it
/// again.
#[test]
fn a_former_tree_that_cannot_be_does_no_harm() {
    let (mut whole, second) = journal();
    let third = whole.len();
    let mut replayer = Replayer::new(None, UndoLimits::default(), attachments());
    replayer.feed(Bytes::from(whole.clone())).expect("it is whole");
    let (mut timeline, _) = replayer.finish().expect("it is whole");
    let mut kernel = kernel_on(timeline.current());
    for path in [b"/d/long" as &[u8], b"/link", b"/also", b"/new"] {
        kernel.unlink(ROOT_FD, path).expect("it is there");
    }
    kernel.rmdir(ROOT_FD, b"/d").expect("it is empty");
    whole.extend(timeline.commit(kernel.root(), b"third", true));
    let mut impossible = 0;
    for at in second + FRAME..third {
        for byte in 0..=255 {
            let mut changed = whole.clone();
            changed[at] = byte;
            seal(&mut changed[..third], second);
            changed.copy_within(second + CHECKSUM..second + CHECKSUM + 8, third + 29);
            seal(&mut changed, third);
            let mut replayer = Replayer::new(None, UndoLimits::default(), attachments());
            let accepted = replayer.feed(Bytes::from(changed)).and_then(|()| replayer.finish());
            let Ok((timeline, _)) = accepted else { continue };
            impossible += usize::from(timeline.peek_undo(1).is_ok_and(|former| former.verify().is_err()));
            (1..=timeline.undoable_steps()).for_each(|steps| go_back(timeline.clone(), steps));
        }
    }
    assert!(impossible > 100, "only {impossible} such trees were reached");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: trial::times(500, 2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn several_bytes_too(changes in vec((any::<Index>(), any::<u8>()), 1..6), kind in 0_u8..6) {
        let (mut journal, last) = journal();
        let payload = journal.len() - last - FRAME;
        for (at, byte) in changes {
            journal[last + FRAME + at.index(payload)] = byte;
        }
        if (1..4).contains(&kind) {
            journal[last + 4] = kind;
        }
        seal(&mut journal, last);
        // Accepted or not, replay does not panic, and every accepted tree was verified.
        let outcome = outcome(journal);
        prop_assert_ne!(outcome, Err(JournalErrorKind::NotAJournal));
    }

    #[test]
    fn a_payload_of_anything(kind in 1_u8..4, payload in vec(any::<u8>(), 0..60)) {
        let (journal, last) = journal();
        let mut first = journal[..last + FRAME].to_vec();
        // As the first record, the only place for a base record.
        first.drain(HEADER_BYTES..last);
        first[HEADER_BYTES + 4] = kind;
        first[HEADER_BYTES + 29..HEADER_BYTES + 37].copy_from_slice(&journal[HEADER_BYTES - 8..HEADER_BYTES]);
        first.extend(payload);
        seal(&mut first, HEADER_BYTES);
        let outcome = outcome(first);
        prop_assert!(!matches!(outcome, Err(JournalErrorKind::Order | JournalErrorKind::Damaged)), "{outcome:?}");
    }
}
