//! Verification cases (SRD, section 5) of the tools that change index, working folder and history. Those of `git_branch` and `git_stash`
//! are next to the tools.
//!
//! Where the SRD kills a process, these tests let a call time out at its next poll of the clock, and check that nothing remains. There is
//! no process group and no shell. This filesystem has no junctions, so only links can lead outside.

use std::fs;

use serde_json::{Value, json};

use crate::approval::Risk;
use crate::dispatch::Step;
use crate::error::ErrorKind;
use crate::question::Question;
use crate::testing::Sandbox;

/// A repository with two commits of `a`; the second one adds `sub/b`.
fn sandbox() -> Sandbox {
    Sandbox::with_two_commits().with_identity()
}

fn read(sandbox: &Sandbox, path: &str) -> String {
    String::from_utf8(sandbox.read(path)).unwrap()
}

fn status(sandbox: &mut Sandbox) -> String {
    sandbox.git(&["status", "--porcelain"])
}

#[test]
fn t_git_restore_01_a_file_of_the_working_tree_is_what_the_index_has() {
    let mut sandbox = sandbox();
    sandbox.write("a", "changed\n");
    let restored = sandbox.approved("git_restore", json!({"paths": ["a"]}));
    assert_eq!((restored.text.as_str(), read(&sandbox, "a").as_str()), ("Restored 1 file(s)", "two\n"));
    assert_eq!(restored.structured(), json!({"count": 1, "files": ["/workspace/a"]}));
    assert_eq!(status(&mut sandbox), "");
}

#[test]
fn t_git_restore_02_staged_takes_out_of_the_index_what_was_added() {
    let mut sandbox = sandbox();
    sandbox.write("a", "changed\n");
    sandbox.write("new", "1\n");
    sandbox.git(&["add", "-A"]);
    let arguments = json!({"paths": ["."], "staged": true, "worktree": false});
    assert_eq!(sandbox.approved("git_restore", arguments).text, "Restored 2 file(s)");
    assert_eq!(status(&mut sandbox), " M a\n?? new\n");
    sandbox.git(&["add", "-A"]);
    assert_eq!(sandbox.approved("git_restore", json!({"paths": ["."], "staged": true})).text, "Restored 2 file(s)");
    assert_eq!((status(&mut sandbox).as_str(), sandbox.exists("new")), ("", false));
}

#[test]
fn t_git_restore_03_something_has_to_be_restored() {
    let mut sandbox = sandbox();
    let message = |sandbox: &mut Sandbox, arguments: Value| sandbox.refused("git_restore", arguments).message;
    let neither = json!({"paths": ["a"], "staged": false, "worktree": false});
    assert_eq!(message(&mut sandbox, neither), "At least one of staged or worktree must be true");
    assert_eq!(message(&mut sandbox, json!({"paths": []})), "paths must contain at least one element");
    assert_eq!(message(&mut sandbox, json!({})), "paths is required");
}

#[test]
fn t_git_add_01_named_paths_are_added_and_no_others() {
    let mut sandbox = sandbox();
    sandbox.write("a", "3\n");
    sandbox.write("new", "1\n");
    fs::remove_file(sandbox.real("sub/b")).unwrap();
    let added = sandbox.approved("git_add", json!({"paths": ["a", "sub"]}));
    assert_eq!(added.text, "Staged 2 file(s)");
    assert_eq!(added.structured(), json!({"count": 2, "files": ["/workspace/a", "/workspace/sub/b"]}));
    assert_eq!(status(&mut sandbox), "M  a\nD  sub/b\n?? new\n");
}

#[test]
fn t_git_add_02_all_adds_everything_and_update_what_is_tracked() {
    let mut sandbox = sandbox();
    sandbox.write("a", "3\n");
    sandbox.write("new", "1\n");
    assert_eq!(sandbox.approved("git_add", json!({"update": true})).text, "Staged 1 file(s)");
    assert_eq!(status(&mut sandbox), "M  a\n?? new\n");
    // `all` overrides `paths`.
    assert_eq!(sandbox.approved("git_add", json!({"all": true, "paths": ["nowhere"]})).text, "Staged 1 file(s)");
    assert_eq!(status(&mut sandbox), "M  a\nA  new\n");
}

