//! Tests stashes, and runs git on the results.

use serde_json::{Value, json};

use crate::answer::{Answer, Answers};
use crate::approval::Risk;
use crate::dispatch::{Finished, Step};
use crate::error::{ErrorKind, ToolError};
use crate::options::{Identity, Options};
use crate::question::Question;
use crate::testing::Sandbox;

/// A repository with one commit of `a` and `sub/b`, and an identity.
pub(super) fn committed() -> Sandbox {
    let identity = Some(Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() });
    let mut sandbox = Sandbox::with(Options { identity, ..Options::default() }, &[]);
    sandbox.git(&["init", "--quiet", "-b", "main"]);
    sandbox.write("a", "one\n");
    sandbox.write("sub/b", "two\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    sandbox
}

/// The approved call, with the questions it asked.
pub(super) fn asked(sandbox: &mut Sandbox, arguments: Value) -> (Result<Finished, ToolError>, Vec<(Risk, String)>) {
    let (mut answers, mut approvals) = (Answers::default(), Vec::new());
    loop {
        match sandbox.calling("git_stash", arguments.clone()).answers(answers.clone()).step() {
            Step::Done(outcome) => return (outcome, approvals),
            Step::Ask(question) => match &*question {
                Question::Approval(approval) => {
                    approvals.push((approval.risk, approval.summary.clone()));
                    answers.add(question.key(), Answer::Approved);
                }
                other => panic!("it asks {other:?}"),
            },
        }
    }
}

pub(super) fn stash(sandbox: &mut Sandbox, arguments: Value) -> Finished {
    asked(sandbox, arguments).0.expect("it succeeds")
}

fn refused(sandbox: &mut Sandbox, arguments: Value) -> ToolError {
    let before = sandbox.tree();
    let error = asked(sandbox, arguments).0.expect_err("it fails");
    let is_object = |path: &str| path.starts_with("/workspace/.git/objects/");
    let after = sandbox.tree().into_iter().filter(|(path, _)| !is_object(path));
    assert!(after.eq(before.into_iter().filter(|(path, _)| !is_object(path))), "a refused call changes nothing");
    error
}

#[test]
fn t_git_stash_01_push_saves_changes() {
    let mut sandbox = committed();
    sandbox.write("a", "changed\n");
    sandbox.write("new", "untracked\n");
    let done = stash(&mut sandbox, json!({"message": "half done"}));
    assert_eq!(done.text, "Saved working directory and index state On main: half done\n");
    let told = done.structured();
    assert_eq!((&told["stash"]["name"], &told["stash"]["branch"]), (&json!("stash@{0}"), &json!("main")));
    assert_eq!(told["files"][0]["path"], "/workspace/a");
    assert_eq!((sandbox.read("a"), sandbox.read("new")), (b"one\n".to_vec(), b"untracked\n".to_vec()));
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "?? new\n");
    assert_eq!(sandbox.git(&["show", "stash:a"]), "changed\n");
}

#[test]
fn t_git_stash_02_pop_restores_changes() {
    let mut sandbox = committed();
    sandbox.write("a", "changed\n");
    sandbox.write("new/file", "untracked\n");
    stash(&mut sandbox, json!({"include_untracked": true}));
    assert!(!sandbox.exists("new"));
    let done = stash(&mut sandbox, json!({"action": "pop"}));
    let told = done.structured();
    assert_eq!((&told["status"], &told["dropped"], &told["conflicts"]), (&json!("clean"), &json!(true), &json!([])));
    assert!(done.text.contains("\nDropped refs/stash@{0} ("), "{}", done.text);
    assert_eq!((sandbox.read("a"), sandbox.read("new/file")), (b"changed\n".to_vec(), b"untracked\n".to_vec()));
    assert_eq!(sandbox.git(&["stash", "list"]), "");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), " M a\n?? new/\n");
}

