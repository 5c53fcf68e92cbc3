//! A pull never loses a content that only the index has.

use gix::index::entry::{Flags, Mode, Stat};

use super::*;
use crate::git::store::index;
use crate::git::store::index_edit::{self, Edits, Slot};

/// Sets the index to its state after `git add` of the file with `content`.
fn add(sandbox: &mut Sandbox, path: &str, content: &str) {
    sandbox.session.forget();
    let repo = sandbox.session.repo().unwrap();
    let id = repo.gix.write_blob(content).unwrap().detach();
    let cache = &mut sandbox.session.caches.index;
    let mut state = index::load(cache, &repo).unwrap().as_ref().clone();
    let slot = Slot { mode: Mode::FILE, id, stat: Stat::default() };
    index_edit::apply(&mut state, &Edits::from([(path.into(), Some(slot))]));
    index::store(cache, &repo, state).unwrap();
}

/// The content in the index at `path`.
fn added(sandbox: &mut Sandbox, path: &str) -> Option<String> {
    sandbox.session.forget();
    let repo = sandbox.session.repo().unwrap();
    let state = index::load(&mut sandbox.session.caches.index, &repo).unwrap();
    let blob = repo.gix.find_blob(index_edit::slot(&state, path.into())?.id).unwrap();
    Some(String::from_utf8(blob.data.clone()).unwrap())
}

#[test]
fn a_pull_that_would_lose_what_only_the_index_has_is_refused_and_changes_nothing() {
    // Contents in the index, in the working folder, and from upstream, or none.
    let cases = [
        ("a.md", "added\n", Some("mine\n"), ("a.md", Some("yours\n"))),
        ("a.md", "added\n", Some("a\n"), ("a.md", Some("yours\n"))),
        ("a.md", "added\n", None, ("a.md", Some("yours\n"))),
        ("a.md", "added\n", Some("mine\n"), ("a.md", None)),
        ("new.md", "added\n", None, ("new.md", Some("yours\n"))),
        ("new.md", "added\n", None, ("new.md/below", Some("yours\n"))),
        ("folder/new.md", "added\n", None, ("folder", Some("yours\n"))),
    ];
    for (path, indexed, mine, (their_path, theirs)) in cases {
        let (mut target, mut sandbox) = pulled(&[("a.md", "a\n"), ("b.md", "b\n")]);
        add(&mut sandbox, path, indexed);
        match mine {
            Some(mine) => sandbox.write(path, mine),
            None if sandbox.exists(path) => std::fs::remove_file(sandbox.real(path)).unwrap(),
            None => {}
        }
        match theirs {
            Some(theirs) => target.sandbox.write(their_path, theirs),
            None => std::fs::remove_file(target.sandbox.real(their_path)).unwrap(),
        }
        target.commit("Upstream");
        let before = status(&mut sandbox);
        let error = target.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Conflict, "{path} {mine:?} {theirs:?}");
        assert_eq!(error.message, format!("Only the index has the staged content of /workspace/{path}"));
        assert!(error.hint.contains(&format!("git restore --staged {path}")), "{}", error.hint);
        assert_eq!(added(&mut sandbox, path).as_deref(), Some(indexed));
        assert_eq!(sandbox.exists(path).then(|| text(&sandbox, path)).as_deref(), mine);
        assert!(status(&mut sandbox).ends_with(before.split_once('\n').unwrap().1), "{before}");
    }
}

#[test]
fn what_only_the_index_has_stays_where_nothing_comes_in_or_the_same_does() {
    let (mut target, mut sandbox) = pulled(&[("a.md", "a\n"), ("b.md", "b\n")]);
    for (path, mine) in [("a.md", "mine\n"), ("b.md", "b\n")] {
        add(&mut sandbox, path, "added\n");
        sandbox.write(path, mine);
    }
    add(&mut sandbox, "new.md", "added\n");
    target.sandbox.write("b.md", "added\n");
    target.sandbox.write("c.md", "c\n");
    target.commit("Upstream");
    pull(&mut target, &mut sandbox, json!({}));
    for path in ["a.md", "b.md", "new.md"] {
        assert_eq!(added(&mut sandbox, path).as_deref(), Some("added\n"), "{path}");
    }
    assert_eq!((text(&sandbox, "a.md"), text(&sandbox, "b.md")), ("mine\n".to_owned(), "added\n".to_owned()));
    assert_eq!(status(&mut sandbox), "## main...origin/main\nMM a.md\nAD new.md\n");
}

#[test]
fn a_first_pull_loses_nothing_that_only_the_index_has() {
    for (path, mine) in [("a.md", Some("mine\n")), ("own.md", Some("mine\n")), ("own.md", None)] {
        let mut target = Target::new();
        target.sandbox.write("a.md", "a\n");
        target.commit("Begin");
        let mut sandbox = with_identity();
        add(&mut sandbox, path, "added\n");
        if let Some(mine) = mine {
            sandbox.write(path, mine);
        }
        let error = target.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
        assert_eq!(error.message, format!("Only the index has the staged content of /workspace/{path}"));
        assert_eq!(added(&mut sandbox, path).as_deref(), Some("added\n"));
        assert_eq!(status(&mut sandbox).lines().next(), Some("## No commits yet on main"));
    }
    // A content that is also in the working folder is merged from there.
    let mut target = Target::new();
    target.sandbox.write("a.md", "a\n");
    target.commit("Begin");
    let mut sandbox = with_identity();
    sandbox.write("own.md", "added\n");
    add(&mut sandbox, "own.md", "added\n");
    pull(&mut target, &mut sandbox, json!({}));
    assert_eq!(text(&sandbox, "own.md"), "added\n");
}

#[test]
fn a_discard_keeps_what_was_added_where_a_folder_comes_back_or_a_file() {
    for (gone, new) in [("p/q", "p"), ("p", "p/q")] {
        let mut sandbox = with_identity();
        sandbox.write(gone, "1\n");
        commit(&mut sandbox, "Begin");
        sandbox.ok("delete_file", json!({ "path": "p", "recursive": true }));
        let doomed = stage(&mut sandbox, &[gone], "Delete it");
        add(&mut sandbox, new, "added\n");
        sandbox.ok("git_discard", json!({ "commitId": doomed["id"] }));
        assert_eq!(added(&mut sandbox, new).as_deref(), Some("added\n"), "{new}");
        assert_eq!(added(&mut sandbox, gone), None);
    }
}

#[test]
fn a_file_that_git_was_told_not_to_look_at_is_not_written_over() {
    for flag in [Flags::ASSUME_VALID, Flags::SKIP_WORKTREE | Flags::EXTENDED] {
        for (theirs, is_refused) in [("yours\n", true), ("a\n", false)] {
            let (mut target, mut sandbox) = pulled(&[("a.md", "a\n"), ("b.md", "b\n")]);
            let repo = sandbox.session.repo().unwrap();
            let cache = &mut sandbox.session.caches.index;
            let mut state = index::load(cache, &repo).unwrap().as_ref().clone();
            state.entries_mut()[0].flags.insert(flag);
            index::store(cache, &repo, state).unwrap();
            sandbox.write("a.md", "mine\n");
            target.sandbox.write("a.md", theirs);
            target.commit_file("b.md", "bb\n");
            let outcome = target.serve(&mut sandbox, "git_pull", json!({ "source": source() }));
            assert_eq!(outcome.is_err(), is_refused, "{flag:?} {theirs}");
            if let Err(error) = outcome {
                assert_eq!(error.message, "/workspace/a.md is in the way of the pull");
            }
            assert_eq!(text(&sandbox, "a.md"), "mine\n");
        }
    }
}
