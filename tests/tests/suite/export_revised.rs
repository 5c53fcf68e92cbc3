//! An export that the person edits: files or hunks left out, another message.

use serde_json::{Value, json};
use tests::cli::{Cli, Out};
use tests::repo::Repo;
use tests::terminal::{Size, Terminal};

use crate::pushing::{Staged, digest, has, leaves_out_and_renames, more, staged};

const SIZE: Size = Size { columns: 120, rows: 40 };

/// Exports to `out.bundle` with further arguments.
fn export(cli: &Cli, more: &[&str]) -> Out {
    cli.run(&[&["export", "out.bundle"][..], more].concat())
}

/// Whether the bundle exists.
fn is_written(cli: &Cli) -> bool {
    cli.work().join("out.bundle").exists()
}

/// git's view of the bundle.
fn cloned(staged: &Staged) -> Repo {
    staged.repo.git(&["bundle", "verify", "--quiet", "../out.bundle"]);
    staged.repo.git(&["clone", "--quiet", "-b", "main", "../out.bundle", "../from-bundle"]);
    let clone = Repo::at(&staged.cli.work().join("from-bundle"));
    clone.is_sound();
    clone
}

/// The commits that the bundle adds, with their changes, newest first.
fn added(staged: &Staged, clone: &Repo) -> String {
    let range = format!("{}..main", staged.base);
    clone.git(&["log", "--format=%s", "--name-status", "--no-renames", &range])
}

fn status(cli: &Cli) -> String {
    cli.call("git_status", &json!({})).ok().stdout
}

/// Changes a file at its beginning and at its end, in a second commit.
fn with_two_hunks(staged: &Staged) {
    for (old, new) in [("N1: u32 = 1;", "N1: u32 = 100;"), ("N60: u32 = 60;", "N60: u32 = 6000;")] {
        staged.cli.call("edit_file", &json!({ "path": "src/numbers.rs", "old": old, "new": new })).ok();
    }
    staged.cli.call("git_stage", &json!({ "files": ["src/numbers.rs"], "message": "Count on" })).ok();
}

#[test]
fn a_person_leaves_files_and_hunks_out_of_a_bundle_and_is_asked_again() {
    let staged = staged();
    let id = more(&staged.cli, "notes.md", "Notes");
    let mut command = staged.cli.command(&["export", "out.bundle"]);
    // An editor that writes another message.
    command.env("EDITOR", "printf 'Only the past\\n' >");
    let mut terminal = Terminal::start(&command, SIZE);
    leaves_out_and_renames(&mut terminal, &id);
    assert!(!is_written(&staged.cli), "an edit is no approval");
    terminal.types("a\n");
    let (code, rest) = terminal.ends();
    assert_eq!(code, 0, "{rest}");
    let clone = cloned(&staged);
    assert_eq!(added(&staged, &clone), "Only the past\n\nM\tREADME.md\nA\tsrc/new.rs");
    assert!(!has(&clone, "Notes"));
    let log = staged.cli.run(&["log"]).ok().stdout;
    assert!(log.contains("push edited by") && log.contains("leave out dos.txt; leave out notes.md"), "{log}");
}

#[test]
fn the_command_line_leaves_hunks_and_files_out_of_every_commit_of_a_bundle() {
    let staged = staged();
    with_two_hunks(&staged);
    let before = status(&staged.cli);
    let whole = digest(&export(&staged.cli, &[]).fails(3));
    let edits = ["--leave-out", "src/new.rs", "--leave-out-hunks", "src/numbers.rs:2", "--message", "Say less"];
    let revised = export(&staged.cli, &edits).exits(3);
    assert!(!revised.stdout.contains("src/new.rs") && !revised.stdout.contains("u32 = 6000"), "{revised:#?}");
    let shown = digest(&revised);
    assert_ne!(shown, whole);
    export(&staged.cli, &["--approve", &whole]).fails(3);
    assert!(!is_written(&staged.cli), "what was seen before the edit is approved no more");
    export(&staged.cli, &["--approve", &shown]).ok();
    let clone = cloned(&staged);
    assert_eq!(added(&staged, &clone), "Say less\n\nM\tsrc/numbers.rs\nTell of the past\n\nM\tREADME.md\nD\tdos.txt");
    let numbers = clone.git(&["show", "main:src/numbers.rs"]);
    assert!(numbers.contains("N1: u32 = 100;") && numbers.contains("N60: u32 = 60;"), "{numbers}");
    assert!(!has(&clone, "pub fn new() {}\n"), "not even an earlier commit has it");
    assert_eq!(status(&staged.cli), "## main...origin/main [ahead 2]\n M src/numbers.rs\n?? src/new.rs\n");
    staged.cli.run(&["undo"]).ok();
    assert_eq!(status(&staged.cli), before, "the commits are whole again");
    let log = staged.cli.run(&["log", "--json"]).ok().stdout;
    let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let revise = &first["call"];
    assert_eq!(
        revise["summary"],
        "leave out src/new.rs; leave out src/numbers.rs:[2]; set the message to \"Say less\""
    );
    assert_eq!((&revise["tool"], &revise["decided"]["how"]), (&json!("git_revise"), &json!("command")));
}

