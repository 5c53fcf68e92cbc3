//! A push that the person edits: files or hunks left out, another message.

use serde_json::json;
use tests::terminal::{Size, Terminal};

use crate::pushing::{digest, has, leaves_out_and_renames, more, staged};

const SIZE: Size = Size { columns: 120, rows: 40 };

#[test]
fn a_person_leaves_files_and_hunks_out_and_is_asked_again() {
    let staged = staged();
    let text = staged.cli.call("read_file", &json!({ "path": "README.md" })).ok().stdout;
    let longer = format!("{text}{}secret plans\n", "filler\n".repeat(12));
    staged.cli.call("write_file", &json!({ "path": "README.md", "content": longer })).ok();
    let id = more(&staged.cli, "notes.md", "Notes");
    staged.cli.call("git_stage", &json!({ "files": ["README.md"], "message": "More" })).ok();
    let mut command = staged.cli.command(&["push", "--to", "local:project"]);
    // An editor that writes another message.
    command.env("EDITOR", "printf 'Only the past\\n\\nAnd no notes.\\n' >");
    let mut terminal = Terminal::start(&command, SIZE);
    leaves_out_and_renames(&mut terminal, &id);
    terminal.approves_main();
    let (code, rest) = terminal.ends();
    assert_eq!(code, 0, "{rest}");
    assert_eq!(staged.repo.git(&["log", "-1", "--format=%B"]).trim_end(), "Only the past\n\nAnd no notes.");
    assert!(staged.repo.try_git(&["cat-file", "-e", "main:dos.txt"], b"").success);
    assert!(!staged.repo.try_git(&["cat-file", "-e", "main:notes.md"], b"").success);
    assert_eq!(
        staged.cli.call("git_status", &json!({})).ok().stdout,
        "## main...origin/main\n D dos.txt\n?? notes.md\n",
        "what was left out is there, and nothing is staged"
    );
    assert!(!has(&staged.repo, "Notes"));
    staged.repo.is_sound();
}

#[test]
fn the_command_line_leaves_out_what_it_names_and_shows_another_digest() {
    let staged = staged();
    let push = |more: &[&str]| {
        let push = ["push", &*staged.id, "--to", "local:project"];
        staged.cli.run(&[&push[..], more].concat())
    };
    let whole = digest(&push(&[]).fails(3));
    let revised = push(&["--leave-out", "src/new.rs", "--message", "Without code"]).exits(3);
    assert!(!revised.stdout.contains("src/new.rs") && revised.stdout.contains("Without code"), "{revised:#?}");
    let shown = digest(&revised);
    assert_ne!(shown, whole);
    push(&["--approve", &whole]).fails(3);
    push(&["--approve", &shown]).ok();
    assert_eq!(staged.repo.git(&["log", "-1", "--format=%s"]), "Without code");
    assert!(!has(&staged.repo, "pub fn new() {}\n") && has(&staged.repo, "# Project\n\nA repository with a past.\n"));
    assert_eq!(staged.cli.call("git_status", &json!({})).ok().stdout, "## main...origin/main\n?? src/new.rs\n");
    // The history shows it as the person's call.
    assert!(staged.cli.run(&["history"]).ok().stdout.contains("git_revise"));
}

#[test]
fn a_revision_that_cannot_be_made_pushes_nothing_and_changes_nothing() {
    let staged = staged();
    let before = staged.cli.call("git_status", &json!({})).ok();
    for (leave_out, reason) in [
        (&["--leave-out", "none"][..], "These commits do not change none"),
        (&["--leave-out-hunks", "README.md:7"], "README.md has 1 hunk(s), but no hunk 7"),
        (
            &["--leave-out", "README.md", "--leave-out", "src/new.rs", "--leave-out", "dos.txt"],
            "This would leave nothing to push",
        ),
    ] {
        let push = ["push", &*staged.id, "--to", "local:project"];
        let out = staged.cli.run(&[&push[..], leave_out].concat()).fails(1);
        assert!(out.stderr.contains(reason), "{out:#?}");
    }
    assert_eq!(staged.cli.call("git_status", &json!({})).ok(), before);
    assert_eq!(staged.repo.id("main"), staged.base);
}

#[test]
fn what_a_rule_lets_go_is_revised_first() {
    let staged = staged();
    staged.cli.unattended();
    let policy = "[[allow]]\ntool = \"git_push\"\nrisk = \"high\"\n";
    std::fs::write(staged.cli.home().join("sandboxes/default/policy.toml"), policy).unwrap();
    let to = ["push", &*staged.id, "--to", "local:project#topic"];
    staged.cli.run(&[&to[..], &["--leave-out", "src/new.rs", "--message", "Reworded"]].concat()).ok();
    assert_eq!(staged.repo.git(&["log", "-1", "--format=%s", "topic"]), "Reworded");
    assert!(!has(&staged.repo, "pub fn new() {}\n"));
    staged.cli.run(&[&to[..], &["--message", "x", "--approve", &"0".repeat(64)]].concat()).exits(2);
}
