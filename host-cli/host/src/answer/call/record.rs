//! A call as the audit log stores it. Recovery repeats it with the fact that its push has landed.

use gate::signing::Signature;
use serde::{Deserialize, Serialize};

use crate::answer::call::invocation::LONGEST_NANOS;
use crate::target::RawPlan;
use crate::wit;

/// The fields of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallRecord {
    id: String,
    tool: String,
    arguments: String,
    agent: bool,
    now: u64,
    utc_offset: i32,
}

impl From<&wit::ToolCall> for CallRecord {
    fn from(call: &wit::ToolCall) -> Self {
        CallRecord {
            id: call.id.clone(),
            tool: call.tool.clone(),
            arguments: minimal(&call.arguments),
            agent: call.caller == wit::Caller::Agent,
            now: call.now,
            utc_offset: call.utc_offset,
        }
    }
}

/// Removes the white space between arguments, because an agent may write any amount of it.
pub(crate) fn minimal(arguments: &str) -> String {
    let parsed = serde_json::from_str::<serde_json::Value>(arguments);
    parsed.map_or_else(|_| arguments.to_owned(), |arguments| arguments.to_string())
}

impl From<CallRecord> for wit::ToolCall {
    fn from(record: CallRecord) -> Self {
        wit::ToolCall {
            id: record.id,
            tool: record.tool,
            arguments: record.arguments,
            dialect: None,
            max_bytes: None,
            caller: if record.agent { wit::Caller::Agent } else { wit::Caller::User },
            now: record.now,
            utc_offset: record.utc_offset,
            time_allowed: LONGEST_NANOS,
        }
    }
}

/// What this host needs to finish an interrupted push: its own part of an intent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct HostRecord {
    /// The key of the question that the push answers, in hex.
    pub(crate) question: String,
    /// The steps of the landing.
    pub(crate) plan: RawPlan,
    /// The signatures that the sandbox's commits have there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) signatures: Vec<Signature>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_the_same_after_it_was_recorded() {
        let call = wit::ToolCall {
            id: "7".to_owned(),
            tool: "git_push".to_owned(),
            arguments: "{\"commitId\":\"abc\"}".to_owned(),
            dialect: None,
            max_bytes: None,
            caller: wit::Caller::User,
            now: u64::MAX,
            utc_offset: -3600,
            time_allowed: LONGEST_NANOS,
        };
        let text = serde_json::to_string(&CallRecord::from(&call)).unwrap();
        let again: wit::ToolCall = serde_json::from_str::<CallRecord>(&text).unwrap().into();
        assert_eq!(format!("{again:?}"), format!("{call:?}"));
    }
}
