//! Pushing a single commit, rebased onto the target's head.

use serde_json::json;
use tests::repo::Repo;
use tests::tree::{self, assert_same};

use crate::pushing::{Staged, digest, more, restore_home_without_outcome, save_home, staged};

/// The ids of the waiting commits.
fn waiting(staged: &Staged) -> Vec<String> {
    let status = staged.cli.structured("git_status", &json!({}));
    status["staged"].as_array().unwrap().iter().map(|commit| commit["id"].as_str().unwrap().to_owned()).collect()
}

/// Shows and pushes a single commit. Returns what was shown.
#[track_caller]
fn alone(staged: &Staged, id: &str, to: &str) -> String {
    let push = ["push", id, "--to", to, "--only"];
    let out = staged.cli.run(&push).fails(3);
    let shown = digest(&out);
    assert_eq!(digest(&staged.cli.run(&push).fails(3)), shown, "the same commit on the same head is the same push");
    staged.cli.run(&[&push[..], &["--approve", &shown]].concat()).ok();
    out.stdout
}

#[test]
fn a_commit_lands_without_those_before_it_as_git_cherry_pick_makes_it() {
    let staged = staged();
    let (second, third) =
        (more(&staged.cli, "second.md", "Second"), more(&staged.cli, "third.md", "Third\n\nAnd last."));
    let bare = staged.repo.bare_clone(&staged.cli.work().join("bare.git"));
    let shown = alone(&staged, &third, "local:project");
    assert!(shown.contains("    Third\n") && shown.contains("A third.md (+3)"), "{shown}");
    assert!(
        !shown.contains("Second") && !shown.contains("Tell of the past") && !shown.contains("README.md"),
        "{shown}"
    );
    let repo = &staged.repo;
    assert_eq!(repo.id("main~1"), staged.base);
    assert_eq!(repo.git(&["diff", "--name-status", "main~1", "main"]), "A\tthird.md");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.read("README.md"), "# Project\n\nA repository with history.\n");
    repo.is_sound();
    assert_eq!(waiting(&staged), [staged.id.as_str(), &second]);
    // The others go to another target, and the last one is unchanged. git produces the same.
    let all = digest(&staged.cli.run(&["push", &third, "--to", "bare:bare.git"]).fails(3));
    staged.cli.run(&["push", &third, "--to", "bare:bare.git", "--approve", &all]).ok();
    bare.git(&["worktree", "add", "--quiet", "--detach", "../picked", &staged.base]);
    let picked = Repo::at(&staged.cli.work().join("picked"));
    picked.git(&["cherry-pick", "main"]);
    let what = |repo: &Repo, commit| repo.git(&["show", "--no-patch", "--format=%T %P %an %ae %ad%n%B", commit]);
    assert_eq!(what(&picked, "HEAD"), what(repo, "main"));
    let committer = |repo: &Repo| repo.git(&["show", "--no-patch", "--format=%cn %ce %cd", "main"]);
    assert_eq!(committer(&bare), committer(repo));
}

#[test]
fn what_landed_by_itself_stays_landed_through_undo_and_one_after_the_other_can() {
    let staged = staged();
    let second = more(&staged.cli, "second.md", "Second");
    staged.cli.call("write_file", &json!({ "path": "scratch", "content": "1\n" })).ok();
    alone(&staged, &second, "local:project");
    // The undone call came before the landing, which is not a call of the sandbox.
    staged.cli.run(&["undo", "--past-push"]).ok();
    staged.cli.call("read_file", &json!({ "path": "scratch" })).fails(1);
    assert_eq!(waiting(&staged), [staged.id.as_str()]);
    let diff = staged.cli.run(&["diff"]).ok().stdout;
    assert!(diff.contains("Tell of the past") && !diff.contains("Second"), "{diff}");
    // Together they do not build on the target's current head.
    staged.cli.run(&["push", &second, "--to", "local:project"]).exits(4);
    let before = tree::read(staged.repo.root());
    staged.cli.run(&["push", &staged.id, "--to", "local:project"]).exits(4);
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
    alone(&staged, &staged.id, "local:project");
    assert_eq!(staged.repo.git(&["log", "--format=%s", &format!("{}..main", staged.base)]), "Tell of the past\nSecond");
    assert_eq!(staged.repo.read("src/new.rs"), "pub fn new() {}\n");
    assert_eq!(waiting(&staged), [""; 0]);
    staged.repo.is_sound();
}

#[test]
fn a_new_branch_begins_at_the_last_commit_that_the_target_has() {
    let staged = staged();
    let second = more(&staged.cli, "second.md", "Second");
    let shown = alone(&staged, &second, "local:project#topic-2");
    assert!(shown.contains("new branch: topic-2\n"), "{shown}");
    assert_eq!(staged.repo.id("topic-2~1"), staged.base);
    assert_eq!(staged.repo.id("main"), staged.base);
    staged.repo.is_sound();
}

