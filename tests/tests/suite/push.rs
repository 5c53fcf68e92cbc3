//! The main job: commits made in the sandbox arrive in a real repository, once a person has approved what they saw.

use serde_json::json;
use tests::tree::{self, assert_same};

use crate::pushing::{Staged, staged};

#[test]
fn nothing_leaves_without_an_approval() {
    let staged = staged();
    let before = tree::read(staged.repo.root());
    let (_, out) = staged.shown("local:project");
    for line in ["M README.md (+1 -1)", "A src/new.rs (+1)", "D dos.txt (-2)"] {
        assert!(out.stdout.lines().any(|shown| shown == line), "{out:#?}");
    }
    assert!(out.stdout.contains("main"), "a protected branch is warned of: {out:#?}");
    assert!(!out.stdout.contains("new branch"), "{out:#?}");
    // --yes is only for calls that stay inside.
    let yes = staged.cli.run(&["push", &staged.id, "--to", "local:project", "--yes"]).fails(3);
    assert!(yes.stderr.contains("unattended"), "{yes:#?}");
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
}

#[test]
fn a_push_to_the_branch_that_is_checked_out_brings_the_worktree_along() {
    let staged = staged();
    staged.push("local:project");
    let repo = &staged.repo;
    staged.is_what_was_staged(repo, "main");
    assert_eq!(repo.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.read("README.md"), "# Project\n\nA repository with a past.\n");
    assert_eq!(repo.read("src/new.rs"), "pub fn new() {}\n");
    assert!(!repo.root().join("dos.txt").exists());
    assert_eq!(repo.id("main@{1}"), staged.base, "the reflog knows where main was");
    repo.is_sound();
}

#[test]
fn a_file_of_the_persons_that_the_push_does_not_touch_stays_as_it_is() {
    let staged = staged();
    staged.repo.write("src/main.rs", "fn main() { /* half done */ }\n");
    staged.repo.write("scratch.txt", "a note\n");
    staged.push("local:project");
    assert_eq!(staged.repo.git(&["status", "--porcelain"]), " M src/main.rs\n?? scratch.txt");
    assert_eq!(staged.repo.read("src/main.rs"), "fn main() { /* half done */ }\n");
    staged.is_what_was_staged(&staged.repo, "main");
    staged.repo.is_sound();
}

#[test]
fn a_push_to_another_branch_leaves_the_worktree_alone() {
    let staged = staged();
    staged.repo.git(&["branch", "other"]);
    staged.push("local:project#other");
    staged.is_what_was_staged(&staged.repo, "other");
    assert_eq!(staged.repo.id("main"), staged.base);
    assert_eq!(staged.repo.git(&["status", "--porcelain"]), "");
    staged.repo.is_sound();
}

#[test]
fn a_new_branch_is_announced() {
    let staged = staged();
    let (digest, out) = staged.shown("local:project#work/new-one");
    assert!(out.stdout.contains("new branch: work/new-one\n"), "{out:#?}");
    staged.cli.run(&["push", &staged.id, "--to", "local:project#work/new-one", "--approve", &digest]).ok();
    staged.is_what_was_staged(&staged.repo, "work/new-one");
    assert_eq!(staged.repo.id("main"), staged.base);
    staged.repo.is_sound();
}

#[test]
fn a_push_to_a_bare_repository() {
    let staged = staged();
    let bare = staged.repo.bare_clone(&staged.cli.work().join("bare.git"));
    staged.push("bare:bare.git");
    staged.is_what_was_staged(&bare, "main");
    assert_eq!(staged.repo.id("main"), staged.base, "the repository that it came from is another one");
    bare.is_sound();
}

#[test]
fn the_approval_names_everything_that_leaves() {
    let staged = staged();
    staged.cli.call("write_file", &json!({ "path": "second.md", "content": "2\n" })).ok();
    let second = staged.cli.structured("git_stage", &json!({ "files": ["second.md"], "message": "Second" }));
    let id = second["commitId"].as_str().unwrap();
    let out = staged.cli.run(&["push", id, "--to", "local:project"]).fails(3);
    for line in ["A second.md (+1)", "A src/new.rs (+1)"] {
        assert!(out.stdout.contains(line), "{out:#?}");
    }
    let json = staged.cli.run(&["push", id, "--to", "local:project", "--json"]).exits(3).json();
    assert_eq!(json["error"]["kind"], "not-approved");
    assert_eq!(
        json["error"]["digest"],
        crate::pushing::digest(&out),
        "the same push, shown again, has the same digest"
    );
    let digest = json["error"]["digest"].as_str().unwrap();
    staged.cli.run(&["push", id, "--to", "local:project", "--approve", digest]).ok();
    assert_eq!(staged.repo.git(&["log", "--format=%s", &format!("{}..main", staged.base)]), "Second\nTell of the past");
    assert_eq!(staged.repo.git(&["status", "--porcelain"]), "");
    staged.repo.is_sound();
}

