//! Random operations on a sandbox. Equal seeds have equal results.

use fastrand::Rng;
use trial::arguments;

use crate::host::wit::{Caller, Fault, Step, ToolCall, Undone};
use crate::host::{Sandbox, call};
use crate::session::{Heard, Mood, World, drive};

/// One operation.
#[derive(Clone, Debug)]
pub enum Operation {
    /// A call, and the world's reaction to it.
    Call(ToolCall, Mood),
    /// The host undoes calls.
    Undo(u32, u64),
    /// The host replaces its journal by a shorter one.
    Compact,
}

/// All results of an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    Call(Vec<Heard>),
    Undo(Result<(Undone, Vec<u8>), String>),
    /// The whole new journal.
    Compact(Result<Vec<u8>, String>),
}

impl Operation {
    /// Operation number `second`. `ids` are possible commits.
    pub fn random(rng: &mut Rng, second: u64, ids: &[String]) -> Operation {
        match rng.u32(0..100) {
            0..5 => Operation::Undo(rng.u32(0..4), (crate::environment::EPOCH + second) * 1_000_000_000),
            5..8 => Operation::Compact,
            _ => {
                let (tool, arguments) = arguments::random(rng, ids);
                let caller = if rng.u32(0..4) == 0 { Caller::Agent } else { Caller::User };
                let mood = match rng.u32(0..20) {
                    0 => Mood::Rejecting,
                    1 => Mood::Conflicting,
                    2 => Mood::Failing,
                    3 => Mood::Silent,
                    _ => Mood::Willing,
                };
                let mut call = call(&tool, &arguments, caller, second);
                call.utc_offset = *rng.choice(&[0, 3600, -19_800]).expect("there are three");
                Operation::Call(call, mood)
            }
        }
    }

    /// Runs it.
    pub fn perform(&self, sandbox: &mut Sandbox, world: &mut World) -> Came {
        let words = |fault: Fault| format!("{fault:?}");
        match self {
            Operation::Call(call, mood) => Came::Call(drive(sandbox, call, world, *mood)),
            Operation::Undo(steps, now) => Came::Undo(sandbox.undo(*steps, *now).map_err(words)),
            Operation::Compact => Came::Compact(sandbox.compact().map(|()| sandbox.journal.clone()).map_err(words)),
        }
    }
}

impl Came {
    /// Whether the sandbox must be unchanged.
    pub fn changes_nothing(&self) -> bool {
        match self {
            Came::Call(heard) => match heard.last() {
                Some((Step::Done(done), record)) => done.outcome.is_err() || record.is_empty(),
                _ => true,
            },
            Came::Undo(undone) => undone.is_err(),
            Came::Compact(_) => true,
        }
    }

    /// The commit ids in a result.
    pub fn ids(&self) -> Vec<String> {
        let Came::Call(heard) = self else { return Vec::new() };
        let Some((Step::Done(done), _)) = heard.last() else { return Vec::new() };
        let Ok(result) = &done.outcome else { return Vec::new() };
        let structured: serde_json::Value =
            serde_json::from_str(&result.structured).expect("structured results are JSON");
        ["id", "commitId", "commitSha"].iter().filter_map(|name| structured[name].as_str()).map(str::to_owned).collect()
    }
}
