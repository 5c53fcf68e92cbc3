//! What a person is asked before a call runs: risk, summary and detail, by the requirements' formats (SRD, the paragraphs "Approval summary
//! format" of section 2). Arguments that are not what the schema says are left to the tool, which refuses them.

use serde_json::Value;

use super::{Approval, Risk};

/// How many files a summary names before it says "...".
const NAMED_FILES: usize = 2;

/// `git_stage`.
pub fn stage(arguments: &Value) -> Approval {
    let files = texts(&arguments["files"]);
    let message = arguments["message"].as_str().unwrap_or_default();
    let detail = format!("Files to stage:\n{}\nCommit message: \"{message}\"\n", lines(&files));
    Approval { risk: Risk::Medium, summary: format!("Stage {}", named(&files)), detail }
}

/// `git_add` (FR-GIT-ADD-05).
pub fn add(arguments: &Value) -> Approval {
    let paths = texts(&arguments["paths"]);
    let (summary, detail) = match (&arguments["all"], &arguments["update"]) {
        (Value::Bool(true), _) => ("Stage all changes".to_owned(), String::new()),
        (_, Value::Bool(true)) => ("Stage modified/deleted files".to_owned(), lines(&paths)),
        _ => (format!("Stage {}", named(&paths)), lines(&paths)),
    };
    Approval { risk: Risk::Medium, summary, detail }
}

/// `git_restore` (FR-GIT-REST-05 and 06).
pub fn restore(arguments: &Value) -> Approval {
    let paths = texts(&arguments["paths"]);
    let files = format!("{} file(s)", paths.len());
    let summary =
        match (arguments["staged"].as_bool().unwrap_or(false), arguments["worktree"].as_bool().unwrap_or(true)) {
            (true, false) => format!("Unstage {files}"),
            (true, true) => format!("Restore and unstage {files}"),
            (false, _) => format!("Restore {files} to worktree"),
        };
    Approval { risk: Risk::High, summary, detail: lines(&paths) }
}

/// `git_checkout` (FR-GIT-CHECKOUT-06 and 07).
pub fn checkout(arguments: &Value) -> Approval {
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
    Approval { risk: Risk::Medium, summary, detail }
}

/// How much of a message a summary has, in characters.
const MESSAGE_CHARACTERS: usize = 50;

/// `git_commit` (FR-GIT-COMMIT-06).
pub fn commit(arguments: &Value) -> Approval {
    let text = |name: &str| arguments[name].as_str();
    let (kind, message) = (text("type").unwrap_or_default(), text("message").unwrap_or_default());
    let scope = text("scope").map_or_else(String::new, |scope| format!("({scope})"));
    let first_line = message.lines().next().unwrap_or_default();
    let short: String = first_line.chars().take(MESSAGE_CHARACTERS).collect();
    let detail = format!("Commit message: \"{kind}{scope}: {message}\"\n");
    Approval { risk: Risk::Medium, summary: format!("Commit: {kind}{scope}: {short}"), detail }
}

/// `task_record`, which counts as `git_commit`.
pub fn task_record(arguments: &Value) -> Approval {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    let short: String = text("subject").chars().take(MESSAGE_CHARACTERS).collect();
    let summary = format!("Record: {} {} {}: {short}", text("task"), text("step"), text("result"));
    let files = match arguments["files"].as_array() {
        Some(_) => lines(&texts(&arguments["files"])),
        None => "  everything that has changed\n".to_owned(),
    };
    let detail = format!("Files to commit:\n{files}\nBody: \"{}\"\n", text("body"));
    Approval { risk: Risk::Medium, summary, detail }
}

/// `git_branch` (FR-GIT-BRANCH-05, FR-GIT-BRANCH-06): a list asks nothing.
pub fn branch(arguments: &Value) -> Option<Approval> {
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
    Some(Approval { risk: Risk::Medium, summary, detail: String::new() })
}

/// `git_stash` (FR-GIT-STASH-03 and 04).
pub fn stash(arguments: &Value) -> Option<Approval> {
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
    Some(Approval { risk, summary, detail: detail.to_owned() })
}

/// `3 file(s): a, b...`
fn named(files: &[&str]) -> String {
    let mut named = files.iter().take(NAMED_FILES).copied().collect::<Vec<_>>().join(", ");
    if files.len() > NAMED_FILES {
        named.push_str("...");
    }
    format!("{} file(s): {named}", files.len())
}

