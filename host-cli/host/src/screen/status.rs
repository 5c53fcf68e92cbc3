//! The status screen, and headings for staged commits.

use gate::review::size;
use serde::Deserialize;

use super::line;
use crate::error::{ErrorKind, HostError, Result};

/// The parts of `git_status`'s structured result that the screens need.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    staged: Vec<Commit>,
    /// How many entries the list leaves out.
    #[serde(default)]
    staged_omitted: usize,
    unstaged: Vec<Changed>,
    #[serde(default)]
    unstaged_omitted: usize,
    branch: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Commit {
    id: String,
    commit_id: Option<String>,
    message: String,
    files: Vec<Staged>,
    #[serde(default)]
    files_omitted: usize,
}

#[derive(Debug, Deserialize)]
struct Staged {
    path: String,
    operation: String,
}

#[derive(Debug, Deserialize)]
struct Changed {
    path: String,
    status: String,
    size: Option<u64>,
    /// The markers of a merge are left in it.
    #[serde(default)]
    conflict: bool,
}

/// Parses a structured result.
pub fn read(structured: &str) -> Result<State> {
    serde_json::from_str(structured)
        .map_err(|error| HostError::new(ErrorKind::Component, format!("cannot read the sandbox's status: {error}")))
}

/// The checked-out branch without `refs/heads/`, or `None` if HEAD is detached.
pub fn branch(state: &State) -> Option<String> {
    state.branch.clone()
}

/// The staged commits, the latest first, a line each.
pub fn staged(state: &State) -> Vec<String> {
    let listed = state.staged.iter().rev().map(Commit::line);
    let omitted = Some(state.staged_omitted).filter(|omitted| *omitted > 0);
    listed.chain(omitted.map(|omitted| format!("… and {omitted} more"))).collect()
}

/// The number of changed files that are not staged.
pub fn unstaged(state: &State) -> usize {
    state.unstaged.len() + state.unstaged_omitted
}

/// The number of commits and changed files that exist only in the sandbox.
pub fn unpushed(state: &State) -> usize {
    state.staged.len() + state.staged_omitted + unstaged(state)
}

/// Fails if there is work that would be lost with the sandbox.
///
/// # Errors
/// With how much there is.
pub fn ensure_pushed(state: &State) -> Result<()> {
    let what = match unpushed(state) {
        0 => return Ok(()),
        1 => "1 commit or changed file was not pushed".to_owned(),
        many => format!("{many} commits and changed files were not pushed"),
    };
    Err(HostError::new(ErrorKind::Unpushed, what))
}

/// The id of the latest staged commit.
pub fn last_staged(state: &State) -> Option<String> {
    state.staged.last().map(|commit| commit.id.clone())
}

impl Commit {
    /// `[5e0f0d1c] "Greet formally" (1 file)`
    fn line(&self) -> String {
        let files = match self.files.len() + self.files_omitted {
            1 => "1 file".to_owned(),
            files => format!("{files} files"),
        };
        format!("[{}] \"{}\" ({files})", self.shown_id(), subject(&self.message))
    }

    /// Its id for a person: that of the commit as it is now, as the approval of its push shows it. An
    /// agent keeps the one that it was staged with, whatever a person edits.
    fn shown_id(&self) -> String {
        match &self.commit_id {
            Some(commit) if !commit.starts_with(&self.id) => line(&commit.chars().take(SHORT).collect::<String>()),
            _ => line(&self.id),
        }
    }
}

/// The heading of the diff of the commit that `id` names.
pub fn heading(state: &State, id: &str) -> String {
    let is_named =
        |commit: &&Commit| commit.id == id || commit.shown_id() == id || commit.commit_id.as_deref() == Some(id);
    match state.staged.iter().find(is_named) {
        Some(commit) => format!("Staged commit: {} \"{}\"\n", commit.shown_id(), subject(&commit.message)),
        None => format!("Commit: {}\n", line(id)),
    }
}

/// The screen.
pub fn screen(state: &State) -> String {
    let mut out = String::from("Sandbox Status:\n");
    for (heading, status) in [("Modified", "modified"), ("New", "new"), ("Deleted", "deleted")] {
        let files: Vec<_> = state.unstaged.iter().filter(|file| file.status == status).collect();
        if !files.is_empty() {
            out.push_str(&format!("  {heading}:\n"));
        }
        for file in files {
            let size = file.size.map(|bytes| format!(" ({})", size(bytes))).unwrap_or_default();
            let conflict = if file.conflict { ": conflict, its markers are left" } else { "" };
            out.push_str(&format!("    {}{size}{conflict}\n", line(&file.path)));
        }
    }
    if state.unstaged.is_empty() {
        out.push_str("  No changes\n");
    }
    out.push_str(&more("  ", state.unstaged_omitted));
    out.push_str("\nStaged Commits:\n");
    // The list holds the latest commits.
    out.push_str(&more("  ", state.staged_omitted));
    for commit in &state.staged {
        out.push_str(&format!("  {}\n", commit.line()));
        for file in &commit.files {
            let sign = match file.operation.as_str() {
                "create" => '+',
                "delete" => '-',
                _ => 'M',
            };
            out.push_str(&format!("    {sign} {}\n", line(&file.path)));
        }
        out.push_str(&more("    ", commit.files_omitted));
    }
    if state.staged.is_empty() {
        out.push_str("  None\n");
    }
    out
}

