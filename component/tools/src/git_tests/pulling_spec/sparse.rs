//! Pulls in a sandbox with a part of the repository.

use gix::index::entry::{Flags, Stage};

use super::*;
use crate::git::store::index;

/// A target with these files in one commit, and a sandbox that has pulled only `docs`.
fn with_docs(files: &[(&str, &str)]) -> (Target, Sandbox) {
    let mut target = Target::new();
    for (path, content) in files {
        target.sandbox.write(path, content);
    }
    target.commit("Begin");
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"] }));
    (target, sandbox)
}

#[test]
fn blobs_of_the_first_commit_that_is_here_are_found_although_its_parents_are_not() {
    let mut target = Target::new();
    for content in ["zero\n", "one\n"] {
        target.sandbox.write("docs/p.md", "p\n");
        target.sandbox.write("src/e.rs", content);
        target.commit(content);
    }
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"] }));
    target.sandbox.write("src/e.rs", "two\n");
    target.commit("Two");
    pull(&mut target, &mut sandbox, json!({}));
    let diff = json!({ "from_ref": "HEAD~1", "to_ref": "HEAD" });
    let diff = target.serve(&mut sandbox, "git_diff", diff).unwrap();
    assert!(diff.text.contains("-one\n+two\n"), "{}", diff.text);
    // git shows a shallow boundary commit as if it had no parent.
    let diff = target.serve(&mut sandbox, "git_diff", json!({ "commitId": "HEAD~1", "name_only": true })).unwrap();
    assert_eq!(diff.text, "docs/p.md\nsrc/e.rs\n");
}

#[test]
fn a_file_outside_the_paths_is_merged_with_what_came_since() {
    let lines = |first: &str, last: &str| format!("{first}\n2\n3\n4\n{last}\n");
    let mut target = Target::new();
    for first in ["0", "1"] {
        target.sandbox.write("docs/p.md", "p\n");
        target.sandbox.write("src/e.rs", lines(first, "5"));
        target.commit(first);
    }
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"] }));
    sandbox.write("src/e.rs", lines("one", "5"));
    target.sandbox.write("src/e.rs", lines("1", "five"));
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!((&done.structured()["conflicts"], text(&sandbox, "src/e.rs")), (&json!([]), lines("one", "five")));
}

#[test]
fn what_a_commit_that_does_not_apply_had_deleted_is_deleted_still() {
    let (mut target, mut sandbox) = with_docs(&[("docs/p.md", "p\n"), ("docs/q.md", "q\n"), ("src/e.rs", "e\n")]);
    sandbox.ok("move_file", json!({ "from": "docs/p.md", "to": "docs/r.md" }));
    sandbox.write("docs/q.md", "mine\n");
    sandbox.write("src/e.rs", "e\n");
    stage(&mut sandbox, &["docs"], "Rename p, change q");
    std::fs::remove_dir_all(sandbox.real("src")).unwrap();
    target.sandbox.write("docs/q.md", "yours\n");
    target.sandbox.write("src/e.rs", "two\n");
    target.sandbox.write("src/f.rs", "f\n");
    target.commit("Upstream");
    pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n D docs/p.md\n M docs/q.md\n?? docs/r.md\n");
    assert!(!sandbox.exists("src"));
    stage(&mut sandbox, &["docs"], "Again");
    assert_eq!(status(&mut sandbox), "## main...origin/main [ahead 1]\n");
}

#[test]
fn a_deletion_outside_the_paths_that_was_committed_is_one_still() {
    let (mut target, mut sandbox) = with_docs(&[("docs/q.md", "q\n"), ("src/e.rs", "e\n")]);
    sandbox.write("src/e.rs", "mine\n");
    // The tests roll no call back, so the old version that a stage reports on must be here first.
    target.serve(&mut sandbox, "git_diff", json!({ "paths": ["src"] })).unwrap();
    stage(&mut sandbox, &["src/e.rs"], "Change e");
    sandbox.ok("delete_file", json!({ "path": "src/e.rs" }));
    sandbox.write("docs/q.md", "mine\n");
    stage(&mut sandbox, &["src/e.rs", "docs"], "Drop e, change q");
    target.sandbox.write("docs/q.md", "yours\n");
    target.commit("Upstream");
    let done = pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(done.structured()["unstaged"].as_array().unwrap().len(), 1);
    assert_eq!(status(&mut sandbox), "## main...origin/main [ahead 1]\n M docs/q.md\n D src/e.rs\n");
}