#[test]
fn t_git_stash_03_list_returns_the_entries() {
    let mut sandbox = committed();
    for number in 0..3 {
        sandbox.write("a", format!("{number}\n"));
        stash(&mut sandbox, json!({"message": format!("number {number}")}));
    }
    let done = sandbox.ok("git_stash", json!({"action": "list"}));
    let expected = "stash@{0}: On main: number 2\nstash@{1}: On main: number 1\nstash@{2}: On main: number 0\n";
    assert_eq!((done.text.as_str(), sandbox.git(&["stash", "list"]).as_str()), (expected, expected));
    let told = done.structured();
    assert_eq!((&told["count"], &told["stashes"][2]["message"]), (&json!(3), &json!("On main: number 0")));
    let shown = sandbox.ok("git_stash", json!({"action": "show", "index": 1}));
    assert_eq!(shown.text, sandbox.git(&["stash", "show", "stash@{1}"]));
}

#[test]
fn t_git_stash_04_clear_removes_all_entries() {
    let mut sandbox = committed();
    for text in ["1\n", "2\n"] {
        sandbox.write("a", text);
        stash(&mut sandbox, json!({}));
    }
    assert_eq!(refused(&mut sandbox, json!({"action": "clear", "index": 1})).kind, ErrorKind::BadArgs);
    let done = stash(&mut sandbox, json!({"action": "clear"}));
    assert_eq!((done.text.as_str(), &done.structured()["count"]), ("", &json!(2)));
    assert_eq!(sandbox.git(&["stash", "list"]), "");
    assert!(!sandbox.exists(".git/refs/stash") && !sandbox.exists(".git/logs/refs/stash"));
}

#[test]
fn t_git_edge_10_a_clean_working_tree_has_nothing_to_stash() {
    let mut sandbox = committed();
    sandbox.write("new", "untracked\n");
    let done = stash(&mut sandbox, json!({}));
    assert_eq!((done.text.as_str(), &done.structured()["saved"]), ("No local changes to save\n", &json!(false)));
    assert!(!sandbox.exists(".git/refs/stash"));
}

#[test]
fn t_git_int_03_push_list_pop() {
    let mut sandbox = committed();
    sandbox.write("a", "changed\n");
    stash(&mut sandbox, json!({"action": "push", "message": "work"}));
    let listed = sandbox.ok("git_stash", json!({"action": "list"}));
    assert_eq!(listed.text, "stash@{0}: On main: work\n");
    stash(&mut sandbox, json!({"action": "pop", "index": 0}));
    assert_eq!(sandbox.read("a"), b"changed\n");
    assert_eq!(sandbox.ok("git_stash", json!({"action": "list"})).text, "");
}

#[test]
fn without_an_entry_there_is_nothing_to_bring_back() {
    let mut sandbox = committed();
    for action in ["pop", "apply", "drop", "show"] {
        let error = refused(&mut sandbox, json!({"action": action}));
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::NotFound, "No stash entries found."));
        let error = refused(&mut sandbox, json!({"action": action, "index": 0}));
        assert_eq!(error.message, "error: stash@{0} is not a valid reference");
    }
    sandbox.write("a", "changed\n");
    stash(&mut sandbox, json!({}));
    let error = refused(&mut sandbox, json!({"action": "pop", "index": 3}));
    assert_eq!(error.message, "fatal: log for 'stash' only has 1 entries");
    assert!(error.hint.contains("list"), "{}", error.hint);
}

#[test]
fn before_the_first_commit_nothing_can_be_put_away() {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write("a", "one\n");
    sandbox.git(&["add", "a"]);
    assert_eq!(refused(&mut sandbox, json!({})).message, "You do not have the initial commit yet");
}

/// Makes changes of every kind: in the index, in the working tree, in both, and an untracked file.
pub(super) fn change(sandbox: &mut Sandbox) {
    sandbox.write("a", "staged\n");
    sandbox.write("added", "new\n");
    sandbox.git(&["add", "a", "added"]);
    sandbox.git(&["rm", "--quiet", "sub/b"]);
    sandbox.write("a", "staged, then changed\n");
    sandbox.write_executable("untracked", "#!/bin/sh\n");
    sandbox.symlink("a", "link");
}

