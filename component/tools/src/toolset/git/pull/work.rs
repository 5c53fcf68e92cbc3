//! The changes of the working folder and index against HEAD, as one side of a merge.

use std::collections::BTreeMap;
use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::Mode;
use patch::sort::map;

use crate::error::{ErrorKind, ToolError};
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::store::version::{SUBMODULE, Version};
use crate::git::store::{flat_tree, index_edit};
use crate::git::text::workspace_path;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes::{self, Change};
use crate::git::worktree::content::Contents;
use crate::git::worktree::diff_files;
use crate::platform::{self, Kind};
use crate::session::Context;
use crate::toolset::git::pull::in_the_way;

/// Everything that no commit has.
pub struct Work {
    /// The working folder's changes against HEAD, ordered by path, without untracked files.
    pub changes: Vec<Change>,
    /// Content that only the index has: at its path, HEAD and the working folder have other content.
    pub only_in_index: Vec<(BString, Version)>,
}

/// Compares the working folder, the index and HEAD.
pub fn of(
    context: &mut Context<'_>,
    repo: &Repo,
    index: &Rc<State>,
    attributes: &Attributes<'_>,
) -> Result<Work, ToolError> {
    let head = flat_tree::load(&mut context.session.caches.trees, repo, repo.head_tree()?, context.deadline)?;
    let contents = Contents { repo, attributes };
    let options =
        diff_files::Options { untracked: false, pathspec: &Pathspec::all(), compare: diff_files::Compare::Content };
    let scan = diff_files::scan(repo, index, attributes, &options, context.deadline)?;
    let added = changes::tree_to_index(&head, index, context.deadline)?;
    let only_in_index = only_in_index(&added, &scan.changes);
    let mut new: BTreeMap<BString, Option<Version>> = BTreeMap::new();
    for change in added.into_iter().chain(scan.changes) {
        let version = match change.unmerged {
            Some(_) => diff_files::version(&contents, change.path.as_bstr(), 0o100_644)?,
            None => change.new,
        };
        new.insert(change.path, version);
    }
    let old = |path: &BString| head.find(path.as_bstr());
    let changes = new.into_iter().map(|(path, new)| Change::new(path.clone(), old(&path), new));
    let changes = changes.filter(|change| change.old != change.new).collect();
    Ok(Work { changes, only_in_index })
}

/// Content that was `added` to the index and differs from the working folder. `unadded` are the working folder's changes against the index.
fn only_in_index(added: &[Change], unadded: &[Change]) -> Vec<(BString, Version)> {
    let is_unadded = |path: &BString| unadded.binary_search_by(|change| change.path.cmp(path)).is_ok();
    let added = added.iter().filter_map(|change| Some((&change.path, change.new?)));
    // The folder of a submodule does not show which commit the index names.
    let only = added.filter(|(path, version)| version.mode == SUBMODULE || is_unadded(path));
    only.map(|(path, version)| (path.clone(), version)).collect()
}

/// Refuses to replace the index by `new` if that would lose content that nothing else has.
pub fn ensure_kept(only_in_index: &[(BString, Version)], new: &State) -> Result<(), ToolError> {
    let is_lost = |(path, version): &&(BString, Version)| {
        let slot = index_edit::slot(new, path.as_bstr());
        slot.is_none_or(|slot| (slot.mode.bits(), slot.id) != (version.mode, version.id))
    };
    let Some((path, _)) = only_in_index.iter().find(is_lost) else {
        return Ok(());
    };
    let shown = workspace_path::absolute(path.as_bstr());
    Err(ToolError::new(ErrorKind::Conflict, format!("Only the index has the staged content of {shown}")).hint(format!(
        "Nothing has changed. The pull would lose that content. Ask the user to keep it with git commit, or to \
         drop it with git restore --staged {path}."
    )))
}

/// Joins `first`, from one tree to another, with `second`, which continues from there.
pub fn after(first: Vec<Change>, second: &[Change]) -> Vec<Change> {
    let mut all = map(first.into_iter().map(|change| (change.path.clone(), change)));
    for change in second {
        let old = all.get(&change.path).map_or(change.old, |first| first.old);
        all.insert(change.path.clone(), Change::new(change.path.clone(), old, change.new));
    }
    all.into_values().filter(|change| change.old != change.new).collect()
}

