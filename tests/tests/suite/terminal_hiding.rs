//! A person's terminal reveals everything that an agent writes to hide something.

use serde_json::json;
use tests::terminal::{Size, Terminal};

use crate::pushing::{Staged, staged};

const SMALL: Size = Size { columns: 80, rows: 24 };

/// Stages a second file, and returns the question about the push of both.
fn asked(staged: &Staged, pager: &str, file: &serde_json::Value) -> (Terminal, String) {
    staged.cli.call("write_file", file).ok();
    let stage = json!({ "files": [file["path"]], "message": "One more" });
    let id = staged.cli.structured("git_stage", &stage)["id"].as_str().expect("it is staged").to_owned();
    let mut command = staged.cli.command(&["push", &id, "--to", "local:project#topic"]);
    let mut terminal = Terminal::start(
        command.env("PAGER", pager).env("TERM", "xterm").env("NO_COLOR", "1").env("LESSCHARSET", "utf-8"),
        SMALL,
    );
    let asked = terminal.sees("> ");
    (terminal, asked)
}

#[test]
fn attack_18_the_pager_says_the_end_once_the_last_row_was_drawn() {
    let staged = staged();
    let content = format!("let x = 1; {}evil()\n", "/".repeat(1600));
    let (mut terminal, _) = asked(&staged, "", &json!({ "path": "zzz.js", "content": content }));
    terminal.types("d\n");
    let mut first = terminal.sees("n next");
    // The last line of the diff starts on one screen and ends on another.
    while !first.contains("let x = 1; ///") {
        assert!(!first.contains("evil()") && !first.contains(", end"), "{first}");
        terminal.types("j");
        first = terminal.sees("n next");
    }
    assert!(first.contains("%   q back") && !first.contains(", end"), "{first}");
    terminal.types("G");
    let last = terminal.sees("n next");
    assert!(last.contains("evil()") && last.contains(", end"), "{last}");
    terminal.types("q");
    terminal.sees("> ");
    terminal.types("r\n\n");
    assert_eq!(terminal.ends().0, 3);
}

#[test]
fn attack_15_no_part_of_a_line_begins_a_row_of_the_persons_pager() {
    let staged = staged();
    let content = format!("{}-    check(user);\n", "x".repeat(79));
    for (pager, end, leave) in [("cat", "", ""), ("less", "G", "q")] {
        let path = format!("zzz-{pager}.rs");
        let (mut terminal, _) = asked(&staged, pager, &json!({ "path": path, "content": content }));
        terminal.types("d\n");
        terminal.sees("commit ");
        terminal.types(end);
        let shown = terminal.sees("check(user);");
        let row = shown.rsplit('\n').next().unwrap();
        assert!(row.contains("\u{21b3} -    check(user);"), "{pager}: {shown}");
        terminal.types(leave);
        terminal.sees("[?]help");
        terminal.sees("> ");
        terminal.types("r\n\n");
        assert_eq!(terminal.ends().0, 3);
    }
}

#[test]
fn attack_18_text_that_git_takes_for_binary_is_named_and_read() {
    let staged = staged();
    let file = json!({ "path": "build.ps1", "encoding": "base64", "content": "//5XAHIAaQB0AGUALQBIAG8AcwB0ACAAZQB2AGkAbAANAAoA" });
    let (mut terminal, asked) = asked(&staged, "cat", &file);
    assert!(asked.contains("+ build.ps1 (UTF-16, +1)"), "{asked}");
    assert!(asked.contains("Contains what git takes for binary in build.ps1"), "{asked}");
    terminal.types("d\n");
    let shown = terminal.sees("[?]help");
    assert!(shown.contains("Binary to git, shown as UTF-16") && shown.contains("+Write-Host evil"), "{shown}");
    terminal.sees("> ");
    terminal.types("r\n\n");
    terminal.ends();
}

#[test]
fn attack_18_a_file_that_can_be_run_now_says_so_in_the_frame() {
    let staged = staged();
    let file = json!({ "path": "README.md", "content": "#!/bin/sh\n", "executable": true });
    let (mut terminal, asked) = asked(&staged, "cat", &file);
    assert!(asked.contains("M README.md (executable now, +1 -3)"), "{asked}");
    terminal.types("r\n\n");
    terminal.ends();
}

#[test]
fn attack_15_what_a_person_reads_at_a_terminal_neither_hides_nor_reorders() {
    let staged = staged();
    let text = "if admin\u{202e} { \u{2066}// check\u{2069} }\n";
    staged.cli.call("write_file", &json!({ "path": "a.rs", "content": text })).ok();
    let arguments = ["call", "read_file", "{\"path\":\"a.rs\"}"];
    let (code, shown) = Terminal::start(&staged.cli.command(&arguments), SMALL).ends();
    assert!(code == 0 && shown.contains("if admin<U+202E> { <U+2066>// check<U+2069> }"), "{shown}");
    assert_eq!(staged.cli.run(&arguments).ok().stdout, text, "what a program reads is the text");
}
