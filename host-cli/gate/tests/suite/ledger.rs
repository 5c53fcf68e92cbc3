//! The audit log after a crash, and the detection of any damage.

use crate::support::pushing::{nonce, sandbox};
use gate::{
    FaultKind,
    digest::Digest,
    ledger::{
        Brief, CallVerdict, Decided, DecidedCall, How, Intent, Ledger, Outcome, PushResult, Record, Rejection,
        Remembered, Settlement, settle,
    },
    time::Timestamp,
};
use gix_hash::ObjectId;

fn id(digit: u8) -> ObjectId {
    ObjectId::from_bytes_or_panic(&[digit; 20])
}

fn decided(how: How) -> Decided {
    Decided { by: Brief::of("ada"), how }
}

fn intent(number: u8, branch: &str) -> Intent {
    Intent {
        sandbox: sandbox(),
        call_id: format!("call-{number}"),
        call: serde_json::json!({"tool": "git_push", "arguments": {"commitId": "abc\n123"}}),
        nonce: nonce(number),
        digest: "ab".repeat(32).parse::<Digest>().unwrap(),
        approved: decided(How::Digest),
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
    Record::Outcome(Outcome { nonce: nonce(number), result, by: None, at: Timestamp(1_700_000_001) })
}

fn rejected(reason: &str) -> Record {
    let Intent { digest, target, reference, old, new, at, .. } = intent(1, "main");
    let (rejected, reason) = (decided(How::Rule { name: Brief::of("no main") }), Brief::of(reason));
    Record::Rejection(Box::new(Rejection { digest, rejected, reason, comments: None, target, reference, old, new, at }))
}

fn called(verdict: CallVerdict) -> Record {
    Record::Call(Box::new(DecidedCall {
        call_id: Brief::of("7"),
        caller: gate::policy::Caller::Agent,
        tool: Brief::of("git_stage"),
        summary: Brief::of("Stage 1 file(s): a\u{1b}[2J\n.md"),
        verdict,
        decided: decided(How::Prompt),
        at: Timestamp(1_700_000_002),
    }))
}

fn remembered(rule: &str) -> Record {
    let (rule, decided) = (Brief::of(rule), decided(How::Prompt));
    Record::Remembered(Box::new(Remembered { rule, decided, at: Timestamp(1_700_000_003) }))
}

/// Lines in a possible order, one of every kind.
fn every_kind() -> Vec<Record> {
    vec![
        called(CallVerdict::Approved),
        opened(1, "main"),
        ended(1, PushResult::Landed),
        rejected("not\nnow"),
        called(CallVerdict::Rejected(Brief::default())),
        remembered("[[allow]]\ntool = \"git_stage\""),
        opened(2, "main"),
    ]
}

fn lines(records: &[Record]) -> Vec<Vec<u8>> {
    let mut ledger = Ledger::new(&sandbox());
    records.iter().map(|record| ledger.append(record.clone()).unwrap()).collect()
}

fn bytes(records: &[Record]) -> Vec<u8> {
    lines(records).concat()
}

fn parse(bytes: &[u8]) -> Result<(Ledger, usize), gate::Fault> {
    Ledger::parse(bytes, &sandbox())
}

#[track_caller]
fn damaged_at(line: usize, bytes: &[u8]) {
    let fault = parse(bytes).unwrap_err();
    assert_eq!(fault.kind, FaultKind::DamagedLedger);
    assert!(fault.message.contains(&format!("line {line}")), "{fault}");
    assert!(!fault.hint.is_empty());
}

#[test]
fn a_log_reads_back_what_was_appended() {
    let records = every_kind();
    let written = bytes(&records);
    let (ledger, length) = parse(&written).unwrap();
    assert_eq!(length, written.len());
    assert!(ledger.entries().iter().map(|entry| &entry.record).eq(&records));
    assert_eq!(ledger.intents().count(), 2);
    let mut by_and_by = Ledger::new(&sandbox());
    let part = lines(&records)[..3].concat().len();
    assert_eq!(by_and_by.extend(&written[..part]).unwrap(), part);
    assert_eq!(by_and_by.extend(&written[part..]).unwrap(), written.len() - part);
    assert_eq!(by_and_by, ledger, "read in parts, it is the same");
}

#[test]
fn a_log_knows_what_became_of_every_push() {
    let written = bytes(&[
        opened(1, "main"),
        ended(1, PushResult::Landed),
        opened(2, "main"),
        opened(3, "other"),
        ended(3, PushResult::InDoubt),
    ]);
    let (ledger, _) = parse(&written).unwrap();
    assert_eq!(ledger.open_intents().collect::<Vec<_>>(), [&intent(2, "main")]);
    assert_eq!(ledger.in_doubt().collect::<Vec<_>>(), [&intent(3, "other")]);
    assert!((1..=3).all(|number| ledger.spent(nonce(number))) && !ledger.spent(nonce(4)));
    assert_eq!(ledger.result(nonce(1)), Some(PushResult::Landed));
    assert_eq!(ledger.result(nonce(2)), None);
}

#[test]
fn an_open_or_doubtful_push_blocks_its_branch_until_it_is_settled() {
    let mut ledger = Ledger::new(&sandbox());
    let (target, branch) = ("local:/target".parse().unwrap(), "refs/heads/main".parse().unwrap());
    assert!(ledger.blocks(&target, &branch).is_none());
    ledger.append(opened(1, "main")).unwrap();
    assert_eq!(ledger.blocks(&target, &branch).unwrap().nonce, nonce(1));
    assert!(ledger.blocks(&"bare:/target".parse().unwrap(), &branch).is_none());
    assert!(ledger.blocks(&target, &"refs/heads/other".parse().unwrap()).is_none());
    ledger.append(ended(1, PushResult::InDoubt)).unwrap();
    assert!(ledger.blocks(&target, &branch).is_some());
    ledger.append(ended(1, PushResult::Settled)).unwrap();
    assert!(ledger.blocks(&target, &branch).is_none());
}

#[test]
fn attack_17_a_nonce_is_spent_by_its_intent_for_ever() {
    let mut ledger = Ledger::new(&sandbox());
    let first = [ledger.append(opened(1, "main")), ledger.append(ended(1, PushResult::NotLanded))];
    let before = ledger.clone();
    assert_eq!(ledger.append(opened(1, "main")).unwrap_err().kind, FaultKind::Spent);
    assert_eq!(ledger, before, "what is refused is not in the log");
    // An attacker who can write the file can do this: the chain alone does not prevent spending a nonce twice.
    let written = first.map(Result::unwrap).concat();
    let again = lines(&[opened(1, "main")]).concat();
    let forged = chained(&before.head().to_string(), std::str::from_utf8(&again[65..again.len() - 1]).unwrap());
    assert!(parse(&written).is_ok());
    damaged_at(3, &[written, forged].concat());
}

/// The line with the text `json` after the one with the hash `former`.
fn chained(former: &str, json: &str) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let former: [u8; 32] = std::array::from_fn(|n| u8::from_str_radix(&former[2 * n..2 * n + 2], 16).unwrap());
    let hash = Sha256::new().chain_update(b"gitgate audit line 1\n").chain_update(former).chain_update(json).finalize();
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{hash} {json}\n").into_bytes()
}

