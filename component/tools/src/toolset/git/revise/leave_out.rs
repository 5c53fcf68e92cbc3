//! Computes trees without the files and hunks that a revision leaves out.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Mode, Stat};

use super::LeaveOut;
use crate::error::ToolError;
use crate::git::store::edit_tree;
use crate::git::store::flat_tree::{self, FlatTree};
use crate::git::store::index_edit::{Edits, Slot};
use crate::git::store::repo::{Repo, damaged};
use crate::session::Context;

/// The files that a revision leaves out, with their replacements.
pub struct Kept {
    files: BTreeMap<BString, File>,
}

/// A file, link or submodule of a tree.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Entry {
    mode: u32,
    id: ObjectId,
}

/// A file that a revision leaves out, in whole or in part.
struct File {
    /// The entry below the commits.
    below: Option<Entry>,
    /// The entry after the last commit.
    kept: Option<Entry>,
}

/// The commits below the revised ones. `None` means the empty tree.
#[derive(Clone, Copy)]
pub struct Below {
    /// The commit with which the review compares.
    pub base: Option<ObjectId>,
    /// The last commit that the revision keeps unchanged.
    pub below: Option<ObjectId>,
}

impl Kept {
    /// Computes what remains of the diff between the commit below and the `trees` of the commits, oldest first.
    pub fn of(
        repo: &Repo,
        context: &mut Context<'_>,
        Below { base, below }: Below,
        trees: &[ObjectId],
        leave_out: &[LeaveOut],
    ) -> Result<Self, ToolError> {
        let last = *trees.last().expect("what is pushed is a commit at least");
        let empty = ObjectId::empty_tree(gix::hash::Kind::Sha1);
        let tree_of = |commit: Option<ObjectId>| commit.map_or(Ok(empty), |commit| repo.tree_of(commit));
        let base = tree_of(base)?;
        let [below, last] = [tree_of(below)?, last]
            .map(|tree| flat_tree::load(&mut context.session.caches.trees, repo, tree, context.deadline));
        let (below, last) = (below?, last?);
        let mut files = BTreeMap::new();
        for LeaveOut { path, hunks, context: around } in leave_out {
            let path = BString::from(path.as_str());
            let find =
                |tree: &FlatTree| tree.find(path.as_bstr()).map(|found| Entry { mode: found.mode, id: found.id });
            let (old, new) = (find(&below), find(&last));
            let mut on_the_way = trees.iter().map(|tree| lookup(repo, *tree, path.as_bstr()));
            if old == new && (hunks.is_some() || !differs(&mut on_the_way, old)?) {
                return Err(ToolError::bad_args(format!("These commits do not change {path}"))
                    .hint("Name a file by its path from the root of the repository, as the review does."));
            }
            if hunks.is_some() && lookup(repo, base, path.as_bstr())? != old {
                return Err(ToolError::bad_args(format!("A commit that is not staged changes {path}, too"))
                    .hint("Omit hunks to leave out what the staged commits change of it."));
            }
            let kept = match hunks {
                None => old,
                Some(hunks) => Some(in_part(repo, &path, (old, new), hunks, *around)?),
            };
            if files.insert(path.clone(), File { below: old, kept }).is_some() {
                return Err(
                    ToolError::bad_args(format!("{path} is named twice")).hint("Name all its hunks in one entry.")
                );
            }
        }
        let kept = Kept { files };
        kept.ensure_room(&last)?;
        kept.ensure_room_on_the_way(repo, context, trees)?;
        Ok(kept)
    }

    /// Fails if a restored file would collide with a folder at its path, or with a file in place of a parent folder. A tree cannot hold
    /// both.
    fn ensure_room(&self, last: &FlatTree) -> Result<(), ToolError> {
        let stays = |path: &BStr| self.files.get(path).is_none_or(|file| file.kept.is_some());
        for path in self.files.iter().filter(|(_, file)| file.kept.is_some()).map(|(path, _)| path.as_bstr()) {
            let [_, below] = last.at_and_below(path);
            let below = below.filter_map(|position| last.get(position)).map(|(path, _)| path.to_owned());
            let above = path.find_iter(b"/").map(|slash| path[..slash].as_bstr());
            let above = above.filter(|folder| last.find(folder).is_some()).map(ToOwned::to_owned);
            if let Some(other) = below.chain(above).find(|other| stays(other.as_bstr())) {
                return Err(
                    ToolError::bad_args(format!("Cannot leave out {path} without {other}")).hint("Leave both out.")
                );
            }
        }
        Ok(())
    }

    /// Checks the same for the earlier commits, which may have other entries there.
    fn ensure_room_on_the_way(
        &self,
        repo: &Repo,
        context: &mut Context<'_>,
        trees: &[ObjectId],
    ) -> Result<(), ToolError> {
        for path in self.files.iter().filter(|(_, file)| file.kept.is_some()).map(|(path, _)| path.as_bstr()) {
            for tree in trees {
                if !has_room(repo, *tree, path)? {
                    let flat = flat_tree::load(&mut context.session.caches.trees, repo, *tree, context.deadline)?;
                    self.ensure_room(&flat)?;
                }
            }
        }
        Ok(())
    }

