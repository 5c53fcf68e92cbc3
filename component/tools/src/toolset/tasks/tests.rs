//! Tests the toolset as seed 004 describes it. git itself reads the records back.

mod kept;
mod messages;
mod planned;

use serde_json::{Value, json};

use crate::error::ToolError;
use crate::options::{Options, TaskSettings, Toolset};
use crate::testing::Sandbox;

/// A sandbox with the toolset, an empty repository and an identity.
fn with_tasks() -> Sandbox {
    let mut toolsets = Options::default().toolsets;
    toolsets.push(Toolset::Tasks);
    let mut sandbox = Sandbox::with(Options { toolsets, ..Options::default() }, &[]).with_identity();
    sandbox.calling("sandbox_import", json!({})).as_user().done().unwrap();
    sandbox
}

/// Records a step, and returns the structured result.
fn record(sandbox: &mut Sandbox, task: &str, step: &str, result: &str) -> Value {
    let subject = format!("{step} of {task}");
    let arguments = json!({"task": task, "step": step, "result": result, "subject": subject});
    sandbox.approved("task_record", arguments).structured()
}

fn refused(sandbox: &mut Sandbox, more: Value) -> ToolError {
    let mut arguments = json!({"task": "T1", "step": "test", "result": "fail", "subject": "It fails"});
    more.as_object().unwrap().iter().for_each(|(name, value)| arguments[name] = value.clone());
    sandbox.refused("task_record", arguments)
}

fn state(sandbox: &mut Sandbox, task: &str) -> (String, bool) {
    let told = sandbox.ok("task_state", json!({"task": task})).structured();
    (told["state"].as_str().unwrap().to_owned(), told["reopened"].as_bool().unwrap())
}

fn log(sandbox: &mut Sandbox, format: &str) -> String {
    sandbox.git(&["log", "-1", &format!("--format={format}")]).trim_end().to_owned()
}

#[test]
fn seed_004_every_step_has_its_status_and_trailers() {
    let mut sandbox = with_tasks();
    for (step, result, status, more) in [
        ("implement", "pass", "implement-pass", "Arborist-Retry: 0"),
        ("implement", "fail", "implement-fail", "Arborist-Retry: 0"),
        ("test", "pass", "test-pass", "Arborist-Test: pass\nArborist-Retry: 1"),
        ("test", "fail", "test-fail", "Arborist-Test: fail\nArborist-Retry: 1"),
        ("review", "pass", "review-approved", "Arborist-Review: approved\nArborist-Retry: 2"),
        ("review", "fail", "review-rejected", "Arborist-Review: rejected\nArborist-Retry: 2"),
        ("complete", "pass", "complete", ""),
        ("complete", "fail", "failed", ""),
    ] {
        let recorded = record(&mut sandbox, "T001", step, result);
        assert_eq!(recorded["status"], status);
        assert_eq!(log(&mut sandbox, "%s"), format!("task(main@T001@{status}): {step} of T001"));
        let trailers = format!("Arborist-Step: {step}\nArborist-Result: {result}\n{more}");
        assert_eq!(log(&mut sandbox, "%(trailers)"), trailers.trim_end());
        assert_eq!(recorded["commitSha"], log(&mut sandbox, "%H"));
    }
}

