//! The calls that change a repository, with the git commands that do the same.

use serde_json::{Value, json};

pub const CHECKOUT: &str = "checkout of a branch 50 commits away, and back";
pub const STASH: &str = "stash push and pop of 10 files";
pub const COMMIT: &str = "add and commit of 10 files";

/// One operation.
pub struct Change {
    /// The name in the table.
    pub operation: &'static str,
    /// Whether each round first changes the files.
    pub changes_files: bool,
    /// git's command lines.
    pub commands: Vec<Vec<String>>,
    /// The tools and their arguments.
    pub calls: Vec<(&'static str, Value)>,
}

/// A branch other than the current one.
pub const OTHER: &str = "other";
/// The commit of that branch.
pub const OTHER_AT: &str = "HEAD~50";

/// Creates the other branch in a sandbox on main.
pub fn other_branch() -> [(&'static str, Value); 3] {
    [
        ("git_checkout", json!({ "commit": OTHER_AT })),
        ("git_branch", json!({ "create": OTHER })),
        ("git_checkout", json!({ "branch": "main" })),
    ]
}

/// Switches between the branches. Nothing has changed at the end.
pub fn checkout() -> Change {
    Change {
        operation: CHECKOUT,
        changes_files: false,
        commands: vec![words(&["checkout", "--quiet", OTHER]), words(&["checkout", "--quiet", "main"])],
        calls: [OTHER, "main"].map(|branch| ("git_checkout", json!({ "branch": branch }))).into(),
    }
}

/// Stashes the changed files and restores them.
pub fn stash() -> Change {
    Change {
        operation: STASH,
        changes_files: false,
        commands: vec![words(&["stash", "push", "--quiet"]), words(&["stash", "pop", "--quiet"])],
        calls: vec![("git_stash", json!({})), ("git_stash", json!({ "action": "pop" }))],
    }
}

/// Commits the changed files.
pub fn commit(files: &[String]) -> Change {
    let add = [&words(&["add", "--"]), files].concat();
    Change {
        operation: COMMIT,
        changes_files: true,
        commands: vec![add, words(&["commit", "--quiet", "-m", "feat: change"])],
        calls: vec![
            ("git_add", json!({ "paths": files })),
            ("git_commit", json!({ "type": "feat", "message": "change" })),
        ],
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
