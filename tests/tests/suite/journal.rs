//! The host's files with every kind of disk damage: the sandbox returns to the state after some whole call, or reports the damage.

use std::sync::OnceLock;

use fastrand::Rng;
use serde_json::json;
use tests::host::wit::{Caller, ErrorKind, Fault, FaultKind, Step};
use tests::host::{Attachments, Sandbox, call, options, with_stack};
use tests::import::import;
use tests::repo::Repo;
use tests::session::{World, look, succeed};

/// A journal, and the sandbox's visible state each time it grew.
struct Written {
    journal: Vec<u8>,
    attachments: Attachments,
    /// Lengths of the journal, each with the visible state. The first is that of a new sandbox.
    states: Vec<(usize, String)>,
}

/// All tests share it.
fn written() -> &'static Written {
    static WRITTEN: OnceLock<Written> = OnceLock::new();
    WRITTEN.get_or_init(write)
}

/// Opens a sandbox from a repository, and works in it.
fn write() -> Written {
    let mut world = World::default();
    let mut sandbox = Sandbox::create(&options());
    let mut states = vec![(sandbox.journal.len(), look(&mut sandbox))];
    let folder = tempfile::tempdir().unwrap();
    import(&mut sandbox, &Repo::with_history(&folder.path().join("repository")), &mut world);
    states.push((sandbox.journal.len(), look(&mut sandbox)));
    let calls = [
        ("write_file", json!({ "path": "a.md", "content": "one\n" })),
        ("write_file", json!({ "path": "bytes", "content": "AP/+gIGC", "encoding": "base64" })),
        ("edit_file", json!({ "path": "src/numbers.rs", "old": "N7: u32 = 7", "new": "N7: u32 = 8" })),
        ("git_stage", json!({ "files": ["a.md", "bytes"], "message": "Add" })),
        ("delete_file", json!({ "path": "docs", "recursive": true })),
        ("git_push", json!({ "commitId": "HEAD", "target": { "type": "local", "path": "/made/up" } })),
        ("sandbox_undo", json!({})),
        ("move_file", json!({ "from": "a.md", "to": "b.md" })),
        ("git_stage", json!({ "files": ["a.md", "b.md"], "message": "Move" })),
    ];
    for (second, (tool, arguments)) in (1..).zip(calls) {
        succeed(&mut sandbox, tool, &arguments, second, &mut world);
        states.push((sandbox.journal.len(), look(&mut sandbox)));
    }
    Written { journal: sandbox.journal.clone(), attachments: sandbox.attachments.clone(), states }
}

impl Written {
    fn open(&self, journal: &[u8]) -> Result<Sandbox, Fault> {
        Sandbox::open(&options(), journal, &self.attachments)
    }

    /// The state after the last complete call in the first `len` bytes.
    fn state_at(&self, len: usize) -> Option<&(usize, String)> {
        self.states.iter().rev().find(|(whole, _)| *whole <= len)
    }

    /// Positions to test: around every boundary, and random ones.
    fn positions(&self, rng: &mut Rng, others: usize) -> Vec<usize> {
        let around = self.states.iter().flat_map(|(len, _)| len.saturating_sub(2)..len + 3);
        let mut positions: Vec<usize> = around.filter(|at| *at < self.journal.len()).collect();
        positions.extend((0..others).map(|_| rng.usize(0..self.journal.len())));
        positions
    }
}

#[test]
fn attack_23_a_journal_that_was_cut_is_the_state_after_the_last_whole_call() {
    with_stack(|| {
        let written = written();
        for at in written.positions(&mut Rng::with_seed(1), 40) {
            let opened = written.open(&written.journal[..at]);
            match (opened, written.state_at(at)) {
                (Ok(mut sandbox), Some((len, seen))) => {
                    assert_eq!(sandbox.journal.len(), *len, "cut at {at}");
                    assert!(look(&mut sandbox) == *seen, "cut at {at}");
                }
                // Shorter than a new sandbox's journal: an instance starts anew or reports the damage.
                (Ok(mut sandbox), None) => assert!(look(&mut sandbox) == written.states[0].1, "cut at {at}"),
                (Err(fault), None) => said(&fault),
                (Err(fault), Some(_)) => panic!("cut at {at}: {fault:?}"),
            }
        }
    });
}

#[test]
fn attack_23_a_journal_with_a_bit_turned_is_never_taken_for_another_one() {
    with_stack(|| {
        let written = written();
        let mut rng = Rng::with_seed(2);
        for at in written.positions(&mut rng, 60) {
            let mut journal = written.journal.clone();
            journal[at] ^= 1 << rng.u32(0..8);
            match written.open(&journal) {
                Ok(mut sandbox) => {
                    let seen = look(&mut sandbox);
                    let known = written.states.iter().any(|(len, state)| *len <= at && *state == seen);
                    assert!(known, "a bit turned at {at} has made a state that never was: {seen}");
                }
                Err(fault) => said(&fault),
            }
        }
    });
}

