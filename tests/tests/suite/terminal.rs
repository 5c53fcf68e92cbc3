//! The approval prompt for a person at a terminal: `[d]iff  [a]pprove  [r]eject  [?]help`.

use serde_json::json;
use tests::terminal::{Size, Terminal};
use tests::tree::{self, assert_same};

use crate::pushing::{Staged, digest, more, staged};

const SMALL: Size = Size { columns: 80, rows: 24 };
const LARGE: Size = Size { columns: 200, rows: 50 };

fn push(staged: &Staged, size: Size) -> Terminal {
    Terminal::start(&staged.cli.command(&["push", &staged.id, "--to", "local:project"]), size)
}

/// The same for a person whose pager prints everything at once.
fn push_without_pages(staged: &Staged, size: Size) -> Terminal {
    let mut command = staged.cli.command(&["push", &staged.id, "--to", "local:project"]);
    Terminal::start(command.env("PAGER", "cat"), size)
}

#[test]
fn a_person_reads_the_diff_and_approves() {
    for size in [SMALL, LARGE] {
        let staged = staged();
        let mut terminal = push_without_pages(&staged, size);
        let asked = terminal.sees("> ");
        for words in
            ["main", "\"Tell of the past\"", "M README.md (+1 -1)", "+ src/new.rs (+1)", "- dos.txt (-2)", "[d]iff"]
        {
            assert!(asked.contains(words), "{words}: {asked}");
        }
        terminal.types("?\n");
        assert!(terminal.sees("> ").contains("with a reason that the agent reads"));
        terminal.types("d\n");
        let diff = terminal.sees("[?]help");
        let patch = diff.split('┌').next().unwrap();
        assert!(patch.contains("Tell of the past") && patch.contains("+A repository with a past."), "{diff}");
        terminal.sees("> ");
        assert_eq!(staged.repo.id("main"), staged.base, "reading changes nothing");
        terminal.approves_main();
        let (code, rest) = terminal.ends();
        assert_eq!(code, 0, "{rest}");
        staged.is_what_was_staged(&staged.repo, "main");
        assert_eq!(staged.repo.git(&["status", "--porcelain"]), "");
        staged.repo.is_sound();
    }
}

#[test]
fn a_push_that_an_agent_proposes_is_put_to_the_person() {
    let staged = staged();
    staged.cli.configure("[tools.git]\npush = \"assisted\"\n");
    let arguments = json!({ "commitId": staged.id }).to_string();
    let call = || Terminal::start(&staged.cli.command(&["call", "git_push", &arguments]), SMALL);
    let mut terminal = call();
    assert!(terminal.sees("> ").contains("\"Tell of the past\""));
    terminal.types("r\nnot yet\n");
    let (code, rest) = terminal.ends();
    assert!(code == 3 && rest.contains("Rejected by the user: not yet"), "{code}: {rest}");
    assert_eq!(staged.repo.id("main"), staged.base);
    let mut terminal = call();
    terminal.sees("[?]help");
    terminal.sees("> ");
    terminal.approves_main();
    let (code, rest) = terminal.ends();
    assert_eq!(code, 0, "{rest}");
    staged.is_what_was_staged(&staged.repo, "main");
}

#[test]
fn what_was_typed_before_the_question_could_be_read_approves_nothing() {
    let staged = staged();
    let before = tree::read(staged.repo.root());
    let mut terminal = push(&staged, SMALL);
    terminal.types("a\na\na\n");
    terminal.sees("[?]help");
    terminal.sees("> ");
    terminal.types("r\n\n");
    let (code, rest) = terminal.ends();
    assert_eq!(code, 3, "{rest}");
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
}

