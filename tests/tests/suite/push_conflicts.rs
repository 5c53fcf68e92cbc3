//! A push that cannot succeed is a conflict with a reason, detected before anything changes.

use tests::cli::Out;
use tests::tree::{self, assert_same};

use crate::pushing::{Staged, digest, staged};

/// Approves a push that then meets a conflict: exit code 4, and an unchanged target.
#[track_caller]
fn conflicts(staged: &Staged, to: &str, prepare: impl FnOnce()) -> Out {
    let (digest, _) = staged.shown(to);
    prepare();
    let before = tree::read(staged.repo.root());
    let out = staged.cli.run(&["push", &staged.id, "--to", to, "--approve", &digest]).exits(4);
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
    // Nothing is lost inside either: the commit still waits.
    let status = staged.cli.run(&["status"]).ok();
    assert!(status.stdout.contains("\"Tell of the past\""), "{status:#?}");
    out
}

#[test]
fn a_target_that_has_moved() {
    let staged = staged();
    let out = conflicts(&staged, "local:project", || {
        staged.repo.write("other.md", "Other\n");
        staged.repo.commit("Meanwhile");
    });
    assert!(out.stdout.contains("non-fast-forward"), "{out:#?}");
    assert!(out.stdout.contains("with `gitgate push --to TARGET#BRANCH`"), "a person's words: {out:#?}");
    let json = staged.cli.run(&["push", &staged.id, "--to", "local:project", "--json"]).exits(4).json();
    let structured = &json["structured"];
    assert_eq!(structured["status"], "conflict");
    assert_eq!(structured["conflict"]["reason"], "non-fast-forward");
    assert_eq!(structured["conflict"]["targetHead"], staged.repo.id("main"));
}

#[test]
fn a_dirty_file_in_the_way_is_named() {
    let staged = staged();
    let out = conflicts(&staged, "local:project", || staged.repo.write("README.md", "Mine\n"));
    assert!(out.stdout.contains("README.md"), "{out:#?}");
    assert_eq!(staged.repo.read("README.md"), "Mine\n");
    assert_eq!(staged.repo.id("main"), staged.base);
    // Once the obstacle is gone, the same commit lands.
    staged.repo.git(&["checkout", "--quiet", "README.md"]);
    staged.push("local:project");
    staged.is_what_was_staged(&staged.repo, "main");
}

#[test]
fn an_untracked_file_in_the_way_is_named() {
    let staged = staged();
    let out = conflicts(&staged, "local:project", || staged.repo.write("src/new.rs", "// mine\n"));
    assert!(out.stdout.contains("src/new.rs"), "{out:#?}");
    assert_eq!(staged.repo.read("src/new.rs"), "// mine\n");
}

#[test]
fn a_change_in_the_index_is_in_the_way_as_well() {
    let staged = staged();
    conflicts(&staged, "local:project", || {
        staged.repo.write("README.md", "Mine, added\n");
        staged.repo.git(&["add", "README.md"]);
    });
    assert_eq!(staged.repo.git(&["status", "--porcelain"]), "M  README.md");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_folder_is_not_followed() {
    let staged = staged();
    let elsewhere = staged.cli.work().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let src = staged.repo.root().join("src");
    conflicts(&staged, "local:project", || {
        std::fs::remove_dir_all(&src).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &src).unwrap();
    });
    assert!(tree::read(&elsewhere).is_empty());
}

#[test]
fn a_lock_on_the_index_is_respected() {
    let staged = staged();
    let (digest, _) = staged.shown("local:project");
    let lock = staged.repo.root().join(".git/index.lock");
    std::fs::write(&lock, "").unwrap();
    let before = tree::read(staged.repo.root());
    staged.cli.run(&["push", &staged.id, "--to", "local:project", "--approve", &digest]).exits(4);
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
    std::fs::remove_file(&lock).unwrap();
    staged.push("local:project");
    assert_eq!(staged.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_branch_that_another_worktree_has_checked_out_is_updated_there() {
    let staged = staged();
    staged.repo.git(&["branch", "side"]);
    staged.repo.git(&["worktree", "add", "--quiet", "../side", "side"]);
    let side = tests::repo::Repo::at(&staged.cli.work().join("side"));
    staged.push("local:project#side");
    staged.is_what_was_staged(&side, "side");
    assert_eq!(side.git(&["status", "--porcelain"]), "");
    assert_eq!(side.read("src/new.rs"), "pub fn new() {}\n");
    assert_eq!(staged.repo.git(&["status", "--porcelain"]), "");
    staged.repo.is_sound();
}

#[test]
fn the_same_commit_pushed_by_two_sandboxes_lands_once() {
    let staged = staged();
    let cli = &staged.cli;
    cli.run(&["-s", "second", "new", "--from", "local:project", "--identity", "Second <second@example.org>"]).ok();
    let write = |arguments: serde_json::Value, tool: &str| {
        cli.run(&["-s", "second", "call", tool, &arguments.to_string(), "--yes", "--json"]).ok().json()
    };
    write(serde_json::json!({ "path": "README.md", "content": "Second\n" }), "write_file");
    let id = write(serde_json::json!({ "files": ["README.md"], "message": "Second" }), "git_stage")["structured"]["commitId"].clone();
    let id = id.as_str().unwrap();
    let second = digest(&cli.run(&["-s", "second", "push", id, "--to", "local:project"]).fails(3));
    staged.push("local:project");
    cli.run(&["-s", "second", "push", id, "--to", "local:project", "--approve", &second]).exits(4);
    staged.is_what_was_staged(&staged.repo, "main");
    staged.repo.is_sound();
}
