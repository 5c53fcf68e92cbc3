//! Live activity at a terminal, and desktop notifications about it.

use std::fs;
use std::process::Command;

use serde_json::json;
use tests::cli::{Cli, Out, finish};
use tests::terminal::{Size, Terminal};

const SIZE: Size = Size { columns: 120, rows: 40 };
/// The sequence that restores a terminal's previous screen.
const LEAVE: &str = "\x1b[?1049l";

/// A sandbox that asks about everything, with a file to stage.
fn strict() -> Cli {
    let cli = Cli::default();
    cli.run(&["new", "--empty", "--policy", "strict", "--identity", "Ada <ada@example.org>"]).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "1" })).ok();
    cli
}

/// An agent's waiting call.
fn stage(cli: &Cli) -> Out {
    finish(&mut staging(cli), b"")
}

fn staging(cli: &Cli) -> Command {
    let arguments = json!({ "files": ["a"], "message": "Add" }).to_string();
    cli.command(&["call", "git_stage", &arguments, "--json"])
}

fn watch(cli: &Cli) -> Terminal {
    let mut terminal = Terminal::start(cli.command(&["watch"]).env("TERM", "xterm"), SIZE);
    terminal.sees("agent write_file");
    terminal
}

#[test]
fn a_call_that_comes_is_shown_and_answered_and_its_end_is_shown_too() {
    let cli = strict();
    let mut terminal = watch(&cli);
    stage(&cli).exits(3);
    let shown = terminal.sees("git_stage: Stage 1 file(s): a");
    assert!(shown.contains('\x07'), "the bell rings: {shown:?}");
    terminal.types("r");
    let prompt = terminal.sees("Reason");
    assert!(
        prompt.contains(LEAVE) && prompt.contains("git_stage: Stage 1 file(s): a"),
        "the whole question: {prompt:?}"
    );
    terminal.types("not yet\n");
    terminal.sees("Enter goes back");
    terminal.types("\n");
    terminal.sees("git_stage rejected by");
    let again = stage(&cli).exits(3);
    assert!(again.stdout.contains("not yet"), "{again:?}");

    stage(&cli).exits(3);
    terminal.sees("git_stage: Stage 1 file(s): a");
    terminal.types("\r");
    terminal.sees("> ");
    terminal.types("a\n");
    terminal.sees("Enter goes back");
    terminal.types("\n");
    terminal.sees("git_stage approved by");
    stage(&cli).ok();
    terminal.sees("\"Add\" (1 file)");
    terminal.types("q");
    let (code, rest) = terminal.ends();
    assert!(code == 0 && rest.contains(LEAVE), "{code}: {rest:?}");
}

#[test]
fn a_watch_keeps_no_agent_waiting_and_leaves_the_terminal_as_it_was_however_it_ends() {
    let cli = strict();
    let terminal = watch(&cli);
    for content in ["2", "3", "4"] {
        let arguments = json!({ "path": "a", "content": content, "overwrite": true }).to_string();
        let out = cli.run(&["call", "write_file", &arguments, "--yes"]);
        assert!(!out.stderr.contains("waiting for another process"), "{out:?}");
    }
    terminal.interrupt();
    let (code, rest) = terminal.ends();
    assert!(code == 130 && rest.contains(LEAVE), "{code}: {rest:?}");
}

#[test]
fn without_a_terminal_there_is_nothing_to_watch_at() {
    let out = strict().run(&["watch"]).exits(2);
    assert!(out.stderr.contains("watch needs a terminal") && out.stderr.contains("gitgate review"), "{out:?}");
}

#[test]
fn a_call_that_waits_is_shown_at_the_desktop_unless_the_person_wants_none() {
    let cli = strict();
    let folder = cli.folder().join("programs");
    fs::create_dir(&folder).unwrap();
    let (program, said) = (folder.join("notify-send"), folder.join("said"));
    // A reader of a named pipe waits for a writer.
    let make = r#"mkfifo "$2" && printf '#!/bin/sh\nprintf "%%s\\n" "$@" > "%s"\n' "$2" > "$1" && chmod +x "$1""#;
    let made = Command::new("sh").args(["-c", make, "sh"]).args([&program, &said]).status().unwrap();
    assert!(made.success());
    let call = || {
        let mut call = staging(&cli);
        let path = format!("{}:/usr/bin:/bin", folder.display());
        finish(call.env("PATH", path).env("GITGATE_LOG", "gitgate::notify=debug"), b"").exits(3).stderr
    };
    let log = call();
    assert!(log.contains("running /") && log.contains("/notify-send"), "{log}");
    let shown = fs::read_to_string(&said).unwrap();
    assert!(shown.ends_with("gitgate: default waits for you\ngit_stage: Stage 1 file(s): a\n"), "{shown}");
    cli.configure("[notify]\ndesktop = false\n");
    assert_eq!(call(), "");
}