#[test]
fn attack_23_records_that_changed_places_or_stand_twice_are_refused() {
    with_stack(|| {
        let written = written();
        let ends: Vec<usize> = written.states.iter().map(|(len, _)| *len).collect();
        let part = |n: usize| &written.journal[ends[n]..ends[n + 1]];
        let begin = &written.journal[..ends[1]];
        for journal in
            [[begin, part(2), part(1)].concat(), [begin, part(1), part(1)].concat(), [begin, part(2)].concat()]
        {
            match written.open(&journal) {
                Ok(mut sandbox) => {
                    let seen = look(&mut sandbox);
                    assert!(written.states.iter().any(|(_, state)| *state == seen), "a state that never was: {seen}");
                }
                Err(fault) => said(&fault),
            }
        }
    });
}

#[test]
fn an_attachment_that_is_missing_is_named() {
    with_stack(|| {
        let written = written();
        let fault = Sandbox::open(&options(), &written.journal, &Attachments::new()).err().unwrap();
        assert_eq!(fault.kind, FaultKind::MissingAttachment);
        said(&fault);
    });
}

#[test]
fn attack_23_a_sandbox_that_could_not_start_never_starts_as_an_empty_one() {
    with_stack(|| {
        let written = written();
        let (journal, attachments) = (&written.journal, &written.attachments);
        let turned = |at: usize| {
            let mut turned = journal.clone();
            turned[at] ^= 1;
            turned
        };
        let first_record = written.states[0].0 + 50;
        let cases = [
            ("a damaged header", turned(3), attachments.clone(), FaultKind::DamagedJournal),
            ("a header that was cut", journal[..20].to_vec(), attachments.clone(), FaultKind::DamagedJournal),
            ("a damaged record", turned(first_record), attachments.clone(), FaultKind::DamagedJournal),
            ("no attachments", journal.clone(), Attachments::new(), FaultKind::MissingAttachment),
        ];
        for (what, journal, attachments, kind) in cases {
            let mut sandbox = Sandbox::unstarted(&options(), &attachments).unwrap();
            let fault = sandbox.replay(&journal).and_then(|()| sandbox.start()).expect_err(what);
            assert_eq!(fault.kind, kind, "{what}");
            stays_failed(&mut sandbox, &fault, what);
        }
    });
}

/// Every operation on a sandbox that could not start returns the same fault.
#[track_caller]
fn stays_failed(sandbox: &mut Sandbox, fault: &Fault, what: &str) {
    for _ in 0..2 {
        assert_eq!(sandbox.start().as_ref(), Err(fault), "{what}: start");
        assert_eq!(sandbox.replay(&written().journal).as_ref(), Err(fault), "{what}: replay");
    }
    assert_eq!(sandbox.undo(1, 0).err().as_ref(), Some(fault), "{what}: undo");
    assert_eq!(sandbox.compact().as_ref(), Err(fault), "{what}: snapshot");
    assert!(sandbox.tools().is_empty(), "{what}: tools");
    let (Step::Done(done), _) = sandbox.call(&call("list_files", "{}", Caller::Agent, 0), &[]) else {
        panic!("{what}: it asks nothing")
    };
    let error = done.outcome.expect_err(what);
    assert_eq!(
        (error.kind, error.message, error.hint),
        (ErrorKind::ExecutionFailed, fault.message.clone(), fault.hint.clone())
    );
}

#[test]
fn attack_23_a_journal_opens_no_other_sandbox() {
    with_stack(|| {
        let written = written();
        let mut other = options();
        other.sandbox = b"another sandbox!".to_vec();
        let fault = Sandbox::open(&other, &written.journal, &written.attachments).err().unwrap();
        assert_eq!(fault.kind, FaultKind::ForeignJournal);
        said(&fault);
    });
}

#[test]
fn attack_23_what_is_no_journal_is_refused() {
    with_stack(|| {
        for bytes in
            [b"PACK\0\0\0\x02 but not a journal at all, though long enough".as_slice(), &[0; 4096], &[0xff; 100]]
        {
            match Sandbox::open(&options(), bytes, &Attachments::new()) {
                Err(fault) => said(&fault),
                Ok(_) => panic!("{bytes:?} is taken for a journal"),
            }
        }
    });
}

/// A fault has a readable message.
#[track_caller]
fn said(fault: &Fault) {
    assert!(!fault.message.is_empty() && !fault.hint.is_empty(), "{fault:?}");
    assert!(!fault.message.contains("panicked"), "{fault:?}");
}