#[test]
fn t_git_add_03_all_and_update_exclude_each_other() {
    let mut sandbox = sandbox();
    let error = sandbox.refused("git_add", json!({"all": true, "update": true}));
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::BadArgs, "all and update are mutually exclusive"));
    let nothing = sandbox.refused("git_add", json!({"paths": []}));
    assert_eq!(nothing.message, "At least one of paths, all, or update must be specified");
}

#[test]
fn t_git_commit_01_the_message_is_a_conventional_one() {
    let mut sandbox = sandbox();
    sandbox.write("a", "3\n");
    sandbox.git(&["add", "a"]);
    let made = sandbox.approved("git_commit", json!({"type": "feat", "message": "add a third"}));
    assert_eq!(sandbox.git(&["log", "-1", "--format=%B"]), "feat: add a third\n\n");
    let short = sandbox.git(&["rev-parse", "--short", "HEAD"]);
    let expected =
        format!("[main {}] feat: add a third\n 1 file changed, 1 insertion(+), 1 deletion(-)\n", short.trim());
    assert_eq!(made.text, expected);
    assert_eq!(made.structured()["commitSha"], sandbox.git(&["rev-parse", "HEAD"]).trim());
}

#[test]
fn t_git_commit_02_a_scope_stands_in_parentheses() {
    let mut sandbox = sandbox();
    sandbox.write("a", "3\n");
    sandbox.git(&["add", "a"]);
    sandbox.approved("git_commit", json!({"type": "fix", "scope": "core", "message": "mend"}));
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), "fix(core): mend\n");
    for (message, arguments) in [
        ("fix(x): y", json!({"message": "fix(x): y"})),
        ("Mend it", json!({"message": "Mend it"})),
        ("fix(core): z", json!({"type": "fix", "scope": "core", "message": "fix(core): z"})),
    ] {
        sandbox.write("a", message);
        sandbox.git(&["add", "a"]);
        sandbox.approved("git_commit", arguments);
        assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), format!("{message}\n"));
    }
    for (arguments, message) in [
        (json!({"type": "Feat", "message": "x"}), "type must be lowercase letters only (e.g., feat, fix, docs)"),
        (
            json!({"type": "feat", "scope": "a b", "message": "x"}),
            "scope must be lowercase alphanumeric, underscore, or hyphen",
        ),
        (json!({"type": "feat", "message": " \n"}), "message must not be empty"),
        (json!({"type": "feat"}), "message is required"),
        (json!({"scope": "core", "message": "x"}), "scope needs a type"),
    ] {
        let error = sandbox.refused("git_commit", arguments);
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::BadArgs, message));
    }
}

#[test]
fn a_first_commit_on_a_branch_whose_name_is_not_free_is_refused_in_gits_words() {
    let mut sandbox = sandbox();
    sandbox.git(&["symbolic-ref", "HEAD", "refs/heads/main/below"]);
    let error = sandbox.calling("git_commit", json!({"type": "fix", "message": "below"})).approved().unwrap_err();
    let git = sandbox.git_output(&["commit", "--quiet", "-m", "fix: below"]);
    assert_eq!(error.message, String::from_utf8(git.stderr).unwrap().trim_end());
    assert!(error.hint.contains("git_branch"), "{}", error.hint);
}

