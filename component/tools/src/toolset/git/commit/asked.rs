//! The approval request of `git_commit` (FR-GIT-COMMIT-06).

use serde_json::Value;

use crate::approval::summary::MESSAGE_CHARACTERS;
use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let text = |name: &str| arguments[name].as_str();
    let whole = self::text(text("type"), text("scope"), text("message").unwrap_or_default());
    let first_line = whole.lines().next().unwrap_or_default();
    // The requirement counts the characters of the message alone.
    let before = whole.len() - text("message").unwrap_or_default().len().min(whole.len());
    let (kind, message) = first_line.split_at(before.min(first_line.len()));
    let short: String = message.chars().take(MESSAGE_CHARACTERS).collect();
    let detail = format!("Commit message: \"{whole}\"\n");
    Some(Approval { risk: Risk::Medium, summary: format!("Commit: {kind}{short}"), detail, parts: Vec::new() })
}

/// The whole message of a commit: `type(scope): message` (FR-GIT-COMMIT-04), or without a type the message alone.
pub fn text(kind: Option<&str>, scope: Option<&str>, message: &str) -> String {
    let Some(kind) = kind else { return message.to_owned() };
    let scope = scope.map_or_else(String::new, |scope| format!("({scope})"));
    let before = format!("{kind}{scope}: ");
    // Many models repeat it.
    if message.starts_with(&before) { message.to_owned() } else { format!("{before}{message}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fr_git_commit_06_says_the_message_shortened() {
        let summary = |arguments: Value| approval(&arguments).unwrap().summary;
        assert_eq!(summary(json!({"type": "feat", "message": "one\ntwo"})), "Commit: feat: one");
        let long = "é".repeat(60);
        let scoped = summary(json!({"type": "fix", "scope": "core", "message": long}));
        assert_eq!(scoped, format!("Commit: fix(core): {}", "é".repeat(50)));
        assert_eq!(summary(json!({"message": "fix(x): y"})), "Commit: fix(x): y");
        assert_eq!(summary(json!({"type": "fix", "message": "fix: y"})), "Commit: fix: y");
    }
}
