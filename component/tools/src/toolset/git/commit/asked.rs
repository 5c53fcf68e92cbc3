//! The approval request of `git_commit` (FR-GIT-COMMIT-06).

use serde_json::Value;

use crate::approval::summary::MESSAGE_CHARACTERS;
use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let text = |name: &str| arguments[name].as_str();
    let (kind, message) = (text("type").unwrap_or_default(), text("message").unwrap_or_default());
    let scope = text("scope").map_or_else(String::new, |scope| format!("({scope})"));
    let first_line = message.lines().next().unwrap_or_default();
    let short: String = first_line.chars().take(MESSAGE_CHARACTERS).collect();
    let detail = format!("Commit message: \"{kind}{scope}: {message}\"\n");
    Some(Approval { risk: Risk::Medium, summary: format!("Commit: {kind}{scope}: {short}"), detail })
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
    }
}
