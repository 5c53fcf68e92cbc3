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

    /// The flags by their names, each as grave as it is. `privileged` is as grave as the example says, and so is one without a name where none
    /// that is named is.
    fn flags(&self) -> Result<Vec<(Cow<'_, str>, Severity)>, String> {
        let mut flags = Vec::new();
        for name in &self.flags {
            if Flag::names().all(|known| known != name) {
                return Err(format!("there is no flag \"{name}\""));
            }
            let severity = Flag::severity_of(name).or(self.risk).ok_or_else(|| {
                format!("the flag {name} needs a risk in its example: it is as grave as the path that it is about")
            })?;
            if self.risk.is_some_and(|risk| severity > risk) {
                return Err(format!("the flag {name} has a higher risk than the example says: {}", severity.name()));
            }
            flags.push((Cow::Borrowed(name.as_str()), severity));
        }
        let unnamed = self.risk.filter(|risk| flags.iter().all(|(_, severity)| severity != risk));
        flags.extend(unnamed.map(|risk| (Cow::Borrowed(""), risk)));
        Ok(flags)
    }
}