#[test]
fn an_outcome_follows_an_open_intent_only() {
    for (records, last) in [
        (vec![], ended(1, PushResult::Landed)),
        (vec![opened(1, "a")], ended(2, PushResult::Landed)),
        (vec![opened(1, "a")], ended(1, PushResult::Settled)),
        (vec![opened(1, "a"), ended(1, PushResult::Landed)], ended(1, PushResult::NotLanded)),
        (vec![opened(1, "a"), ended(1, PushResult::InDoubt)], ended(1, PushResult::InDoubt)),
        (vec![called(CallVerdict::Approved), rejected("no")], ended(1, PushResult::Landed)),
    ] {
        let (mut ledger, _) = parse(&bytes(&records)).unwrap();
        assert_eq!(ledger.append(last).unwrap_err().kind, FaultKind::DamagedLedger, "{records:?}");
    }
}

#[test]
fn attack_23_a_log_cut_anywhere_has_its_whole_lines() {
    let records = every_kind();
    let written = bytes(&records);
    let ends: Vec<usize> = (0..=records.len()).map(|whole| bytes(&records[..whole]).len()).collect();
    for cut in 0..written.len() {
        let (ledger, length) = parse(&written[..cut]).unwrap();
        let whole = ends.iter().filter(|end| **end <= cut).count() - 1;
        assert_eq!((length, ledger.entries().len()), (ends[whole], whole));
        assert_eq!(ledger.spent(nonce(1)), whole > 1);
    }
}

