//! Checks that records stay: an agent cannot remove them, and pulls and reviews leave them unchanged.

use serde_json::json;

use super::{record, state, with_tasks};
use crate::calling::target::{Target, commit};
use crate::error::{ErrorKind, ToolError};
use crate::past::Past;
use crate::testing::Sandbox;

fn is_refused(error: &ToolError) -> bool {
    error.kind == ErrorKind::NotPermitted && error.message.contains("would drop the record of a task")
}

/// A sandbox with a commit, a record on top of it and another commit. Returns the ids of the last two.
fn with_record() -> (Sandbox, String, String) {
    let mut sandbox = with_tasks();
    sandbox.write("a", "one\n");
    commit(&mut sandbox, "Begin");
    let record = record(&mut sandbox, "T1", "test", "fail")["id"].as_str().unwrap().to_owned();
    sandbox.write("a", "two\n");
    let other = commit(&mut sandbox, "Other").to_string();
    (sandbox, record, other)
}

#[test]
fn seed_004_an_agent_cannot_drop_a_record_and_the_user_can() {
    let (mut sandbox, record, _) = with_record();
    let error = sandbox.refused("git_discard", json!({"commitId": record}));
    assert!(is_refused(&error), "{error:?}");
    assert_eq!(error.message, "git_discard would drop the record of a task: task(main@T1@test-fail): test of T1");
    assert!(error.hint.contains("append-only"), "{error:?}");
    let (mut sandbox, record, _) = with_record();
    let discarded = sandbox.calling("git_discard", json!({"commitId": record})).as_user().approved();
    assert!(discarded.is_ok(), "{discarded:?}");
    assert_eq!(state(&mut sandbox, "T1").0, "pending");
}

#[test]
fn what_is_below_a_record_can_go_and_the_record_is_made_again() {
    let (mut sandbox, _, other) = with_record();
    sandbox.approved("git_discard", json!({"commitId": other}));
    let begin = sandbox.git(&["rev-parse", "HEAD~1"]);
    sandbox.approved("git_discard", json!({"commitId": begin.trim()}));
    assert_eq!(state(&mut sandbox, "T1").0, "testing");
    assert_eq!(subjects(&mut sandbox), ["task(main@T1@test-fail): test of T1"]);
}

#[test]
fn another_branch_that_has_a_record_does_not_free_its_own() {
    for (tool, arguments) in
        [("git_discard", json!({"commitId": "HEAD~1"})), ("git_branch", json!({"rename": "main", "new_name": "other"}))]
    {
        let (mut sandbox, ..) = with_record();
        sandbox.git(&["branch", "alias"]);
        let error = sandbox.refused(tool, arguments);
        assert!(is_refused(&error), "{error:?}");
    }
}

#[test]
fn two_records_with_the_same_words_are_two() {
    let mut sandbox = with_tasks();
    let first = record(&mut sandbox, "T1", "implement", "pass")["id"].clone();
    record(&mut sandbox, "T1", "implement", "pass");
    let error = sandbox.refused("git_discard", json!({"commitId": first}));
    assert!(is_refused(&error), "{error:?}");
}

#[test]
fn an_agent_cannot_delete_a_branch_that_has_records_of_its_own() {
    let (mut sandbox, ..) = with_record();
    sandbox.git(&["branch", "same"]);
    sandbox.approved("git_branch", json!({"force_delete": "same"}));
    sandbox.git(&["checkout", "--quiet", "-b", "side"]);
    record(&mut sandbox, "T2", "complete", "pass");
    sandbox.git(&["checkout", "--quiet", "main"]);
    let error = sandbox.refused("git_branch", json!({"force_delete": "side"}));
    assert!(is_refused(&error), "{error:?}");
}

#[test]
fn seed_004_an_agent_cannot_undo_a_record() {
    let mut sandbox = with_tasks();
    record(&mut sandbox, "T1", "test", "fail");
    let past = |tool: &str| Past {
        id: "call-1".to_owned(),
        tool: tool.to_owned(),
        summary: "Recorded".to_owned(),
        caller: "agent".to_owned(),
        at: "2026-11-20T10:00:00+01:00".to_owned(),
        undoable: true,
        changed: Vec::new(),
        changed_count: 0,
    };
    sandbox.embedding.past = vec![past("write_file"), past("task_record"), past("write_file")];
    assert!(sandbox.call("sandbox_undo", json!({})).is_ok());
    assert!(is_refused(&sandbox.fail("sandbox_undo", json!({"steps": 2}))));
    assert!(sandbox.calling("sandbox_undo", json!({"steps": 3})).as_user().done().is_ok());
    // A record made by another tool, and a record rewritten by a tool.
    let message = "task(main@T1@failed): x\n\nArborist-Step: complete\nArborist-Result: fail";
    sandbox.write("a", "a");
    sandbox.approved("git_stage", json!({"files": ["a"], "message": message}));
    for tool in ["git_stage", "git_pull"] {
        sandbox.embedding.past = vec![past(tool)];
        assert!(is_refused(&sandbox.fail("sandbox_undo", json!({}))), "{tool}");
    }
    sandbox.write("b", "b");
    sandbox.approved("git_stage", json!({"files": ["b"], "message": "No record"}));
    sandbox.embedding.past = vec![past("git_stage")];
    assert!(sandbox.call("sandbox_undo", json!({})).is_ok());
}

fn subjects(sandbox: &mut Sandbox) -> Vec<String> {
    sandbox.git(&["log", "--format=%s"]).lines().map(str::to_owned).collect()
}

