//! The order in which git walks two trees.
//!
//! In a tree the folder `a` stands behind the file `a-b`. git takes the smallest name that either tree offers next (its tree-walk.c,
//! `traverse_trees`), and so `a` comes before `a-b` where one of them has `a-b` behind it no more.

use std::collections::{BTreeMap, HashMap, HashSet};

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::git::worktree::changes::Change;

/// What is left to do, the next last.
enum Task {
    /// This change is the next one.
    Take(Change),
    /// These are, which are in one folder.
    Folder(Folder),
}

/// Changes below a folder, in the order of the paths.
struct Folder {
    /// The length of the folder's path, with a slash.
    path: usize,
    trees: [Option<ObjectId>; 2],
    changes: Vec<Change>,
}

/// `changes` between two trees of `repo`, which are in the order of the paths, in the order in which git comes upon them.
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

/// Whether there is a folder like `a`, and before it what is called like `a-b`.
fn has_hidden(changes: &[Change]) -> bool {
    changes.windows(2).any(|pair| {
        let [before, after] = [&pair[0].path, &pair[1].path];
        let common = before.iter().zip(after.iter()).take_while(|(one, other)| one == other).count();
        after.get(common) == Some(&b'/') && before.len() > common
    })
}

impl Folder {
    /// What is to do for what is in the folder, the next first.
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
        // Trees that are not in order could hide a name from the walk; none of it is left out.
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