    /// Rewrites the tree of one of the commits, without what the revision leaves out.
    pub fn tree(&self, repo: &Repo, tree: ObjectId) -> Result<ObjectId, ToolError> {
        let mut edits = Edits::new();
        for (path, file) in &self.files {
            let here = lookup(repo, tree, path.as_bstr())?;
            let kept = file.instead_of(here);
            if kept != here {
                edits.insert(path.clone(), kept.map(slot));
            }
        }
        if edits.is_empty() { Ok(tree) } else { edit_tree::edit_tree(repo, tree, &edits) }
    }
}

impl File {
    /// The entry that replaces `here` in one of the commits. An intermediate commit may have anything there, even a moved or changed form
    /// of the left-out part, so it gets the final entry.
    fn instead_of(&self, here: Option<Entry>) -> Option<Entry> {
        if here == self.below { self.below } else { self.kept }
    }
}

/// Whether any version of a file differs from `below`.
fn differs(
    found: &mut dyn Iterator<Item = Result<Option<Entry>, ToolError>>,
    below: Option<Entry>,
) -> Result<bool, ToolError> {
    for found in found {
        if found? != below {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Looks the file up in a tree without flattening it.
fn lookup(repo: &Repo, tree: ObjectId, path: &BStr) -> Result<Option<Entry>, ToolError> {
    let tree = repo.gix.find_tree(tree).map_err(|error| damaged(&error))?;
    let found = tree.lookup_entry(path.split(|byte| *byte == b'/')).map_err(|error| damaged(&error))?;
    let found = found.filter(|entry| !entry.mode().is_tree());
    Ok(found.map(|entry| Entry { mode: Mode::from(entry.mode()).bits(), id: entry.object_id() }))
}

/// Whether a file fits at `path`: the path is no folder, and no parent is a file.
fn has_room(repo: &Repo, tree: ObjectId, path: &BStr) -> Result<bool, ToolError> {
    let tree = repo.gix.find_tree(tree).map_err(|error| damaged(&error))?;
    let kind = |path: &[u8]| {
        let found = tree.clone().lookup_entry(path.split(|byte| *byte == b'/')).map_err(|error| damaged(&error))?;
        Ok::<_, ToolError>(found.map(|entry| entry.mode().is_tree()))
    };
    for slash in path.find_iter(b"/") {
        match kind(&path[..slash])? {
            Some(true) => {}
            Some(false) => return Ok(false),
            None => return Ok(true),
        }
    }
    Ok(kind(path)? != Some(true))
}

/// The last version of a file without some hunks, numbered with this many lines of context.
fn in_part(
    repo: &Repo,
    path: &BString,
    (old, new): (Option<Entry>, Option<Entry>),
    hunks: &[u32],
    context: Option<u32>,
) -> Result<Entry, ToolError> {
    let whole = || {
        ToolError::bad_args(format!("{path} has no hunks, because it is new, deleted or not text"))
            .hint("Omit hunks to leave out the whole file.")
    };
    let is_file = |entry: &Entry| entry.mode & 0o170_000 == 0o100_000;
    let (Some(old), Some(new)) = (old.filter(is_file), new.filter(is_file)) else { return Err(whole()) };
    let (before, after) = (blob(repo, old.id)?, blob(repo, new.id)?);
    if [&before, &after].into_iter().any(|content| patch::binary::is_binary(content)) {
        return Err(whole());
    }
    let mut options = patch::Options::default();
    options.context = context.unwrap_or(options.context);
    let found = patch::hunk::hunks(&before, &after, &options).expect("no deadline is set");
    let wanted: BTreeSet<usize> = hunks.iter().map(|number| *number as usize).collect();
    if let Some(wrong) = wanted.iter().find(|number| !(1..=found.len()).contains(number)) {
        let message = format!("{path} has {} hunk(s), but no hunk {wrong}", found.len());
        return Err(ToolError::bad_args(message).hint("Count hunks from 1, as the review shows them."));
    }
    if wanted.is_empty() {
        return Err(
            ToolError::bad_args(format!("hunks of {path} is empty")).hint("Omit hunks to leave out the whole file.")
        );
    }
    let content = found.without(|number| wanted.contains(&(number + 1)));
    Ok(Entry { id: write(repo, &content)?, ..new })
}

fn blob(repo: &Repo, id: ObjectId) -> Result<Vec<u8>, ToolError> {
    Ok(repo.gix.find_blob(id).map_err(|error| damaged(&error))?.take_data())
}

fn write(repo: &Repo, content: &[u8]) -> Result<ObjectId, ToolError> {
    Ok(repo.gix.write_blob(content).map_err(|error| damaged(&error))?.detach())
}

fn slot(entry: Entry) -> Slot {
    Slot { mode: Mode::from_bits_truncate(entry.mode), id: entry.id, stat: Stat::default() }
}