/// A sandbox with the toolset that has pulled from `target`.
fn pulled(target: &mut Target) -> Sandbox {
    let mut sandbox = with_tasks();
    target.serve(&mut sandbox, "git_pull", json!({"source": {"type": "local", "path": "/project"}})).unwrap();
    sandbox
}

#[test]
fn empty_records_survive_a_pull_and_a_push() {
    let mut target = Target::new();
    target.commit_file("a", "one\n");
    let mut sandbox = pulled(&mut target);
    record(&mut sandbox, "T1", "implement", "pass");
    record(&mut sandbox, "T1", "complete", "pass");
    target.commit_file("b", "theirs\n");
    target.serve(&mut sandbox, "git_pull", json!({})).unwrap();
    let expected =
        ["task(main@T1@complete): complete of T1", "task(main@T1@implement-pass): implement of T1", "b", "a"];
    assert_eq!(subjects(&mut sandbox), expected);
    assert_eq!(state(&mut sandbox, "T1").0, "complete");
    target.serve(&mut sandbox, "git_push", json!({"commitId": "HEAD"})).unwrap();
    assert_eq!(target.pushed.len(), 1);
    assert_eq!(sandbox.ok("git_status", json!({})).structured()["staged"], json!([]));
    assert_eq!(state(&mut sandbox, "T1").0, "complete");
}

#[test]
fn a_record_stays_though_what_it_changed_came_in_by_another_commit() {
    let mut target = Target::new();
    target.commit_file("a", "one\n");
    let mut sandbox = pulled(&mut target);
    sandbox.write("a", "two\n");
    record(&mut sandbox, "T1", "implement", "pass");
    sandbox.write("c", "c\n");
    commit(&mut sandbox, "No record");
    target.sandbox.write("c", "c\n");
    target.commit_file("a", "two\n");
    target.serve(&mut sandbox, "git_pull", json!({})).unwrap();
    assert_eq!(subjects(&mut sandbox), ["task(main@T1@implement-pass): implement of T1", "a", "a"]);
    assert_eq!(sandbox.git(&["diff", "HEAD~1", "HEAD"]), "");
}

#[test]
fn a_record_that_came_in_by_another_commit_does_not_stand_there_twice() {
    let mut target = Target::new();
    target.commit_file("a", "one\n");
    let mut sandbox = pulled(&mut target);
    sandbox.write("a", "two\n");
    record(&mut sandbox, "T1", "implement", "pass");
    let message = sandbox.git(&["log", "-1", "--format=%B"]);
    target.commit_file("b", "b\n");
    target.sandbox.write("a", "two\n");
    target.commit(&message);
    target.serve(&mut sandbox, "git_pull", json!({})).unwrap();
    assert_eq!(subjects(&mut sandbox), ["task(main@T1@implement-pass): implement of T1", "b", "a"]);
}

#[test]
fn a_record_stays_though_what_it_changed_conflicts() {
    let mut target = Target::new();
    target.commit_file("a", "one\n");
    let mut sandbox = pulled(&mut target);
    sandbox.write("a", "mine\n");
    record(&mut sandbox, "T1", "implement", "pass");
    record(&mut sandbox, "T1", "test", "pass");
    target.commit_file("a", "theirs\n");
    let pulled = target.serve(&mut sandbox, "git_pull", json!({})).unwrap().structured();
    assert_eq!(pulled["conflicts"], json!(["/workspace/a"]));
    let expected = ["task(main@T1@test-pass): test of T1", "task(main@T1@implement-pass): implement of T1", "a", "a"];
    assert_eq!(subjects(&mut sandbox), expected);
    assert!(String::from_utf8(sandbox.read("a")).unwrap().contains("<<<<<<< "));
}

#[test]
fn an_empty_record_that_came_in_is_not_made_again_on_top_of_a_later_one() {
    let mut target = Target::new();
    target.commit_file("a", "one\n");
    let mut sandbox = pulled(&mut target);
    record(&mut sandbox, "T1", "complete", "pass");
    let message = sandbox.git(&["log", "-1", "--format=%B"]);
    target.commit_file("b", "b\n");
    commit_empty(&mut target.sandbox, &message);
    let reopened = "task(main@T1@test-fail): x\n\nArborist-Step: test\nArborist-Result: fail";
    commit_empty(&mut target.sandbox, reopened);
    target.serve(&mut sandbox, "git_pull", json!({})).unwrap();
    assert_eq!(state(&mut sandbox, "T1"), ("testing".to_owned(), true));
    assert_eq!(subjects(&mut sandbox).len(), 4);
}

fn commit_empty(sandbox: &mut Sandbox, message: &str) {
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
}

#[test]
fn records_survive_a_review_that_leaves_files_out() {
    let mut target = Target::new();
    target.commit_file("a", "one\n");
    let mut sandbox = pulled(&mut target);
    sandbox.write("b", "b\n");
    record(&mut sandbox, "T1", "implement", "pass");
    record(&mut sandbox, "T1", "test", "pass");
    sandbox.write("c", "c\n");
    commit(&mut sandbox, "c");
    let arguments = json!({"commitId": "HEAD", "leaveOut": [{"path": "b"}]});
    let revised = sandbox.calling("git_revise", arguments).as_user().done().unwrap().structured();
    assert_eq!(revised["dropped"], json!([]));
    let expected = ["c", "task(main@T1@test-pass): test of T1", "task(main@T1@implement-pass): implement of T1", "a"];
    assert_eq!(subjects(&mut sandbox), expected);
    assert_eq!(sandbox.git(&["diff", "--name-only", "HEAD~3", "HEAD"]), "c\n");
}
