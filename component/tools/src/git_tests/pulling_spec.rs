//! The specification of pulls. The same tests run natively and in wasm.

mod again;
mod elsewhere;
mod index;
mod same;
mod sparse;
mod tracking;
mod unfinished;

use serde_json::{Value, json};

use crate::calling::target::{Target, commit, stage, with_identity, with_identity_and};
use crate::dispatch::Finished;
use crate::error::ErrorKind;
use crate::testing::Sandbox;

const MARKED: &str = "<<<<<<< ours (sandbox)\nmine\n=======\nyours\n>>>>>>> theirs (incoming)\n";

fn source() -> Value {
    json!({ "type": "local", "path": "/project" })
}

fn pull(target: &mut Target, sandbox: &mut Sandbox, mut arguments: Value) -> Finished {
    arguments["source"] = source();
    target.serve(sandbox, "git_pull", arguments).unwrap()
}

/// A target with these files in one commit, and a sandbox that has pulled from it.
fn pulled(files: &[(&str, &str)]) -> (Target, Sandbox) {
    let mut target = Target::new();
    for (path, content) in files {
        target.sandbox.write(path, content);
    }
    target.commit("Begin");
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({}));
    (target, sandbox)
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    String::from_utf8(sandbox.read(path)).unwrap()
}

fn status(sandbox: &mut Sandbox) -> String {
    sandbox.ok("git_status", json!({})).text
}

#[test]
fn a_first_pull_makes_a_clone() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n"), ("docs/b.md", "b\n")]);
    assert_eq!((text(&sandbox, "a.md"), text(&sandbox, "docs/b.md")), ("a\n".to_owned(), "b\n".to_owned()));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n");
    assert_eq!(pull(&mut target, &mut sandbox, json!({})).structured()["hint"], "Already up to date.");
    assert_eq!(target.fetches, 1, "nothing is fetched that is there");
}

#[test]
fn a_first_pull_of_paths_has_only_those_and_brings_others_when_they_are_needed() {
    let mut target = Target::new();
    for path in ["a.md", "docs/b.md", "docs/c/d.md", "src/e.rs"] {
        target.sandbox.write(path, format!("{path}\n"));
    }
    target.commit("Begin");
    let mut sandbox = with_identity();
    let first = pull(&mut target, &mut sandbox, json!({ "paths": ["docs/", "/workspace/a.md"] }));
    assert_eq!(
        first.structured()["pulled"],
        json!(["/workspace/a.md", "/workspace/docs/b.md", "/workspace/docs/c/d.md"])
    );
    assert!(!sandbox.exists("src"));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n");
    let missing = sandbox.fail("read_file", json!({ "path": "src/e.rs" }));
    assert!(missing.hint.contains("git_pull with paths [\"src/e.rs\"]"), "{}", missing.hint);
    let fetches = target.fetches;
    sandbox.write("src/e.rs", "changed\n");
    let diff = target.serve(&mut sandbox, "git_diff", json!({ "paths": ["src"] })).unwrap();
    assert!(diff.text.contains("-src/e.rs\n+changed\n"), "{}", diff.text);
    assert_eq!(target.fetches, fetches + 1);
    let more = pull(&mut target, &mut sandbox, json!({ "paths": ["."] }));
    assert_eq!(more.structured()["pulled"], json!([]), "what is there stays: {}", more.text);
    assert_eq!(text(&sandbox, "src/e.rs"), "changed\n");
}

#[test]
fn a_first_pull_merges_with_what_is_there() {
    let mut target = Target::new();
    target.sandbox.write("same.md", "same\n");
    target.sandbox.write("other.md", "yours\n");
    target.commit("Begin");
    let mut sandbox = with_identity();
    sandbox.write("same.md", "same\n");
    sandbox.write("other.md", "mine\n");
    sandbox.write("own.md", "own\n");
    let first = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(first.structured()["conflicts"], json!(["/workspace/other.md"]));
    assert_eq!(text(&sandbox, "other.md"), MARKED);
    assert_eq!(status(&mut sandbox), "## main...origin/main\n M other.md\n?? own.md\n");
}

