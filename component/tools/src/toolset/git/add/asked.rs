//! The approval request of `git_add` (FR-GIT-ADD-05).

use serde_json::Value;

use crate::approval::summary::{lines, named, texts};
use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let paths = texts(&arguments["paths"]);
    let (summary, detail) = match (&arguments["all"], &arguments["update"]) {
        (Value::Bool(true), _) => ("Stage all changes".to_owned(), String::new()),
        (_, Value::Bool(true)) => ("Stage modified/deleted files".to_owned(), lines(&paths)),
        _ => (format!("Stage {}", named(&paths)), lines(&paths)),
    };
    Some(Approval { risk: Risk::Medium, summary, detail, parts: Vec::new() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fr_git_add_05_says_what_is_added() {
        let summary = |arguments: Value| approval(&arguments).unwrap().summary;
        assert_eq!(summary(json!({"all": true, "paths": ["a"]})), "Stage all changes");
        assert_eq!(summary(json!({"update": true})), "Stage modified/deleted files");
        assert_eq!(summary(json!({"paths": ["a"]})), "Stage 1 file(s): a");
        assert_eq!(summary(json!({"paths": ["a", "b", "c"]})), "Stage 3 file(s): a, b...");
    }
}