/// Untracked files and links that collide with new files from `incoming`: at the same path, below it, or in place of a parent folder. They
/// count as added.
pub fn untracked_at(
    repo: &Repo,
    index: &State,
    attributes: &Attributes<'_>,
    incoming: &[Change],
) -> Result<Vec<Change>, ToolError> {
    let contents = Contents { repo, attributes };
    let mut found: BTreeMap<BString, Change> = BTreeMap::new();
    let mut look = Look { repo, index, untracked: Vec::new() };
    for change in incoming.iter().filter(|change| change.new.is_some()) {
        look.at(change.path.as_bstr())?;
    }
    for path in look.untracked {
        if let Some(version) = diff_files::version(&contents, path.as_bstr(), 0o100_644)? {
            found.insert(path.clone(), Change::new(path, None, Some(version)));
        }
    }
    Ok(found.into_values().collect())
}

struct Look<'a> {
    repo: &'a Repo,
    index: &'a State,
    untracked: Vec<BString>,
}

impl Look<'_> {
    fn at(&mut self, path: &BStr) -> Result<(), ToolError> {
        for slash in path.find_iter(b"/") {
            match self.kind(path[..slash].as_bstr()) {
                Some(Kind::Folder) => {}
                Some(_) => {
                    return self.add(path[..slash].as_bstr());
                }
                None => return Ok(()),
            }
        }
        match self.kind(path) {
            Some(Kind::Folder) => self.below(path),
            Some(_) => self.add(path),
            None => Ok(()),
        }
    }

    fn below(&mut self, folder: &BStr) -> Result<(), ToolError> {
        let mut pending = vec![folder.to_owned()];
        while let Some(folder) = pending.pop() {
            let entries = self.repo.real(folder.as_bstr()).and_then(|real| platform::list(&real));
            let entries = entries.map_err(|error| ToolError::io(&folder.to_str_lossy(), &error))?;
            for entry in entries {
                let mut path = folder.clone();
                path.push(b'/');
                path.extend_from_slice(&entry.name);
                match entry.stat.kind {
                    Kind::Folder => pending.push(path),
                    _ => self.add(path.as_bstr())?,
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &BStr) -> Result<(), ToolError> {
        if self.index.entry_by_path(path).is_some() {
            return Ok(());
        }
        let is_submodule =
            |folder: &BStr| self.index.entry_by_path(folder).is_some_and(|entry| entry.mode == Mode::COMMIT);
        // The files in a submodule's folder belong to another repository, so the merge must not touch them.
        if path.find_iter(b"/").any(|slash| is_submodule(path[..slash].as_bstr())) {
            return Err(in_the_way(&workspace_path::absolute(path)));
        }
        self.untracked.push(path.to_owned());
        Ok(())
    }

    fn kind(&self, path: &BStr) -> Option<Kind> {
        self.repo.stat(path).ok().map(|stat| stat.kind)
    }
}

#[cfg(test)]
mod tests {
    use gix::ObjectId;

    use super::*;

    fn version(digit: u8) -> Option<Version> {
        Some(Version::object(0o100_644, ObjectId::from_bytes_or_panic(&[digit; 20])))
    }

    fn change(path: &str, old: Option<Version>, new: Option<Version>) -> Change {
        Change::new(path.into(), old, new)
    }

    #[test]
    fn two_steps_are_one_and_what_the_second_takes_back_is_none() {
        let first = vec![
            change("back", version(1), version(2)),
            change("gone", None, version(2)),
            change("kept", version(1), version(2)),
            change("twice", version(1), version(2)),
        ];
        let second = vec![
            change("back", version(2), version(1)),
            change("gone", version(2), None),
            change("new", None, version(3)),
            change("twice", version(2), version(3)),
        ];
        let expected = vec![
            change("kept", version(1), version(2)),
            change("new", None, version(3)),
            change("twice", version(1), version(3)),
        ];
        assert_eq!(after(first, &second), expected);
    }
}