#[test]
fn a_commit_that_needs_those_before_it_is_a_conflict_that_names_the_paths() {
    let staged = staged();
    staged.cli.call("edit_file", &json!({ "path": "README.md", "old": "a past", "new": "a future" })).ok();
    let second = staged.cli.structured("git_stage", &json!({ "files": ["README.md"], "message": "Second" }));
    let id = second["id"].as_str().unwrap();
    let before = tree::read(staged.repo.root());
    for to in ["local:project", "local:project#topic-2"] {
        let out = staged.cli.run(&["push", id, "--to", to, "--only", "--json"]).exits(4).json();
        let conflict = &out["structured"]["conflict"];
        assert_eq!(conflict["reason"], "other");
        assert!(conflict["message"].as_str().unwrap().ends_with(": README.md"), "{conflict}");
        assert!(out["structured"]["hint"].as_str().unwrap().contains("without only"), "{out}");
    }
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
    assert_eq!(waiting(&staged), [staged.id.as_str(), id]);
}

#[test]
fn a_commit_lands_on_a_branch_that_others_have_moved_and_what_they_did_came_in_for_that() {
    let staged = staged();
    let second = more(&staged.cli, "second.md", "Second");
    staged.repo.write("docs/latest.md", "Latest\n");
    staged.repo.commit("Meanwhile");
    let moved = staged.repo.id("main");
    staged.cli.run(&["push", &second, "--to", "local:project"]).exits(4);
    let shown = alone(&staged, &second, "local:project");
    assert!(shown.contains("A second.md (+1)") && !shown.contains("latest.md"), "{shown}");
    assert_eq!(staged.repo.id("main~1"), moved);
    assert_eq!(staged.repo.read("second.md"), "Second");
    assert_eq!(staged.repo.git(&["status", "--porcelain"]), "");
    staged.repo.is_sound();
    assert_eq!(waiting(&staged), [staged.id.as_str()]);
    // The other one comes along with a pull.
    staged.cli.call("git_pull", &json!({})).ok();
    let all = digest(&staged.cli.run(&["push", &staged.id, "--to", "local:project"]).fails(3));
    staged.cli.run(&["push", &staged.id, "--to", "local:project", "--approve", &all]).ok();
    assert_eq!(staged.repo.git(&["log", "--format=%s", &format!("{moved}..main")]), "Tell of the past\nSecond");
    assert_eq!(waiting(&staged), [""; 0]);
}

#[test]
fn a_branch_that_was_moved_in_a_repository_that_the_sandbox_knows_nothing_of_is_a_conflict() {
    let staged = staged();
    let bare = staged.repo.bare_clone(&staged.cli.work().join("bare.git"));
    staged.repo.write("other.md", "Other\n");
    staged.repo.commit("Meanwhile");
    staged.repo.git(&["push", "--quiet", bare.path(), "main"]);
    let out = staged.cli.run(&["push", &staged.id, "--to", "bare:bare.git", "--only", "--json"]).exits(4).json();
    assert_eq!(out["structured"]["conflict"]["reason"], "non-fast-forward");
    assert_eq!(out["structured"]["conflict"]["targetHead"], staged.repo.id("main"));
}

#[test]
fn one_that_landed_as_gitgate_was_killed_is_noted_at_the_next_start() {
    for to in ["local:project", "local:project#topic-2"] {
        let staged = staged();
        let second = more(&staged.cli, "second.md", "Second");
        let push = ["push", &second, "--to", to, "--only"];
        let shown = digest(&staged.cli.run(&push).fails(3));
        let saved = save_home(&staged.cli);
        staged.cli.run(&[&push[..], &["--approve", &shown]].concat()).ok();
        restore_home_without_outcome(&staged.cli, &saved);
        let next = staged.cli.run(&["status"]).ok();
        assert!(next.stderr.contains("was interrupted; it has landed"), "{next:#?}");
        assert_eq!(waiting(&staged), [staged.id.as_str()]);
        assert_eq!(staged.cli.run(&push).ok().stdout, "Everything up-to-date\n");
        assert_eq!(staged.cli.run(&["status"]).ok().stderr, "");
        staged.repo.is_sound();
    }
}

#[test]
fn what_of_a_commit_could_not_land_by_itself_stays_with_the_next_pull() {
    let staged = staged();
    more(&staged.cli, "key", "Add a key");
    staged.cli.call("delete_file", &json!({ "path": "key" })).ok();
    staged.cli.call("write_file", &json!({ "path": "fix.md", "content": "fix\n" })).ok();
    let files = json!({ "files": ["key", "fix.md"], "message": "Fix, without the key" });
    let id = staged.cli.structured("git_stage", &files)["commitId"].as_str().unwrap().to_owned();
    alone(&staged, &id, "local:project");
    staged.cli.call("git_pull", &json!({})).ok();
    staged.cli.call("read_file", &json!({ "path": "key" })).exits(1);
    assert_eq!(waiting(&staged).len(), 3, "with what is left of it");
    let all = digest(&staged.cli.run(&["push", "--to", "local:project"]).fails(3));
    staged.cli.run(&["push", "--to", "local:project", "--approve", &all]).ok();
    assert_eq!(staged.repo.git(&["ls-files", "key"]), "");
    assert_eq!(staged.repo.git(&["show", "--name-status", "--format=%s", "main"]), "Fix, without the key\n\nD\tkey");
}
