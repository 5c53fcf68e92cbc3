//! Selects the paths that differ between the two sides of a diff.

use std::collections::BTreeMap;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString};
use gix::index::State;
use patch::sort::{map, sort_by};

use super::unmerged::is_combined;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::diff_selection::Selection;
use crate::git::store::flat_tree;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::version::Version;
use crate::git::worktree::changes::{self, Change, Stages};
use crate::git::worktree::content::Contents;
use crate::git::worktree::diff_files;

/// The changed paths of a diff, after rename detection.
pub struct Queue {
    /// Unmerged paths with a combined diff, in path order. Renames and statistics ignore them.
    pub combined: Vec<Change>,
    /// In path order.
    pub changes: Vec<Change>,
    /// The rename limit that would be needed to compare all pairs, if some were skipped.
    pub needed_limit: Option<usize>,
    /// git's earlier warnings on its error stream.
    pub warnings: String,
}

impl Queue {
    /// git's output on its error stream.
    pub fn warning(&self) -> String {
        self.warnings.clone() + &self.needed_limit.map_or_else(String::new, rename_warning)
    }
}

/// git's warning that it skipped rename detection because of too many files.
pub fn rename_warning(needed_limit: usize) -> String {
    format!(
        "warning: exhaustive rename detection was skipped due to too many files.\n\
         warning: you may want to set your diff.renameLimit variable to at least {needed_limit} and retry the command.\n"
    )
}

/// The differences between two trees.
pub fn between(contents: &Contents<'_>, old: ObjectId, new: ObjectId, deadline: &Deadline) -> Result<Queue, ToolError> {
    let read = |path: &BStr, version: &Version| contents.read(path, version);
    let found = changes::tree_to_tree(contents.repo, old, new, deadline)?;
    let renamed = changes::detect_renames(found, deadline, read)?;
    Ok(Queue {
        combined: Vec::new(),
        changes: renamed.changes,
        needed_limit: renamed.needed_limit,
        warnings: String::new(),
    })
}

/// The changed paths that `pathspec` selects.
pub fn select(
    trees: &mut flat_tree::Cache,
    contents: &Contents<'_>,
    index: &Rc<State>,
    selection: Selection,
    pathspec: &Pathspec,
    deadline: &Deadline,
) -> Result<Queue, ToolError> {
    let repo = contents.repo;
    let scan = |pathspec| {
        let options = diff_files::Options { untracked: false, pathspec, compare: diff_files::Compare::Content };
        let scan = diff_files::scan(repo, index, contents.attributes, &options, deadline)?;
        Ok::<_, ToolError>(scan.changes)
    };
    let mut combined = Vec::new();
    let found: Vec<Change> = match selection {
        Selection::Worktree { combines } => {
            let (apart, changes) = scan(pathspec)?.into_iter().partition(|change| combines && is_combined(change));
            combined = apart;
            with_ours(contents, changes)?
        }
        Selection::Cached(tree) => {
            let tree = flat_tree::load(trees, repo, tree, deadline)?;
            changes::tree_to_index(&tree, index, deadline)?
        }
        Selection::TreeToWorktree(tree) => {
            let tree = flat_tree::load(trees, repo, tree, deadline)?;
            let changed = scan(pathspec)?;
            let standing = standing(contents, index, changed, deadline)?;
            let mut found = Vec::new();
            for (path, new) in standing {
                let old = tree.find(path.as_ref());
                if old != new {
                    found.push(Change::new(path, old, new));
                }
            }
            gone(&tree, index, &mut found);
            sort_by(&mut found, |a, b| a.path.cmp(&b.path));
            found
        }
        Selection::Trees(old, new) => changes::tree_to_tree(repo, old, new, deadline)?,
    };
    let mut found: Vec<Change> = found.into_iter().filter_map(|change| change.picked_by(pathspec)).collect();
    let read = |path: &BStr, version: &Version| contents.read(path, version);
    let mut unmerged = BTreeMap::new();
    if let Selection::Worktree { .. } = selection {
        unmerged = stand_ins(contents, &mut found)?;
    }
    let mut renamed = changes::detect_renames(found, deadline, read)?;
    for change in &mut renamed.changes {
        if let Some(stages) = unmerged.get(&change.path).filter(|_| change.old.is_none() || change.from.is_some()) {
            *change = Change { old: None, new: None, unmerged: Some(*stages), ..change.clone() };
        }
    }
    Ok(Queue { combined, changes: renamed.changes, needed_limit: renamed.needed_limit, warnings: String::new() })
}

/// Adds a change from our side to the working tree after each unmerged path that our side has.
fn with_ours(contents: &Contents<'_>, changes: Vec<Change>) -> Result<Vec<Change>, ToolError> {
    let mut found = Vec::with_capacity(changes.len());
    for change in changes {
        let ours = change.unmerged.and_then(|stages| stages.0[1]);
        let path = change.path.clone();
        found.push(change);
        if let Some(ours) = ours {
            let now = diff_files::version(contents, path.as_ref(), ours.mode)?;
            if now != Some(ours) {
                found.push(Change::new(path, Some(ours), now));
            }
        }
    }
    Ok(found)
}

/// Replaces each unmerged path that has a file by an addition of that file, and returns its stages. git does the same for rename detection,
/// and a path that it pairs keeps its mark.
fn stand_ins(contents: &Contents<'_>, changes: &mut [Change]) -> Result<BTreeMap<BString, Stages>, ToolError> {
    let mut unmerged = BTreeMap::new();
    for change in changes {
        let Some(stages) = change.unmerged else { continue };
        let lowest = stages.0.into_iter().flatten().next().map_or(0, |lowest| lowest.mode);
        if let Some(now) = diff_files::version(contents, change.path.as_ref(), lowest)? {
            unmerged.insert(change.path.clone(), stages);
            *change = Change::new(change.path.clone(), None, Some(now));
        }
    }
    Ok(unmerged)
}

/// The present version at every path of the index.
fn standing(
    contents: &Contents<'_>,
    index: &State,
    changes: Vec<Change>,
    deadline: &Deadline,
) -> Result<Vec<(BString, Option<Version>)>, ToolError> {
    let mut changed = map(changes.into_iter().map(|change| (change.path.clone(), change)));
    let mut standing: Vec<(BString, Option<Version>)> = Vec::with_capacity(index.entries().len());
    for entry in index.entries() {
        deadline.poll()?;
        let path = entry.path(index);
        let known = Version::object(entry.mode.bits(), entry.id);
        match changed.remove(path) {
            None if standing.last().is_some_and(|(last, _)| last == path) => {}
            None => standing.push((path.to_owned(), Some(known))),
            Some(change) if change.unmerged.is_some() => {
                let now = diff_files::version(contents, path, known.mode)?;
                standing.push((path.to_owned(), now));
            }
            Some(change) => standing.push((change.path, change.new)),
        }
    }
    Ok(standing)
}

/// Adds deletions of the paths that `tree` has and the index lacks.
fn gone(tree: &flat_tree::FlatTree, index: &State, found: &mut Vec<Change>) {
    for position in 0..tree.len() {
        let (path, version) = tree.get(position).expect("the position is below the end");
        if index.entry_range(path).is_none() {
            found.push(Change::new(path.to_owned(), Some(version), None));
        }
    }
}