#[test]
fn a_batch_at_a_terminal_is_read_from_it_and_asks_nobody() {
    let staged = staged();
    let mut terminal = Terminal::start(&staged.cli.command(&["call", "--batch", "--as", "user"]), SMALL);
    let push = json!({ "tool": "git_push", "as": "user", "arguments": { "commitId": staged.id } });
    terminal.types(&format!("{push}\n"));
    terminal.sees("{\"error\":{\"kind\":\"not-approved\"");
    terminal.types("\x04");
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn an_export_never_takes_the_place_of_a_file_that_came_while_it_asked() {
    let staged = staged();
    let mut terminal = Terminal::start(&staged.cli.command(&["export", "out.bundle"]), SMALL);
    terminal.sees("> ");
    let file = staged.cli.work().join("out.bundle");
    std::fs::write(&file, "somebody else's").unwrap();
    terminal.types("a\n");
    let (code, rest) = terminal.ends();
    assert_eq!(code, 1, "{rest}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "somebody else's");
}

#[test]
fn a_demo_that_is_called_off_leaves_nothing() {
    let cli = tests::cli::Cli::default();
    let folder = cli.folder().join("temporary");
    std::fs::create_dir(&folder).unwrap();
    let mut terminal = Terminal::start(cli.command(&["demo"]).env("TMPDIR", &folder), SMALL);
    terminal.sees("> ");
    terminal.sees("[?]help");
    terminal.sees("> ");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    terminal.interrupt();
    assert_eq!(terminal.ends().0, 130);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_person_rejects_with_a_reason() {
    let staged = staged();
    let before = tree::read(staged.repo.root());
    let mut terminal = push(&staged, SMALL);
    terminal.sees("> ");
    terminal.types("r\n");
    terminal.sees("Reason (may be empty): ");
    terminal.types("not on a Friday\n");
    let (code, rest) = terminal.ends();
    assert_ne!(code, 0, "{rest}");
    assert!(rest.contains("not on a Friday"), "{rest}");
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
}

#[test]
fn who_undoes_several_calls_or_goes_back_past_a_push_sees_first_what_that_takes() {
    let staged = staged();
    let before = staged.cli.run(&["history"]).ok().stdout;
    let undo = |words: &[&str], key: &str| {
        let mut terminal = Terminal::start(&staged.cli.command(&[&["undo"], words].concat()), LARGE);
        let shown = terminal.sees("[y]es [n]o ");
        terminal.types(key);
        let (code, rest) = terminal.ends();
        (code, format!("{shown}{rest}"))
    };
    let (code, shown) = undo(&["2"], "n\n");
    assert!(code == 3 && shown.contains("  git_stage: ") && shown.contains("Undo these 2 calls?"), "{shown}");
    assert_eq!(staged.cli.run(&["history"]).ok().stdout, before, "nothing was undone");
    for path in ["one", "two"] {
        let id = more(&staged.cli, path, "Say more");
        let shown = digest(&staged.cli.run(&["push", &id]).fails(3));
        staged.cli.run(&["push", &id, "--approve", &shown]).ok();
    }
    let (code, shown) = undo(&["4"], "y\n");
    assert!(code == 0 && shown.contains("this goes back to before 2 pushes: "), "{shown}");
    let listed = shown.split("this goes back").next().unwrap();
    assert_eq!(listed.matches("  git_stage: ").count() + listed.matches("  write_file: ").count(), 4, "{shown}");
}

#[test]
fn a_word_that_is_no_answer_and_the_end_of_input_decide_nothing() {
    let staged = staged();
    let before = tree::read(staged.repo.root());
    let mut terminal = push(&staged, SMALL);
    terminal.sees("> ");
    for word in ["y\n", "yes\n", "A\n", "\n", "approved\n"] {
        terminal.types(word);
        terminal.sees("> ");
    }
    // Ctrl-D, even after a word.
    for leave in ["\x04", "a\x04\x04", "amain\x04\x04", "q\n"] {
        terminal.types(leave);
        let (code, rest) = terminal.ends();
        assert!(code == 3 && rest.contains("you left without a decision"), "{code}: {rest}");
        assert!(rest.contains("hint: the same command asks again"), "{rest}");
        assert!(!rest.contains("diff --git"), "it is not printed again: {rest}");
        assert_same(&before, &tree::read(staged.repo.root()), "the target");
        assert_eq!(staged.cli.run(&["log"]).ok().stdout, "", "nothing was decided");
        terminal = push(&staged, SMALL);
        terminal.sees("> ");
    }
    terminal.interrupt();
    assert_eq!(terminal.ends().0, 130);
    assert_eq!(staged.cli.run(&["log"]).ok().stdout, "");
}

#[test]
fn a_long_diff_is_read_page_by_page_and_the_question_is_still_there_after_it() {
    let staged = staged();
    let lines: String = (1..=200).map(|number| format!("line {number}\n")).collect();
    staged.cli.call("write_file", &json!({ "path": "long.txt", "content": lines })).ok();
    staged.cli.call("git_stage", &json!({ "files": ["long.txt"], "message": "Long" })).ok();
    let command = &mut staged.cli.command(&["push", "--to", "local:project", "--color", "always"]);
    let mut terminal = Terminal::start(command, SMALL);
    terminal.sees("> ");
    terminal.types("d\n");
    let first = terminal.sees("q back");
    assert!(first.contains("\x1b[?1049h") && !first.contains("line 200"), "{first}");
    terminal.types("G");
    assert!(terminal.sees("q back").contains("\x1b[32m+line 200\x1b[0m"));
    terminal.types("g");
    terminal.sees("q back");
    terminal.types("/line 77\r");
    terminal.sees("+line 77");
    terminal.types("q");
    let after = terminal.sees("> ");
    assert!(after.contains("\x1b[?1049l") && !after.contains("git_push"), "the former screen is back: {after}");
    terminal.approves_main();
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn a_signal_in_the_pager_gives_the_terminal_back() {
    let staged = staged();
    let mut terminal = push(&staged, Size { columns: 80, rows: 10 });
    terminal.sees("> ");
    terminal.types("d\n");
    terminal.sees("q back");
    terminal.interrupt();
    let (code, rest) = terminal.ends();
    assert!(code == 130 && rest.ends_with("\x1b[?1049l"), "{code}: {rest:?}");
}

#[test]
fn warnings_are_listed_in_full_on_a_key() {
    let staged = staged();
    let mut terminal = push_without_pages(&staged, SMALL);
    assert!(terminal.sees("> ").contains("[w]arnings"));
    terminal.types("w\n");
    assert!(terminal.sees("> ").contains("high: Pushing directly to main branch"));
}

#[test]
fn attack_15_nothing_that_the_agent_wrote_reaches_the_terminal_as_a_command() {
    let staged = staged();
    let name = "a\u{1b}[2Jb\u{202e}.txt";
    let content = "\u{1b}]52;c;cm0gLXJm\u{7}\u{1b}[1A\u{1b}[2K[a]pprove was typed\r> a\u{9b}31m\n";
    staged.cli.call("write_file", &json!({ "path": name, "content": content })).ok();
    let message = "Harmless\u{1b}[8m\n\nhidden \u{1b}[?1049h\u{2066}";
    let commit = staged.cli.structured("git_stage", &json!({ "files": [name], "message": message }));
    let id = commit["commitId"].as_str().unwrap();
    let mut command = staged.cli.command(&["push", id, "--to", "local:project"]);
    let mut terminal = Terminal::start(command.env("PAGER", "cat"), SMALL);
    let mut all = terminal.sees("> ");
    terminal.types("d\n");
    all += &terminal.sees("[?]help");
    all += &terminal.sees("> ");
    terminal.types("r\n\n");
    let (_, rest) = terminal.ends();
    all += &rest;
    for (what, forbidden) in
        [("ESC", '\u{1b}'), ("BEL", '\u{7}'), ("CSI", '\u{9b}'), ("RLO", '\u{202e}'), ("LRI", '\u{2066}')]
    {
        assert!(!all.contains(forbidden), "{what} in {all:?}");
    }
    // A terminal writes a line end as CR LF, possibly after a line's own CR. No other CR remains that could hide a line.
    assert!(!all.replace("\r\r\n", "\n").replace("\r\n", "\n").contains('\r'), "{all:?}");
    assert!(all.contains("\\x1b]52;c;cm0gLXJm\\x07"), "it is shown, not left out: {all:?}");
}
