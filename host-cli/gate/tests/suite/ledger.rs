//! The ledger of pushes: what it says after a crash, and that damage never goes unnoticed.

use crate::support::pushing::{nonce, sandbox};
use gate::{
    FaultKind,
    digest::Digest,
    ledger::{Intent, Ledger, Outcome, PushResult, Record, Settlement, settle},
    time::Timestamp,
};
use gix_hash::ObjectId;

fn id(digit: u8) -> ObjectId {
    ObjectId::from_bytes_or_panic(&[digit; 20])
}

fn intent(number: u8, branch: &str) -> Intent {
    Intent {
        sandbox: sandbox(),
        call_id: format!("call-{number}"),
        call: serde_json::json!({"tool": "git_push", "arguments": {"commitId": "abc\n123"}}),
        nonce: nonce(number),
        digest: "ab".repeat(32).parse::<Digest>().unwrap(),
        target: "local:/target".parse().unwrap(),
        reference: format!("refs/heads/{branch}").parse().unwrap(),
        old: (number != 1).then(|| id(number)),
        new: id(100 + number),
        at: Timestamp(1_700_000_000),
        host: serde_json::json!({"lock": "/target/.git/index.lock"}),
    }
}

fn opened(number: u8, branch: &str) -> Record {
    Record::Intent(Box::new(intent(number, branch)))
}

fn ended(number: u8, result: PushResult) -> Record {
    Record::Outcome(Outcome { nonce: nonce(number), result, at: Timestamp(1_700_000_001) })
}

fn bytes(records: &[Record]) -> Vec<u8> {
    records.iter().flat_map(Record::line).collect()
}

#[test]
fn a_ledger_reads_back_what_was_appended() {
    let written = bytes(&[
        opened(1, "main"),
        ended(1, PushResult::Landed),
        opened(2, "main"),
        opened(3, "other"),
        ended(3, PushResult::InDoubt),
    ]);
    let (ledger, length) = Ledger::parse(&written).unwrap();
    assert_eq!(length, written.len());
    assert_eq!(ledger.open_intents().collect::<Vec<_>>(), [&intent(2, "main")]);
    assert_eq!(ledger.in_doubt().collect::<Vec<_>>(), [&intent(3, "other")]);
    assert!((1..=3).all(|number| ledger.spent(nonce(number))) && !ledger.spent(nonce(4)));
    assert_eq!(ledger.result(nonce(1)), Some(PushResult::Landed));
}

#[test]
fn an_open_or_doubtful_push_blocks_its_branch_until_it_is_settled() {
    let mut ledger = Ledger::default();
    let (target, branch) = ("local:/target".parse().unwrap(), "refs/heads/main".parse().unwrap());
    assert!(ledger.blocks(&target, &branch).is_none());
    ledger.add(opened(1, "main")).unwrap();
    assert_eq!(ledger.blocks(&target, &branch).unwrap().nonce, nonce(1));
    assert!(ledger.blocks(&"bare:/target".parse().unwrap(), &branch).is_none());
    assert!(ledger.blocks(&target, &"refs/heads/other".parse().unwrap()).is_none());
    ledger.add(ended(1, PushResult::InDoubt)).unwrap();
    assert!(ledger.blocks(&target, &branch).is_some());
    ledger.add(ended(1, PushResult::Settled)).unwrap();
    assert!(ledger.blocks(&target, &branch).is_none());
}

#[test]
fn attack_17_a_nonce_is_spent_by_its_intent_for_ever() {
    let mut ledger = Ledger::default();
    ledger.add(opened(1, "main")).unwrap();
    ledger.add(ended(1, PushResult::NotLanded)).unwrap();
    assert_eq!(ledger.add(opened(1, "main")).unwrap_err().kind, FaultKind::Spent);
    let written = bytes(&[opened(1, "main"), opened(1, "other")]);
    assert_eq!(Ledger::parse(&written).unwrap_err().kind, FaultKind::DamagedLedger);
}

#[test]
fn an_outcome_follows_an_open_intent_only() {
    for records in [
        vec![ended(1, PushResult::Landed)],
        vec![opened(1, "a"), ended(2, PushResult::Landed)],
        vec![opened(1, "a"), ended(1, PushResult::Settled)],
        vec![opened(1, "a"), ended(1, PushResult::Landed), ended(1, PushResult::NotLanded)],
        vec![opened(1, "a"), ended(1, PushResult::InDoubt), ended(1, PushResult::InDoubt)],
    ] {
        assert_eq!(Ledger::parse(&bytes(&records)).unwrap_err().kind, FaultKind::DamagedLedger, "{records:?}");
    }
}

#[test]
fn attack_23_a_ledger_cut_anywhere_has_its_whole_lines() {
    let first = bytes(&[opened(1, "main")]).len();
    let written = bytes(&[opened(1, "main"), ended(1, PushResult::Landed)]);
    for cut in 0..written.len() {
        let (ledger, length) = Ledger::parse(&written[..cut]).unwrap();
        assert_eq!(length, if cut < first { 0 } else { first });
        assert_eq!(ledger.spent(nonce(1)), cut >= first);
        assert_eq!(ledger.open_intents().count(), usize::from(cut >= first));
    }
}

#[test]
fn attack_23_a_flipped_bit_is_an_error_or_a_torn_end() {
    let written = bytes(&[opened(1, "main"), ended(1, PushResult::Landed), opened(2, "main")]);
    for bit in 0..written.len() * 8 {
        let mut flipped = written.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match Ledger::parse(&flipped) {
            Err(fault) => assert_eq!(fault.kind, FaultKind::DamagedLedger),
            Ok((_, length)) => {
                assert_eq!(bit / 8, written.len() - 1, "only the last line end can be lost unnoticed");
                assert_eq!(length, bytes(&[opened(1, "main"), ended(1, PushResult::Landed)]).len());
            }
        }
    }
}

#[test]
fn a_cut_off_push_is_settled_from_its_branch() {
    let push = intent(2, "main");
    for (observed, descends, expected) in [
        (Some(push.new), false, Settlement::Landed),
        (Some(id(9)), true, Settlement::Landed),
        (push.old, false, Settlement::NotLanded),
        (push.old, true, Settlement::NotLanded),
        (Some(id(9)), false, Settlement::InDoubt),
        (None, false, Settlement::InDoubt),
        (None, true, Settlement::InDoubt),
    ] {
        assert_eq!(settle(&push, observed, descends), expected, "{observed:?} {descends}");
    }
    let made = intent(1, "main");
    assert_eq!(settle(&made, None, false), Settlement::NotLanded);
    assert_eq!(settle(&made, Some(made.new), false), Settlement::Landed);
    assert_eq!(settle(&made, Some(id(9)), false), Settlement::InDoubt);
}