/// One line for each.
fn lines(files: &[&str]) -> String {
    files.iter().map(|file| format!("  {file}\n")).collect()
}

/// The texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().map(|list| list.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn staging_names_the_first_files_and_the_message() {
        let approval = stage(&json!({"files": ["a", "b", "c"], "message": "All"}));
        assert_eq!(approval.summary, "Stage 3 file(s): a, b...");
        assert_eq!(approval.detail, "Files to stage:\n  a\n  b\n  c\n\nCommit message: \"All\"\n");
    }

    #[test]
    fn fr_git_commit_06_says_the_message_shortened() {
        let summary = |arguments: Value| commit(&arguments).summary;
        assert_eq!(summary(json!({"type": "feat", "message": "one\ntwo"})), "Commit: feat: one");
        let long = "é".repeat(60);
        let scoped = summary(json!({"type": "fix", "scope": "core", "message": long}));
        assert_eq!(scoped, format!("Commit: fix(core): {}", "é".repeat(50)));
    }

    #[test]
    fn a_record_says_of_which_task_and_step_it_is() {
        let approval = task_record(&json!({"task": "T1", "step": "test", "result": "fail", "subject": "It fails"}));
        assert_eq!(approval.summary, "Record: T1 test fail: It fails");
        assert_eq!(approval.detail, "Files to commit:\n  everything that has changed\n\nBody: \"\"\n");
        let named = task_record(&json!({"task": "T1", "files": ["a"], "body": "b"}));
        assert_eq!((named.risk, named.detail.as_str()), (Risk::Medium, "Files to commit:\n  a\n\nBody: \"b\"\n"));
    }

    #[test]
    fn fr_git_checkout_07_says_where_it_goes() {
        let summary = |arguments: Value| checkout(&arguments).summary;
        let all = json!({"create_branch": "a", "branch": "b", "commit": "c", "paths": ["d"]});
        assert_eq!(summary(all), "Create and switch to branch 'a'");
        assert_eq!(summary(json!({"branch": "b", "commit": "c"})), "Switch to branch 'b'");
        assert_eq!(summary(json!({"commit": "c", "paths": ["d"]})), "Checkout commit 'c'");
        assert_eq!(summary(json!({"paths": ["d", "e"]})), "Restore 2 file(s) from HEAD");
    }

    #[test]
    fn fr_git_stash_04_says_what_becomes_of_which_entry() {
        let asked = |arguments: Value| stash(&arguments).map(|approval| (approval.risk, approval.summary));
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

    #[test]
    fn fr_git_rest_05_says_what_is_restored() {
        let summary = |arguments: Value| restore(&arguments).summary;
        assert_eq!(summary(json!({"paths": ["a", "b"]})), "Restore 2 file(s) to worktree");
        assert_eq!(summary(json!({"paths": ["a"], "staged": true, "worktree": false})), "Unstage 1 file(s)");
        assert_eq!(summary(json!({"paths": ["a"], "staged": true})), "Restore and unstage 1 file(s)");
        assert_eq!(restore(&json!({"paths": ["a"]})).risk, Risk::High);
    }

    #[test]
    fn fr_git_add_05_says_what_is_added() {
        let summary = |arguments: Value| add(&arguments).summary;
        assert_eq!(summary(json!({"all": true, "paths": ["a"]})), "Stage all changes");
        assert_eq!(summary(json!({"update": true})), "Stage modified/deleted files");
        assert_eq!(summary(json!({"paths": ["a"]})), "Stage 1 file(s): a");
        assert_eq!(summary(json!({"paths": ["a", "b", "c"]})), "Stage 3 file(s): a, b...");
    }

    #[test]
    fn fr_git_branch_05_a_list_asks_nothing_and_06_the_first_operation_is_named() {
        assert_eq!(branch(&json!({"list_all": true, "create": null})), None);
        let summary = |arguments: Value| branch(&arguments).unwrap().summary;
        assert_eq!(summary(json!({"create": "x"})), "Create branch 'x'");
        assert_eq!(summary(json!({"create": "x", "delete": "y"})), "Delete branch 'y'");
        assert_eq!(summary(json!({"delete": "y", "force_delete": "z"})), "Force delete branch 'z'");
        assert_eq!(summary(json!({"force_delete": "z", "rename": "a", "new_name": "b"})), "Rename branch 'a' to 'b'");
        assert_eq!(branch(&json!({"rename": "a", "new_name": "b"})).unwrap().risk, Risk::Medium);
    }
}
