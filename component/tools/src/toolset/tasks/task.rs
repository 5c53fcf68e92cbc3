//! A task in a result.

use serde::Serialize;

use crate::budget::brief;
use crate::call::Moment;
use crate::git::staged::ids::Ids;
use crate::git::staged::records::chart::{Progress, State};
use crate::git::staged::records::step::{Outcome, Step};
use crate::git::staged::records::trail::Entry;

/// Size limit of a record. No text takes more than a quarter of it, because others may have made the record by hand.
const ROOM: usize = 4000;

/// Where a task stands.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub task: String,
    pub state: State,
    /// Whether the task was complete or had failed, and was taken up again.
    pub reopened: bool,
    /// The highest retry that was recorded since the task was opened.
    pub retries: u32,
    /// How many commits record steps of the task.
    pub records: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest: Option<Record>,
}

/// A commit that records a step of a task.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// What other tools name the commit by.
    pub id: String,
    /// Its name in git.
    pub commit_sha: String,
    /// As the subject has it, such as test-fail.
    pub status: &'static str,
    step: Step,
    result: Outcome,
    subject: String,
    /// Which attempt it was, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry: Option<u32>,
    created_at: String,
    /// Path of the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<String>,
    /// Path of the tests' output
    #[serde(skip_serializing_if = "Option::is_none")]
    test_log: Option<String>,
    /// Path of the review's output
    #[serde(skip_serializing_if = "Option::is_none")]
    review_log: Option<String>,
}

impl Task {
    /// The task with this progress. `now` gives the time zone.
    pub fn of(progress: &Progress<'_>, ids: &Ids, now: Moment) -> Task {
        Task {
            task: progress.latest.recorded.task.to_string(),
            state: progress.state(),
            reopened: progress.reopened,
            retries: progress.retries,
            records: progress.records,
            latest: Some(Record::of(progress.latest, ids, now)),
        }
    }

    /// A task without records.
    pub fn pending(task: &str) -> Task {
        Task { task: task.to_owned(), state: State::Pending, reopened: false, retries: 0, records: 0, latest: None }
    }

    /// `T001 testing, reopened, retry 1, 5 records: 1a2b3c4d test-fail "subject"`
    pub fn line(&self) -> String {
        let mut line = format!("{} {}", self.task, self.state.name());
        if self.reopened {
            line.push_str(", reopened");
        }
        if self.retries > 0 {
            line.push_str(&format!(", retry {}", self.retries));
        }
        if let Some(latest) = &self.latest {
            let plural = if self.records == 1 { "" } else { "s" };
            line.push_str(&format!(", {} record{plural}: {}", self.records, latest.line()));
        }
        line
    }
}

impl Record {
    /// The record `entry`. `now` gives the time zone.
    pub fn of(entry: &Entry, ids: &Ids, now: Moment) -> Record {
        let recorded = &entry.recorded;
        let text = |path: &Option<Box<str>>| path.as_deref().map(|path| brief(path, ROOM));
        Record {
            id: ids.of(entry.id),
            commit_sha: entry.id.to_string(),
            status: recorded.status(),
            step: recorded.step,
            result: recorded.outcome,
            subject: brief(&recorded.subject, ROOM),
            retry: recorded.retry,
            created_at: Moment { nanos: entry.time.saturating_mul(1_000_000_000), ..now }.rfc3339(),
            report: text(&recorded.report),
            test_log: text(&recorded.test_log),
            review_log: text(&recorded.review_log),
        }
    }

    /// `1a2b3c4d test-fail "subject"`
    pub fn line(&self) -> String {
        format!("{} {} \"{}\"", self.id, self.status, self.subject)
    }
}
