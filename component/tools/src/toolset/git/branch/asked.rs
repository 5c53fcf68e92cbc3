//! The approval request of `git_branch` (FR-GIT-BRANCH-05, FR-GIT-BRANCH-06). A list needs no approval.

use serde_json::Value;

use crate::approval::{Approval, Risk};

/// The approval that a call with these arguments needs, if it needs one.
pub fn approval(arguments: &Value) -> Option<Approval> {
    let named = |argument: &str| arguments[argument].as_str();
    let summary = if let Some(old) = named("rename") {
        format!("Rename branch '{old}' to '{}'", named("new_name").unwrap_or_default())
    } else if let Some(name) = named("force_delete") {
        format!("Force delete branch '{name}'")
    } else if let Some(name) = named("delete") {
        format!("Delete branch '{name}'")
    } else {
        format!("Create branch '{}'", named("create")?)
    };
    Some(Approval { risk: Risk::Medium, summary, detail: String::new(), parts: Vec::new() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fr_git_branch_05_a_list_asks_nothing_and_06_the_first_operation_is_named() {
        assert_eq!(approval(&json!({"list_all": true, "create": null})), None);
        let summary = |arguments: Value| approval(&arguments).unwrap().summary;
        assert_eq!(summary(json!({"create": "x"})), "Create branch 'x'");
        assert_eq!(summary(json!({"create": "x", "delete": "y"})), "Delete branch 'y'");
        assert_eq!(summary(json!({"delete": "y", "force_delete": "z"})), "Force delete branch 'z'");
        assert_eq!(summary(json!({"force_delete": "z", "rename": "a", "new_name": "b"})), "Rename branch 'a' to 'b'");
        assert_eq!(approval(&json!({"rename": "a", "new_name": "b"})).unwrap().risk, Risk::Medium);
    }
}