#[test]
fn seed_004_all_trailers_that_apply_are_there_and_the_prefix_can_be_set() {
    let mut sandbox = with_tasks();
    sandbox.session.options.tasks = TaskSettings { trailer_prefix: "My-Run".to_owned() };
    let arguments = json!({
        "task": "T001", "step": "review", "result": "fail", "subject": " Too slow ", "body": "It takes\n\nan hour.\n", "retry": 7,
        "report": "spec/report.json", "test_log": "logs/test.txt", "review_log": "logs/a review.txt",
    });
    sandbox.approved("task_record", arguments);
    assert_eq!(
        log(&mut sandbox, "%B"),
        "task(main@T001@review-rejected): Too slow\n\nIt takes\n\nan hour.\n\nMy-Run-Step: review\nMy-Run-Result: fail\n\
         My-Run-Review: rejected\nMy-Run-Retry: 7\nMy-Run-Report: spec/report.json\nMy-Run-Test-Log: logs/test.txt\n\
         My-Run-Review-Log: logs/a review.txt"
    );
    let latest = &sandbox.ok("task_state", json!({"task": "T001"})).structured()["latest"];
    assert_eq!((&latest["retry"], &latest["report"]), (&json!(7), &json!("spec/report.json")));
    assert_eq!((&latest["testLog"], &latest["reviewLog"]), (&json!("logs/test.txt"), &json!("logs/a review.txt")));
    sandbox.session.options.tasks = TaskSettings::default();
    sandbox.session.forget();
    assert_eq!(state(&mut sandbox, "T001").0, "pending", "the records of another prefix are others'");
}

#[test]
fn seed_004_the_latest_record_decides_where_a_task_stands() {
    let mut sandbox = with_tasks();
    assert_eq!(state(&mut sandbox, "T1"), ("pending".to_owned(), false));
    for (step, result, stands, reopened) in [
        ("implement", "pass", "implementing", false),
        ("test", "fail", "testing", false),
        ("implement", "fail", "implementing", false),
        ("review", "pass", "reviewing", false),
        ("complete", "pass", "complete", false),
        ("test", "pass", "testing", true),
        ("complete", "fail", "failed", false),
        ("implement", "pass", "implementing", true),
        ("complete", "pass", "complete", false),
    ] {
        let recorded = record(&mut sandbox, "T1", step, result);
        assert_eq!(recorded["state"], stands);
        assert_eq!(state(&mut sandbox, "T1"), (stands.to_owned(), reopened), "{step} {result}");
        assert_eq!(state(&mut sandbox, "T10").0, "pending", "another task whose name begins so");
    }
}

#[test]
fn a_retry_is_the_number_of_failures_since_the_task_was_opened() {
    let mut sandbox = with_tasks();
    let mut retries = Vec::new();
    for (step, result) in [
        ("implement", "pass"),
        ("test", "fail"),
        ("implement", "pass"),
        ("test", "fail"),
        ("implement", "fail"),
        ("complete", "fail"),
        ("implement", "pass"),
    ] {
        retries.push(record(&mut sandbox, "T1", step, result)["retry"].clone());
    }
    assert_eq!(Value::from(retries), json!([0, 0, 1, 1, 2, null, 0]));
    let told = sandbox.ok("task_state", json!({"task": "T1"}));
    assert_eq!((&told.structured()["retries"], &told.structured()["records"]), (&json!(0), &json!(7)));
    assert!(told.text.starts_with("T1 implementing, reopened, 7 records: "), "{}", told.text);
}

#[test]
fn a_record_takes_what_has_changed_along_and_is_empty_where_nothing_has() {
    let mut sandbox = with_tasks();
    sandbox.write(".gitignore", "*.log\n");
    sandbox.write("a.log", "ignored");
    sandbox.write("src/a", "one\n");
    let first = record(&mut sandbox, "T1", "implement", "pass");
    assert_eq!(first["fileCount"], 2);
    assert_eq!(sandbox.git(&["show", "--format=", "--name-only"]), ".gitignore\nsrc/a\n");
    // A change that git add put into the index is treated the same.
    sandbox.write("src/a", "two\n");
    sandbox.git(&["add", "src/a"]);
    sandbox.write("src/a", "three\n");
    sandbox.write("b", "new\n");
    record(&mut sandbox, "T1", "implement", "pass");
    assert_eq!(sandbox.git(&["show", "HEAD:src/a"]), "three\n");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    let empty = record(&mut sandbox, "T1", "test", "pass");
    assert_eq!((&empty["fileCount"], &empty["files"]), (&json!(0), &json!([])));
    assert_eq!(sandbox.git(&["diff", "HEAD~1", "HEAD"]), "");
    // With named files, and without.
    sandbox.write("b", "other\n");
    sandbox.write("c", "c\n");
    std::fs::remove_file(sandbox.real("src/a")).unwrap();
    let arguments =
        |files: Value| json!({"task": "T1", "step": "implement", "result": "pass", "subject": "x", "files": files});
    assert_eq!(sandbox.approved("task_record", arguments(json!([]))).structured()["fileCount"], 0);
    let named = sandbox.approved("task_record", arguments(json!(["c", "src"])));
    assert_eq!(sandbox.git(&["show", "--format=", "--name-status"]), "A\tc\nD\tsrc/a\n");
    assert!(named.text.contains("A /workspace/c (+1)\nD /workspace/src/a"), "{}", named.text);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), " M b\n");
    assert_eq!(sandbox.git(&["fsck", "--strict", "--no-dangling"]), "");
    // A file that git add removed from the index is gone.
    sandbox.git(&["rm", "--quiet", "--cached", "c"]);
    std::fs::remove_file(sandbox.real("c")).unwrap();
    record(&mut sandbox, "T1", "implement", "pass");
    assert_eq!(sandbox.git(&["show", "--format=", "--name-status"]), "M\tb\nD\tc\n");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    let error = sandbox.refused("task_record", arguments(json!(["nowhere"])));
    assert_eq!(error.message, "pathspec 'nowhere' did not match any files");
}