#[test]
fn what_is_in_the_way_of_a_first_pull_is_named_and_nothing_changes() {
    for (mine, way) in [("docs", "/workspace/docs"), ("docs/b.md/x", "/workspace/docs/b.md")] {
        let mut target = Target::new();
        target.sandbox.write("docs/b.md", "b\n");
        target.commit("Begin");
        let mut sandbox = with_identity();
        sandbox.write(mine, "mine\n");
        let error = target.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Conflict);
        assert_eq!(error.message, format!("{way} is in the way of the pull"));
        assert_eq!(text(&sandbox, mine), "mine\n");
    }
}

#[test]
fn the_base_moves_and_staged_commits_keep_their_ids() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n")]);
    sandbox.write("one.md", "one\n");
    let one = stage(&mut sandbox, &["one.md"], "One");
    sandbox.write("two.md", "two\n");
    let two = stage(&mut sandbox, &["two.md"], "Two");
    target.sandbox.write("a.md", "b\n");
    let tip = target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(done.structured()["pulled"], json!(["/workspace/a.md"]));
    assert_eq!(done.structured()["commitSha"], json!(tip.to_string()));
    let staged = sandbox.ok("git_status", json!({})).structured()["staged"].clone();
    assert_eq!((&staged[0]["id"], &staged[1]["id"]), (&one["id"], &two["id"]));
    assert_ne!(staged[0]["commitId"], one["commitSha"], "they are other commits now");
    assert_eq!(status(&mut sandbox), "## main...origin/main [ahead 2]\n");
    // Upstream has the same change as another commit.
    target.sandbox.write("one.md", "one\n");
    target.commit("One, too");
    let done = pull(&mut target, &mut sandbox, json!({}));
    let hint = format!(
        "New commits came in, but no file changed. Staged commit {} \"One\" is no longer staged, because upstream already has its changes.",
        one["id"].as_str().unwrap()
    );
    assert_eq!(done.structured()["hint"], hint);
    assert_eq!(status(&mut sandbox), "## main...origin/main [ahead 1]\n");
}

#[test]
fn a_commit_whose_change_has_come_is_gone_and_the_others_stay() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n")]);
    sandbox.write("a.md", "b\n");
    stage(&mut sandbox, &["a.md"], "Same");
    sandbox.write("a.md", "c\n");
    let second = stage(&mut sandbox, &["a.md"], "On top of it");
    target.sandbox.write("a.md", "b\n");
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!((&done.structured()["conflicts"], done.structured().get("unstaged")), (&json!([]), None));
    let staged = sandbox.ok("git_status", json!({})).structured()["staged"].clone();
    assert_eq!((staged.as_array().unwrap().len(), &staged[0]["id"]), (1, &second["id"]));
    assert_eq!(text(&sandbox, "a.md"), "c\n");
}

#[test]
fn a_commit_that_does_not_apply_is_staged_no_longer_and_its_content_has_markers() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n"), ("b.md", "b\n")]);
    sandbox.write("a.md", "mine\n");
    let first = stage(&mut sandbox, &["a.md"], "Mine\n\nWith reasons.");
    sandbox.write("b.md", "bb\n");
    let second = stage(&mut sandbox, &["b.md"], "Elsewhere");
    sandbox.write("b.md", "bb\nnot staged\n");
    target.sandbox.write("a.md", "yours\n");
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(done.structured()["conflicts"], json!(["/workspace/a.md"]));
    assert_eq!(done.structured()["unstaged"], json!([{ "id": first["id"], "message": "Mine\n\nWith reasons." }]));
    assert_eq!((text(&sandbox, "a.md"), text(&sandbox, "b.md")), (MARKED.to_owned(), "bb\nnot staged\n".to_owned()));
    assert_eq!(status(&mut sandbox), "## main...origin/main [ahead 1]\n M a.md\n M b.md\n");
    let seen = sandbox.ok("git_status", json!({})).structured();
    assert_eq!(seen["staged"][0]["id"], second["id"]);
    let conflicts: Vec<&Value> = seen["unstaged"].as_array().unwrap().iter().map(|file| &file["conflict"]).collect();
    assert_eq!(conflicts, [&json!(true), &Value::Null], "a.md has markers left, and b.md has none: {seen}");
    assert!(seen["hint"].as_str().unwrap().contains("have markers of a merge left"), "{seen}");
    sandbox.write("a.md", "solved\n");
    assert_eq!(sandbox.ok("git_status", json!({})).structured()["unstaged"][0]["conflict"], Value::Null);
    let gone = sandbox.calling("git_push", json!({ "commitId": first["id"] })).as_user().done().unwrap_err();
    assert_eq!(gone.kind, ErrorKind::NotFound, "it is no commit of the repository any more");
}