#[test]
fn a_pop_that_conflicts_keeps_the_entry_and_lists_the_conflicts() {
    let mut sandbox = committed();
    sandbox.write("a", "stashed\n");
    stash(&mut sandbox, json!({}));
    sandbox.write("a", "committed since\n");
    sandbox.git(&["commit", "--quiet", "-am", "second"]);
    let done = stash(&mut sandbox, json!({"action": "pop", "restore_index": true}));
    let told = done.structured();
    assert_eq!((&told["status"], &told["conflicts"]), (&json!("conflict"), &json!(["/workspace/a"])));
    assert_eq!((&told["dropped"], &told["hasConflicts"]), (&json!(false), &json!(true)));
    assert!(done.text.starts_with("Auto-merging a\nCONFLICT (content): Merge conflict in a\n"), "{}", done.text);
    let end = "The stash entry is kept in case you need it again.\n\n\n[stderr]\nIndex was not unstashed.\n";
    assert!(done.text.ends_with(end), "{}", done.text);
    let merged = "<<<<<<< Updated upstream\ncommitted since\n=======\nstashed\n>>>>>>> Stashed changes\n";
    assert_eq!(sandbox.read("a"), merged.as_bytes());
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "UU a\n");
    assert_eq!(sandbox.git(&["stash", "list"]).lines().count(), 1);
    assert_eq!(refused(&mut sandbox, json!({})).message, "error: could not write index");
}

#[test]
fn changes_in_the_way_are_never_overwritten() {
    let mut sandbox = committed();
    sandbox.write("a", "stashed\n");
    sandbox.write("new", "untracked\n");
    stash(&mut sandbox, json!({"include_untracked": true}));
    sandbox.write("new", "another\n");
    let error = refused(&mut sandbox, json!({"action": "pop"}));
    let expected = "new already exists, no checkout\nerror: could not restore untracked files from stash";
    assert_eq!(error.message, expected);
    sandbox.write("a", "changed since\n");
    let error = refused(&mut sandbox, json!({"action": "apply"}));
    let expected = format!(
        "error: Your local changes to the following files would be overwritten by merge:\n\ta\n\
         Please commit your changes or stash them before you merge.\nAborting\n{expected}"
    );
    assert_eq!((error.kind, error.message), (ErrorKind::Conflict, expected));
}

#[test]
fn a_patch_for_the_index_that_does_not_fit_is_refused() {
    let mut sandbox = committed();
    sandbox.write("a", "staged\n");
    sandbox.git(&["add", "a"]);
    stash(&mut sandbox, json!({}));
    sandbox.write("a", "committed since\n");
    sandbox.git(&["commit", "--quiet", "-am", "second"]);
    let error = refused(&mut sandbox, json!({"action": "apply", "restore_index": true}));
    let git = sandbox.git_output(&["stash", "apply", "--index"]);
    assert_eq!(error.message, String::from_utf8(git.stderr).unwrap().trim_end());
    assert!(error.message.ends_with("error: conflicts in index. Try without --index."), "{}", error.message);
}

#[test]
fn dropped_entries_leave_a_log_that_git_reads() {
    let mut sandbox = committed();
    for number in 0..4 {
        sandbox.write("a", format!("{number}\n"));
        stash(&mut sandbox, json!({"message": format!("number {number}")}));
    }
    let done = stash(&mut sandbox, json!({"action": "drop", "index": 2}));
    let dropped = done.structured()["dropped"]["commitId"].as_str().unwrap().to_owned();
    assert_eq!(done.text, format!("Dropped stash@{{2}} ({dropped})\n"));
    stash(&mut sandbox, json!({"action": "drop"}));
    assert_eq!(sandbox.git(&["stash", "list"]), "stash@{0}: On main: number 2\nstash@{1}: On main: number 0\n");
    assert_eq!(sandbox.git(&["show", "stash@{0}:a", "stash@{1}:a"]), "2\n0\n");
    assert_eq!(sandbox.git(&["rev-list", "-g", "stash"]).lines().count(), 2);
    sandbox.git(&["stash", "drop", "--quiet", "stash@{0}"]);
    assert_eq!(sandbox.ok("git_stash", json!({"action": "list"})).text, "stash@{0}: On main: number 0\n");
}