#[test]
fn seed_004_records_are_scoped_to_the_branch_that_head_is_on() {
    let mut sandbox = with_tasks();
    record(&mut sandbox, "T1", "complete", "pass");
    for branch in ["feature/a@b", "x(y)", "é/漢", "main@T1", "w}{"] {
        sandbox.git(&["checkout", "--quiet", "-b", branch]);
        assert_eq!(state(&mut sandbox, "T1"), ("pending".to_owned(), false), "{branch}");
        record(&mut sandbox, "T1", "test", "fail");
        assert_eq!(state(&mut sandbox, "T1").0, "testing", "{branch}");
        // The search that the seed itself suggests.
        let found = sandbox.git(&["log", "--fixed-strings", &format!("--grep=task({branch}@T1@"), "--format=%s"]);
        assert_eq!(found, format!("task({branch}@T1@test-fail): test of T1\n"));
    }
    sandbox.git(&["checkout", "--quiet", "main"]);
    assert_eq!(state(&mut sandbox, "T1").0, "complete");
    sandbox.git(&["checkout", "--quiet", "--detach"]);
    let error = sandbox.fail("task_state", json!({"task": "T1"}));
    assert_eq!(error.message, "HEAD is detached: records of tasks belong to a branch");
    assert_eq!(refused(&mut sandbox, json!({})).hint, "Switch to a branch with git_checkout.");
}