#[test]
fn uncommitted_work_is_merged_whether_it_was_added_or_not() {
    let lines = |first: &str, last: &str| format!("{first}\n2\n3\n4\n{last}\n");
    let (mut target, mut sandbox) = pulled(&[("a.md", &lines("1", "5")), ("b.md", "b\n"), ("gone.md", "g\n")]);
    sandbox.write("a.md", lines("one", "5"));
    sandbox.write("b.md", "mine\n");
    sandbox.write("untracked.md", "u\n");
    std::fs::remove_file(sandbox.real("gone.md")).unwrap();
    target.sandbox.write("a.md", lines("1", "five"));
    target.sandbox.write("b.md", "yours\n");
    target.sandbox.write("new/c.md", "c\n");
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(done.structured()["pulled"], json!(["/workspace/a.md", "/workspace/b.md", "/workspace/new/c.md"]));
    assert_eq!(done.structured()["conflicts"], json!(["/workspace/b.md"]));
    assert_eq!((text(&sandbox, "a.md"), text(&sandbox, "b.md")), (lines("one", "five"), MARKED.to_owned()));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n M a.md\n M b.md\n D gone.md\n?? untracked.md\n");
}

#[test]
fn work_follows_a_file_that_was_renamed_and_is_kept_where_it_was_deleted() {
    let long: String = (1..30).map(|n| format!("line {n}\n")).collect();
    let (mut target, mut sandbox) = pulled(&[("old.md", &long), ("dropped.md", "d\n")]);
    sandbox.write("old.md", format!("{long}mine\n"));
    sandbox.write("dropped.md", "d\nmine\n");
    target.sandbox.ok("move_file", json!({ "from": "old.md", "to": "docs/new.md" }));
    std::fs::remove_file(target.sandbox.real("dropped.md")).unwrap();
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(text(&sandbox, "docs/new.md"), format!("{long}mine\n"));
    assert!(!sandbox.exists("old.md"));
    assert_eq!(text(&sandbox, "dropped.md"), "d\nmine\n");
    assert_eq!(done.structured()["conflicts"], json!(["/workspace/dropped.md"]));
    assert!(done.text.contains("CONFLICT (modify/delete): dropped.md deleted in theirs (incoming)"), "{}", done.text);
}

#[test]
fn untracked_files_in_the_way_are_merged_or_kept_beside() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n")]);
    sandbox.write("both.md", "mine\n");
    sandbox.write("docs", "a file\n");
    target.sandbox.write("both.md", "yours\n");
    target.sandbox.write("docs/b.md", "b\n");
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(text(&sandbox, "both.md"), MARKED);
    assert_eq!(text(&sandbox, "docs/b.md"), "b\n");
    assert_eq!(text(&sandbox, "docs~ours (sandbox)"), "a file\n");
    assert_eq!(done.structured()["conflicts"], json!(["/workspace/both.md", "/workspace/docs~ours (sandbox)"]));
}

