//! Tasks whose state is in the history: an agent records it, is killed and resumes; a push carries
//! it; git reads it.

use std::process::Stdio;

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::repo::Repo;

/// A home with the task tools enabled, a repository, and a sandbox of it.
fn with_tasks() -> (Cli, Repo) {
    let cli = Cli::default();
    cli.configure("unattended = true\n[tools.tasks]\nenabled = true\n");
    let repo = cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "An Agent <agent@example.org>"]).ok();
    (cli, repo)
}

/// The steps of a run of three tasks, one of which is retried.
const STEPS: [(&str, &str, &str); 11] = [
    ("T001", "implement", "pass"),
    ("T001", "test", "pass"),
    ("T001", "review", "pass"),
    ("T001", "complete", "pass"),
    ("T002", "implement", "pass"),
    ("T002", "test", "fail"),
    ("T002", "implement", "pass"),
    ("T002", "test", "pass"),
    ("T002", "complete", "pass"),
    ("T003", "implement", "fail"),
    ("T003", "complete", "fail"),
];

fn step((task, step, result): (&str, &str, &str)) -> Value {
    json!({"task": task, "step": step, "result": result, "subject": format!("{step} {task}"), "body": "Why."})
}

fn records(cli: &Cli) -> u64 {
    let listed = cli.structured("task_list", &json!({}));
    listed["tasks"].as_array().unwrap().iter().map(|task| task["records"].as_u64().unwrap()).sum()
}

/// Each task, its state and its retries.
fn states(cli: &Cli) -> Vec<(String, String, u64)> {
    let listed = cli.run(&["tasks", "--json"]).ok().json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let tasks = listed["tasks"].as_array().unwrap().iter();
    tasks.map(|task| (text(&task["task"]), text(&task["state"]), task["retries"].as_u64().unwrap())).collect()
}

fn expected() -> Vec<(String, String, u64)> {
    [("T001", "complete", 0), ("T002", "complete", 1), ("T003", "failed", 0)]
        .map(|(task, state, retries)| (task.to_owned(), state.to_owned(), retries))
        .to_vec()
}

#[test]
fn seed_004_a_run_that_is_killed_at_every_step_goes_on_from_its_commits() {
    let (cli, repo) = with_tasks();
    std::fs::write(cli.work().join("tasks.md"), "").unwrap();
    let plan = "- [ ] T001 a\n- [ ] T002 b (depends on T001)\n- [ ] T003 c (depends on T002)\n";
    cli.call("write_file", &json!({"path": "tasks.md", "content": plan})).ok();
    let mut done = 0;
    for given in STEPS {
        assert_eq!(cli.structured("task_next", &json!({}))["next"]["task"], given.0, "after {done}");
        // Killed at once: it has recorded the step, or it has not.
        let arguments = step(given).to_string();
        let mut killed = cli.command(&["call", "task_record", &arguments, "--yes"]);
        let mut killed = killed.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        killed.kill().unwrap();
        killed.wait().unwrap();
        let now = records(&cli);
        assert!(now == done || now == done + 1, "{now} records after {done}");
        if now == done {
            cli.call("task_record", &step(given)).ok();
        }
        done += 1;
        assert_eq!(records(&cli), done);
    }
    assert_eq!(states(&cli), expected());
    assert_eq!(cli.structured("task_next", &json!({}))["next"], Value::Null);
    let lessons = cli.structured("task_lessons", &json!({"task": "T002"}));
    assert_eq!(
        (&lessons["lessons"][0]["status"], &lessons["lessons"][0]["body"]),
        (&json!("test-fail"), &json!("Why."))
    );
    // After the push, git reads the same from the history.
    cli.run(&["push", "HEAD", "--yes"]).ok();
    repo.is_sound();
    let subjects = |pattern: &str| -> Vec<String> {
        let grep = format!("--grep={pattern}");
        repo.git(&["log", "--reverse", "--fixed-strings", &grep, "--format=%s"]).lines().map(str::to_owned).collect()
    };
    assert_eq!(subjects("task(main@").len(), STEPS.len());
    assert_eq!(
        subjects("task(main@T002"),
        [
            "task(main@T002@implement-pass): implement T002",
            "task(main@T002@test-fail): test T002",
            "task(main@T002@implement-pass): implement T002",
            "task(main@T002@test-pass): test T002",
            "task(main@T002@complete): complete T002",
        ]
    );
    let steps = "--format=%(trailers:key=Arborist-Step,valueonly,separator=)/%(trailers:key=Arborist-Result,valueonly,separator=)";
    let told = repo.git(&["log", "--reverse", "--fixed-strings", "--grep=task(main@", steps]);
    let by_git: Vec<String> = told.lines().map(str::to_owned).collect();
    assert_eq!(by_git, STEPS.map(|(_, step, result)| format!("{step}/{result}")));
    // A new sandbox of the repository knows it all.
    cli.run(&["-s", "again", "new", "--from", "local:project", "--identity", "An Agent <agent@example.org>"]).ok();
    let again = cli.run(&["-s", "again", "tasks", "--json"]).ok().json();
    assert_eq!(again["tasks"].as_array().unwrap().len(), 3);
    let before = cli.run(&["tasks", "--json"]).ok().json();
    assert_eq!(again["counts"], before["counts"]);
}