#[test]
fn attack_23_a_flipped_bit_is_an_error_with_its_line_or_a_torn_end() {
    let lines = lines(&every_kind());
    let written = lines.concat();
    for bit in 0..written.len() * 8 {
        let mut flipped = written.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match parse(&flipped) {
            Err(fault) => {
                let line = 1 + written[..bit / 8].iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(fault.kind, FaultKind::DamagedLedger);
                assert!(fault.message.contains(&format!("line {line} ")), "bit {bit}: {fault}");
            }
            Ok((_, length)) => {
                assert_eq!(bit / 8, written.len() - 1, "only the last line end can be lost unnoticed");
                assert_eq!(length, lines[..lines.len() - 1].concat().len());
            }
        }
    }
}

#[test]
fn attack_23_a_line_that_is_dropped_doubled_or_moved_is_found_where_it_was() {
    let lines = lines(&every_kind());
    for at in 0..lines.len() {
        let mut changed = lines.clone();
        changed.insert(at, lines[at].clone());
        damaged_at(at + 2, &changed.concat());
        let mut changed = lines.clone();
        changed.remove(at);
        if at + 1 < lines.len() {
            damaged_at(at + 1, &changed.concat());
            changed.insert(at + 1, lines[at].clone());
            damaged_at(at + 1, &changed.concat());
        }
    }
}

#[test]
fn attack_23_the_log_of_another_sandbox_is_none_of_this_one() {
    let mut other = Ledger::new(&"other".parse().unwrap());
    let foreign: Vec<Vec<u8>> = every_kind().into_iter().map(|record| other.append(record).unwrap()).collect();
    damaged_at(1, &foreign.concat());
    let own = lines(&every_kind());
    for at in 0..own.len() {
        let mut mixed = own.clone();
        mixed[at].clone_from(&foreign[at]);
        damaged_at(at + 1, &mixed.concat());
    }
}

#[test]
fn attack_23_a_line_of_a_newer_version_is_refused_and_not_passed_over() {
    let whole = bytes(&[called(CallVerdict::Approved)]);
    // A newer gitgate chains lines in the same way, but has new kinds.
    let text = String::from_utf8(whole).unwrap().replace("\"call\"", "\"call-2\"");
    let newer = chained(&Ledger::new(&sandbox()).head().to_string(), &text.trim_end()[65..]);
    let fault = parse(&newer).unwrap_err();
    assert_eq!(fault.kind, FaultKind::DamagedLedger);
    assert!(fault.message.contains("line 1 ") && fault.hint.contains("newer gitgate"), "{fault}: {}", fault.hint);
}

#[test]
fn a_hash_that_was_noted_stands_for_all_up_to_its_line() {
    let records = every_kind();
    let mut ledger = Ledger::new(&sandbox());
    let mut noted = vec![ledger.head()];
    for record in records {
        ledger.append(record).unwrap();
        noted.push(ledger.head());
    }
    assert!(noted.iter().all(|hash| ledger.contains(*hash)));
    assert_eq!(noted[3].to_string().parse(), Ok(noted[3]));
    // Anyone who can write the file can write another log that is equally valid.
    let mut made_anew = Ledger::new(&sandbox());
    for record in [called(CallVerdict::Approved), rejected("it was never approved")] {
        made_anew.append(record).unwrap();
    }
    assert!(made_anew.contains(noted[0]) && made_anew.contains(noted[1]));
    assert!(noted[2..].iter().all(|hash| !made_anew.contains(*hash)));
}

#[test]
fn a_text_from_outside_is_kept_to_a_length() {
    assert_eq!(Brief::of("short \u{1b}[2J").as_str(), "short \u{1b}[2J");
    for unit in ["x", "é", "\u{1f600}"] {
        let brief = Brief::of(&unit.repeat(10_000));
        assert!(brief.as_str().len() <= Brief::MOST && brief.as_str().len() > Brief::MOST - 8);
        assert!(brief.as_str().ends_with('…'));
    }
    let line = bytes(&[rejected(&"\u{1}".repeat(1 << 20))]);
    assert!(line.len() < 8 * Brief::MOST, "{}", line.len());
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
