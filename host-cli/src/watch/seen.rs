//! What there is to see, from what files and tools say.

use gate::id::SandboxId;
use gate::ledger::Ledger;
use gate::time::Timestamp;
use serde::Deserialize;

use crate::error::{ErrorKind, HostError, Result};
use crate::moment::Moment;
use crate::screen::{audit, status};
use crate::store::Waiting;

/// A call that waits for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The sandbox that it is made in.
    pub sandbox: SandboxId,
    /// The id by which `gitgate review` knows it.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What it does, in the agent's words.
    pub what: String,
    /// When it was last made, in RFC 3339.
    pub at: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When, in RFC 3339.
    pub at: String,
    /// What.
    pub what: String,
}

/// What waits, in all the sandboxes that are watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// The sandboxes.
    pub names: Vec<SandboxId>,
    /// Those of the repository where the person stands, the one that the folder names first. Outside of any, all.
    pub here: Vec<SandboxId>,
    /// What waits: first in the sandboxes that are here, oldest first.
    pub asked: Vec<Asked>,
    /// What is wrong.
    pub notes: Vec<String>,
}

/// What goes on in one sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The sandbox.
    pub name: SandboxId,
    /// The latest calls that changed something, the newest first.
    pub calls: Vec<Event>,
    /// The latest decisions and pushes, the newest first.
    pub log: Vec<Event>,
    /// What is staged, the latest first.
    pub staged: Vec<String>,
    /// How many changed files are not.
    pub unstaged: usize,
    /// What is wrong.
    pub notes: Vec<String>,
}

impl Inside {
    /// A sandbox that nobody has looked into.
    pub fn of(name: SandboxId) -> Self {
        Inside { name, calls: Vec::new(), log: Vec::new(), staged: Vec::new(), unstaged: 0, notes: Vec::new() }
    }
}

/// How many calls and entries are shown at most: as many as the tallest screens have rows.
pub(super) const MOST: usize = 100;

/// The calls that wait in a sandbox. Times are told `utc_offset` seconds east of UTC.
pub(super) fn asked(sandbox: &SandboxId, waiting: &[Waiting], utc_offset: i32) -> Vec<Asked> {
    let asked = waiting.iter().map(|waiting| Asked {
        sandbox: sandbox.clone(),
        id: waiting.id.clone(),
        tool: waiting.tool.clone(),
        what: waiting.inside.as_ref().map_or(&waiting.arguments, |inside| &inside.summary).clone(),
        at: local(waiting.at, utc_offset),
    });
    asked.collect()
}

/// The latest entries of an audit log.
pub(super) fn log(ledger: &Ledger, utc_offset: i32) -> Vec<Event> {
    let latest = audit::latest(ledger, MOST).into_iter();
    latest.map(|(at, what)| Event { at: local(at, utc_offset), what }).collect()
}

/// The calls in the structured result of `sandbox_history`.
pub(super) fn calls(structured: &str) -> Result<Vec<Event>> {
    #[derive(Deserialize)]
    struct History {
        calls: Vec<Call>,
    }
    #[derive(Deserialize)]
    struct Call {
        tool: String,
        summary: String,
        caller: String,
        at: String,
    }
    let history: History = serde_json::from_str(structured)
        .map_err(|error| HostError::new(ErrorKind::Component, format!("cannot read the sandbox's history: {error}")))?;
    let event = |Call { tool, summary, caller, at }| Event { at, what: format!("{caller} {tool}: {summary}") };
    Ok(history.calls.into_iter().map(event).collect())
}

/// What the structured result of `git_status` has staged, and how many files it has not.
pub(super) fn staged(structured: &str) -> Result<(Vec<String>, usize)> {
    let state = status::read(structured)?;
    let conflicts = status::conflicts(&state);
    Ok((conflicts.into_iter().chain(status::staged(&state)).collect(), status::unstaged(&state)))
}

fn local(at: Timestamp, utc_offset: i32) -> String {
    Moment { nanos: at.0.saturating_mul(1_000_000_000), utc_offset }.rfc3339()
}

/// A time in eight columns: the time of day, or the month and the day if it is another day's.
pub(super) fn short<'a>(at: &'a str, today: &str) -> &'a str {
    let (day, time) = (at.get(..10).unwrap_or(at), at.get(11..19).unwrap_or_default());
    if day == today && !time.is_empty() { time } else { day.get(5..).unwrap_or(day) }
}

#[cfg(test)]
mod tests {
    use gate::policy::Severity;

    use super::*;
    use crate::store;

    fn waiting(id: &str, inside: Option<&str>) -> Waiting {
        Waiting {
            id: id.to_owned(),
            tool: "git_stage".to_owned(),
            arguments: "{\"files\": [\"a.md\"]}".to_owned(),
            at: Timestamp(1_795_168_800),
            inside: inside.map(|summary| store::Inside {
                severity: Severity::Medium,
                summary: summary.to_owned(),
                detail: String::new(),
                reasons: Vec::new(),
            }),
            topic: None,
            answer: None,
        }
    }

    #[test]
    fn what_waits_is_told_as_review_tells_it() {
        let name: SandboxId = "work".parse().unwrap();
        let asked = asked(&name, &[waiting("1", Some("Stage 1 file(s): a.md")), waiting("2", None)], 3600);
        assert_eq!(asked[0].what, "Stage 1 file(s): a.md");
        assert_eq!(asked[1].what, "{\"files\": [\"a.md\"]}");
        assert_eq!((&asked[0].sandbox, asked[0].at.as_str()), (&name, "2026-11-20T11:00:00+01:00"));
    }

    #[test]
    fn a_time_is_told_as_short_as_it_can_be() {
        let at = "2026-11-20T11:00:05+01:00";
        assert_eq!(short(at, "2026-11-20"), "11:00:05");
        assert_eq!(short(at, "2026-11-21"), "11-20");
        assert_eq!(short("é", "2026-11-21"), "é", "whatever a sandbox says");
        assert_eq!(local(Timestamp(u64::MAX), 0), "2554-07-21T23:34:33+00:00", "a time that no clock shows is one");
    }

    #[test]
    fn calls_and_stages_are_a_line_each() {
        let calls = calls(
            r#"{"calls": [{"id": "1", "tool": "write_file", "summary": "Wrote a.md", "caller": "agent",
                "at": "2026-11-20T11:00:00+01:00", "undoable": true, "changed": [], "changedCount": 1}], "count": 1}"#,
        );
        let event =
            Event { at: "2026-11-20T11:00:00+01:00".to_owned(), what: "agent write_file: Wrote a.md".to_owned() };
        assert_eq!(calls.unwrap(), [event]);
        let staged = |unstaged: &str| {
            staged(&format!(
                r#"{{"staged": [
                    {{"id": "a", "message": "Add a", "files": [{{"path": "/workspace/a", "operation": "create"}}]}},
                    {{"id": "b", "message": "Add b\n\nWhy", "files": []}}], "unstaged": [{unstaged}]}}"#
            ))
        };
        let commits = ["[b] \"Add b\" (0 files)", "[a] \"Add a\" (1 file)"].map(str::to_owned).to_vec();
        assert_eq!(staged("").unwrap(), (commits.clone(), 0));
        let marked = r#"{"path": "/workspace/c", "status": "modified", "conflict": true}"#;
        let conflict = "conflict, markers are left in /workspace/c".to_owned();
        assert_eq!(staged(marked).unwrap(), ([vec![conflict], commits].concat(), 1));
        assert_eq!(super::calls("{}").unwrap_err().kind, ErrorKind::Component);
    }
}
