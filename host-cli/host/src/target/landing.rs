//! The plan of a push, and how its landing ended.

use std::path::PathBuf;

use bstr::BString;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{TargetError, TargetErrorKind};

/// Everything that a landing will do, as the body that made it wrote it down.
///
/// A host records it with the intent and hands it back. It reads nothing in it, so what it means is
/// for the body alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RawPlan(Value);

impl RawPlan {
    /// The plan that `steps` are. Fails if they are no JSON.
    pub fn of(steps: &impl Serialize) -> Result<Self, TargetError> {
        serde_json::to_value(steps).map(RawPlan).map_err(|error| {
            TargetError::new(TargetErrorKind::Unsupported, format!("cannot write down the plan of the push: {error}"))
                .caused_by(error)
        })
    }

    /// The steps, for the body that wrote them.
    pub fn steps<T: DeserializeOwned>(&self) -> Result<T, TargetError> {
        T::deserialize(&self.0).map_err(|error| {
            TargetError::new(TargetErrorKind::Damaged, format!("cannot read its plan: {error}"))
                .hint("run the version of gitgate that started the push once to finish it")
                .caused_by(error)
        })
    }
}

/// Who and when, for the logs of the refs.
#[derive(Clone, Debug, Default)]
pub struct Committer {
    /// Name and address; without them the repository's own `user.name` and `user.email`, else
    /// gitgate's.
    pub identity: Option<(String, String)>,
    /// Seconds since the epoch.
    pub seconds: i64,
    /// Minutes east of UTC.
    pub offset_minutes: i32,
}

/// What a landing did to the worktree. All empty where the branch is not checked out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Landed {
    /// Paths brought to what the branch has.
    pub updated: Vec<BString>,
    /// Paths that the person changed while the push ran: they are as the person has them, and show
    /// as modified.
    pub kept: Vec<BString>,
    /// Content of the person's that could not stay at its path, and the file where it is now.
    pub kept_copies: Vec<(BString, PathBuf)>,
}

/// What undoing a landing did to the worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    /// Paths put back where they were missing.
    pub restored: Vec<BString>,
    /// Content of the person's that could not go back to its path, and the file where it is now.
    pub kept_copies: Vec<(BString, PathBuf)>,
}

/// To which end a landing was brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// The branch has the push.
    Landed,
    /// The branch is as it was before.
    NotLanded,
    /// The branch is at neither; the person decides.
    InDoubt,
}

/// What recovery found and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveryReport {
    /// To which end it came.
    pub state: Recovered,
    /// What was done to the worktree to finish.
    pub landed: Landed,
    /// What was done to the worktree to undo.
    pub undone: Undone,
}

impl RecoveryReport {
    /// Nothing was done to the worktree.
    pub fn new(state: Recovered) -> Self {
        RecoveryReport { state, landed: Landed::default(), undone: Undone::default() }
    }
}