/// `git reflog delete` leaves a gap: the next line names another commit as its previous one.
#[test]
fn an_entry_is_what_its_own_line_says_also_behind_a_gap() {
    for action in ["pop", "drop"] {
        let mut sandbox = committed();
        for number in 1..=3 {
            sandbox.write("a", format!("{number}\n"));
            stash(&mut sandbox, json!({"message": format!("number {number}")}));
        }
        sandbox.git(&["reflog", "delete", "stash@{1}"]);
        let listed = sandbox.git(&["stash", "list"]);
        assert_eq!(stash(&mut sandbox, json!({"action": "list"})).text.trim_end(), listed.trim_end());
        stash(&mut sandbox, json!({"action": action, "index": 1}));
        assert_eq!(sandbox.git(&["stash", "list"]), "stash@{0}: On main: number 3\n");
        assert_eq!(sandbox.read("a"), if action == "pop" { b"1\n" } else { b"one\n".as_slice() });
    }
}

#[test]
fn what_is_not_tracked_is_not_lost_where_a_tracked_file_was() {
    for (tracked, untracked) in [("a", "a/new"), ("sub/b", "sub")] {
        let mut sandbox = committed();
        let gone = if tracked == "a" { "a" } else { "sub" };
        sandbox.git(&["rm", "-r", "--quiet", gone]);
        sandbox.git(&["reset", "--quiet"]);
        sandbox.write(untracked, "mine\n");
        let error = refused(&mut sandbox, json!({}));
        let shown = if tracked == "a" { "a/" } else { "sub" };
        assert_eq!(error.message, format!("error: Untracked files would be removed, and not be put away:\n\t{shown}"));
        stash(&mut sandbox, json!({"include_untracked": true}));
        assert!(sandbox.exists(tracked));
        assert_eq!(sandbox.git(&["show", &format!("stash^3:{untracked}")]), "mine\n");
        // An ignored file gives the same error, and no call stashes ignored files.
        stash(&mut sandbox, json!({"action": "clear"}));
        sandbox.git(&["rm", "-r", "--quiet", gone]);
        sandbox.git(&["reset", "--quiet"]);
        sandbox.write(untracked, "mine\n");
        sandbox.write(".git/info/exclude", "new\nsub\n");
        refused(&mut sandbox, json!({"include_untracked": true}));
        assert_eq!(sandbox.read(untracked), b"mine\n");
    }
}

#[test]
fn what_is_not_tracked_is_not_lost_where_a_submodule_was() {
    for (module, file) in [("sub/mod", "sub"), ("m", "m")] {
        let mut sandbox = committed();
        sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},{module}", "12".repeat(20))]);
        sandbox.write("z", "1\n");
        sandbox.git(&["add", "z"]);
        sandbox.git(&["commit", "--quiet", "-m", "module"]);
        let path = sandbox.real(file);
        if path.exists() {
            std::fs::remove_dir_all(&path).unwrap();
        }
        sandbox.write(file, "mine\n");
        sandbox.write("z", "2\n");
        let error = refused(&mut sandbox, json!({}));
        assert_eq!(error.message, format!("error: Untracked files would be removed, and not be put away:\n\t{file}"));
        assert_eq!(sandbox.read(file), b"mine\n");
    }
}

/// `git stash` would move the branch to which the symbolic ref points.
#[test]
fn a_ref_that_stands_for_a_branch_is_no_stash() {
    let mut sandbox = committed();
    sandbox.git(&["symbolic-ref", "refs/stash", "refs/heads/main"]);
    sandbox.write("a", "changed\n");
    for action in ["push", "pop", "apply", "drop", "list", "show", "clear"] {
        let error = refused(&mut sandbox, json!({"action": action}));
        assert_eq!(error.message, "refs/stash is a symbolic ref to refs/heads/main", "{action}");
    }
}

