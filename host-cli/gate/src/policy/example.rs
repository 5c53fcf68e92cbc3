//! A call as an example of a rule describes it.

use std::borrow::Cow;

use bstr::ByteSlice;
use serde::Deserialize;

use super::{
    LEAVES,
    facts::{Caller, Facts, Marked, Mode, PushFacts},
};
use crate::review::{Flag, Severity};

/// A call: what it leaves out is as harmless as can be.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    pub tool: String,
    #[serde(default = "agent")]
    caller: Caller,
    target: Option<String>,
    branch: Option<String>,
    #[serde(default)]
    paths: Vec<String>,
    files: Option<u64>,
    #[serde(default)]
    bytes: u64,
    risk: Option<Severity>,
    #[serde(default)]
    flags: Vec<String>,
}

fn agent() -> Caller {
    Caller::Agent
}

impl Example {
    /// What would be known of such a call; of a push, when it has been seen.
    pub fn facts(&self) -> Result<Facts<'_>, String> {
        let leaves = LEAVES.contains(&self.tool.as_str());
        let only_of_a_push = self.branch.is_some() || self.files.is_some() || self.bytes > 0 || !self.flags.is_empty();
        if only_of_a_push && !leaves {
            return Err(format!("branch, files, bytes and flags are of a push, and {} is none", self.tool));
        }
        if let Some(flag) = self.flags.iter().find(|flag| !Flag::NAMES.contains(&flag.as_str())) {
            return Err(format!("there is no flag \"{flag}\""));
        }
        let risk = self.risk.unwrap_or(Severity::Low);
        let push = leaves.then(|| PushFacts {
            branch: Cow::Borrowed(self.branch.as_deref().unwrap_or("topic")),
            files: self.files.unwrap_or(self.paths.len() as u64),
            bytes: self.bytes,
            holds_policy: false,
            // A flag without a name stands for whatever has that risk.
            flags: match self.flags.as_slice() {
                [] => self.risk.map(|risk| (Cow::Borrowed(""), risk)).into_iter().collect(),
                flags => flags.iter().map(|flag| (Cow::Borrowed(flag.as_str()), risk)).collect(),
            },
        });
        Ok(Facts {
            marked: self.risk.filter(|_| !leaves).map(|risk| Marked { risk, summary: "" }),
            target: self.target.as_deref().map(Cow::Borrowed),
            paths: Some(self.paths.iter().map(|path| Cow::Borrowed(path.as_bytes().as_bstr())).collect()),
            push,
            ..Facts::of_call(&self.tool, Mode::Both, self.caller)
        })
    }
}
