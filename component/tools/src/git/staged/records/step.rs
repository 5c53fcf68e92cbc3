//! The steps of a task, and the status in their records (seed 004, "Status values").

use serde::{Deserialize, Serialize};

/// A phase of the work on a task.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Implement,
    Test,
    Review,
    Complete,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Pass,
    Fail,
}

/// The seed's table.
const STATUSES: [(Step, Outcome, &str); 8] = [
    (Step::Implement, Outcome::Pass, "implement-pass"),
    (Step::Implement, Outcome::Fail, "implement-fail"),
    (Step::Test, Outcome::Pass, "test-pass"),
    (Step::Test, Outcome::Fail, "test-fail"),
    (Step::Review, Outcome::Pass, "review-approved"),
    (Step::Review, Outcome::Fail, "review-rejected"),
    (Step::Complete, Outcome::Pass, "complete"),
    (Step::Complete, Outcome::Fail, "failed"),
];

impl Step {
    /// The step's name in its trailer.
    pub fn name(self) -> &'static str {
        match self {
            Step::Implement => "implement",
            Step::Test => "test",
            Step::Review => "review",
            Step::Complete => "complete",
        }
    }
}

impl Outcome {
    /// The outcome's name in its trailer.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
        }
    }
}

/// The status in the subject of a record.
pub fn status(step: Step, outcome: Outcome) -> &'static str {
    let row = STATUSES.iter().find(|(of, so, _)| (*of, *so) == (step, outcome));
    row.expect("the table has every step with both outcomes").2
}

/// The step and outcome of `status`.
pub fn of_status(status: &str) -> Option<(Step, Outcome)> {
    STATUSES.iter().find(|(.., named)| *named == status).map(|(step, outcome, _)| (*step, *outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_status_for_both_outcomes_and_every_status_names_one() {
        for step in [Step::Implement, Step::Test, Step::Review, Step::Complete] {
            for outcome in [Outcome::Pass, Outcome::Fail] {
                assert_eq!(of_status(status(step, outcome)), Some((step, outcome)));
            }
        }
        assert_eq!((of_status("review-pass"), of_status("Complete")), (None, None));
    }
}
