//! `gitgate export`: a bundle leaves the sandbox like a push, after the same review.

use tests::repo::Repo;
use tests::tree::{self, assert_same};

use crate::pushing::{digest, staged};

#[test]
fn a_bundle_is_written_once_it_is_approved_and_git_can_clone_it() {
    let staged = staged();
    let before = tree::read(&staged.cli.work());
    let out = staged.cli.run(&["export", "out.bundle"]).fails(3);
    assert!(out.stdout.contains("A src/new.rs (+1)"), "{out:#?}");
    assert!(!out.stdout.contains("Pushing directly to main"), "in a new file nothing is protected: {out:#?}");
    assert_same(&before, &tree::read(&staged.cli.work()), "the folder");
    staged.cli.run(&["export", "out.bundle", "--approve", &digest(&out)]).ok();
    staged.repo.git(&["bundle", "verify", "--quiet", "../out.bundle"]);
    staged.repo.git(&["clone", "--quiet", "-b", "main", "../out.bundle", "../from-bundle"]);
    let clone = Repo::at(&staged.cli.work().join("from-bundle"));
    staged.is_what_was_staged(&clone, "main");
    clone.is_sound();
    assert_eq!(staged.repo.id("main"), staged.base, "the repository that it came from is not touched");
}

#[test]
fn an_export_is_reviewed_for_what_is_new_and_carries_history_as_it_was() {
    let cli = tests::cli::Cli::default();
    let repo = cli.repository("project");
    // A mode that old versions of git wrote.
    let blob = repo.git(&["rev-parse", "HEAD:README.md"]);
    let mut tree = b"100664 old.txt\0".to_vec();
    tree.extend((0..20).map(|n| u8::from_str_radix(&blob[2 * n..2 * n + 2], 16).unwrap()));
    let said = repo.try_git(&["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], &tree);
    let tree = String::from_utf8(said.stdout).unwrap();
    let commit = repo.git(&["commit-tree", "-p", "HEAD", "-m", "As it was", tree.trim()]);
    repo.git(&["reset", "--quiet", "--hard", &commit]);
    cli.run(&["new", "--from", "local:project", "--identity", "A <a@b>"]).ok();
    cli.call("write_file", &serde_json::json!({ "path": "new.txt", "content": "new\n" })).ok();
    cli.call("git_stage", &serde_json::json!({ "files": ["new.txt"], "message": "Add" })).ok();
    let out = cli.run(&["export", "out.bundle"]).fails(3);
    let files: Vec<&str> = out.stdout.lines().filter(|line| line.starts_with("A ") || line.starts_with("M ")).collect();
    assert_eq!(files, ["A new.txt (+1)"], "{out:#?}");
    assert_eq!(out.stdout.lines().filter(|line| line.starts_with("commit ")).count(), 1, "{out:#?}");
    assert!(out.stdout.contains("earlier commits"), "{out:#?}");
    cli.run(&["export", "out.bundle", "--approve", &digest(&out)]).ok();
    repo.git(&["bundle", "verify", "--quiet", "../out.bundle"]);
    repo.git(&["clone", "--quiet", "-b", "main", "../out.bundle", "../from-bundle"]);
    let clone = Repo::at(&cli.work().join("from-bundle"));
    assert_eq!(clone.git(&["log", "--format=%s", "-2"]), "Add\nAs it was");
}

#[test]
fn a_file_that_is_there_is_not_replaced() {
    let staged = staged();
    std::fs::write(staged.cli.work().join("out.bundle"), "mine").unwrap();
    let before = tree::read(&staged.cli.work());
    staged.cli.run(&["export", "out.bundle"]).fails(2);
    staged.cli.run(&["export", "no/such/folder/out.bundle"]).exits(1);
    assert_same(&before, &tree::read(&staged.cli.work()), "the folder");
}

#[test]
fn a_sandbox_opened_from_the_bundle_has_the_same_branch() {
    let staged = staged();
    let out = staged.cli.run(&["export", "out.bundle"]).fails(3);
    staged.cli.run(&["export", "out.bundle", "--approve", &digest(&out)]).ok();
    staged.cli.run(&["-s", "second", "new", "--from", "bundle:out.bundle"]).ok();
    let read = staged.cli.run(&["-s", "second", "call", "read_file", "{\"path\": \"README.md\"}"]).ok();
    assert_eq!(read.stdout, "# Project\n\nA repository with a past.\n");
}