#[test]
fn t_git_commit_03_without_anything_in_the_index_there_is_nothing_to_commit() {
    let mut sandbox = sandbox();
    sandbox.write("a", "3\n");
    let before = sandbox.tree();
    let error = sandbox.refused("git_commit", json!({"type": "feat", "message": "x"}));
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::ExecutionFailed, "nothing to commit"));
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn t_git_checkout_01_a_branch_is_switched_to() {
    let mut sandbox = sandbox();
    sandbox.git(&["branch", "old", "HEAD~1"]);
    sandbox.write("untracked", "1\n");
    let switched = sandbox.approved("git_checkout", json!({"branch": "old"}));
    assert_eq!(switched.text, "\n\n[stderr]\nSwitched to branch 'old'\n");
    assert_eq!(sandbox.git(&["symbolic-ref", "HEAD"]), "refs/heads/old\n");
    assert_eq!((read(&sandbox, "a").as_str(), sandbox.exists("sub")), ("one\n", false));
    let report = switched.structured();
    assert_eq!(
        (&report["branch"], &report["detached"], &report["created"]),
        (&json!("old"), &json!(false), &json!(false))
    );
}

#[test]
fn t_git_checkout_02_a_branch_is_made_and_switched_to() {
    let mut sandbox = sandbox();
    let made = sandbox.approved("git_checkout", json!({"create_branch": "feature/x", "branch": "nowhere"}));
    assert_eq!(made.text, "\n\n[stderr]\nSwitched to a new branch 'feature/x'\n");
    assert_eq!(sandbox.git(&["symbolic-ref", "HEAD"]), "refs/heads/feature/x\n");
    let log = sandbox.git(&["reflog", "-1", "--format=%gs"]);
    assert_eq!(log, "checkout: moving from main to feature/x\n");
}

#[test]
fn t_git_checkout_03_off_every_branch_git_says_so() {
    let mut sandbox = sandbox();
    let detached = sandbox.approved("git_checkout", json!({"commit": "HEAD~1"})).text;
    assert!(detached.contains("You are in 'detached HEAD' state."), "{detached}");
    assert!(detached.ends_with("first\n"), "{detached}");
    assert!(!sandbox.git_output(&["symbolic-ref", "-q", "HEAD"]).status.success());
}

#[test]
fn t_git_checkout_04_somewhere_has_to_be_named() {
    let error = sandbox().refused("git_checkout", json!({"paths": []}));
    let message = "At least one of branch, create_branch, commit, or paths must be specified";
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::BadArgs, message));
}

#[test]
fn t_git_err_05_what_is_not_committed_is_never_overwritten() {
    let mut sandbox = sandbox();
    sandbox.git(&["branch", "old", "HEAD~1"]);
    sandbox.write("a", "mine\n");
    let before = sandbox.tree();
    let error = sandbox.refused("git_checkout", json!({"branch": "old"}));
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert_eq!(
        error.message,
        "error: Your local changes to the following files would be overwritten by checkout:\n\ta\nPlease commit your changes or \
         stash them before you switch branches.\nAborting"
    );
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn t_git_sec_06_nothing_is_written_or_read_through_a_link_that_leads_out() {
    let mut sandbox = sandbox();
    fs::create_dir_all(sandbox.real("/outside/sub")).unwrap();
    fs::write(sandbox.real("/outside/sub/b"), "secret\n").unwrap();
    fs::remove_dir_all(sandbox.real("sub")).unwrap();
    sandbox.symlink(sandbox.real("/outside/sub"), "sub");
    // The tracked file is not the one behind the link.
    assert_eq!(sandbox.approved("git_restore", json!({"paths": ["sub/b"]})).text, "Restored 1 file(s)");
    assert_eq!(fs::read(sandbox.real("/outside/sub/b")).unwrap(), b"secret\n");
    assert_eq!(read(&sandbox, "sub/b"), "new\n");
    fs::remove_dir_all(sandbox.real("sub")).unwrap();
    sandbox.symlink(sandbox.real("/outside/sub"), "sub");
    let error = sandbox.refused("git_add", json!({"paths": ["sub/b"]}));
    assert_eq!(error.message, "fatal: pathspec 'sub/b' is beyond a symbolic link");
    sandbox.git(&["branch", "old", "HEAD~1"]);
    let _ = sandbox.calling("git_checkout", json!({"branch": "old"})).approved();
    assert_eq!(fs::read(sandbox.real("/outside/sub/b")).unwrap(), b"secret\n");
}

#[test]
fn t_git_sec_09_a_message_is_text_to_nobody_but_readers() {
    let mut sandbox = sandbox();
    let message = "$(touch pwned) `touch pwned`; touch pwned | touch pwned && \"quoted\" 'too' > pwned";
    sandbox.write("a", "3\n");
    sandbox.git(&["add", "a"]);
    sandbox.approved("git_commit", json!({"type": "feat", "message": message}));
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), format!("feat: {message}\n"));
    assert!(!sandbox.exists("pwned"));
}

