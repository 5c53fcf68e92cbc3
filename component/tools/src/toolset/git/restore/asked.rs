//! The approval request of `git_restore` (FR-GIT-REST-05 and 06).

use serde_json::Value;

use crate::approval::summary::{lines, texts};
use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let paths = texts(&arguments["paths"]);
    let files = format!("{} file(s)", paths.len());
    let summary =
        match (arguments["staged"].as_bool().unwrap_or(false), arguments["worktree"].as_bool().unwrap_or(true)) {
            (true, false) => format!("Unstage {files}"),
            (true, true) => format!("Restore and unstage {files}"),
            (false, _) => format!("Restore {files} to worktree"),
        };
    Some(Approval { risk: Risk::High, summary, detail: lines(&paths), parts: Vec::new() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fr_git_rest_05_says_what_is_restored() {
        let summary = |arguments: Value| approval(&arguments).unwrap().summary;
        assert_eq!(summary(json!({"paths": ["a", "b"]})), "Restore 2 file(s) to worktree");
        assert_eq!(summary(json!({"paths": ["a"], "staged": true, "worktree": false})), "Unstage 1 file(s)");
        assert_eq!(summary(json!({"paths": ["a"], "staged": true})), "Restore and unstage 1 file(s)");
        assert_eq!(approval(&json!({"paths": ["a"]})).unwrap().risk, Risk::High);
    }
}
