//! Formats the audit log for a person: a few lines per entry, the newest last.

use gate::ledger::{CallVerdict, CommentChange, Decided, Entry, How, Intent, Ledger, PushResult, Record, Rejection};
use gate::policy::Caller;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use gate::time::Timestamp;
use gix_hash::ObjectId;

use super::line;
use super::times::Times;

/// The note about an incomplete record at the end of a log.
pub fn torn(bytes: usize) -> String {
    format!(
        "the last {bytes} bytes of the log are an incomplete record: its write was interrupted, or its end was lost; gitgate has not acted on it"
    )
}

/// All entries of a log.
pub fn screen(ledger: &Ledger, times: Times) -> String {
    ledger.entries().iter().map(|one| entry(one, ledger, times)).collect()
}

/// The latest entries of a log, the newest first: when each was made, and what it says in one line.
pub fn latest(ledger: &Ledger, most: usize) -> Vec<(Timestamp, String)> {
    let short = |one: &Entry| {
        let (what, lines) = words(one, ledger);
        let about = lines.into_iter().next().filter(|about| !about.is_empty());
        (one.record.at(), what + &about.map(|about| format!("; {about}")).unwrap_or_default())
    };
    ledger.entries().iter().rev().take(most).map(short).collect()
}

fn entry(one: &Entry, ledger: &Ledger, times: Times) -> String {
    let (what, lines) = words(one, ledger);
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("{} {what}\n{lines}", times.of(one.record.at()))
}

/// What an entry says, and the lines below it.
fn words(Entry { record, .. }: &Entry, ledger: &Ledger) -> (String, Vec<String>) {
    match record {
        Record::Intent(intent) => {
            let open = if ledger.result(intent.nonce).is_none() { ", not yet settled" } else { "" };
            (format!("push approved by {}{open}", decided_by(&intent.approved)), push(intent))
        }
        Record::Outcome(outcome) => {
            let by = outcome.by.as_ref().map(|by| format!(" by {}", line(by.as_str()))).unwrap_or_default();
            let intent = ledger.intents().find(|intent| intent.nonce == outcome.nonce);
            (format!("push {}{by}", result(outcome.result)), intent.map(push).unwrap_or_default())
        }
        Record::Rejection(rejection) => {
            let Rejection { digest, rejected, reason, comments, target, reference, old, new, .. } = &**rejection;
            let lines = place(target, reference, *old, *new, &digest.to_string());
            let what = match comments {
                None => "push rejected".to_owned(),
                Some(1) => "changes asked for with 1 comment".to_owned(),
                Some(comments) => format!("changes asked for with {comments} comments"),
            };
            (format!("{what} by {}{}", decided_by(rejected), because(reason.as_str())), lines)
        }
        Record::Call(call) => {
            let (verdict, why) = match &call.verdict {
                CallVerdict::Approved => ("approved", String::new()),
                CallVerdict::Rejected(reason) => ("rejected", because(reason.as_str())),
            };
            // Its edits are what the person decided, before they decide about the push.
            if call.tool.as_str() == "git_revise" && call.verdict == CallVerdict::Approved {
                return (format!("push edited by {}", decided_by(&call.decided)), vec![line(call.summary.as_str())]);
            }
            let caller = if call.caller == Caller::Agent { "the agent's" } else { "the user's" };
            let what = format!("{caller} {} {verdict} by {}{why}", line(call.tool.as_str()), decided_by(&call.decided));
            (what, vec![line(call.summary.as_str())])
        }
        Record::Comment(event) => {
            let what = match event.what {
                CommentChange::Made => "made",
                CommentChange::Withdrawn => "withdrawn",
                CommentChange::Answered => "answered",
                CommentChange::Settled => "settled",
                CommentChange::Reopened => "opened again",
            };
            let said = because(event.text.as_str());
            let (id, by) = (line(event.comment.as_str()), line(event.by.as_str()));
            let about = format!("{} ({}), {}", event.target, event.reference.branch(), event.place.as_str());
            (format!("comment {} {what} by {by}{said}", id.get(..8).unwrap_or(&id)), vec![line(&about)])
        }
        Record::Remembered(remembered) => {
            let lines = remembered.rule.as_str().lines().map(line).collect();
            (format!("rule saved by {}", decided_by(&remembered.decided)), lines)
        }
    }
}

fn push(intent: &Intent) -> Vec<String> {
    place(&intent.target, &intent.reference, intent.old, intent.new, &intent.digest.to_string())
}

fn place(
    target: &CanonicalTarget,
    reference: &BranchRef,
    old: Option<ObjectId>,
    new: ObjectId,
    digest: &str,
) -> Vec<String> {
    let old = old.map_or_else(|| "new branch".to_owned(), |old| old.to_string());
    vec![
        line(&format!("{target} (branch: {})", reference.branch())),
        format!("{old} -> {new}"),
        format!("digest {digest}"),
    ]
}

/// Who decided, and how.
fn decided_by(Decided { by, how }: &Decided) -> String {
    let how = match how {
        How::Prompt => "at the prompt".to_owned(),
        How::Digest => "by digest".to_owned(),
        How::Unattended => "unattended".to_owned(),
        How::Command => "on the command line".to_owned(),
        How::Rule { name } => format!("by the rule {}", line(name.as_str())),
    };
    format!("{}, {how}", line(by.as_str()))
}

fn because(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(": {}", line(reason)) }
}

fn result(result: PushResult) -> &'static str {
    match result {
        PushResult::Landed => "landed",
        PushResult::NotLanded => "did not land",
        PushResult::InDoubt => "is in doubt",
        PushResult::Settled => "settled",
    }
}