/// Characters of a commit's id.
const SHORT: usize = 8;
/// Files that are named on one line.
const NAMED: usize = 3;

/// `conflict, markers are left in a.md, b.md`, if any file has the markers of a merge.
pub fn conflicts(state: &State) -> Option<String> {
    let marked: Vec<String> = state.unstaged.iter().filter(|file| file.conflict).map(|file| line(&file.path)).collect();
    let named = marked.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match marked.len() {
        0 => None,
        count if count <= NAMED => Some(format!("conflict, markers are left in {named}")),
        count => Some(format!("conflict, markers are left in {named} and {} more", count - NAMED)),
    }
}

/// A line for the entries that a list leaves out, or nothing.
fn more(indent: &str, omitted: usize) -> String {
    if omitted == 0 { String::new() } else { format!("{indent}… and {omitted} more\n") }
}

fn subject(message: &str) -> String {
    line(message.lines().next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = r#"{
        "staged": [
            {"id": "abc123", "commitId": "abc123def", "message": "Add quarterly report\n\nWith charts", "fileCount": 3, "createdAt": "",
             "files": [
                {"path": "/workspace/report.md", "operation": "create", "size": 1229},
                {"path": "/workspace/analysis.json", "operation": "update", "size": 820},
                {"path": "/workspace/old.md", "operation": "delete"}]}
        ],
        "unstaged": [
            {"path": "/workspace/report.md", "status": "modified", "size": 1229, "conflict": true},
            {"path": "/workspace/charts/revenue\u001b[2J.svg", "status": "new", "size": 2150},
            {"path": "/workspace/gone.md", "status": "deleted"}
        ],
        "branch": "main", "hint": "", "untrusted": true
    }"#;

    #[test]
    fn what_a_list_leaves_out_is_counted() {
        let state = r#"{
            "staged": [{"id": "a", "message": "A", "files": [{"path": "/workspace/x", "operation": "create"}], "filesOmitted": 2}],
            "stagedOmitted": 3,
            "unstaged": [{"path": "/workspace/y", "status": "new"}], "unstagedOmitted": 4, "branch": "main"
        }"#;
        let state = read(state).unwrap();
        assert_eq!(
            screen(&state),
            "Sandbox Status:\n  New:\n    /workspace/y\n  … and 4 more\n\nStaged Commits:\n  … and 3 more\n  [a] \"A\" (3 files)\n    + \
             /workspace/x\n    … and 2 more\n"
        );
        assert_eq!((unpushed(&state), unstaged(&state)), (9, 5));
        assert_eq!(staged(&state), ["[a] \"A\" (3 files)", "… and 3 more"]);
    }

    #[test]
    fn the_screen_shows_changes_by_kind_and_staged_commits_with_their_files() {
        assert_eq!(
            screen(&read(STATE).unwrap()),
            "\
Sandbox Status:
  Modified:
    /workspace/report.md (1.2 KB): conflict, its markers are left
  New:
    /workspace/charts/revenue\\x1b[2J.svg (2.1 KB)
  Deleted:
    /workspace/gone.md

Staged Commits:
  [abc123] \"Add quarterly report\" (3 files)
    + /workspace/report.md
    M /workspace/analysis.json
    - /workspace/old.md
"
        );
    }

    #[test]
    fn an_edited_commit_has_the_id_that_its_approval_shows() {
        let edited = STATE.replace("\"commitId\": \"abc123", "\"commitId\": \"0123456789");
        assert_ne!(edited, STATE);
        let state = read(&edited).unwrap();
        assert!(screen(&state).contains("  [01234567] \"Add"), "{}", screen(&state));
        assert_eq!(heading(&state, "abc123"), "Staged commit: 01234567 \"Add quarterly report\"\n");
        assert_eq!(heading(&state, "01234567"), heading(&state, "abc123"));
        assert_eq!(last_staged(&state).as_deref(), Some("abc123"), "what calls name stays");
    }

    #[test]
    fn a_sandbox_without_changes_says_so() {
        let state = read(r#"{"staged": [], "unstaged": []}"#).unwrap();
        assert_eq!(screen(&state), "Sandbox Status:\n  No changes\n\nStaged Commits:\n  None\n");
        assert_eq!(last_staged(&state), None);
    }

    #[test]
    fn a_diff_is_headed_by_the_commit_it_is_of() {
        let state = read(STATE).unwrap();
        assert_eq!(heading(&state, "abc123"), "Staged commit: abc123 \"Add quarterly report\"\n");
        assert_eq!(heading(&state, "HEAD~1"), "Commit: HEAD~1\n");
        assert_eq!(last_staged(&state).as_deref(), Some("abc123"));
    }
}
