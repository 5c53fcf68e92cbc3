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
    upstream: Option<Upstream>,
}

/// What the branch follows, and how many commits each has that the other lacks.
#[derive(Debug, Deserialize)]
struct Upstream {
    name: String,
    ahead: Option<usize>,
    behind: Option<usize>,
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

/// The branch that the current one follows where the sandbox came from, if it does.
pub fn upstream_branch(state: &State) -> Option<String> {
    state.upstream.as_ref()?.name.strip_prefix("origin/").map(str::to_owned)
}

/// Which sandbox it is: `Sandbox project, from local:/home/ada/project, branch main: ahead 2, behind 1`. `from` is what it was made from.
pub fn whereabouts(name: &str, from: Option<&str>, state: &State) -> String {
    let from = from.map_or_else(String::new, |from| format!(", from {}", line(from)));
    let branch = match &state.branch {
        Some(branch) => format!("branch {}", line(branch)),
        None => "no branch".to_owned(),
    };
    let count =
        |word: &str, count: Option<usize>| count.filter(|count| *count > 0).map(|count| format!("{word} {count}"));
    let distance = state.upstream.iter().flat_map(|it| [count("ahead", it.ahead), count("behind", it.behind)]);
    let distance = distance.flatten().collect::<Vec<_>>().join(", ");
    let distance = if distance.is_empty() { distance } else { format!(": {distance}") };
    format!("Sandbox {}{from}, {branch}{distance}\n", line(name))
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
    let counted = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let commits = counted(state.staged.len() + state.staged_omitted, "proposed commit", "proposed commits");
    let files = counted(unstaged(state), "changed file", "changed files");
    let what: Vec<String> = commits.into_iter().chain(files).collect();
    if what.is_empty() {
        return Ok(());
    }
    let verb = if unpushed(state) == 1 { "was" } else { "were" };
    let what = format!("{} {verb} not pushed", what.join(" and "));
    Err(HostError::new(ErrorKind::Unpushed, what))
}

/// The files that git does not know yet, whose content no diff shows.
pub fn new_files(state: &State) -> Vec<String> {
    state.unstaged.iter().filter(|file| file.status == "new").map(|file| line(&file.path)).collect()
}

/// The id of the latest staged commit.
pub fn last_staged(state: &State) -> Option<String> {
    state.staged.last().map(|commit| commit.id.clone())
}

/// The staged commits, the latest first: the id by which a person names each, and its subject.
pub fn staged_ids(state: &State) -> Vec<(String, String)> {
    state.staged.iter().rev().map(|commit| (commit.shown_id(), subject(&commit.message))).collect()
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
    let (in_conflict, others): (Vec<_>, Vec<_>) = state.unstaged.iter().partition(|file| file.conflict);
    if !in_conflict.is_empty() {
        out.push_str("  Conflicts:\n");
    }
    for file in in_conflict {
        // As git marks what both sides have changed.
        out.push_str(&format!("    UU {}{}\n", line(&file.path), in_brackets(file.size)));
    }
    for (heading, status) in [("Modified", "modified"), ("New", "new"), ("Deleted", "deleted")] {
        let files: Vec<_> = others.iter().filter(|file| file.status == status).collect();
        if !files.is_empty() {
            out.push_str(&format!("  {heading}:\n"));
        }
        for file in files {
            out.push_str(&format!("    {}{}\n", line(&file.path), in_brackets(file.size)));
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

fn in_brackets(bytes: Option<u64>) -> String {
    bytes.map(|bytes| format!(" ({})", size(bytes))).unwrap_or_default()
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
            {"path": "/workspace/plan.md", "status": "modified", "size": 12},
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
    fn the_screen_shows_conflicts_first_then_changes_by_kind_and_staged_commits_with_their_files() {
        assert_eq!(
            screen(&read(STATE).unwrap()),
            "\
Sandbox Status:
  Conflicts:
    UU /workspace/report.md (1.2 KB)
  Modified:
    /workspace/plan.md (12 B)
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
    fn a_status_says_which_sandbox_it_is_of() {
        let of = |state: &str| whereabouts("project", Some("local:/home/ada/project"), &read(state).unwrap());
        let state = r#"{"staged": [], "unstaged": [], "branch": "main", "upstream": {"name": "origin/main", "ahead": 2, "behind": 1}}"#;
        assert_eq!(of(state), "Sandbox project, from local:/home/ada/project, branch main: ahead 2, behind 1\n");
        assert_eq!(
            of(r#"{"staged": [], "unstaged": []}"#),
            "Sandbox project, from local:/home/ada/project, no branch\n"
        );
        assert_eq!(whereabouts("p", None, &read(STATE).unwrap()), "Sandbox p, branch main\n");
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
