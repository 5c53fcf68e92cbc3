//! The approval request of `git_stage`.

use serde_json::Value;

use crate::approval::summary::{lines, named, texts};
use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let files = texts(&arguments["files"]);
    let message = arguments["message"].as_str().unwrap_or_default();
    let detail = format!("Files to stage:\n{}\nCommit message: \"{message}\"\n", lines(&files));
    Some(Approval { risk: Risk::Medium, summary: format!("Stage {}", named(&files)), detail, parts: Vec::new() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn staging_names_the_first_files_and_the_message() {
        let asked = approval(&json!({"files": ["a", "b", "c"], "message": "All"})).unwrap();
        assert_eq!(asked.summary, "Stage 3 file(s): a, b...");
        assert_eq!(asked.detail, "Files to stage:\n  a\n  b\n  c\n\nCommit message: \"All\"\n");
    }
}
