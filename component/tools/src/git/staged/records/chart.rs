//! The state of a task, from its records (seed 004, "State Recovery").
//!
//! The latest record decides. A record after a complete step reopens the task: the seed's "Latest Wins" overrides its chart, which looks
//! for a complete step anywhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::git::staged::records::step::{Outcome, Step};
use crate::git::staged::records::trail::{Entry, Trail};

/// Where a task stands.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Nothing is recorded.
    Pending,
    /// The latest record is of an implement step.
    Implementing,
    /// The latest record is of a test step.
    Testing,
    /// The latest record is of a review step.
    Reviewing,
    /// The latest record is of a complete step that passed.
    Complete,
    /// The latest record is of a complete step that failed.
    Failed,
}

impl State {
    /// All states, in the order of the work.
    pub const ALL: [State; 6] =
        [State::Pending, State::Implementing, State::Testing, State::Reviewing, State::Complete, State::Failed];

    /// The name of the state in results.
    pub fn name(self) -> &'static str {
        match self {
            State::Pending => "pending",
            State::Implementing => "implementing",
            State::Testing => "testing",
            State::Reviewing => "reviewing",
            State::Complete => "complete",
            State::Failed => "failed",
        }
    }

    /// The state after a record.
    pub fn after(step: Step, outcome: Outcome) -> State {
        match (step, outcome) {
            (Step::Implement, _) => State::Implementing,
            (Step::Test, _) => State::Testing,
            (Step::Review, _) => State::Reviewing,
            (Step::Complete, Outcome::Pass) => State::Complete,
            (Step::Complete, Outcome::Fail) => State::Failed,
        }
    }
}

/// The progress of a task.
#[derive(Clone, Debug)]
pub struct Progress<'t> {
    /// The latest record.
    pub latest: &'t Entry,
    /// The number of records.
    pub records: usize,
    /// Whether the task is open again after it was complete or had failed.
    pub reopened: bool,
    /// The highest retry in its records since the task was last opened.
    pub retries: u32,
    /// The number of failures since the task was last opened.
    pub failures: u32,
    /// Whether all records since then are counted.
    is_past: bool,
}

impl<'t> Progress<'t> {
    fn begin(latest: &'t Entry) -> Progress<'t> {
        let mut progress = Progress { latest, records: 0, reopened: false, retries: 0, failures: 0, is_past: false };
        progress.count(latest);
        progress
    }

    /// Counts the next earlier record.
    fn count(&mut self, entry: &Entry) {
        let recorded = &entry.recorded;
        if self.records > 0 && recorded.step == Step::Complete {
            self.is_past = true;
            self.reopened |= self.latest.recorded.step != Step::Complete;
        }
        self.records += 1;
        if self.is_past {
            return;
        }
        self.retries = self.retries.max(recorded.retry.unwrap_or(0));
        if recorded.outcome == Outcome::Fail && recorded.step != Step::Complete {
            self.failures += 1;
        }
    }

    /// The present state.
    pub fn state(&self) -> State {
        State::after(self.latest.recorded.step, self.latest.recorded.outcome)
    }

    /// The number of the attempt that the next record belongs to.
    pub fn attempt(&self) -> u32 {
        if self.latest.recorded.step == Step::Complete { 0 } else { self.failures }
    }
}

/// The progress of `task`. `None` if it has no record.
pub fn of<'t>(trail: &'t Trail, task: &'t str) -> Option<Progress<'t>> {
    let mut entries = trail.task(task);
    let mut progress = Progress::begin(entries.next()?);
    entries.for_each(|entry| progress.count(entry));
    Some(progress)
}

/// The progress of every task, in the order of their first records.
pub fn all(trail: &Trail) -> Vec<Progress<'_>> {
    let mut tasks: BTreeMap<&str, (usize, Progress<'_>)> = BTreeMap::new();
    for (position, entry) in trail.entries.iter().enumerate() {
        match tasks.get_mut(&*entry.recorded.task) {
            Some((begun, progress)) => {
                *begun = position;
                progress.count(entry);
            }
            None => drop(tasks.insert(&entry.recorded.task, (position, Progress::begin(entry)))),
        }
    }
    let mut tasks: Vec<(usize, Progress<'_>)> = tasks.into_values().collect();
    patch::sort::sort_by_key(&mut tasks, |(begun, _)| std::cmp::Reverse(*begun));
    tasks.into_iter().map(|(_, progress)| progress).collect()
}
