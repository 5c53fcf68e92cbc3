//! Attacks and mistakes at the gate itself: refused, or asked about again.

use serde_json::json;
use tests::cli::Cli;
use tests::terminal::{Size, Terminal};

use crate::pushing::{Staged, staged};

const SIZE: Size = Size { columns: 120, rows: 40 };

#[test]
fn attack_17_what_was_taken_back_while_a_person_looked_is_not_pushed() {
    let Staged { cli, repo, id, base } = staged();
    let push = ["push", &*id, "--to", "local:project"];
    let mut terminal = Terminal::start(&cli.command(&push), SIZE);
    terminal.sees("> ");
    cli.run(&["undo"]).ok();
    terminal.approves_main();
    let (code, rest) = terminal.ends();
    assert_eq!(code, 1, "{rest}");
    assert!(rest.contains("the sandbox has changed since the review"), "{rest}");
    assert_eq!(repo.id("main"), base);
}

#[test]
fn attack_17_what_was_revised_while_a_person_looked_is_shown_again() {
    let Staged { cli, repo, id, .. } = staged();
    let push = ["push", &*id, "--to", "local:project"];
    let mut terminal = Terminal::start(&cli.command(&push), SIZE);
    assert!(terminal.sees("> ").contains("src/new.rs"));
    cli.run(&[&push[..], &["--leave-out", "src/new.rs"]].concat()).exits(3);
    terminal.approves_main();
    let again = terminal.sees("> ");
    assert!(again.contains("the sandbox has changed"), "{again}");
    assert!(again.contains("the push has changed since you looked: new commit "), "{again}");
    assert!(again.contains("without the file src/new.rs"), "{again}");
    terminal.approves_main();
    assert_eq!(terminal.ends().0, 0);
    assert!(!repo.git(&["ls-tree", "-r", "--name-only", "main"]).contains("new.rs"));
}

#[test]
fn attack_15_the_name_of_a_tool_is_no_command_for_the_terminal() {
    let Staged { cli, .. } = staged();
    std::fs::write(cli.home().join("sandboxes/default/policy.toml"), "[[ask]]\nreason = \"everything\"\n").unwrap();
    let tool = "\u{1b}[2K\rread_file \u{1b}]0;owned\u{7}\u{202e}";
    // Nobody is asked about an unknown tool.
    let out = cli.call(tool, &json!({ "path": "a" })).fails(1);
    assert!(!out.stderr.contains(['\u{1b}', '\r', '\u{7}', '\u{202e}']), "{out:#?}");
    assert_eq!(cli.run(&["review"]).ok().stdout, "No calls are waiting\n");
    assert_eq!(cli.run(&["log"]).ok().stdout, "");
}

#[test]
fn attack_20_a_policy_in_a_linked_worktree_is_where_a_push_may_go() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    repo.git(&["worktree", "add", "-q", "-b", "wt", "../wt"]);
    std::fs::write(cli.work().join("wt/policy.toml"), "").unwrap();
    let out = cli.run(&["new", "--from", "local:project", "--policy", "wt/policy.toml"]).fails(1);
    assert!(out.stderr.contains("is in a folder that the agent works in or pushes to"), "{out:#?}");
}

#[test]
fn attack_22_a_line_of_a_batch_is_the_agents_unless_the_command_line_says_otherwise() {
    let Staged { cli, .. } = staged();
    let line = json!({ "tool": "sandbox_undo", "arguments": {}, "as": "user" }).to_string();
    let out = cli.run_with(&["call", "--batch"], line.as_bytes());
    assert!(out.stdout.contains("--as user was not given"), "{out:#?}");
    assert!(cli.run(&["status"]).ok().stdout.contains("Tell of the past"), "nothing was undone");
}

#[test]
fn attack_21_a_call_that_is_too_large_does_not_wait() {
    let Staged { cli, .. } = staged();
    std::fs::write(cli.home().join("sandboxes/default/policy.toml"), "[[ask]]\ntool = \"write_file\"\n").unwrap();
    let large = json!({ "path": "a", "content": "x".repeat(2 << 20) }).to_string();
    let out = cli.run_with(&["call", "write_file", "-", "--as", "agent"], large.as_bytes()).exits(3);
    assert!(out.stderr.contains("too large to wait"), "{out:#?}");
    assert_eq!(cli.run(&["review"]).ok().stdout, "No calls are waiting\n");
}

#[test]
fn attack_21_denials_without_end_do_not_fill_the_log() {
    let Staged { cli, .. } = staged();
    std::fs::write(cli.home().join("sandboxes/default/policy.toml"), "[[deny]]\ntool = \"read_file\"\n").unwrap();
    let line = format!("{}\n", json!({ "tool": "read_file", "arguments": { "path": "a" } }));
    cli.run_with(&["call", "--batch"], line.repeat(150).as_bytes());
    assert_eq!(cli.run(&["log", "--verify", "--json"]).ok().json()["records"], 100);
}

#[test]
fn a_revision_that_a_rule_denies_is_not_made() {
    let Staged { cli, repo, id, base } = staged();
    std::fs::write(cli.home().join("sandboxes/default/policy.toml"), "[[deny]]\ntool = \"git_revise\"\n").unwrap();
    let out = cli.run(&["push", &id, "--to", "local:project", "--leave-out", "src/new.rs"]).fails(1);
    assert!(out.stderr.contains("the policy denies this git_revise"), "{out:#?}");
    assert!(!cli.run(&["history"]).ok().stdout.contains("git_revise"));
    assert_eq!(repo.id("main"), base);
}
