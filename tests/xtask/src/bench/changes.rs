//! What changes a repository: rounds of calls, the same as commands of git.

use serde_json::{Value, json};

pub const CHECKOUT: &str = "checkout of a branch 50 commits away, and back";
pub const STASH: &str = "stash push and pop of 10 files";
pub const COMMIT: &str = "add and commit of 10 files";

/// One of them.
pub struct Change {
    /// As in the table.
    pub operation: &'static str,
    /// Whether the files are to be changed before each round.
    pub changes_files: bool,
    /// git's command lines.
    pub commands: Vec<Vec<String>>,
    /// Tools and their arguments.
    pub calls: Vec<(&'static str, Value)>,
}

/// A branch that is not the current one.
pub const OTHER: &str = "other";
/// Where that is.
pub const OTHER_AT: &str = "HEAD~50";

/// Makes the other branch, in a sandbox on main.
pub fn other_branch() -> [(&'static str, Value); 3] {
    [
        ("git_checkout", json!({ "commit": OTHER_AT })),
        ("git_branch", json!({ "create": OTHER })),
        ("git_checkout", json!({ "branch": "main" })),
    ]
}

/// Between the branches. Nothing is changed afterwards.
pub fn checkout() -> Change {
    Change {
        operation: CHECKOUT,
        changes_files: false,
        commands: vec![words(&["checkout", "--quiet", OTHER]), words(&["checkout", "--quiet", "main"])],
        calls: [OTHER, "main"].map(|branch| ("git_checkout", json!({ "branch": branch }))).into(),
    }
}

/// The changed files put away and brought back.
pub fn stash() -> Change {
    Change {
        operation: STASH,
        changes_files: false,
        commands: vec![words(&["stash", "push", "--quiet"]), words(&["stash", "pop", "--quiet"])],
        calls: vec![("git_stash", json!({})), ("git_stash", json!({ "action": "pop" }))],
    }
}

/// The changed files committed.
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
