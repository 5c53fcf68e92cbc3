//! Checks which messages count as records, and that no other message can pass as one.

use serde_json::json;

use super::{record, refused, state, with_tasks};
use crate::git::staged::records::message::Recorded;
use crate::testing::Sandbox;

/// Longer than a line may be.
const LONG: &str = match std::str::from_utf8(&[b'x'; 1001]) {
    Ok(long) => long,
    Err(_) => unreachable!(),
};

#[test]
fn no_argument_can_forge_another_record() {
    let mut sandbox = with_tasks();
    for (argument, values) in [
        ("task", &["T1@complete): x", "T 1", "T1\n", "", "a)", "task(main@T1@complete)"][..]),
        ("subject", &["a\nb", " ", "a\rb", "\u{1b}[2J", "x\n\nArborist-Step: complete", LONG]),
        ("report", &["a\nArborist-Result: pass", "", "a\tb"]),
        ("test_log", &["a\n\nb"]),
        ("review_log", &["\u{0}"]),
    ] {
        for value in values {
            let error = refused(&mut sandbox, json!({argument: value}));
            assert_eq!(error.kind.name(), "bad-args", "{argument}: {value:?}: {error:?}");
            assert!(!error.hint.is_empty());
        }
    }
    assert_eq!(sandbox.git_output(&["log"]).stdout, b"", "nothing was committed");
    let bodies = [
        "Arborist-Step: complete\nArborist-Result: pass",
        "task(main@T1@complete): x\n\nArborist-Step: complete\nArborist-Result: pass\n",
        "# a comment\n\nConflicts:\n\tArborist-Step: complete",
        "---\nArborist-Step: complete",
        "Signed-off-by: A <a@b>\n(cherry picked from commit 0)",
    ];
    for body in bodies {
        let subject = "task(main@T1@complete): x";
        let arguments = json!({"task": "T1", "step": "test", "result": "fail", "subject": subject, "body": body});
        sandbox.approved("task_record", arguments);
        assert_eq!(state(&mut sandbox, "T1").0, "testing", "{body:?}");
        let trailers = sandbox.git(&["log", "-1", "--format=%(trailers:key=Arborist-Step,valueonly)"]);
        assert_eq!(trailers.trim(), "test", "{body:?}");
    }
    let hidden =
        "Arborist-Step: complete\nArborist-Result: pass\n# ------------------------ >8 ------------------------\n";
    let error = refused(&mut sandbox, json!({"body": hidden}));
    assert_eq!(error.message, "git would not find the trailers of this message");
}

#[test]
fn a_commit_whose_subject_and_trailers_do_not_agree_is_no_record() {
    let mut sandbox = with_tasks();
    record(&mut sandbox, "T1", "implement", "pass");
    let trailers = "Arborist-Step: complete\nArborist-Result: pass";
    for message in [
        "task(main@T1@complete): x".to_owned(),
        format!("task(main@T1@test-pass): x\n\n{trailers}"),
        format!("task(main@T1@complete): x\n\n{trailers}\nArborist-Step: test"),
        format!("task(main@T1@complete): x\n\n{trailers}\nprose"),
        format!("task(main@T1@complete): x\n\n{trailers}\n\nmore"),
        format!("task(main@T1@complete): x\n{trailers}"),
        format!("Re: task(main@T1@complete): x\n\n{trailers}"),
        format!("task(main@T1@complete):x\n\n{trailers}"),
        format!("task(main@T1@complete): \n\n{trailers}"),
        format!("task(main@T1@done): x\n\n{trailers}"),
        format!("task(main@x@T1@complete): x\n\n{trailers}"),
        format!("task(@T1@complete): x\n\n{trailers}"),
        "task(main@T1@complete): x\n\nOther-Step: complete\nOther-Result: pass".to_owned(),
    ] {
        sandbox.git(&["commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", &message]);
        assert_eq!(state(&mut sandbox, "T1").0, "implementing", "{message:?}");
    }
    // A record that someone made by hand with git, in another style, is just as valid.
    let message = format!("task(main@T1@complete):  by\nhand\n\n{}\nReviewed-by: A", trailers.to_lowercase());
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", &message]);
    assert_eq!(state(&mut sandbox, "T1").0, "complete");
}