#[test]
fn without_an_identity_git_s_own_name_stands_in_for_it() {
    let mut sandbox = committed();
    sandbox.session.options.identity = None;
    sandbox.write("a", "changed\n");
    stash(&mut sandbox, json!({}));
    assert_eq!(sandbox.git(&["log", "-1", "--format=%an <%ae>", "stash"]), "git stash <git@stash>\n");
    assert_eq!(sandbox.git(&["log", "-g", "-1", "--format=%gn <%ge>", "stash"]), "git stash <git@stash>\n");
}

#[test]
fn an_entry_whose_name_means_a_branch_too_is_not_dropped() {
    let mut sandbox = committed();
    sandbox.write("a", "changed\n");
    stash(&mut sandbox, json!({}));
    sandbox.git(&["tag", "stash"]);
    let error = refused(&mut sandbox, json!({"action": "pop", "index": 0}));
    assert_eq!(error.message, "error: 'stash@{0}' is not a stash reference");
    stash(&mut sandbox, json!({"action": "pop"}));
    assert_eq!(sandbox.read("a"), b"changed\n");
}

#[test]
fn a_call_without_time_changes_nothing() {
    let mut sandbox = committed();
    for number in 0..600 {
        sandbox.write(&format!("new/{number}"), "untracked\n");
    }
    let before = sandbox.git(&["status", "--porcelain"]);
    let (arguments, mut answers) = (json!({"include_untracked": true}), Answers::default());
    if let Step::Ask(question) = sandbox.calling("git_stash", arguments.clone()).step() {
        answers.add(question.key(), Answer::Approved);
    }
    let error = sandbox.calling("git_stash", arguments).answers(answers).out_of_time().done().unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{error:?}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), before);
    assert!(!sandbox.exists(".git/refs/stash"));
}

#[test]
fn fr_git_stash_03_reading_asks_nothing_and_clearing_is_a_high_risk() {
    let mut sandbox = committed();
    sandbox.write("a", "changed\n");
    let asks = |sandbox: &mut Sandbox, arguments: Value| asked(sandbox, arguments).1;
    let medium = |summary: &str| vec![(Risk::Medium, summary.to_owned())];
    assert_eq!(asks(&mut sandbox, json!({"message": "m"})), medium("Stash changes: m"));
    assert_eq!(asks(&mut sandbox, json!({"action": "list"})), []);
    assert_eq!(asks(&mut sandbox, json!({"action": "show"})), []);
    assert_eq!(asks(&mut sandbox, json!({"action": "apply"})), medium("Apply stash@{0}"));
    let clear = "Clear ALL stashes (WARNING: destructive)".to_owned();
    assert_eq!(asks(&mut sandbox, json!({"action": "clear"})), [(Risk::High, clear)]);
}

/// git would lose the state of the merge, and its changes would look like the user's own.
#[test]
fn in_the_middle_of_a_merge_nothing_is_put_away() {
    let mut sandbox = committed();
    sandbox.git(&["checkout", "--quiet", "-b", "side"]);
    sandbox.write("sub/b", "theirs\n");
    sandbox.git(&["commit", "--quiet", "-am", "side"]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("a", "put away\n");
    sandbox.git(&["stash", "push", "--quiet"]);
    sandbox.git(&["merge", "--quiet", "--no-commit", "--no-ff", "side"]);
    for action in ["push", "pop", "apply"] {
        let error = refused(&mut sandbox, json!({"action": action}));
        assert_eq!(error.message, "cannot stash during a merge.");
    }
    assert!(sandbox.exists(".git/MERGE_HEAD"));
    assert_eq!(stash(&mut sandbox, json!({"action": "list"})).structured()["count"], 1);
}