#[test]
fn a_file_of_the_paths_that_an_earlier_version_left_out_is_brought() {
    let (mut target, mut sandbox) = with_docs(&[("docs/p.md", "p\n"), ("docs/q.md", "q\n")]);
    leave_out(&mut sandbox, "docs/p.md");
    let missing = sandbox.fail("read_file", json!({ "path": "docs/p.md" }));
    assert!(missing.hint.contains("git_pull with paths [\"docs/p.md\"]"), "{}", missing.hint);
    let done = pull(&mut target, &mut sandbox, json!({ "paths": ["docs/p.md"] }));
    assert_eq!(done.structured()["pulled"], json!(["/workspace/docs/p.md"]));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n");
}

/// Removes the file at `path` from the working folder, as if it were outside the paths.
fn leave_out(sandbox: &mut Sandbox, path: &str) {
    std::fs::remove_file(sandbox.real(path)).unwrap();
    let repo = sandbox.session.repo().unwrap();
    let mut state = (*index::load(&mut sandbox.session.caches.index, &repo).unwrap()).clone();
    let entry = state.entry_mut_by_path_and_stage(path.into(), Stage::Unconflicted).unwrap();
    entry.flags.insert(Flags::SKIP_WORKTREE | Flags::EXTENDED);
    index::store(&mut sandbox.session.caches.index, &repo, state).unwrap();
}

/// A target with `src/e.rs` as `new` on `main` and as `theirs` on `other`, both based on `old`. The sandbox has only `docs`.
fn branched(old: &str, new: &str, theirs: &str) -> (Target, Sandbox) {
    let mut target = Target::new();
    target.sandbox.write("docs/p.md", "p\n");
    target.sandbox.write("src/e.rs", old);
    let base = target.commit("Old");
    let mut other = base;
    if theirs != old {
        target.sandbox.write("src/e.rs", theirs);
        other = target.commit("Theirs");
        std::fs::write(target.sandbox.real(".git/refs/heads/main"), format!("{base}\n")).unwrap();
    }
    target.sandbox.write("src/e.rs", new);
    target.sandbox.write("docs/p.md", "new\n");
    target.commit("New");
    target.others.push(("other", other));
    let mut sandbox = with_identity();
    pull(&mut target, &mut sandbox, json!({ "paths": ["docs"], "depth": 5 }));
    (target, sandbox)
}

fn pull_other(target: &mut Target, sandbox: &mut Sandbox) -> Finished {
    let source = json!({ "type": "local", "path": "/project", "branch": "other" });
    target.serve(sandbox, "git_pull", json!({ "source": source, "paths": ["src"] })).unwrap()
}

#[test]
fn files_from_elsewhere_do_not_take_back_what_is_left_out() {
    for new in ["new\n", "old\n"] {
        let (mut target, mut sandbox) = branched("old\n", new, "old\n");
        let done = pull_other(&mut target, &mut sandbox);
        assert_eq!((&done.structured()["hint"], sandbox.exists("src")), (&json!("Already up to date."), false));
        assert_eq!(status(&mut sandbox), "## main...origin/main\n");
    }
}

#[test]
fn files_from_elsewhere_are_merged_with_what_is_left_out() {
    let lines = |first: &str, last: &str| format!("{first}\n2\n3\n4\n{last}\n");
    let (mut target, mut sandbox) = branched(&lines("1", "5"), &lines("one", "5"), &lines("1", "five"));
    let done = pull_other(&mut target, &mut sandbox);
    assert_eq!(done.text, "From local:/project\nM /workspace/src/e.rs\nPulled 1 file(s) successfully.\n");
    assert_eq!(text(&sandbox, "src/e.rs"), lines("one", "five"));
    assert_eq!(status(&mut sandbox), "## main...origin/main\n M src/e.rs\n");

    let (mut target, mut sandbox) = branched(&lines("1", "5"), &lines("1", "5"), &lines("1", "five"));
    let fetches = target.fetches;
    pull_other(&mut target, &mut sandbox);
    assert_eq!(text(&sandbox, "src/e.rs"), lines("1", "five"));
    assert_eq!(target.fetches, fetches + 2, "a commit and a blob");

    let (mut target, mut sandbox) = branched("\0old", "\0new", "\0theirs");
    let done = pull_other(&mut target, &mut sandbox);
    assert_eq!(done.structured()["conflicts"], json!(["/workspace/src/e.rs"]));
    assert!(done.text.contains("It is not in this sparse sandbox."), "{}", done.text);
    assert!(!sandbox.exists("src"));
}