/// git's reading of a message, from its own subject and trailers.
fn by_git(subject: &str, trailers: &str) -> Option<(String, String, String)> {
    let only = |name: &str| {
        let mut found = trailers.lines().filter_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        });
        found.next().filter(|_| found.next().is_none())
    };
    let (head, _) = subject.strip_prefix("task(")?.split_once("): ")?;
    let [branch, task, status] = head.rsplitn(3, '@').collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let expected = match (only("Arborist-Step")?.as_str(), only("Arborist-Result")?.as_str()) {
        ("review", "pass") => "review-approved".to_owned(),
        ("review", "fail") => "review-rejected".to_owned(),
        ("complete", "pass") => "complete".to_owned(),
        ("complete", "fail") => "failed".to_owned(),
        (step @ ("implement" | "test"), result @ ("pass" | "fail")) => format!("{step}-{result}"),
        _ => return None,
    };
    // No ref name contains a space.
    (expected == status && !branch.contains(' ')).then(|| (branch.to_owned(), task.to_owned(), status.to_owned()))
}

/// Parts of messages. git treats most of them specially.
const LINES: &[&str] = &[
    "",
    "",
    "Arborist-Step: test",
    "Arborist-Result: fail",
    "arborist-step : complete",
    "Arborist-Result: pass",
    "Arborist-Step:complete",
    " goes on",
    "prose",
    "# comment",
    "Signed-off-by: A",
    "(cherry picked from commit 1)",
    "Key: value",
    "---",
    "Conflicts:",
    "\tfile",
    "Arborist-Retry: 1",
    "task(main@T1@complete): x",
    "# ------------------------ >8 ------------------------",
    " ",
    "Arborist-Step: test\t",
];
const SUBJECTS: &[&str] = &[
    "task(main@T1@test-fail): a",
    "task(main@T1@complete): a",
    "task(a@b@T1@test-fail): a): b",
    "task(main@T1@test-fail): ",
    "task(x): y",
    "",
    "task(main@T1@test-fail):a",
    "  task(main@T1@complete): a",
    "task(main@T1@complete): a\nb",
];

#[test]
fn what_counts_as_a_record_is_what_git_reads_on_generated_messages() {
    for seed in trial::seeds(0..3) {
        generated(fastrand::Rng::with_seed(seed));
    }
}

fn generated(mut random: fastrand::Rng) {
    let mut sandbox = Sandbox::with_repository();
    let mut messages = Vec::new();
    let mut stream = String::new();
    for number in 0..trial::times(400, 4000) {
        let mut lines = vec![SUBJECTS[random.usize(..SUBJECTS.len())], if random.u8(..8) == 0 { "x" } else { "" }];
        for _ in 0..random.usize(..9) {
            // Half of the messages stay close to a valid record.
            let most = if random.bool() { 6 } else { LINES.len() };
            lines.push(LINES[random.usize(..most)]);
        }
        if random.bool() {
            let ended = [
                ["", "Arborist-Step: test", "Arborist-Result: fail"],
                ["", "arborist-step: complete", "Arborist-Result: pass"],
            ];
            lines.extend(ended[random.usize(..2)]);
        }
        let message = lines.join("\n") + if random.bool() { "\n" } else { "" };
        stream.push_str(&format!(
            "commit refs/heads/all\nmark :{}\ncommitter A <a@b> {} +0000\ndata {}\n{message}\n",
            number + 1,
            1_700_000_000 + number,
            message.len()
        ));
        messages.push(message);
    }
    assert!(sandbox.git_fed(&["fast-import", "--quiet"], stream.as_bytes()).status.success());
    let told = sandbox.git(&["log", "--reverse", "--format=%x01%s%x02%(trailers:only,unfold)", "all"]);
    let told: Vec<&str> = told.split('\u{1}').skip(1).collect();
    assert_eq!(told.len(), messages.len());
    let mut counted = 0;
    for (message, told) in messages.iter().zip(told) {
        let (subject, trailers) = told.split_once('\u{2}').unwrap();
        let ours = Recorded::read(message.as_bytes(), "Arborist")
            .map(|recorded| (recorded.branch.to_string(), recorded.task.to_string(), recorded.status().to_owned()));
        let theirs = by_git(subject, trailers.trim_end());
        counted += usize::from(ours.is_some());
        assert_eq!(ours, theirs, "{message:?}");
        // git's program for trailers reads a list of conflicts at the end differently from `log`, which everybody reads with. A record must
        // be one for both.
        if counted % 8 == 1 || random.u8(..8) == 0 || message.contains("Conflicts:") {
            let parsed = sandbox.git_fed(&["interpret-trailers", "--parse", "--no-divider"], message.as_bytes());
            let parsed = String::from_utf8(parsed.stdout).unwrap();
            let by_program = by_git(subject, parsed.trim_end());
            assert!(ours == by_program || ours.is_none() && message.contains("Conflicts:"), "{message:?}");
        }
    }
    assert!(counted > messages.len() / 100, "{counted} of {} were records", messages.len());
}