/// The approval request before a call.
fn asked(sandbox: &mut Sandbox, tool: &str, arguments: Value) -> (Risk, String) {
    match sandbox.calling(tool, arguments).step() {
        Step::Ask(question) => match *question {
            Question::Approval(approval) => (approval.risk, approval.summary),
            other => panic!("{tool} asks {other:?}"),
        },
        Step::Done(done) => panic!("{tool} asks nobody: {done:?}"),
    }
}

#[test]
fn t_git_common_02_what_changes_something_is_asked_for_first() {
    let mut sandbox = sandbox();
    for (tool, arguments, risk, summary) in [
        ("git_restore", json!({"paths": ["a"]}), Risk::High, "Restore 1 file(s) to worktree"),
        ("git_add", json!({"all": true}), Risk::Medium, "Stage all changes"),
        ("git_commit", json!({"type": "feat", "message": "x"}), Risk::Medium, "Commit: feat: x"),
        ("git_checkout", json!({"branch": "main"}), Risk::Medium, "Switch to branch 'main'"),
    ] {
        assert_eq!(asked(&mut sandbox, tool, arguments), (risk, summary.to_owned()));
    }
}

#[test]
fn t_git_edge_22_files_are_brought_back_only_after_a_question() {
    let mut sandbox = sandbox();
    let asked = asked(&mut sandbox, "git_checkout", json!({"paths": ["a", "sub"]}));
    assert_eq!(asked, (Risk::Medium, "Restore 2 file(s) from HEAD".to_owned()));
}

#[test]
fn t_git_edge_09_a_branch_is_meant_where_a_file_has_its_name() {
    let mut sandbox = sandbox();
    sandbox.git(&["branch", "a", "HEAD~1"]);
    sandbox.write("sub/b", "mine\n");
    let _ = sandbox.refused("git_checkout", json!({"branch": "a"}));
    sandbox.write("sub/b", "new\n");
    sandbox.approved("git_checkout", json!({"branch": "a"}));
    assert_eq!(sandbox.git(&["symbolic-ref", "HEAD"]), "refs/heads/a\n");
    // A path is not a branch.
    let error = sandbox.refused("git_checkout", json!({"branch": "sub"}));
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::NotFound, "fatal: invalid reference: sub"));
}

#[test]
fn t_git_edge_13_a_glob_restores_what_it_matches() {
    let mut sandbox = sandbox();
    for name in ["x.rs", "sub/y.rs", "z.txt"] {
        sandbox.write(name, "1\n");
    }
    sandbox.git(&["add", "-A"]);
    for name in ["x.rs", "sub/y.rs", "z.txt"] {
        sandbox.write(name, "2\n");
    }
    assert_eq!(sandbox.approved("git_restore", json!({"paths": ["*.rs"]})).text, "Restored 2 file(s)");
    assert_eq!(["x.rs", "sub/y.rs", "z.txt"].map(|name| read(&sandbox, name)), ["1\n", "1\n", "2\n"]);
}

#[test]
fn t_git_edge_14_a_path_may_have_spaces() {
    let mut sandbox = sandbox();
    sandbox.write("with space/a file", "1\n");
    assert_eq!(sandbox.approved("git_add", json!({"paths": ["with space/a file"]})).text, "Staged 1 file(s)");
    assert_eq!(status(&mut sandbox), "A  \"with space/a file\"\n");
}

