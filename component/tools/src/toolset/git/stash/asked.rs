//! The approval request of `git_stash` (FR-GIT-STASH-03 and 04).

use serde_json::Value;

use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs, if it needs one.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let entry = format!("stash@{{{}}}", arguments["index"].as_u64().unwrap_or(0));
    let (risk, summary) = match arguments["action"].as_str().unwrap_or("push") {
        "list" | "show" => return None,
        "clear" => (Risk::High, "Clear ALL stashes (WARNING: destructive)".to_owned()),
        "pop" => (Risk::Medium, format!("Pop {entry}")),
        "apply" => (Risk::Medium, format!("Apply {entry}")),
        "drop" => (Risk::Medium, format!("Drop {entry}")),
        _ => match arguments["message"].as_str() {
            Some(message) if !message.is_empty() => (Risk::Medium, format!("Stash changes: {message}")),
            _ => (Risk::Medium, "Stash changes".to_owned()),
        },
    };
    let detail = match (&arguments["include_untracked"], &arguments["restore_index"]) {
        (Value::Bool(true), _) => "  with untracked files\n",
        (_, Value::Bool(true)) => "  with the index\n",
        _ => "",
    };
    Some(Approval { risk, summary, detail: detail.to_owned(), parts: Vec::new() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fr_git_stash_04_says_what_becomes_of_which_entry() {
        let asked = |arguments: Value| approval(&arguments).map(|asked| (asked.risk, asked.summary));
        let medium = |summary: &str| Some((Risk::Medium, summary.to_owned()));
        assert_eq!(asked(json!({})), medium("Stash changes"));
        assert_eq!(asked(json!({"action": "push", "message": "half done"})), medium("Stash changes: half done"));
        assert_eq!(asked(json!({"action": "pop"})), medium("Pop stash@{0}"));
        assert_eq!(asked(json!({"action": "apply", "index": 1})), medium("Apply stash@{1}"));
        assert_eq!(asked(json!({"action": "drop", "index": 2})), medium("Drop stash@{2}"));
        assert_eq!(asked(json!({"action": "list"})), None);
        assert_eq!(asked(json!({"action": "show", "index": 1})), None);
        let clear = "Clear ALL stashes (WARNING: destructive)".to_owned();
        assert_eq!(asked(json!({"action": "clear"})), Some((Risk::High, clear)));
    }
}
