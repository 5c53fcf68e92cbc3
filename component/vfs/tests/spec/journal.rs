//! Damaged journals. Whatever happens to the bytes, replay returns the state after some whole step, or an error that describes the damage.

use std::collections::BTreeMap;

use vfs::{
    Bytes, ROOT_FD,
    journal::{Attachments, HEADER_BYTES, JournalError, JournalErrorKind},
    timeline::{ReplayReport, Replayer, Timeline, UndoLimits},
};

use crate::{
    life::{Everything, Lived, everything, replayer},
    support::{Numbers, Shorthand},
};

/// A short history with every kind of step, and the length of the journal after each.
fn life() -> (Lived, Vec<usize>) {
    let (lived, states) = life_and_states();
    (lived, states.into_keys().collect())
}

/// As above, with the state at each of these lengths.
fn life_and_states() -> (Lived, BTreeMap<usize, Everything>) {
    let mut lived = Lived::new(UndoLimits::default());
    let state = |lived: &Lived| (lived.journal.len(), everything(&lived.timeline));
    let mut states = BTreeMap::from([state(&lived)]);
    for n in 0..6_u64 {
        lived.step(&format!("step {n}"), |kernel| {
            kernel.make(&format!("/file-{n}"), &Numbers(n + 1).bytes(40));
            if n == 0 {
                kernel.dir("/d");
                kernel.symlink(b"d", ROOT_FD, b"/link").expect("there is room");
                kernel.make("/long", &Numbers(77).bytes(200));
            } else {
                let mut long = kernel.content("/long").expect("it was made");
                long[n as usize * 20] ^= 0xff;
                kernel.make("/long", &long);
            }
        });
        states.extend([state(&lived)]);
    }
    lived.undo(2);
    states.extend([state(&lived)]);
    lived.step("last", |kernel| kernel.unlink(ROOT_FD, b"/link").expect("it is there"));
    states.extend([state(&lived)]);
    (lived, states)
}

fn read(journal: &[u8]) -> Result<(Timeline, ReplayReport), JournalError> {
    read_in_chunks(journal, journal.len().max(1))
}

fn read_in_chunks(journal: &[u8], chunk: usize) -> Result<(Timeline, ReplayReport), JournalError> {
    let mut replayer = replayer(&Attachments::new());
    for chunk in journal.chunks(chunk) {
        replayer.feed(Bytes::copy_from_slice(chunk))?;
    }
    replayer.finish()
}

fn kind(journal: &[u8]) -> JournalErrorKind {
    read(journal).expect_err("it is refused").kind
}

#[test]
fn cut_anywhere_it_gives_the_state_after_the_last_whole_step() {
    let (lived, states) = life_and_states();
    let ends: Vec<usize> = states.keys().copied().collect();
    for length in 0..=lived.journal.len() {
        let cut = read(&lived.journal[..length]);
        if length < HEADER_BYTES {
            assert_eq!(cut.expect_err("there is no header").kind, JournalErrorKind::NotAJournal);
            continue;
        }
        let whole = ends.iter().rposition(|&end| end <= length).expect("the header is whole");
        let (timeline, report) = cut.expect("a torn tail is dropped");
        let expected =
            ReplayReport { records: whole as u64, valid_bytes: ends[whole] as u64, torn_tail: ends[whole] < length };
        assert_eq!(report, expected, "cut at {length}");
        assert_eq!(timeline.sequence(), whole as u64);
        assert_eq!(&everything(&timeline), &states[&ends[whole]], "cut at {length}");
    }
}

#[test]
fn with_any_bit_turned_it_is_the_state_after_some_whole_step_or_an_error() {
    let (lived, states) = life_and_states();
    let ends: Vec<usize> = states.keys().copied().collect();
    let last = ends[ends.len() - 2];
    for bit in 0..lived.journal.len() * 8 {
        let mut journal = lived.journal.clone();
        journal[bit / 8] ^= 1 << (bit % 8);
        // In one chunk, and in chunks that end anywhere, so that the damage lies on either side of a border and across it.
        let outcome = read(&journal);
        for chunk in [bit % 50 + 10, bit % 7 + 60] {
            let in_chunks = read_in_chunks(&journal, chunk);
            let comparable = |outcome: &Result<(Timeline, ReplayReport), JournalError>| match outcome {
                Ok((timeline, report)) => Ok((everything(timeline), *report)),
                Err(error) => Err(error.clone()),
            };
            assert_eq!(comparable(&in_chunks), comparable(&outcome), "bit {bit}, in chunks of {chunk}");
        }
        match outcome {
            Ok((timeline, report)) => {
                assert!(bit / 8 >= last && report.torn_tail, "bit {bit}: only the last record may be dropped");
                assert_eq!(&everything(&timeline), &states[&(report.valid_bytes as usize)], "bit {bit}");
            }
            Err(error) => assert!(bit / 8 < last && !error.hint().is_empty(), "bit {bit}: {error}"),
        }
    }
}

