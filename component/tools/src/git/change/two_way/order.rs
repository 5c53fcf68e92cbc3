//! The order in which git walks two trees.
//!
//! In a tree the file `a-b` sorts before the folder `a`. git always takes the smaller of the next names of both trees (its tree-walk.c,
//! `traverse_trees`). So `a` comes before `a-b` if one tree offers `a` without an `a-b` before it.

use std::collections::{BTreeMap, HashMap, HashSet};

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::git::worktree::changes::Change;

/// A step of the walk. The next step is the last in the list.
enum Task {
    /// Takes this change.
    Take(Change),
    /// Walks the changes in this folder.
    Folder(Folder),
}

/// Changes below a folder, in path order.
struct Folder {
    /// The length of the folder's path, including the slash.
    path: usize,
    trees: [Option<ObjectId>; 2],
    changes: Vec<Change>,
}

/// Sorts `changes` between two trees of `repo` from path order to the order in which git meets them.
pub fn as_walked(
    repo: &Repo,
    trees: [ObjectId; 2],
    changes: Vec<Change>,
    deadline: &Deadline,
) -> Result<Vec<Change>, ToolError> {
    let mut walked = Vec::with_capacity(changes.len());
    let mut tasks = vec![Task::Folder(Folder { path: 0, trees: trees.map(Some), changes })];
    while let Some(task) = tasks.pop() {
        deadline.poll()?;
        match task {
            Task::Take(change) => walked.push(change),
            Task::Folder(folder) if !has_hidden(&folder.changes) => walked.extend(folder.changes),
            Task::Folder(folder) => {
                let from = tasks.len();
                folder.walk(repo, &mut tasks, deadline)?;
                tasks[from..].reverse();
            }
        }
    }
    Ok(walked)
}

/// Whether a name such as `a-b` comes before a folder such as `a`.
fn has_hidden(changes: &[Change]) -> bool {
    changes.windows(2).any(|pair| {
        let [before, after] = [&pair[0].path, &pair[1].path];
        let common = before.iter().zip(after.iter()).take_while(|(one, other)| one == other).count();
        after.get(common) == Some(&b'/') && before.len() > common
    })
}

impl Folder {
    /// Adds the steps for this folder to `tasks`, in the order of the walk.
    fn walk(self, repo: &Repo, tasks: &mut Vec<Task>, deadline: &Deadline) -> Result<(), ToolError> {
        let mut named: BTreeMap<BString, Vec<Change>> = BTreeMap::new();
        for change in self.changes {
            let name = &change.path[self.path..];
            let name = name[..name.find_byte(b'/').unwrap_or(name.len())].into();
            named.entry(name).or_default().push(change);
        }
        let [old, new] = self.trees.map(|tree| entries(repo, tree));
        let sides = [old?, new?];
        let folders: [HashMap<&BString, ObjectId>; 2] =
            sides.each_ref().map(|side| side.iter().filter_map(|(name, folder)| Some((name, (*folder)?))).collect());
        let mut next = [0; 2];
        let mut done = HashSet::new();
        loop {
            deadline.poll()?;
            for (side, next) in sides.iter().zip(&mut next) {
                while side.get(*next).is_some_and(|(name, _)| done.contains(name)) {
                    *next += 1;
                }
            }
            let offered = sides.iter().zip(next).filter_map(|(side, next)| side.get(next));
            let Some(first) = offered.map(|(name, _)| name).min() else { break };
            done.insert(first);
            let Some(changes) = named.remove(first) else { continue };
            let path = self.path + first.len() + 1;
            let (itself, below): (Vec<_>, _) = changes.into_iter().partition(|change| change.path.len() < path);
            tasks.extend(itself.into_iter().map(Task::Take));
            tasks.push(Task::Folder(Folder {
                path,
                trees: folders.each_ref().map(|side| side.get(first).copied()),
                changes: below,
            }));
        }
        // An unsorted tree could hide a name from the walk. Take these changes too.
        tasks.extend(named.into_values().flatten().map(Task::Take));
        Ok(())
    }
}

/// The names in a tree, in its order, each with its tree if it is a folder.
fn entries(repo: &Repo, tree: Option<ObjectId>) -> Result<Vec<(BString, Option<ObjectId>)>, ToolError> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    let tree = repo.gix.find_tree(tree).map_err(|error| damaged(&error))?;
    let entries = tree.iter().map(|entry| {
        let entry = entry.map_err(|error| damaged(&error))?;
        Ok((entry.filename().to_owned(), entry.mode().is_tree().then(|| entry.oid().to_owned())))
    });
    entries.collect()
}