#[test]
fn a_list_has_every_task_in_the_order_in_which_it_was_begun() {
    let mut sandbox = with_tasks();
    for (task, step, result) in [
        ("T2", "implement", "pass"),
        ("T1", "test", "fail"),
        ("T2", "complete", "pass"),
        ("T1", "implement", "pass"),
        ("T3", "complete", "fail"),
    ] {
        record(&mut sandbox, task, step, result);
    }
    let listed = sandbox.ok("task_list", json!({}));
    let told = listed.structured();
    let tasks: Vec<String> = told["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|task| format!("{} {} {} {}", task["task"], task["state"], task["retries"], task["latest"]["status"]))
        .collect();
    assert_eq!(
        tasks,
        [
            "\"T2\" \"complete\" 0 \"complete\"",
            "\"T1\" \"implementing\" 1 \"implement-pass\"",
            "\"T3\" \"failed\" 0 \"failed\""
        ]
    );
    let counts = json!({"pending": 0, "implementing": 1, "testing": 0, "reviewing": 0, "complete": 1, "failed": 1});
    assert_eq!(told["counts"], counts);
    assert!(listed.text.starts_with("main: 1 implementing, 1 complete, 1 failed\nT2 complete, 2 records: "));
    sandbox.write("tasks.md", "- [ ] T1 a\n- [ ] T9 b\n");
    let with_file = sandbox.ok("task_list", json!({"file": "tasks.md", "state": "pending"})).structured();
    assert_eq!(with_file["tasks"].as_array().unwrap().len(), 1);
    assert_eq!((&with_file["tasks"][0]["task"], &with_file["counts"]["pending"]), (&json!("T9"), &json!(1)));
    sandbox.session.options.git.max_bytes = 100;
    let error = sandbox.fail("task_list", json!({}));
    assert_eq!(error.message, "There is no room for a task in 100 bytes");
    // In several pages.
    sandbox.session.options.git.max_bytes = 700;
    let part = sandbox.ok("task_list", json!({}));
    assert!(part.truncated && part.structured()["next"].is_u64(), "{}", part.structured());
    let next = part.structured()["next"].clone();
    let rest = sandbox.ok("task_list", json!({"skip": next})).structured();
    assert_eq!(rest["tasks"][0]["task"], told["tasks"][next.as_u64().unwrap() as usize]["task"]);
    assert_eq!(rest["counts"], counts);
}

#[test]
fn lessons_are_the_bodies_of_failures_newest_first() {
    let mut sandbox = with_tasks();
    let fail = |sandbox: &mut Sandbox, step: &str, result: &str, body: &str| {
        let arguments = json!({"task": "T1", "step": step, "result": result, "subject": "s", "body": body});
        sandbox.approved("task_record", arguments);
    };
    fail(&mut sandbox, "test", "fail", "First.\n\nArborist-Step: complete\nArborist-Result: pass");
    fail(&mut sandbox, "implement", "pass", "No lesson.");
    fail(&mut sandbox, "review", "fail", "Second.");
    fail(&mut sandbox, "implement", "fail", "");
    let told = sandbox.ok("task_lessons", json!({"task": "T1"}));
    let bodies: Vec<Value> =
        told.structured()["lessons"].as_array().unwrap().iter().map(|lesson| lesson["body"].clone()).collect();
    assert_eq!(bodies, ["", "Second.", "First.\n\nArborist-Step: complete\nArborist-Result: pass"]);
    assert!(told.text.contains("review-rejected \"s\"\n\nSecond.\n"), "{}", told.text);
    let none = sandbox.ok("task_lessons", json!({"task": "T2"}));
    assert_eq!(none.text, "No failure of T2 is recorded on main.\n");
    let cut = sandbox.ok("task_lessons", json!({"task": "T1", "max_bytes": 500}));
    let lessons = cut.structured();
    let (listed, omitted) = (lessons["lessons"].as_array().unwrap().len(), lessons["lessonsOmitted"].as_u64());
    assert!(listed > 0 && omitted == Some(3 - listed as u64) && cut.text.len() <= 500, "{lessons:#}");
    assert_eq!(sandbox.fail("task_lessons", json!({"task": "T1", "max_bytes": 0})).kind.name(), "bad-args");
}

#[test]
fn what_a_merge_has_left_open_is_not_recorded_by_the_way() {
    let mut sandbox = with_tasks();
    sandbox.write("a", "one\n");
    record(&mut sandbox, "T1", "implement", "pass");
    sandbox.write("a", "two\n");
    sandbox.git(&["stash", "--quiet"]);
    sandbox.write("a", "three\n");
    record(&mut sandbox, "T1", "implement", "pass");
    sandbox.git_output(&["stash", "pop"]);
    let error = refused(&mut sandbox, json!({}));
    assert!(error.message.contains("because you have unmerged files"), "{error:?}");
    let arguments = json!({"task": "T1", "step": "test", "result": "fail", "subject": "x", "files": []});
    assert!(sandbox.calling("task_record", arguments).approved().is_ok());
}

#[test]
fn the_toolset_is_off_unless_it_is_turned_on() {
    let mut sandbox = Sandbox::with_two_commits();
    for tool in ["task_record", "task_state", "task_list", "task_next", "task_lessons"] {
        assert_eq!(sandbox.fail(tool, json!({"task": "T1"})).kind.name(), "unknown-tool");
    }
}