#[test]
fn a_damaged_record_before_others_is_an_error_that_says_where() {
    let (lived, ends) = life();
    let mut journal = lived.journal.clone();
    journal[ends[2] + 60] ^= 1;
    let error = read(&journal).expect_err("it is damaged");
    assert_eq!((error.kind, error.offset), (JournalErrorKind::Damaged, ends[2] as u64));
}

#[test]
fn a_tail_of_zeros_is_a_torn_tail() {
    let (mut lived, ends) = life();
    let end = ends[ends.len() - 1];
    lived.journal.extend([0; 5000]);
    let (_, report) = read(&lived.journal).expect("a torn tail is dropped");
    assert_eq!((report.valid_bytes, report.torn_tail), (end as u64, true));
}

#[test]
fn a_journal_goes_on_where_its_torn_tail_was_cut() {
    let (lived, ends) = life();
    let (timeline, report) = read(&lived.journal[..ends[3] + 10]).expect("a torn tail is dropped");
    let journal = lived.journal[..report.valid_bytes as usize].to_vec();
    let mut again = Lived { timeline, journal, attachments: Attachments::new() };
    again.step("after the crash", |kernel| kernel.make("/new", b"content"));
    assert_eq!(everything(&again.replay()), everything(&again.timeline));
}

#[test]
fn doubled_missing_and_exchanged_records_are_refused() {
    let (lived, ends) = life();
    let part = |n: usize| &lived.journal[ends[n]..ends[n + 1]];
    let header = &lived.journal[..ends[0]];
    let doubled = [header, part(0), part(1), part(1), part(2)].concat();
    let missing = [header, part(0), part(2)].concat();
    let exchanged = [header, part(1), part(0)].concat();
    let again = [&lived.journal[..], part(0)].concat();
    for journal in [doubled, missing, exchanged, again] {
        assert_eq!(kind(&journal), JournalErrorKind::Order);
    }
}

#[test]
fn what_belongs_to_another_sandbox_is_refused() {
    let (lived, ends) = life();
    let (mut other, header) = Timeline::new([9; 16], UndoLimits::default());
    let record = other.commit(other.current().clone(), b"a note", false);
    assert_eq!(kind(&[header, record.clone()].concat()), JournalErrorKind::Foreign);
    let joined = [&lived.journal[..ends[0]], &record].concat();
    assert_eq!(kind(&joined), JournalErrorKind::Foreign);
    let joined = [&lived.journal[..], &record].concat();
    assert_eq!(kind(&joined), JournalErrorKind::Foreign);
}

#[test]
fn another_version_is_refused_by_its_name() {
    let (lived, _) = life();
    let error = read(&crate::support::of_version(&lived.journal, 7)).expect_err("it is another version");
    assert_eq!(error.kind, JournalErrorKind::Version);
    assert_eq!(error.message, "the journal has version 7, but this program reads version 1");
}

#[test]
fn what_is_no_journal_is_refused() {
    assert_eq!(kind(b"PK\x03\x04 this is something else, and long enough"), JournalErrorKind::NotAJournal);
    assert_eq!(kind(&[0; 100]), JournalErrorKind::NotAJournal);
    let empty = Replayer::new(None, UndoLimits::default(), Attachments::new());
    assert_eq!(empty.finish().expect_err("there is nothing").kind, JournalErrorKind::NotAJournal);
}

#[test]
fn an_error_stays() {
    let (lived, ends) = life();
    let mut replayer = replayer(&Attachments::new());
    let doubled = [&lived.journal[..ends[1]], &lived.journal[ends[0]..ends[1]]].concat();
    let first = replayer.feed(Bytes::from(doubled)).expect_err("a record is doubled");
    assert_eq!(replayer.feed(Bytes::new()), Err(first.clone()));
    assert_eq!(replayer.finish().map(|_| ()), Err(first));
}
