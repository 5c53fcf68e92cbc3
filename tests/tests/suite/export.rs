//! `gitgate export`: a bundle leaves the sandbox like a push does, after the same review.

use tests::repo::Repo;
use tests::tree::{self, assert_same};

use crate::pushing::{digest, staged};

#[test]
fn a_bundle_is_written_once_it_is_approved_and_git_can_clone_it() {
    let staged = staged();
    let before = tree::read(&staged.cli.work());
    let out = staged.cli.run(&["export", "out.bundle"]).fails(3);
    assert!(out.stdout.contains("A src/new.rs (+1)"), "{out:#?}");
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
