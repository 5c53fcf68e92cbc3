//! The table of tasks.

use serde::Deserialize;
use serde_json::Value;

use super::line;
use super::times::Times;
use crate::error::{ErrorKind, HostError, Result};

/// The parts of `task_list`'s structured result that the table needs.
#[derive(Debug, Deserialize)]
pub struct Listed {
    branch: String,
    tasks: Vec<Task>,
    hint: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Task {
    task: String,
    state: String,
    reopened: bool,
    retries: u32,
    records: usize,
    latest: Option<Latest>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Latest {
    id: String,
    status: String,
    subject: String,
    created_at: String,
}

/// Parses a structured result.
pub fn read(structured: Value) -> Result<Listed> {
    serde_json::from_value(structured)
        .map_err(|error| HostError::new(ErrorKind::Component, format!("cannot read the list of tasks: {error}")))
}

/// The table: a line for each task, and how many are in which state.
pub fn screen(listed: &Listed, times: Times) -> String {
    let headings = ["TASK", "STATE", "RETRIES", "RECORDS", "COMMIT", "WHEN", "LATEST"].map(str::to_owned);
    let rows: Vec<[String; 7]> =
        std::iter::once(headings).chain(listed.tasks.iter().map(|task| task.row(times))).collect();
    let mut out = format!("Tasks of branch {}:\n", line(&listed.branch));
    if listed.tasks.is_empty() {
        return format!("No task is recorded on branch {}.\n", line(&listed.branch));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; 7] = std::array::from_fn(width);
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        out.push_str(&format!("  {}\n", cells.join("  ").trim_end()));
    }
    let count = |state: &str| listed.tasks.iter().filter(|task| task.state == state).count();
    let complete = count("complete");
    out.push_str(&format!("{complete} of {} complete", listed.tasks.len()));
    for state in ["failed", "pending"].into_iter().filter(|state| count(state) > 0) {
        out.push_str(&format!(", {} {state}", count(state)));
    }
    out.push('\n');
    if let Some(hint) = &listed.hint {
        out.push_str(&format!("hint: {}\n", line(hint)));
    }
    out
}

impl Task {
    fn row(&self, times: Times) -> [String; 7] {
        let state = if self.reopened { format!("{} (reopened)", line(&self.state)) } else { line(&self.state) };
        let (mut commit, mut when, mut what) = Default::default();
        if let Some(latest) = &self.latest {
            commit = line(&latest.id);
            when = times.of_text(&latest.created_at);
            what = format!("{}: {}", line(&latest.status), line(&latest.subject));
        }
        let counts =
            if self.records == 0 { Default::default() } else { (self.retries.to_string(), self.records.to_string()) };
        [line(&self.task), state, counts.0, counts.1, commit, when, what]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_task_is_a_line_and_a_terminal_obeys_none() {
        let latest = json!({"id": "1a2b3c4d", "status": "test-fail", "subject": "It \u{1b}[2J fails", "createdAt": "2026-11-20T10:00:00+01:00"});
        let tasks = json!([
            {"task": "T001", "state": "testing", "reopened": true, "retries": 1, "records": 5, "latest": latest},
            {"task": "T2", "state": "pending", "reopened": false, "retries": 0, "records": 0},
        ]);
        let listed = read(json!({"branch": "main", "tasks": tasks})).unwrap();
        assert_eq!(
            screen(&listed, Times::EXACT),
            "Tasks of branch main:\n\
             \x20 TASK  STATE               RETRIES  RECORDS  COMMIT    WHEN                       LATEST\n\
             \x20 T001  testing (reopened)  1        5        1a2b3c4d  2026-11-20T10:00:00+01:00  test-fail: It \\x1b[2J fails\n\
             \x20 T2    pending\n\
             0 of 2 complete, 1 pending\n"
        );
        let none = read(json!({"branch": "main", "tasks": []})).unwrap();
        assert_eq!(screen(&none, Times::EXACT), "No task is recorded on branch main.\n");
    }
}