#[test]
fn a_digest_holds_once_and_for_one_push() {
    let staged = staged();
    let (digest, _) = staged.shown("local:project");
    let another = staged.cli.run(&["push", &staged.id, "--to", "local:project#topic-2", "--approve", &digest]).fails(3);
    assert!(another.stderr.contains("digest"), "{another:#?}");
    staged.cli.run(&["push", &staged.id, "--to", "local:project", "--approve", &digest]).ok();
    // The same push again is another push, although the branch was reset to its old place.
    staged.repo.git(&["reset", "--quiet", "--hard", &staged.base]);
    staged.cli.run(&["push", &staged.id, "--to", "local:project", "--approve", &digest]).fails(3);
    assert_eq!(staged.repo.id("main"), staged.base);
}

#[test]
fn an_approval_by_digest_is_given_by_another_process_but_only_for_what_was_shown() {
    let staged = staged();
    let (digest, _) = staged.shown("local:project");
    staged.cli.call("write_file", &json!({ "path": "README.md", "content": "Other\n" })).ok();
    let amended = staged.cli.structured("git_stage", &json!({ "files": ["README.md"], "message": "More" }));
    let id = amended["commitId"].as_str().unwrap();
    staged.cli.run(&["push", id, "--to", "local:project", "--approve", &digest]).fails(3);
    assert_eq!(staged.repo.id("main"), staged.base);
    staged.cli.run(&["push", &staged.id, "--to", "local:project", "--approve", &digest]).ok();
    staged.is_what_was_staged(&staged.repo, "main");
}

#[test]
fn where_the_person_has_said_so_yes_is_enough() {
    let staged = staged();
    staged.cli.unattended();
    staged.cli.run(&["push", &staged.id, "--to", "local:project", "--yes"]).ok();
    staged.is_what_was_staged(&staged.repo, "main");
}

#[test]
fn what_was_pushed_is_not_staged_any_more() {
    let staged = staged();
    staged.push("local:project");
    let status = staged.cli.structured("git_status", &json!({}));
    assert_eq!(status["staged"], json!([]));
    assert!(status["unstaged"].as_array().unwrap().is_empty());
    let again = staged.cli.run(&["push", &staged.id, "--to", "local:project"]).ok();
    assert_eq!(again.stdout, "Everything up-to-date\n");
    assert!(staged.cli.run(&["status"]).ok().stdout.contains("Staged Commits:\n  None\n"));
}

#[test]
fn an_undo_takes_back_the_stage_and_not_the_push() {
    let staged = staged();
    staged.push("local:project");
    let refused = staged.cli.run(&["undo"]).fails(1);
    assert!(refused.stderr.contains("this goes back to before a push: "), "{refused:#?}");
    assert!(refused.stderr.contains("hint: add --past-push if you mean it."), "{refused:#?}");
    let undone = staged.cli.run(&["undo", "--past-push"]).ok();
    assert!(undone.stdout.contains("git_stage"), "the call that was taken back is named: {undone:#?}");
    staged.is_what_was_staged(&staged.repo, "main");
    // Inside, the branch is back at the base, and the sandbox knows that the target's is ahead.
    let status = staged.cli.call("git_status", &json!({})).ok();
    assert!(status.stdout.starts_with("## main...origin/main [behind 1]\n"), "{status:#?}");
}

#[test]
fn an_agent_cannot_push() {
    let staged = staged();
    staged.cli.unattended();
    let before = tree::read(staged.repo.root());
    let arguments = json!({ "commitId": staged.id, "target": { "type": "local", "path": "project" } }).to_string();
    for flags in [&[][..], &["--yes"], &["--as", "agent", "--yes"]] {
        let out = staged.cli.run(&[&["call", "git_push", &arguments, "--json"], flags].concat()).exits(1);
        assert_eq!(out.json()["error"]["kind"], "not-permitted", "{out:#?}");
    }
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
    let Staged { cli, id, .. } = &staged;
    cli.run(&["call", "git_push", &arguments, "--as", "user", "--yes"]).ok();
    cli.run(&["push", id, "--to", "local:project"]).ok();
}
