//! Measures the state of tasks in a long history: 10,000 records on top of the repository, against git's own search for them.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::host::Host;
use super::place::{Place, git};
use super::timing::{Pair, pair, spawn, time};

/// The number of tasks, and of the records of each.
const TASKS: usize = 1000;
const RECORDS: usize = 10;
/// The repeating sequence of a task's records.
const STEPS: [(&str, &str, &str); RECORDS / 2] = [
    ("implement-pass", "implement", "pass"),
    ("test-fail", "test", "fail"),
    ("implement-pass", "implement", "pass"),
    ("test-pass", "test", "pass"),
    ("complete", "complete", "pass"),
];
const ROUNDS: usize = 21;

/// Measures the calls that read records.
pub fn all(place: &Place, repo: &Path) -> Result<Vec<(&'static str, Pair)>> {
    let clone = place.folder.join("tasks");
    spawn(git(&place.folder).args(["clone", "--quiet", "--no-local"]).arg(repo).arg(&clone))?;
    record(&clone)?;
    let source = format!("local:{}", clone.display());
    spawn(&mut place.opening("tasks", &source))?;
    let mut host = Host::start(place.gitgate("tasks"))?;
    let listed = host.call("task_list", &json!({}))?;
    ensure!(listed["counts"]["complete"] == TASKS, "not every task is complete: {}", listed["counts"]);
    let mut measure = |tool: &str, arguments: serde_json::Value, grep: &str| {
        pair(ROUNDS, |_| {
            let command = ["log", "--fixed-strings", grep, "--format=%H %s%n%(trailers:only)"];
            let found = time(|| spawn(git(&clone).args(command)))?;
            Ok((found, host.timed(tool, &arguments)?.0))
        })
    };
    let times = vec![
        (
            "state of 1,000 tasks in 10,000 records, against `git log --grep`",
            measure("task_list", json!({}), "--grep=task(main@")?,
        ),
        ("state of one of them", measure("task_state", json!({ "task": "T0500" }), "--grep=task(main@T0500@")?),
    ];
    host.end()?;
    Ok(times)
}

/// Commits the records on top of `main`.
fn record(repo: &Path) -> Result<()> {
    let mut child =
        git(repo).args(["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().context("git is needed")?;
    let mut stream = BufWriter::new(child.stdin.take().expect("it is piped"));
    for number in 0..TASKS * RECORDS {
        let (task, (status, step, result)) = (number % TASKS, STEPS[number / TASKS % STEPS.len()]);
        let message = format!(
            "task(main@T{task:04}@{status}): {step} of {task}\n\nAs it was asked for.\n\nArborist-Step: {step}\nArborist-Result: {result}\n"
        );
        writeln!(stream, "commit refs/heads/main")?;
        writeln!(stream, "committer Ada Example <ada@example.org> {} +0000", 1_700_000_000 + 60 * number)?;
        writeln!(stream, "data {}\n{message}", message.len())?;
        if number == 0 {
            writeln!(stream, "from refs/heads/main^0")?;
        }
    }
    stream.flush()?;
    drop(stream);
    ensure!(child.wait()?.success(), "git fast-import failed");
    Ok(())
}