#[test]
fn modes_and_links_come_along() {
    let (mut target, mut sandbox) = pulled(&[("run.sh", "#!/bin/sh\n"), ("file", "f\n")]);
    target.sandbox.write_executable("run.sh", "#!/bin/sh\n");
    std::fs::remove_file(target.sandbox.real("file")).unwrap();
    target.sandbox.symlink("run.sh", "file");
    target.commit("Upstream");
    pull(&mut target, &mut sandbox, json!({}));
    assert!(sandbox.is_executable("run.sh"));
    assert_eq!(std::fs::read_link(sandbox.real("file")).unwrap(), std::path::Path::new("run.sh"));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n");
}

#[test]
fn files_from_elsewhere_are_merged_and_nothing_else_changes() {
    let (_, mut sandbox) = pulled(&[("a.md", "mine\n"), ("b.md", "b\n")]);
    let mut other = Target::named("local:/other");
    other.sandbox.write("a.md", "yours\n");
    other.sandbox.write("t/letter.md", "Dear\n");
    other.sandbox.write("t/bytes", "\0yours");
    other.commit("Other");
    sandbox.write("t/bytes", "\0mine");
    let arguments = json!({ "source": { "type": "local", "path": "/other" }, "paths": ["a.md", "t"] });
    let done = other.serve(&mut sandbox, "git_pull", arguments.clone()).unwrap();
    assert_eq!(done.structured()["pulled"], json!(["/workspace/a.md", "/workspace/t/bytes", "/workspace/t/letter.md"]));
    assert_eq!(done.structured()["conflicts"], json!(["/workspace/a.md", "/workspace/t/bytes"]));
    assert_eq!((text(&sandbox, "a.md"), text(&sandbox, "t/bytes")), (MARKED.to_owned(), "\0mine".to_owned()));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n M a.md\n?? t/\n");
    let again = other.serve(&mut sandbox, "git_pull", arguments).unwrap();
    assert_eq!(text(&sandbox, "t/letter.md"), "Dear\n");
    assert!(again.structured()["conflicts"].as_array().unwrap().contains(&json!("/workspace/t/bytes")));
}

#[test]
fn another_zone_gets_the_files_only_and_a_read_only_one_nothing() {
    let mut target = Target::new();
    target.sandbox.write("t/a.md", "yours\n");
    target.commit("Begin");
    let mut sandbox = with_identity_and(&[("notes", true), ("fixed", false)]);
    sandbox.write("/notes/t/a.md", "mine\n");
    let done = pull(&mut target, &mut sandbox, json!({ "destZone": "notes", "paths": ["t"] }));
    assert_eq!(done.structured()["conflicts"], json!(["/notes/t/a.md"]));
    assert_eq!(text(&sandbox, "/notes/t/a.md"), MARKED);
    assert_eq!(status(&mut sandbox), "## No commits yet on main\n");
    let error = target.serve(&mut sandbox, "git_pull", json!({ "source": source(), "destZone": "fixed" })).unwrap_err();
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::SandboxViolation, "Read-only zone: fixed"));
}

#[test]
fn a_repository_without_a_commit_is_a_clone_that_is_empty() {
    let mut target = Target::new();
    let mut sandbox = with_identity();
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert!(done.text.starts_with("You appear to have cloned an empty repository.\n"), "{}", done.text);
    sandbox.write("a.md", "a\n");
    commit(&mut sandbox, "First");
    target.sandbox.write("b.md", "b\n");
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(done.structured()["pulled"], json!(["/workspace/b.md"]));
    assert_eq!(status(&mut sandbox), "## main...origin/main [ahead 1]\n");
}

#[test]
fn a_file_that_is_there_again_after_its_deletion_was_staged_is_merged_and_not_lost() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n")]);
    sandbox.ok("delete_file", json!({ "path": "a.md" }));
    stage(&mut sandbox, &["a.md"], "Delete it");
    sandbox.write("a.md", "mine\n");
    target.sandbox.write("a.md", "yours\n");
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(
        (text(&sandbox, "a.md"), &done.structured()["conflicts"]),
        (MARKED.to_owned(), &json!(["/workspace/a.md"]))
    );
}

