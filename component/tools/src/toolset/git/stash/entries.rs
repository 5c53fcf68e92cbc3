//! The entries of the stash, from the reflog of `refs/stash`, the latest first.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::refs::Target;
use serde::Serialize;

use super::{GitStash, Told};
use crate::budget::{Budget, brief, is_zero, mark};
use crate::error::ToolError;

use crate::git::store::refs::reflog;
use crate::git::store::repo::{Repo, damaged};
use crate::output::Output;
use crate::session::Context;

/// The ref of the latest entry.
pub const STASH: &str = "refs/stash";

/// A stash entry.
#[derive(Debug)]
pub struct Stash {
    /// git's name for it: `refs/stash@{0}`, or `stash@{2}`.
    pub revision: String,
    /// Its index: 0 for the latest.
    pub position: usize,
    /// The commit of the working tree.
    pub commit: ObjectId,
    /// The message in the reflog.
    pub message: BString,
    /// The tree of the commit that the changes were based on.
    pub base: ObjectId,
    /// The tree of the index.
    pub index: ObjectId,
    /// The tree of the tracked files in the working tree.
    pub tree: ObjectId,
    /// The tree of the untracked files, if stashed.
    pub untracked: Option<ObjectId>,
}

/// An entry.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// `stash@{0}`
    pub name: String,
    pub index: usize,
    pub commit_id: String,
    pub message: String,
    /// The branch that the changes were made on; absent if HEAD was on none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

impl Entry {
    /// The result entry for `position`.
    pub fn new(position: usize, commit: ObjectId, message: &[u8], max_bytes: usize) -> Entry {
        Entry {
            name: format!("stash@{{{position}}}"),
            index: position,
            commit_id: commit.to_string(),
            message: brief(&message.to_str_lossy(), max_bytes),
            branch: branch(message),
        }
    }
}

impl Stash {
    /// The result entry for this stash entry.
    pub fn entry(&self, max_bytes: usize) -> Entry {
        Entry::new(self.position, self.commit, &self.message, max_bytes)
    }
}

/// The branch in a message: `WIP on main: …`, `On main: …`.
fn branch(message: &[u8]) -> Option<String> {
    let rest = message.strip_prefix(b"WIP on ").or_else(|| message.strip_prefix(b"On "))?;
    let (branch, _) = rest.split_once_str(b": ")?;
    (branch != b"(no branch)").then(|| branch.to_str_lossy().into_owned())
}

/// The commit to which `refs/stash` points.
///
/// # Errors
///
/// If the ref is symbolic: git would move the other ref.
pub fn tip(repo: &Repo) -> Result<Option<ObjectId>, ToolError> {
    let found = repo.gix.try_find_reference(STASH).map_err(|error| damaged(&error))?;
    match found.filter(|found| found.name().as_bstr() == STASH).map(|found| found.inner.target) {
        None => Ok(None),
        // Does not check that the object exists, because the user may clear a damaged stash.
        Some(Target::Object(id)) => Ok(Some(id)),
        Some(Target::Symbolic(other)) => Err(ToolError::failed(format!("{STASH} is a symbolic ref to {other}"))
            .hint("Nothing has changed. Ask the user to remove it with git symbolic-ref --delete refs/stash.")),
    }
}

/// The entry with this index, or the latest one.
pub fn find(repo: &Repo, index: Option<u32>) -> Result<Stash, ToolError> {
    let tip = tip(repo)?;
    let revision = index.map_or_else(|| format!("{STASH}@{{0}}"), |index| format!("stash@{{{index}}}"));
    let Some(tip) = tip else {
        let message = match index {
            None => "No stash entries found.".to_owned(),
            Some(_) => format!("error: {revision} is not a valid reference"),
        };
        return Err(ToolError::not_found(message).hint(NONE));
    };
    let Some(lines) = reflog::lines(repo, STASH.into())? else {
        return Err(ToolError::not_found(format!("error: {revision} is not a valid reference")).hint(NONE));
    };
    let position = index.unwrap_or(0) as usize;
    let commit = reflog::at(&lines, position, tip).ok_or_else(|| {
        let message = match lines.len() {
            0 => format!("fatal: log for {STASH} is empty"),
            count => format!("fatal: log for 'stash' only has {count} entries"),
        };
        ToolError::not_found(message).hint("Nothing has changed. Call git_stash with action list to see the entries.")
    })?;
    let message = lines.iter().rev().nth(position).map(|line| line.message.clone()).unwrap_or_default();
    let found = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let parents: Vec<ObjectId> = found.parent_ids().map(gix::Id::detach).collect();
    let (&[base, index], rest) = parents.split_first_chunk().ok_or_else(|| {
        ToolError::failed(format!("fatal: '{revision}' is not a stash-like commit"))
            .hint("Nothing has changed. Another program moved refs/stash.")
    })?;
    Ok(Stash {
        position,
        commit,
        message,
        base: repo.tree_of(base)?,
        index: repo.tree_of(index)?,
        tree: repo.tree_of(commit)?,
        untracked: rest.first().map(|untracked| repo.tree_of(*untracked)).transpose()?,
        revision,
    })
}

const NONE: &str = "There is nothing to bring back. Call git_stash with action push to put changes away.";

/// Refuses to change an entry with an ambiguous name (git's refs.c, `ref_rev_parse_rules`).
pub fn ensure_is_entry(repo: &Repo, stash: &Stash) -> Result<(), ToolError> {
    let named = stash.revision.split('@').next().unwrap_or_default();
    let rules = ["refs/tags/", "refs/heads/", "refs/remotes/"].map(|rule| format!("{rule}{named}"));
    let mut others = rules.into_iter().chain([format!("refs/remotes/{named}/HEAD")]);
    match others.find(|other| matches!(repo.has_ref(other.as_str().into()), Ok(true))) {
        None => Ok(()),
        Some(other) => Err(ToolError::failed(format!("error: '{}' is not a stash reference", stash.revision))
            .hint(format!("Nothing has changed. Rename {other}, which has the same name."))),
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct List {
    #[cfg_attr(test, schemars(extend("const" = "list")))]
    action: &'static str,
    count: usize,
    stashes: Vec<Entry>,
    /// Entries that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    stashes_omitted: usize,
}

/// Lists all entries (`git stash list`).
pub fn list(context: &mut Context<'_>, repo: &Repo) -> Result<Output, ToolError> {
    let max_bytes = context.session.options.git.max_bytes;
    let lines = match tip(repo)? {
        Some(_) => reflog::lines(repo, STASH.into())?.unwrap_or_default(),
        None => Vec::new(),
    };
    let mut budget = Budget::new(lines.len(), max_bytes);
    for (position, line) in lines.iter().rev().enumerate() {
        context.deadline.poll()?;
        let mut text = format!("stash@{{{position}}}: ").into_bytes();
        text.extend_from_slice(&line.message);
        if !budget.add(&text, Entry::new(position, line.new, &line.message, max_bytes)) {
            break;
        }
    }
    let collected = budget.done();
    let omitted = lines.len() - collected.entries.len();
    let list = List { action: "list", count: lines.len(), stashes: collected.entries, stashes_omitted: omitted };
    let output = Output::new::<GitStash>(collected.text, Told::Listed(list)).max_bytes(max_bytes);
    Ok(mark(output, omitted > 0))
}
