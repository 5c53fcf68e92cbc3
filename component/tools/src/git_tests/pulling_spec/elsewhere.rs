//! Merging files from a source where the sandbox's commits do not go, and in a first pull.

use super::*;
use crate::git::change::replay;

const RULES: &str = "*.lock -merge\n*.log merge=union\n*.wide conflict-marker-size=9\n";

/// The content of four files that both sides have, under `RULES`.
fn merged_by_the_rules(sandbox: &Sandbox, done: &Finished) {
    let content = ["a.lock", "a.log", "a.md", "a.wide"].map(|path| text(sandbox, path));
    let wide = "<<<<<<<<< ours (sandbox)\nmine\n=========\nyours\n>>>>>>>>> theirs (incoming)\n";
    assert_eq!(content, ["mine\n", "mine\nyours\n", MARKED, wide]);
    assert_eq!(done.structured()["conflicts"], json!(["/workspace/a.lock", "/workspace/a.md", "/workspace/a.wide"]));
}

#[test]
fn files_from_elsewhere_are_merged_as_attributes_say() {
    let (_, mut sandbox) = pulled(&[(".gitattributes", RULES), ("b.md", "b\n")]);
    let mut other = Target::named("local:/other");
    for path in ["a.lock", "a.log", "a.md", "a.wide"] {
        sandbox.write(path, "mine\n");
        other.sandbox.write(path, "yours\n");
    }
    other.commit("Other");
    let done =
        other.serve(&mut sandbox, "git_pull", json!({ "source": { "type": "local", "path": "/other" } })).unwrap();
    merged_by_the_rules(&sandbox, &done);
}

#[test]
fn a_first_pull_merges_as_the_attributes_say_that_come_with_it() {
    let mut target = Target::new();
    target.sandbox.write(".gitattributes", RULES);
    let mut sandbox = with_identity();
    for path in ["a.lock", "a.log", "a.md", "a.wide"] {
        sandbox.write(path, "mine\n");
        target.sandbox.write(path, "yours\n");
    }
    target.commit("Begin");
    let done = pull(&mut target, &mut sandbox, json!({}));
    merged_by_the_rules(&sandbox, &done);
}

#[test]
fn nobody_is_told_to_edit_markers_where_there_are_none() {
    let (mut target, mut sandbox) = pulled(&[("bytes", "\0"), ("a.md", "a\n")]);
    sandbox.write("bytes", "\0mine");
    target.sandbox.write("bytes", "\0yours");
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    let hint = done.structured()["hint"].as_str().unwrap().to_owned();
    assert!(
        hint.starts_with(
            "Pulled 1 file(s), 1 with conflicts. Files that could not be merged and have no markers: 1. \
             warning: Cannot merge binary files: bytes"
        ),
        "{hint}"
    );
    let mut other = Target::named("local:/other");
    other.sandbox.write("bytes", "\0theirs");
    other.commit("Other");
    let elsewhere = json!({ "source": { "type": "local", "path": "/other" } });
    let done = other.serve(&mut sandbox, "git_pull", elsewhere.clone()).unwrap();
    assert_eq!(
        done.structured()["hint"],
        "Pulled 1 file(s), 1 with conflicts. Files that could not be merged and have no markers: 1. /workspace/bytes cannot be \
         merged and has not changed. To take the incoming version, delete the file and pull it again."
    );
    sandbox.write("a.md", "mine\n");
    other.sandbox.write("a.md", "theirs\n");
    other.commit("More");
    let done = other.serve(&mut sandbox, "git_pull", elsewhere).unwrap();
    let hint = done.structured()["hint"].as_str().unwrap().to_owned();
    assert!(
        hint.starts_with(
            "Pulled 2 file(s), 2 with conflicts. Edit the text between the markers <<<<<<< and >>>>>>>, remove the markers, \
             and stage the files with git_stage. Files that could not be merged and have no markers: 1."
        ),
        "{hint}"
    );
}

#[test]
fn a_file_where_a_first_pull_puts_a_submodule_is_in_the_way_and_a_folder_is_not() {
    for (mine, way) in [("sub", Some("/workspace/sub")), ("sub/a.md", None)] {
        let mut target = Target::new();
        with_submodule(&mut target, "sub");
        let mut sandbox = with_identity();
        sandbox.write(mine, "mine\n");
        match (target.serve(&mut sandbox, "git_pull", json!({ "source": source() })), way) {
            (Err(error), Some(way)) => {
                assert_eq!(error.message, format!("{way} is in the way of the pull"));
                assert!(error.hint.contains("move_file"), "{}", error.hint);
            }
            (outcome, _) => assert!(outcome.is_ok_and(|_| way.is_none()), "{mine}"),
        }
        assert_eq!(text(&sandbox, mine), "mine\n");
    }
}

/// Adds a commit to `target` with nothing but a submodule.
fn with_submodule(target: &mut Target, path: &str) {
    target.sandbox.write("a.md", "a\n");
    let first = target.commit("Begin");
    let repo = target.sandbox.session.repo().unwrap();
    let mode = gix::objs::tree::EntryKind::Commit.into();
    let entries = vec![gix::objs::tree::Entry { mode, filename: path.into(), oid: first }];
    let tree = repo.gix.write_object(&gix::objs::Tree { entries }).unwrap().detach();
    let second = replay::rewrite(&repo, first, tree, Some(first)).unwrap();
    std::fs::write(target.sandbox.real(".git/refs/heads/main"), format!("{second}\n")).unwrap();
}