#[test]
fn an_edit_that_cannot_be_made_writes_no_bundle_and_changes_nothing() {
    let staged = staged();
    let before = status(&staged.cli);
    let kept = |edits: &[&str], reason: &str| {
        let out = export(&staged.cli, edits).fails(1);
        assert!(out.stderr.contains(reason), "{out:#?}");
        assert_eq!(status(&staged.cli), before);
        assert!(!is_written(&staged.cli));
    };
    kept(&["--leave-out", "none"], "These commits do not change none");
    kept(&["--leave-out", "run.sh"], "These commits do not change run.sh");
    kept(&["--leave-out-hunks", "README.md:7"], "README.md has 1 hunk(s), but no hunk 7");
    let all = ["--leave-out", "README.md", "--leave-out", "src/new.rs", "--leave-out", "dos.txt"];
    kept(&all, "This would leave nothing to push");
    assert_eq!(staged.cli.run(&["log"]).ok().stdout, "", "nothing was decided");
}

#[test]
fn commits_that_were_there_from_the_beginning_are_not_edited() {
    let cli = Cli::default();
    cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "A <a@b>"]).ok();
    let out = export(&cli, &["--message", "Mine"]).fails(1);
    assert!(out.stderr.contains("Not a staged commit"), "{out:#?}");
    assert!(!is_written(&cli));
}

#[test]
fn commits_that_have_landed_are_not_edited() {
    let staged = staged();
    staged.push("local:project#topic-of-mine");
    let out = export(&staged.cli, &["--leave-out", "src/new.rs"]).fails(1);
    assert!(out.stderr.contains("Not a staged commit"), "{out:#?}");
    assert!(!is_written(&staged.cli));
}

#[test]
fn attack_22_an_export_is_edited_only_by_a_person_at_a_terminal() {
    let staged = staged();
    let before = status(&staged.cli);
    staged.cli.configure_only("");
    for edit in [["--leave-out", "README.md"], ["--leave-out-hunks", "README.md:1"], ["--message", "Mine"]] {
        let out = export(&staged.cli, &edit).exits(3);
        assert!(out.stderr.contains("only a person at a terminal can edit a push"), "{out:#?}");
    }
    let revise = json!({ "commitId": "HEAD", "message": "Mine" }).to_string();
    let out = staged.cli.run(&["call", "git_revise", &revise]).fails(1);
    assert!(out.stderr.contains("Only the user can call git_revise"), "{out:#?}");
    staged.cli.configure("");
    assert_eq!(status(&staged.cli), before);
}

#[test]
fn a_rule_that_denies_edits_or_exports_denies_the_edit_of_an_export() {
    let staged = staged();
    let before = status(&staged.cli);
    for tool in ["git_revise", "export"] {
        let policy = format!("[[deny]]\ntool = \"{tool}\"\n");
        std::fs::write(staged.cli.home().join("sandboxes/default/policy.toml"), policy).unwrap();
        let out = export(&staged.cli, &["--leave-out", "src/new.rs"]).fails(1);
        assert!(out.stderr.contains(&format!("the policy denies this {tool}")), "{out:#?}");
        assert_eq!(status(&staged.cli), before);
    }
    let policy = "[[deny]]\ntool = \"export\"\npath = \"src\"\n";
    std::fs::write(staged.cli.home().join("sandboxes/default/policy.toml"), policy).unwrap();
    export(&staged.cli, &[]).fails(1);
    export(&staged.cli, &["--leave-out", "src/new.rs"]).exits(3);
}

#[test]
fn what_has_landed_stays_in_a_bundle_as_it_is_and_what_is_staged_on_top_is_edited() {
    let staged = staged();
    staged.push("local:project#topic-of-mine");
    let landed = staged.repo.id("topic-of-mine");
    staged.cli.call("edit_file", &json!({ "path": "README.md", "old": "a past", "new": "many pasts" })).ok();
    staged.cli.call("write_file", &json!({ "path": "src/more.rs", "content": "// More\n" })).ok();
    staged.cli.call("git_stage", &json!({ "files": ["README.md", "src/more.rs"], "message": "More" })).ok();
    let before = status(&staged.cli);
    for (edit, reason) in [
        (["--leave-out", "src/new.rs"], "These commits do not change src/new.rs"),
        (["--leave-out-hunks", "README.md:1"], "A commit that is not staged changes README.md, too"),
    ] {
        let out = export(&staged.cli, &edit).fails(1);
        assert!(out.stderr.contains(reason), "{out:#?}");
        assert_eq!(status(&staged.cli), before);
    }
    let shown = digest(&export(&staged.cli, &["--leave-out", "README.md"]).exits(3));
    export(&staged.cli, &["--approve", &shown]).ok();
    let clone = cloned(&staged);
    assert_eq!(clone.id("main~1"), landed);
    assert_eq!(clone.git(&["show", "--format=%s", "--name-status", "main"]), "More\n\nA\tsrc/more.rs");
    assert_eq!(clone.git(&["show", "main:README.md"]), "# Project\n\nA repository with a past.");
}

#[test]
fn hunks_are_those_that_the_review_shows_and_where_all_is_new_there_are_none() {
    let cli = Cli::default();
    cli.repository("project").git(&["init", "--quiet", "--bare", "../bare.git"]);
    cli.run(&["new", "--empty", "--identity", "A <a@b>"]).ok();
    let lines = |first: &str, last: &str| format!("{first}\n{}{last}\n", "\n".repeat(9));
    more(&cli, "a.md", &lines("one", "two"));
    let push = |more: &[&str]| cli.run(&[&["push", "--to", "bare:bare.git"][..], more].concat());
    push(&["--approve", &digest(&push(&[]).fails(3))]).ok();
    more(&cli, "a.md", &lines("1", "2"));
    let before = status(&cli);
    let out = export(&cli, &["--leave-out-hunks", "a.md:1"]).fails(1);
    assert!(out.stderr.contains("a.md has no hunks, because it is new"), "{out:#?}");
    assert_eq!(status(&cli), before);
}
