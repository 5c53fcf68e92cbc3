//! The first commit of a blame, and the commits that it leaves out.

use gix::ObjectId;
use gix::revision::plumbing::Spec;

use super::history::{History, Place};
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::revisions::Revisions;
use crate::git::store::repo::{Repo, damaged};

/// Start and boundaries of a blame.
pub struct Start {
    /// The latest commit, and git's name for it in errors. `None` for the working tree.
    pub tip: Option<(Place, String)>,
    /// Boundaries; their ancestors are boundaries too.
    pub bottoms: Vec<Place>,
    /// git's error stream.
    pub warnings: String,
}

const HINT: &str =
    "Name one commit: a branch, a tag, an id or HEAD~n. Or name a range such as v1.0..HEAD; blame stops at its start.";

/// The start that the argument `named` means: a revision or a range.
pub fn start(history: &mut History<'_>, named: Option<&str>, deadline: &Deadline) -> Result<Start, ToolError> {
    let Some(named) = named else {
        return Ok(Start { tip: None, bottoms: Vec::new(), warnings: String::new() });
    };
    let repo = history.repo;
    let revisions = Revisions::new(repo, String::new(), true, []);
    let spec = revisions.parse(named).map_err(|error| error.hint(HINT))?;
    let warnings = revisions.warnings();
    let after_warnings = |error: ToolError| error.behind(&warnings);
    let before = |mark: &str| named.split_once(mark).map_or(named, |(name, _)| name).to_owned();
    let (mut tips, bottoms) = match spec {
        Spec::Include(id) => (vec![(id, named.to_owned())], Vec::new()),
        Spec::Exclude(id) => (Vec::new(), vec![id]),
        Spec::Range { from, to } => {
            let name = named.split_once("..").map(|(_, to)| or_head(to));
            (vec![(to, name.unwrap_or_else(|| before("^-")))], vec![from])
        }
        Spec::Merge { theirs, ours } => {
            let (a, b) = named.split_once("...").unwrap_or((named, ""));
            (vec![(theirs, or_head(a)), (ours, or_head(b))], line_of_two(history, theirs, ours, deadline)?)
        }
        Spec::IncludeOnlyParents(id) => {
            let parents = parents(history, id, named)?;
            (parents.into_iter().map(|id| (id, before("^@"))).collect(), Vec::new())
        }
        Spec::ExcludeParents(id) => (vec![(id, before("^!"))], parents(history, id, named)?),
    };
    // If a range ends where it begins, only the working tree remains to start at.
    tips.retain(|(id, _)| !bottoms.contains(id));
    let mut commits = Vec::with_capacity(tips.len());
    for (id, name) in tips {
        let commit = commit(repo, id)?;
        let commit = commit.ok_or_else(|| after_warnings(no_commit(repo, id, &name)))?;
        commits.push((history.place(commit), name));
    }
    if let [(_, first), (_, second), ..] = &commits[..] {
        let message = format!("fatal: More than one commit to dig from {second} and {first}?");
        return Err(after_warnings(ToolError::bad_args(message).hint(HINT)));
    }
    let mut places = Vec::with_capacity(bottoms.len());
    for id in bottoms {
        places.extend(commit(repo, id)?.map(|commit| history.place(commit)));
    }
    Ok(Start { tip: commits.pop(), bottoms: places, warnings })
}

/// The older of two commits if the other one descends from it. git excludes all merge bases, but only this one leaves a single commit to
/// start at.
fn line_of_two(
    history: &mut History<'_>,
    a: ObjectId,
    b: ObjectId,
    deadline: &Deadline,
) -> Result<Vec<ObjectId>, ToolError> {
    let (Some(a), Some(b)) = (commit(history.repo, a)?, commit(history.repo, b)?) else {
        return Ok(Vec::new());
    };
    let places = (history.place(a), history.place(b));
    if history.reaches(places.1, places.0, deadline)? {
        return Ok(vec![a]);
    }
    let is_line = history.reaches(places.0, places.1, deadline)?;
    Ok(if is_line { vec![b] } else { Vec::new() })
}

fn or_head(name: &str) -> String {
    if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() }
}

fn unknown(named: &str) -> ToolError {
    ToolError::not_found(format!("fatal: bad revision '{named}'")).hint(HINT)
}

fn no_commit(repo: &Repo, id: ObjectId, name: &str) -> ToolError {
    // A submodule's folder names a commit of another repository.
    let message = match repo.gix.has_object(id) {
        true => format!("fatal: Non commit {name}?"),
        false => format!("fatal: bad object {name}"),
    };
    ToolError::bad_args(message).hint(HINT)
}

/// The commit `id`, or the commit that the tag `id` names.
fn commit(repo: &Repo, id: ObjectId) -> Result<Option<ObjectId>, ToolError> {
    let object = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
    Ok(object.and_then(|object| object.peel_to_kind(gix::objs::Kind::Commit).ok()).map(|commit| commit.id))
}

fn parents(history: &mut History<'_>, id: ObjectId, named: &str) -> Result<Vec<ObjectId>, ToolError> {
    let commit = commit(history.repo, id)?;
    let commit = commit.ok_or_else(|| unknown(named))?;
    let place = history.place(commit);
    let parents = history.parents(place)?;
    Ok(parents.into_iter().map(|parent| history.get(parent).id).collect())
}