#[cfg(test)]
mod tests {
    use gate::ledger::{Brief, DecidedCall, Outcome};

    use super::*;

    fn decided(how: How) -> Decided {
        Decided { by: Brief::of("ada"), how }
    }

    fn call(summary: &str, verdict: CallVerdict, how: How) -> Record {
        Record::Call(Box::new(DecidedCall {
            call_id: Brief::of("7"),
            caller: gate::policy::Caller::Agent,
            tool: Brief::of("git_stage"),
            summary: Brief::of(summary),
            verdict,
            decided: decided(how),
            at: Timestamp(1_795_168_800),
        }))
    }

    #[test]
    fn every_entry_says_when_what_who_and_how() {
        let mut ledger = Ledger::new(&"s".parse().unwrap());
        let (one, two) = (ObjectId::from_bytes_or_panic(&[1; 20]), ObjectId::from_bytes_or_panic(&[2; 20]));
        let intent = |nonce: &str, old| Intent {
            sandbox: "s".parse().unwrap(),
            call_id: "c".to_owned(),
            call: serde_json::json!({}),
            nonce: nonce.repeat(32).parse().unwrap(),
            digest: "d".repeat(64).parse().unwrap(),
            approved: decided(How::Digest),
            target: "local:/t".parse().unwrap(),
            reference: "refs/heads/main".parse().unwrap(),
            old,
            new: two,
            at: Timestamp(0),
            host: serde_json::json!(null),
        };
        let outcome = |result, by: Option<&str>| {
            Record::Outcome(Outcome {
                nonce: "1".repeat(32).parse().unwrap(),
                result,
                by: by.map(Brief::of),
                at: Timestamp(u64::MAX),
            })
        };
        let Intent { digest, target, reference, new, at, .. } = intent("1", None);
        let (rejected, reason) = (decided(How::Prompt), Brief::of("not\nnow"));
        let rejection = Rejection { digest, rejected, reason, comments: None, target, reference, old: None, new, at };
        for record in [
            call("Stage 1 file(s): a.md", CallVerdict::Approved, How::Unattended),
            call("Stage", CallVerdict::Rejected(Brief::default()), How::Rule { name: Brief::of("no stages") }),
            Record::Rejection(Box::new(rejection)),
            Record::Intent(Box::new(intent("1", Some(one)))),
            outcome(PushResult::InDoubt, None),
            outcome(PushResult::Settled, Some("ada")),
            Record::Intent(Box::new(intent("2", None))),
        ] {
            ledger.append(record).unwrap();
        }
        let (one, two, digest) = ("01".repeat(20), "02".repeat(20), "d".repeat(64));
        let moved = format!("    local:/t (branch: main)\n    {one} -> {two}\n    digest {digest}\n");
        let made = format!("    local:/t (branch: main)\n    new branch -> {two}\n    digest {digest}\n");
        assert_eq!(
            screen(&ledger, Times::EXACT),
            format!(
                "2026-11-20T10:00:00Z the agent's git_stage approved by ada, unattended\n    Stage 1 file(s): a.md\n\
                 2026-11-20T10:00:00Z the agent's git_stage rejected by ada, by the rule no stages\n    Stage\n\
                 1970-01-01T00:00:00Z push rejected by ada, at the prompt: not\\nnow\n{made}\
                 1970-01-01T00:00:00Z push approved by ada, by digest\n{moved}\
                 18446744073709551615 s push is in doubt\n{moved}\
                 18446744073709551615 s push settled by ada\n{moved}\
                 1970-01-01T00:00:00Z push approved by ada, by digest, not yet settled\n{made}"
            )
        );
    }

    #[test]
    fn the_latest_entries_are_a_line_each_the_newest_first() {
        let mut ledger = Ledger::new(&"s".parse().unwrap());
        for (summary, verdict) in [
            ("Stage a.md", CallVerdict::Approved),
            ("Stage b.md", CallVerdict::Rejected(Brief::of("not\nnow"))),
            ("", CallVerdict::Approved),
        ] {
            ledger.append(call(summary, verdict, How::Prompt)).unwrap();
        }
        let lines = |most| latest(&ledger, most).into_iter().map(|(_, line)| line).collect::<Vec<_>>();
        assert_eq!(
            lines(9),
            [
                "the agent's git_stage approved by ada, at the prompt",
                "the agent's git_stage rejected by ada, at the prompt: not\\nnow; Stage b.md",
                "the agent's git_stage approved by ada, at the prompt; Stage a.md"
            ]
        );
        assert_eq!((lines(2).len(), latest(&ledger, 1)[0].0), (2, Timestamp(1_795_168_800)));
    }

    #[test]
    fn attack_15_what_a_log_holds_obeys_no_terminal() {
        let mut ledger = Ledger::new(&"s".parse().unwrap());
        let (evil, shown) = ("a\u{1b}]52;c;x\u{7}\r\n\u{202e}b", "a\\x1b]52;c;x\\x07\\r\\n<U+202E>b");
        let verdict = CallVerdict::Rejected(Brief::of(evil));
        ledger.append(call(evil, verdict, How::Rule { name: Brief::of(evil) })).unwrap();
        let screen = screen(&ledger, Times::EXACT);
        assert_eq!(screen.matches(shown).count(), 3, "{screen}");
        assert!(screen.chars().all(|c| c == '\n' || c == ' ' || c.is_ascii_graphic()), "{screen:?}");
    }
}
