//! The review in full screen, and what a person and an agent say to each other through it.

use serde_json::{Value, json};
use tests::terminal::{Size, Terminal};

use crate::pushing::{Staged, staged};

const SMALL: Size = Size { columns: 80, rows: 24 };
const LARGE: Size = Size { columns: 160, rows: 50 };

/// A file of so many lines, of which one is another.
fn lines(count: usize, other: usize, text: &str) -> String {
    (1..=count).map(|number| if number == other { format!("{text}\n") } else { format!("line {number}\n") }).collect()
}

/// A commit that waits, with more than one screen of changes.
fn long() -> Staged {
    let staged = staged();
    staged.cli.configure("[tools.git]\npush = \"assisted\"\n");
    write(&staged, &lines(200, 77, "seventy-seven"), "Long");
    staged
}

fn write(staged: &Staged, content: &str, message: &str) {
    staged.cli.call("write_file", &json!({ "path": "long.txt", "content": content })).ok();
    staged.cli.call("git_stage", &json!({ "files": ["long.txt"], "message": message })).ok();
}

fn push(staged: &Staged, size: Size) -> Terminal {
    Terminal::start_in_full(&staged.cli.command(&["push", "--to", "local:project"]), size)
}

/// What an agent hears when it proposes everything.
fn proposes(staged: &Staged) -> Value {
    staged.cli.run(&["call", "git_push", r#"{"commitId": "HEAD"}"#, "--json"]).json()
}

#[test]
fn a_long_push_is_reviewed_in_full_screen_and_lands() {
    for size in [SMALL, LARGE] {
        let staged = long();
        let mut terminal = push(&staged, size);
        let first = terminal.sees("ask for changes");
        assert!(
            first.contains("\x1b[?1049h") && first.contains("Target:") && first.contains("push to main"),
            "{first}"
        );
        terminal.types("a");
        let asked = terminal.sees("Type its name");
        assert!(asked.contains("Approve the push to main"), "{asked}");
        terminal.types("main\r");
        let (code, rest) = terminal.ends();
        assert!(code == 0 && rest.contains("\x1b[?1049l") && rest.contains("main -> main"), "{code} {rest}");
        assert_eq!(staged.repo.git(&["show", "main:long.txt"]).lines().nth(76), Some("seventy-seven"));
    }
}

#[test]
fn a_small_push_is_asked_about_in_its_frame_and_d_shows_it_in_full_screen() {
    let staged = staged();
    let mut terminal = push(&staged, SMALL);
    assert!(!terminal.sees("> ").contains("\x1b[?1049h"), "as fast as ever");
    terminal.types("d");
    terminal.sees("ask for changes");
    terminal.types("q");
    let again = terminal.sees("> ");
    assert!(again.contains("\x1b[?1049l") && again.contains("[d]iff"), "{again}");
    terminal.approves_main();
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn leaving_decides_nothing_and_what_was_seen_and_said_is_kept_even_if_gitgate_is_killed() {
    let staged = long();
    let mut terminal = push(&staged, SMALL);
    terminal.sees("0/4 seen");
    terminal.types("} ");
    terminal.sees("1/4");
    terminal.types("/seventy\rc");
    terminal.sees("Comment on long.txt:77");
    terminal.types("Why?\r");
    terminal.sees("not sent yet");
    terminal.kills();
    let mut terminal = push(&staged, SMALL);
    terminal.sees("1/4 seen  1 comment");
    terminal.types("q");
    let (code, rest) = terminal.ends();
    assert!(code == 3 && rest.contains("you left without a decision"), "{code} {rest}");
    assert_eq!(staged.repo.id("main"), staged.base);
    staged.cli.run(&["fsck"]).ok();
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let staged = long();
    let mut terminal = push(&staged, SMALL);
    terminal.sees("ask for changes");
    terminal.interrupt();
    let (code, rest) = terminal.ends();
    assert!(code == 130 && rest.ends_with("\x1b[?1049l"), "{code}: {rest:?}");
}

#[test]
fn an_agent_is_asked_for_changes_answers_mends_and_the_person_sees_what_is_new() {
    let staged = long();
    assert_eq!(proposes(&staged)["error"]["kind"], "not-approved");
    // First round: a comment at a line, and a request for changes.
    let review = |staged: &Staged| Terminal::start_in_full(&staged.cli.command(&["review"]), SMALL);
    let mut terminal = review(&staged);
    terminal.sees("0/4 seen");
    terminal.types("/seventy\rcSpell it as a number\r");
    terminal.sees("not sent yet");
    terminal.types("o}    R");
    terminal.sees("The agent gets 1 comment");
    terminal.types("Nearly\r");
    let (code, rest) = terminal.ends();
    assert!(code == 3 && rest.contains("changes requested"), "{code} {rest}");
    let told = proposes(&staged)["structured"].clone();
    assert_eq!((&told["status"], &told["changes"]["reason"]), (&json!("changes-requested"), &json!("Nearly")));
    let comment = &told["changes"]["comments"][0];
    assert_eq!(
        (&comment["path"], &comment["line"], &comment["side"], &comment["lines"], &comment["severity"]),
        (&json!("long.txt"), &json!(77), &json!("new"), &json!(["seventy-seven"]), &json!("must"))
    );
    // Second round: the agent answers and mends, and the person sees only what is new.
    let id = comment["id"].as_str().unwrap();
    let answers = json!({ "answers": [{ "id": id, "text": "Is 77 enough?" }] });
    let open = staged.cli.structured("git_review", &answers);
    assert_eq!(open["comments"][0]["replies"][0]["text"], "Is 77 enough?");
    staged.cli.call("git_review", &json!({ "answers": [{ "id": "ffff", "text": "x" }] })).fails(1);
    write(&staged, &lines(200, 77, "77"), "Say it as a number");
    assert_eq!(proposes(&staged)["error"]["kind"], "not-approved");
    let mut terminal = review(&staged);
    let seen = terminal.sees("1 comment");
    assert!(seen.contains("4/5 seen"), "{seen}");
    terminal.types(";");
    terminal.sees("the agent answered");
    terminal.types("n");
    let shown = terminal.sees("all of it");
    assert!(
        shown.contains("changed since it was seen") && shown.contains("-seventy-seven") && shown.contains("+77"),
        "{shown}"
    );
    terminal.types("a");
    terminal.sees("Type its name");
    terminal.types("main\r");
    assert_eq!(terminal.ends().0, 0);
    // What landed settles what was said about it.
    assert_eq!(proposes(&staged)["structured"]["status"], "success");
    assert_eq!(staged.cli.structured("git_review", &json!({}))["comments"], json!([]));
    let log = staged.cli.run(&["log"]).ok().stdout;
    for said in ["made by", "changes asked for with 1 comment", "answered by the agent: Is 77 enough?", "settled by"] {
        assert!(log.contains(said), "{said}: {log}");
    }
    staged.repo.is_sound();
}

/// What every screen and every server plays.
const ROUNDS: &str = include_str!("../../../web-demo/sdk/test/rounds.json");

#[test]
fn the_agent_reads_in_each_round_what_it_reads_everywhere() {
    let rounds: Value = serde_json::from_str(ROUNDS).expect("it is JSON");
    let text = |at: &str| rounds.pointer(at).and_then(Value::as_str).expect("the rounds have it").to_owned();
    let staged = staged();
    staged.cli.configure("[tools.git]\npush = \"assisted\"\n");
    staged.push("local:project");
    let propose = |round: usize| {
        let (path, content) = (text("/path"), text(&format!("/contents/{round}")));
        staged.cli.call("write_file", &json!({ "path": path, "content": content })).ok();
        let message = text(&format!("/messages/{round}"));
        staged.cli.call("git_stage", &json!({ "files": [path], "message": message })).ok();
        assert_eq!(proposes(&staged)["error"]["kind"], "not-approved");
        let mut terminal = Terminal::start_in_full(&staged.cli.command(&["review"]), LARGE);
        terminal.sees("> ");
        terminal.types("d");
        terminal.sees("ask for changes");
        terminal
    };
    let heard = |mut terminal: Terminal, round: usize| {
        terminal.types("R");
        terminal.sees("Ask for changes?");
        terminal.types(&format!("{}\r", text(&format!("/reasons/{round}"))));
        let (code, rest) = terminal.ends();
        assert!(code == 3 && rest.contains("changes requested"), "{code} {rest}");
        let reply = proposes(&staged);
        let told = reply["text"].as_str().expect("the agent reads a text").to_owned();
        assert_eq!(everywhere(&told), text(&format!("/told/{round}")));
        reply["structured"].clone()
    };
    let mut terminal = propose(0);
    terminal.types("/two\r");
    terminal.types(&format!("c{}\r", text("/comment/text")));
    terminal.sees("not sent yet");
    let told = heard(terminal, 0);
    let id = told.pointer("/changes/comments/0/id").expect("it has an id");
    staged.cli.call("git_review", &json!({ "answers": [{ "id": id, "text": text("/answer") }] })).ok();
    let mut terminal = propose(1);
    terminal.types(";");
    terminal.sees(&text("/answer"));
    terminal.types("d");
    terminal.sees("settled");
    heard(terminal, 1);
    let mut terminal = propose(2);
    terminal.types("a");
    terminal.sees("Type its name");
    terminal.types("main\r");
    assert_eq!(terminal.ends().0, 0);
    assert_eq!(staged.repo.git(&["show", "main:r.md"]), text("/contents/2").trim_end());
}

/// What an agent is told, without what differs from one body to the next: the target, the comment's id, and who made it.
fn everywhere(told: &str) -> String {
    let line = |line: &str| match line.split_once(' ') {
        Some(("To", _)) => "To TARGET\n".to_owned(),
        Some((id, rest)) if id.starts_with('[') => {
            format!("[ID] {} by WHO\n", rest.rsplit_once(" by ").expect("it is somebody's").0)
        }
        _ if line.starts_with("Comments on the push to ") => {
            format!("Comments on the push to TARGET {}\n", &line[line.find('(').expect("it names the branch")..])
        }
        _ => format!("{line}\n"),
    };
    told.lines().map(line).collect()
}

#[test]
fn a_long_diff_of_the_work_is_shown_in_full_screen_and_printed_where_nobody_sits() {
    let staged = long();
    let mut terminal = Terminal::start_in_full(&staged.cli.command(&["diff"]), SMALL);
    let shown = terminal.sees(" search");
    assert!(shown.contains("\x1b[?1049h") && !shown.contains("approve"), "{shown}");
    terminal.types("q");
    assert_eq!(terminal.ends().0, 0);
    let printed = staged.cli.run(&["diff"]).ok().stdout;
    assert!(printed.contains("+seventy-seven") && !printed.contains('\x1b'), "{printed}");
}

#[test]
fn changes_are_asked_for_by_command_too() {
    let staged = long();
    assert_eq!(proposes(&staged)["error"]["kind"], "not-approved");
    let listed = staged.cli.run(&["review", "--json"]).ok().json();
    let id = listed["id"].as_str().unwrap().to_owned();
    staged.cli.run(&["review", &id, "--ask-changes", "Add a test"]).exits(3);
    let told = proposes(&staged);
    assert_eq!(told["structured"]["changes"]["reason"], "Add a test", "{told}");
    assert_eq!(proposes(&staged)["error"]["kind"], "not-approved", "it is told once, and then proposed anew");
}
