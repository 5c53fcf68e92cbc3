//! Stashes untracked files in a tree of their own, and restores them to free paths.

use std::collections::BTreeSet;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::index::State;
use gix::index::entry::Mode;

use super::merged::After;
use super::snapshot::slot;
use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::flat_tree::{self, FlatTree};
use crate::git::store::index_edit::Edits;
use crate::git::store::names::check_path;
use crate::git::store::repo::Repo;
use crate::git::store::{blob, missing};
use crate::git::words::streams::Streams;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::content::Contents;
use crate::git::worktree::lstat_cache::Place;
use crate::git::worktree::writer::Writer;

/// Writes the tree of these files. Skips a nested repository, whose path ends in a slash.
pub fn save(
    repo: &Repo,
    files: &[(BString, u64)],
    streams: &mut Streams,
    deadline: &Deadline,
) -> Result<ObjectId, ToolError> {
    let empty = Rc::new(State::new(repo.gix.object_hash()));
    let attributes = Attributes::of(repo, empty, deadline);
    let contents = Contents { repo, attributes: &attributes };
    let mut edits = Edits::new();
    for (path, _) in files {
        deadline.poll_units(8)?;
        if path.ends_with(b"/") {
            streams.error_line(&[b"Ignoring path ", path]);
            continue;
        }
        if let Some(slot) = slot(&contents, path.as_bstr(), None)? {
            // Do not stash a path that could not be restored.
            check_path(path.as_bstr(), slot.mode)?;
            edits.insert(path.clone(), Some(slot));
        }
    }
    edit_tree(repo, ObjectId::empty_tree(repo.gix.object_hash()), &edits)
}

/// Files to restore.
pub struct Restore {
    files: Vec<(BString, Mode, ObjectId)>,
    rules: Rc<State>,
    /// Whether some files cannot be restored because their paths are taken.
    pub fails: bool,
}

/// Plans which files of `tree` to write if the working folder becomes `after`. `streams` receives git's messages about the others.
pub fn plan(
    repo: &Repo,
    tree: ObjectId,
    after: &After<'_>,
    streams: &mut Streams,
    deadline: &Deadline,
) -> Result<Restore, ToolError> {
    // This tree shares nothing with the cached trees.
    let tree = flat_tree::read(repo, tree, deadline)?;
    let mut restore = Restore { files: Vec::new(), rules: Rc::new(flat_tree::index_of(&tree)?), fails: false };
    let mut missing = BTreeSet::new();
    ensure_no_collision(&tree, deadline)?;
    let mut ahead = after.ahead();
    for (path, version) in (0..tree.len()).filter_map(|at| tree.get(at)) {
        deadline.poll_units(8 + units(path.len()))?;
        match ahead.at(path)? {
            Place::Free => {}
            Place::Taken(_) => {
                streams.error_line(&[path, b" already exists, no checkout"]);
                restore.fails = true;
                continue;
            }
            Place::Blocked(folder) => {
                streams.error_line(&[b"fatal: cannot create directory at '", folder, b"': File exists"]);
                restore.fails = true;
                break;
            }
        }
        let mode = Mode::from_bits_truncate(version.mode);
        if mode != Mode::COMMIT && !repo.gix.has_object(version.id) {
            missing.insert(version.id);
        }
        restore.files.push((path.to_owned(), mode, version.id));
    }
    if restore.fails {
        streams.error_line(&[b"error: could not restore untracked files from stash"]);
    }
    if missing.is_empty() { Ok(restore) } else { Err(missing::blobs(repo, missing)) }
}

/// Refuses a tree with two entries of the same name, which only an attacker writes: a path below one entry could be written through the
/// other, a link.
fn ensure_no_collision(tree: &FlatTree, deadline: &Deadline) -> Result<(), ToolError> {
    for (at, (path, _)) in (0..tree.len()).filter_map(|at| Some((at, tree.get(at)?))) {
        deadline.poll_units(4)?;
        let [_, below] = tree.at_and_below(path);
        let next = tree.get(at + 1).map(|(next, _)| next);
        if next.is_some_and(|next| next <= path) || !below.is_empty() {
            return Err(ToolError::invalid_path(&path.to_str_lossy())
                .hint("Nothing has changed. The tree of the entry's untracked files has two entries with this name."));
        }
    }
    Ok(())
}

impl Restore {
    /// Writes the files.
    pub fn run(&self, repo: &Repo, deadline: &Deadline) -> Result<(), ToolError> {
        let mut writer = Writer::of_restore(repo, &self.rules, deadline);
        for (path, mode, id) in &self.files {
            deadline.poll_units(8)?;
            let content = match *mode {
                Mode::COMMIT => Vec::new(),
                _ => blob::read(repo, *id)?.ok_or_else(|| missing::blobs(repo, [*id].into()))?,
            };
            writer.write_object(path.as_bstr(), *mode, *id, content)?;
        }
        Ok(())
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }
}