#[test]
fn a_person_reads_a_table() {
    let (cli, _) = with_tasks();
    assert_eq!(cli.run(&["tasks"]).ok().stdout, "No task is recorded on branch main.\n");
    for given in STEPS {
        cli.call("task_record", &step(given)).ok();
    }
    cli.call("write_file", &json!({"path": "plan.md", "content": "- [ ] T9 later\n"})).ok();
    let table = cli.run(&["tasks", "plan.md"]).ok().stdout;
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[1].starts_with("  TASK  STATE     RETRIES  RECORDS  COMMIT    WHEN "), "{table}");
    assert!(
        lines[3].starts_with("  T002  complete  1        5        ") && lines[3].ends_with("complete: complete T002"),
        "{table}"
    );
    assert_eq!(lines[5..], ["  T9    pending", "2 of 4 complete, 1 failed, 1 pending"], "{table}");
    let error = cli.run(&["tasks", "nowhere.md"]).fails(1);
    assert!(error.stderr.contains("No such file or directory: nowhere.md"), "{error:?}");
}

#[test]
fn the_tools_are_off_until_a_person_turns_them_on() {
    let cli = Cli::default();
    cli.repository("project");
    cli.run(&["new", "--from", "local:project"]).ok();
    let listed = cli.run(&["tools"]).ok().stdout;
    assert!(!listed.contains("task_record") && listed.contains("off: tasks (5 tools)"), "{listed}");
    let error = cli.run(&["tasks"]).fails(2);
    assert!(
        error.stderr.contains("the tools for tasks are off") && error.stderr.contains("[tools.tasks]"),
        "{error:?}"
    );
    cli.call("task_state", &json!({"task": "T1"})).fails(1);
    cli.configure("[tools.tasks]\nenabled = true\n");
    let listed = cli.run(&["tools"]).ok().stdout;
    assert!(listed.contains("task_record") && !listed.contains("off:"), "{listed}");
    // A worker's own setting overrides it.
    cli.configure("");
    std::fs::write(cli.work().join("worker.md"), "---\ntoolsets:\n  tasks:\n    trailer_prefix: My-Run\n---\n")
        .unwrap();
    cli.run(&["-s", "two", "new", "--empty", "--worker", "worker.md", "--identity", "A <a@b>"]).ok();
    cli.run(&["-s", "two", "call", "task_record", &step(STEPS[0]).to_string(), "--yes"]).ok();
    let shown = cli.run(&["-s", "two", "call", "git_show", "{}"]).ok().stdout;
    assert!(shown.contains("My-Run-Step: implement"), "{shown}");
}

#[test]
fn seed_004_only_the_user_drops_a_record() {
    let (cli, _) = with_tasks();
    cli.call("task_record", &step(STEPS[0])).ok();
    cli.call("write_file", &json!({"path": "a", "content": "a"})).ok();
    for (tool, arguments) in [("sandbox_undo", json!({"steps": 2})), ("git_discard", json!({"commitId": "HEAD"}))] {
        let refused = cli.call(tool, &arguments).fails(1);
        assert!(refused.stderr.contains("would drop the record of a task: "), "{refused:?}");
        assert_eq!(states(&cli)[0].1, "implementing");
    }
    assert_eq!(cli.structured("git_status", &json!({}))["staged"].as_array().unwrap().len(), 1);
    cli.run(&["undo", "2"]).ok();
    assert_eq!(records(&cli), 0);
}
