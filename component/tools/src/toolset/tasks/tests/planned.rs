//! Checks which task is next.

use serde_json::{Value, json};

use super::{record, with_tasks};

const PLAN: &str = "# Plan\n- [x] T001 Create the file\n- [ ] T003 Review it (depends on T002)\n- [ ] T002 Test it (depends on T001)\n- [ ] T004 Other\n";

#[test]
fn the_next_task_is_the_first_whose_dependencies_are_complete() {
    let mut sandbox = with_tasks();
    sandbox.write("tasks.md", PLAN);
    let next = |sandbox: &mut crate::testing::Sandbox| {
        let told = sandbox.ok("task_next", json!({})).structured();
        (told["next"]["task"].as_str().map(str::to_owned), told["done"].as_bool().unwrap())
    };
    let is = |task: &str| (Some(task.to_owned()), false);
    // A ticked box has no meaning: only records count.
    assert_eq!(next(&mut sandbox), is("T001"));
    record(&mut sandbox, "T001", "implement", "pass");
    assert_eq!(next(&mut sandbox), is("T001"), "it was begun and is not complete");
    let told = sandbox.ok("task_next", json!({}));
    assert!(
        told.text.starts_with("Next: T001 Create the file (implementing), /workspace/tasks.md:2\n"),
        "{}",
        told.text
    );
    record(&mut sandbox, "T001", "complete", "pass");
    assert_eq!(next(&mut sandbox), is("T002"));
    record(&mut sandbox, "T002", "complete", "fail");
    let told = sandbox.ok("task_next", json!({})).structured();
    assert_eq!(
        (&told["next"]["task"], &told["blocked"]),
        (&json!("T004"), &json!([{"task": "T003", "waitsFor": ["T002"]}]))
    );
    record(&mut sandbox, "T004", "complete", "pass");
    assert_eq!(next(&mut sandbox), (None, false));
    record(&mut sandbox, "T002", "implement", "pass");
    record(&mut sandbox, "T002", "complete", "pass");
    record(&mut sandbox, "T003", "complete", "pass");
    assert_eq!(next(&mut sandbox), (None, true));
}

#[test]
fn circles_and_unknown_tasks_are_told_and_hold_up_nothing_else() {
    let mut sandbox = with_tasks();
    sandbox.write(
        "plan.yaml",
        "tasks:\n- {id: a1, depends_on: [b1]}\n- {id: b1, depends_on: a1}\n- {id: c1, depends_on: [x9]}\n- id: d1\n",
    );
    let told = sandbox.ok("task_next", json!({"file": "plan.yaml"}));
    assert_eq!(told.structured()["next"]["task"], "d1");
    assert_eq!(
        told.structured()["problems"],
        json!([
            {"line": 2, "message": "these depend on each other: a1 -> b1 -> a1"},
            {"line": 4, "message": "c1 depends on x9, which is unknown"},
        ])
    );
    assert!(told.text.contains("/workspace/plan.yaml:4: c1 depends on x9, which is unknown\n"), "{}", told.text);
    // Records older than this file count too.
    record(&mut sandbox, "x9", "complete", "pass");
    let told = sandbox.ok("task_next", json!({"file": "plan.yaml"})).structured();
    assert_eq!((&told["next"]["task"], told["problems"].as_array().unwrap().len()), (&json!("c1"), 1));
}

#[test]
fn a_file_that_is_none_is_an_error_that_says_so() {
    let mut sandbox = with_tasks();
    let error = sandbox.fail("task_next", json!({}));
    assert_eq!(error.message, "There is no task file: no tasks.md, tasks.yaml, tasks.yml in /workspace");
    sandbox.write("tasks.yml", "a: [\n");
    let error = sandbox.fail("task_next", json!({}));
    assert!(error.message.starts_with("tasks.yml:2: ") && error.hint.contains("depends_on"), "{error:?}");
    for (file, content, message) in [
        ("a.md", &b"\xff"[..], "a.md is not UTF-8"),
        ("b.yaml", b"- T1\n", "b.yaml:1: a task must be a map"),
        ("big.md", &[b'x'; (1 << 20) + 1], "big.md is larger than 1 MiB"),
    ] {
        sandbox.write(file, content);
        assert_eq!(sandbox.fail("task_next", json!({"file": file})).message, message);
    }
    for outside in ["/etc/passwd", "../x", ".git/config", "nowhere.md"] {
        assert!(!sandbox.fail("task_next", json!({"file": outside})).message.is_empty());
    }
    sandbox.write("empty.md", "# Nothing\n");
    let empty = sandbox.ok("task_next", json!({"file": "empty.md"})).structured();
    assert_eq!((&empty["next"], &empty["hint"]), (&Value::Null, &json!("The file has no task.")));
}
