//! Staged commits: the commits that no target has yet.
//!
//! A commit is staged if HEAD reaches it, no remote-tracking ref does, and it has not landed as
//! another commit. It does not matter which tool made it.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::hashtable::HashSet;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::{History, Limits, Walk};
use crate::git::history::{rev_list, tracking};
use crate::git::staged::ids::{Ids, Prefixed};
use crate::git::staged::rewritten;
use crate::git::store::repo::{Repo, damaged};

/// A commit that no target has yet.
#[derive(Clone, Debug)]
pub struct StagedCommit {
    /// The id that callers use.
    pub short_id: String,
    /// The full name of the commit object.
    pub id: ObjectId,
    /// The whole message.
    pub message: BString,
    /// The committer's time.
    pub created_at: gix::date::Time,
    /// Its parents.
    pub parents: Vec<ObjectId>,
    /// Its tree.
    pub tree: ObjectId,
}

/// The staged commits, oldest first.
pub fn list(repo: &Repo, deadline: &Deadline) -> Result<Vec<StagedCommit>, ToolError> {
    let mut staged = unpushed(repo, deadline)?;
    if !staged.is_empty() {
        let landed = rewritten::landed_as(repo, deadline)?;
        staged.retain(|commit| !landed.contains_key(&commit.id));
    }
    Ok(staged)
}

/// The commits that no target has under the same name, oldest first: the staged ones, and those that landed as other commits.
pub fn unpushed(repo: &Repo, deadline: &Deadline) -> Result<Vec<StagedCommit>, ToolError> {
    let Some(head) = repo.head()?.id() else {
        return Ok(Vec::new());
    };
    let pushed = tracking::heads(repo)?;
    if pushed.contains(&head) {
        return Ok(Vec::new());
    }
    let ids = Ids::load(repo)?;
    let history = History::of(repo, &Default::default())?;
    let mut staged = Vec::new();
    for id in rev_list::between(repo, [head], &pushed, deadline)? {
        staged.push(read(&history, id, &ids)?);
    }
    Ok(staged)
}

/// The staged commit that `named` means: an id, or a revision.
pub fn find(repo: &Repo, named: &str, deadline: &Deadline) -> Result<StagedCommit, ToolError> {
    let id = resolve(repo, named)?;
    let staged = list(repo, deadline)?;
    staged.iter().find(|commit| commit.id == id).cloned().ok_or_else(|| {
        let known: Vec<String> =
            staged.iter().map(|commit| format!("{} {:?}", commit.short_id, subject(commit))).collect();
        let known =
            if known.is_empty() { "Nothing is staged.".to_owned() } else { format!("Staged: {}.", known.join(", ")) };
        ToolError::not_found(format!("Not a staged commit: {named}")).hint(known)
    })
}

/// The commit that `named` means: a staged commit's id, a prefix of one, or a revision.
///
/// Ids take precedence over objects. The name of a rewritten commit means its successor, never the old commit.
pub fn resolve(repo: &Repo, named: &str) -> Result<ObjectId, ToolError> {
    let ids = Ids::load(repo)?;
    if let Some(commit) = ids.commit(named) {
        return Ok(commit);
    }
    if named.starts_with('-') {
        return Err(unknown(named));
    }
    if !is_ref(repo, named) {
        match ids.prefixed(named) {
            Prefixed::Nothing => {}
            Prefixed::Commit(commit) => return Ok(commit),
            Prefixed::Ambiguous(commits) => {
                let known: Vec<String> = commits.into_iter().map(|commit| ids.of(commit)).collect();
                return Err(ToolError::not_found(format!("short commit ID {named} is ambiguous"))
                    .hint(format!("Use one of {}.", known.join(", "))));
            }
        }
    }
    let id = repo.gix.rev_parse_single(named).map_err(|_| unknown(named))?;
    let object = id.object().map_err(|error| damaged(&error))?;
    Ok(object.peel_to_commit().map_err(|_| unknown(named))?.id)
}

/// The commit that `named` means, if HEAD or a ref reaches it. A discarded or undone commit still exists as an object, but no longer
/// belongs to the repository.
pub fn resolve_reachable(repo: &Repo, named: &str, deadline: &Deadline) -> Result<ObjectId, ToolError> {
    let commit = resolve(repo, named)?;
    let mut tips = BTreeSet::from_iter(repo.head()?.id());
    let refs = repo.gix.references().map_err(|error| damaged(&error))?;
    for reference in refs.all().map_err(|error| damaged(&error))? {
        deadline.poll()?;
        let mut reference = reference.map_err(|error| ToolError::failed(error.to_string()).caused_by(&error))?;
        // A symbolic ref can dangle.
        let Ok(id) = reference.peel_to_id() else { continue };
        if id.header().is_ok_and(|header| header.kind() == gix::objs::Kind::Commit) {
            tips.insert(id.detach());
        }
    }
    let history = History::of(repo, &Default::default())?;
    let mut walk = Walk::new(&history, tips, HashSet::default(), None, Limits::default(), deadline)?;
    while let Some(node) = walk.next()? {
        if node.id == commit {
            return Ok(commit);
        }
    }
    Err(unknown(named))
}

fn is_ref(repo: &Repo, named: &str) -> bool {
    repo.gix.try_find_reference(named).is_ok_and(|found| found.is_some())
}

fn unknown(named: &str) -> ToolError {
    ToolError::not_found(format!("Staged commit not found: {named}"))
        .hint("Call git_status to list the staged commits and their ids.")
}

fn read(history: &History<'_>, id: ObjectId, ids: &Ids) -> Result<StagedCommit, ToolError> {
    let commit = history.commit(id)?;
    let created_at = commit.committer().and_then(|committer| committer.date).unwrap_or_default();
    Ok(StagedCommit {
        short_id: ids.of(id),
        id,
        message: commit.message().into(),
        created_at: created_at.into(),
        tree: commit.tree,
        parents: commit.parents,
    })
}

/// The first line of a staged commit's message.
pub fn subject(commit: &StagedCommit) -> String {
    crate::git::words::message::subject(&commit.message).to_str_lossy().into_owned()
}