#[test]
fn an_untracked_file_where_only_the_merge_puts_one_is_in_the_way() {
    let (mut target, mut sandbox) = pulled(&[("a/1.md", "1\n"), ("a/2.md", "2\n")]);
    sandbox.write("a/new.md", "staged\n");
    stage(&mut sandbox, &["a"], "New");
    sandbox.write("b/new.md", "untracked\n");
    target.sandbox.ok("move_file", json!({ "from": "a", "to": "b" }));
    target.commit("The folder has moved");
    let error = target.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert_eq!(text(&sandbox, "b/new.md"), "untracked\n");

    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n")]);
    sandbox.write("p", "staged\n");
    stage(&mut sandbox, &["p"], "A file");
    sandbox.write("p~ours (sandbox)", "untracked\n");
    target.sandbox.write("p/q", "q\n");
    target.commit("A folder");
    let error = target.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
    assert_eq!(error.message, "/workspace/p~ours (sandbox) is in the way of the pull");
    assert_eq!(text(&sandbox, "p~ours (sandbox)"), "untracked\n");
}

#[test]
fn files_are_converted_by_the_attributes_that_come_with_them() {
    let (mut target, mut sandbox) = pulled(&[(".gitattributes", "*.txt text eol=crlf\n"), ("a.txt", "a\n")]);
    assert_eq!(text(&sandbox, "a.txt"), "a\r\n");
    target.sandbox.write(".gitattributes", "*.md text eol=crlf\n");
    target.sandbox.write("a.txt", "b\n");
    target.sandbox.write("b.md", "b\n");
    target.commit("Upstream");
    pull(&mut target, &mut sandbox, json!({}));
    assert_eq!((text(&sandbox, "a.txt"), text(&sandbox, "b.md")), ("b\n".to_owned(), "b\r\n".to_owned()));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n");
}

#[test]
fn a_sparse_sandbox_has_the_rules_for_its_files_whatever_becomes_of_them() {
    let mut target = Target::new();
    target.sandbox.write("docs/a.txt", "a\n");
    target.sandbox.write("src/b.rs", "b\n");
    target.commit("Begin");
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"] }));
    for round in 0..3 {
        target.sandbox.write(".gitattributes", format!("*.txt text\n# {round}\n"));
        target.sandbox.write("docs/.gitignore", format!("*.log\n# {round}\n"));
        target.sandbox.write("docs/a.txt", format!("{round}\n"));
        target.commit("Upstream");
        pull(&mut target, &mut sandbox, json!({}));
        assert_eq!(text(&sandbox, "docs/a.txt"), format!("{round}\n"));
        // The call needs no question now.
        assert_eq!(status(&mut sandbox), "## main...origin/main\n");
    }
}

#[test]
fn many_staged_commits_of_a_sparse_sandbox_ask_once_for_what_they_need() {
    let lines = |first: &str, last: &str| format!("{first}\n2\n3\n4\n5\n6\n7\n8\n{last}\n");
    let names: Vec<String> = (0..12).map(|n| format!("src/{n}.rs")).collect();
    let mut target = Target::new();
    target.sandbox.write("docs/a.md", "a\n");
    for name in &names {
        target.sandbox.write(name, lines(name, "9"));
    }
    target.commit("Begin");
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"] }));
    for name in &names {
        sandbox.write(name, lines("mine", "9"));
        // The tests roll no call back, so the old version that a stage reports on must be here first.
        target.serve(&mut sandbox, "git_diff", json!({ "paths": [name] })).unwrap();
        stage(&mut sandbox, &[name], name);
        target.sandbox.write(name, lines(name, "yours"));
    }
    target.commit("Upstream");
    let fetches = target.fetches;
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!((&done.structured()["conflicts"], done.structured().get("unstaged")), (&json!([]), None));
    assert!(target.fetches <= fetches + 4, "{}", target.fetches - fetches);
    for name in &names {
        assert_eq!(text(&sandbox, name), lines("mine", "yours"));
    }
}
