//! The approval request of `git_checkout` (FR-GIT-CHECKOUT-06 and 07).

use serde_json::Value;

use crate::approval::summary::{lines, texts};
use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let named = |name: &str| arguments[name].as_str();
    let paths = texts(&arguments["paths"]);
    let (summary, detail) = if let Some(name) = named("create_branch") {
        (format!("Create and switch to branch '{name}'"), String::new())
    } else if let Some(name) = named("branch") {
        (format!("Switch to branch '{name}'"), String::new())
    } else if let Some(commit) = named("commit") {
        (format!("Checkout commit '{commit}'"), String::new())
    } else {
        (format!("Restore {} file(s) from HEAD", paths.len()), lines(&paths))
    };
    Some(Approval { risk: Risk::Medium, summary, detail, parts: Vec::new() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fr_git_checkout_07_says_where_it_goes() {
        let summary = |arguments: Value| approval(&arguments).unwrap().summary;
        let all = json!({"create_branch": "a", "branch": "b", "commit": "c", "paths": ["d"]});
        assert_eq!(summary(all), "Create and switch to branch 'a'");
        assert_eq!(summary(json!({"branch": "b", "commit": "c"})), "Switch to branch 'b'");
        assert_eq!(summary(json!({"commit": "c", "paths": ["d"]})), "Checkout commit 'c'");
        assert_eq!(summary(json!({"paths": ["d", "e"]})), "Restore 2 file(s) from HEAD");
    }
}
