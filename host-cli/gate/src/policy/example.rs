//! A call as an example of a rule describes it.

use std::borrow::Cow;

use bstr::ByteSlice;
use serde::Deserialize;

use super::{
    LEAVES,
    facts::{Caller, Facts, Marked, Mode, PushFacts},
};
use crate::review::{Flag, Severity};

/// An example call. Missing fields get the most harmless values.
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
    /// The facts about such a call; for a push, including its content.
    pub fn facts(&self) -> Result<Facts<'_>, String> {
        let leaves = LEAVES.contains(&self.tool.as_str());
        let only_of_a_push = self.branch.is_some() || self.files.is_some() || self.bytes > 0 || !self.flags.is_empty();
        if only_of_a_push && !leaves {
            return Err(format!("branch, files, bytes and flags apply only to pushes, and {} is not one", self.tool));
        }
        let flags = self.flags()?;
        let push = leaves.then(|| PushFacts {
            branch: Cow::Borrowed(self.branch.as_deref().unwrap_or("topic")),
            files: self.files.unwrap_or(self.paths.len() as u64),
            bytes: self.bytes,
            holds_policy: false,
            flags,
        });
        Ok(Facts {
            marked: self.risk.filter(|_| !leaves).map(|risk| Marked { risk, summary: "" }),
            target: self.target.as_deref().map(Cow::Borrowed),
            paths: Some(self.paths.iter().map(|path| Cow::Borrowed(path.as_bytes().as_bstr())).collect()),
            push,
            ..Facts::of_call(&self.tool, Mode::Both, self.caller)
        })
    }

    /// The named flags with their severities. `privileged` gets the example's risk. So does an
    /// unnamed flag, unless the example names one.
    fn flags(&self) -> Result<Vec<(Cow<'_, str>, Severity)>, String> {
        let mut flags = Vec::new();
        for name in &self.flags {
            if Flag::names().all(|known| known != name) {
                return Err(format!("there is no flag \"{name}\""));
            }
            let severity = Flag::severity_of(name).or(self.risk).ok_or_else(|| {
                format!("the flag {name} needs a risk in its example, because its severity depends on the path")
            })?;
            if self.risk.is_some_and(|risk| severity > risk) {
                return Err(format!("the flag {name} has a higher risk than the example states: {}", severity.name()));
            }
            flags.push((Cow::Borrowed(name.as_str()), severity));
        }
        let unnamed = self.risk.filter(|risk| flags.iter().all(|(_, severity)| severity != risk));
        flags.extend(unnamed.map(|risk| (Cow::Borrowed(""), risk)));
        Ok(flags)
    }
}
