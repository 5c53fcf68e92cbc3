//! `git_branches` on real repositories.

use serde_json::json;
use tests::cli::Cli;

#[test]
fn branches_are_those_that_git_lists_and_the_current_one_is_that_of_the_worktree() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    for name in ["feature/x", "fix/y", "z"] {
        repo.git(&["branch", name]);
    }
    cli.run(&["new", "--from", "local:project"]).ok();
    // An agent may name the sandbox's own target, and no other.
    let own = cli.call("git_branches", &json!({ "target": { "type": "local", "path": "project" } })).ok();
    let listed = repo.try_git(&["branch", "--list"], b"").stdout;
    assert_eq!(own.stdout.as_bytes(), listed);
    let count = own.stdout.lines().count();
    let upstream = cli.structured("git_branches", &json!({ "limit": 1, "offset": 1 }));
    assert_eq!(
        (&upstream["branches"], &upstream["current"], &upstream["count"], &upstream["nextOffset"]),
        (&json!(["fix/y"]), &json!("main"), &json!(count), &json!(2))
    );
    cli.repository("other");
    let other = json!({ "target": { "type": "local", "path": "other" } }).to_string();
    assert!(cli.run(&["call", "git_branches", &other]).exits(1).stderr.contains("not one of the sandbox's targets"));
    cli.run(&["call", "git_branches", &other, "--as", "user"]).ok();

    repo.git(&["worktree", "add", "-q", "../linked", "z"]);
    let linked = json!({ "target": { "type": "local", "path": "linked" } });
    assert_eq!(cli.structured("git_branches", &linked)["current"], "z");
}

#[test]
fn a_linked_worktree_opens_on_the_branch_that_is_checked_out_there() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    repo.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    cli.unattended();
    let opened = cli.run(&["new", "--from", "local:linked", "--identity", "Ada <ada@example.org>"]).ok();
    assert!(opened.stdout.contains("on side with"), "{opened:#?}");
    cli.call("write_file", &json!({ "path": "new.txt", "content": "new\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["new.txt"], "message": "Add" })).ok();
    let before = repo.id("main");
    cli.run(&["push", "--to", "local:linked", "--yes"]).ok();
    assert_eq!((repo.id("main"), repo.id("side~1")), (before.clone(), before));
    assert_eq!(std::fs::read_to_string(cli.work().join("linked/new.txt")).unwrap(), "new\n");
    repo.is_sound();
}