#[test]
fn t_git_timeout_03_a_call_that_is_called_off_has_done_nothing() {
    let mut sandbox = sandbox();
    sandbox.git(&["branch", "old", "HEAD~1"]);
    for number in 0..40 {
        sandbox.write(&format!("many/{number}"), "1\n");
    }
    sandbox.git(&["add", "many"]);
    sandbox.git(&["commit", "--quiet", "-m", "many"]);
    // Whether git reads a file again depends on the second in which the index was written. The first look at the clock may therefore come
    // before a file is written or after some are.
    for number in 0..40 {
        sandbox.write(&format!("many/{number}"), "2\n");
    }
    for (tool, arguments) in [
        ("git_add", json!({"all": true})),
        ("git_restore", json!({"paths": ["."]})),
        ("git_checkout", json!({"branch": "old"})),
    ] {
        let before = but_for_objects(&sandbox);
        let error = sandbox.calling(tool, arguments).out_of_time().whole().unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{tool}: {error:?}");
        assert!(error.message.starts_with("git command timed out after "), "{tool}: {}", error.message);
        assert!(but_for_objects(&sandbox) == before, "{tool}");
    }
}

/// All files except objects, because nothing removes unreferenced objects on this filesystem.
fn but_for_objects(sandbox: &Sandbox) -> Vec<(String, String)> {
    sandbox.tree().into_iter().filter(|(path, _)| !path.starts_with("/workspace/.git/objects/")).collect()
}

#[test]
fn t_git_int_01_add_and_commit() {
    let mut sandbox = sandbox();
    sandbox.write("new", "1\n");
    sandbox.approved("git_add", json!({"paths": ["new"]}));
    let made = sandbox.approved("git_commit", json!({"type": "feat", "message": "add new"})).text;
    assert!(made.ends_with(" 1 file changed, 1 insertion(+)\n create mode 100644 new\n"), "{made}");
    assert_eq!(status(&mut sandbox), "");
    assert_eq!(sandbox.git(&["show", "--format=", "--name-status", "HEAD"]), "A\tnew\n");
}

#[test]
fn t_git_int_02_a_branch_is_made_checked_out_and_deleted() {
    let mut sandbox = sandbox();
    sandbox.approved("git_branch", json!({"create": "feature/x"}));
    sandbox.approved("git_checkout", json!({"branch": "feature/x"}));
    sandbox.approved("git_checkout", json!({"branch": "main"}));
    let deleted = sandbox.approved("git_branch", json!({"delete": "feature/x"})).text;
    assert!(deleted.starts_with("Deleted branch feature/x (was "), "{deleted}");
    assert_eq!(sandbox.git(&["branch", "--format=%(refname)"]), "refs/heads/main\n");
}

#[test]
fn t_git_int_04_restore_undoes_add() {
    let mut sandbox = sandbox();
    sandbox.write("new", "1\n");
    sandbox.approved("git_add", json!({"paths": ["new"]}));
    sandbox.approved("git_restore", json!({"paths": ["new"], "staged": true, "worktree": false}));
    assert_eq!(status(&mut sandbox), "?? new\n");
}

#[test]
fn what_is_wrong_with_arguments_comes_with_those_that_there_are() {
    let mut sandbox = sandbox();
    for (tool, arguments, hint) in [
        ("git_add", json!({}), "Fields: all, paths, timeout_ms, update, working_dir."),
        ("git_add", json!({"paths": [""]}), "Fields: all, paths, timeout_ms, update, working_dir."),
        ("git_restore", json!({"paths": []}), "Fields: paths (required), staged, timeout_ms, working_dir, worktree."),
        (
            "git_commit",
            json!({"type": "Feat", "message": "one"}),
            "Fields: message (required), amend, scope, timeout_ms, type, working_dir.",
        ),
        ("git_checkout", json!([]), "Fields: branch, commit, create_branch, paths, timeout_ms, working_dir."),
    ] {
        let error = sandbox.refused(tool, arguments);
        assert_eq!((error.kind, error.hint.as_str()), (ErrorKind::BadArgs, hint), "{tool}");
    }
}
