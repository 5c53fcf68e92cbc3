//! The approval request of `task_record`, which counts as `git_commit`.

use serde_json::Value;

use crate::approval::summary::{MESSAGE_CHARACTERS, lines, texts};
use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    let short: String = text("subject").chars().take(MESSAGE_CHARACTERS).collect();
    let summary = format!("Record: {} {} {}: {short}", text("task"), text("step"), text("result"));
    let files = match arguments["files"].as_array() {
        Some(_) => lines(&texts(&arguments["files"])),
        None => "  everything that has changed\n".to_owned(),
    };
    let detail = format!("Files to commit:\n{files}\nBody: \"{}\"\n", text("body"));
    Some(Approval { risk: Risk::Medium, summary, detail, parts: Vec::new() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_says_of_which_task_and_step_it_is() {
        let asked = approval(&json!({"task": "T1", "step": "test", "result": "fail", "subject": "It fails"})).unwrap();
        assert_eq!(asked.summary, "Record: T1 test fail: It fails");
        assert_eq!(asked.detail, "Files to commit:\n  everything that has changed\n\nBody: \"\"\n");
        let named = approval(&json!({"task": "T1", "files": ["a"], "body": "b"})).unwrap();
        assert_eq!((named.risk, named.detail.as_str()), (Risk::Medium, "Files to commit:\n  a\n\nBody: \"b\"\n"));
    }
}
