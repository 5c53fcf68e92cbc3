//! Merges an entry, with git's messages and refusals.

use std::collections::BTreeSet;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::Mode;
use patch::merge::Labels;
use patch::tree_merge::Outcome;

use super::entries::Stash;
use super::merged::After;
use super::untracked;
use crate::error::ToolError;
use crate::git::change::merged_index::Edits;
use crate::git::change::tree_merge::Sides;
use crate::git::store::flat_tree::{self, FlatTree};
use crate::git::store::repo::Repo;
use crate::git::words::streams::Streams;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes;
use crate::git::worktree::diff_files::Scan;
use crate::session::Context;

/// Options of the call.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Whether to drop the entry unless there are conflicts.
    pub pops: bool,
    /// Whether to restore the index too.
    pub index: bool,
}

/// A merge of an entry in progress.
#[derive(Clone, Copy)]
pub struct Applying<'a> {
    pub repo: &'a Repo,
    pub stash: &'a Stash,
    pub wish: Wish,
    /// The index at the start of the merge.
    pub index: &'a State,
    /// The tree of that index.
    pub from: &'a FlatTree,
    pub scan: &'a Scan,
    pub working_dir: &'a BStr,
}

impl Applying<'_> {
    /// Merges the changes of the entry into the index's tree.
    pub fn merge(
        &self,
        context: &mut Context<'_>,
        current: ObjectId,
        streams: &mut Streams,
    ) -> Result<Outcome, ToolError> {
        let (stash, deadline) = (self.stash, context.deadline);
        if stash.base == stash.tree {
            streams.line(&[b"Already up to date."]);
            return Ok(nothing());
        }
        let ours = match stash.base == current {
            true => b"Version stash was based on".as_slice(),
            false => b"Updated upstream",
        };
        let labels = Labels { ours, base: b"Stash base", theirs: b"Stashed changes" };
        let base = flat_tree::load(&mut context.session.caches.trees, self.repo, stash.base, deadline)?;
        let ours = changes::tree_to_tree(self.repo, stash.base, current, deadline)?;
        let theirs = changes::tree_to_tree(self.repo, stash.base, stash.tree, deadline)?;
        let rules = Rc::new(self.index.clone());
        let attributes = Attributes::of(self.repo, rules, deadline);
        Sides::trees(self.repo, &attributes).merge_as(labels, base, &ours, &theirs, deadline)
    }

    /// The error if the index differs from the tree that git merges into: either it has changes and the call restores the index, or it has
    /// intent-to-add entries.
    pub fn differs(
        &self,
        context: &mut Context<'_>,
        paths: &[BString],
        mut streams: Streams,
    ) -> Result<ToolError, ToolError> {
        streams.error_line(&[b"error: Your local changes to the following files would be overwritten by merge:"]);
        streams.error_line(&[b"  ", &paths.join(&b' ')]);
        Ok(self.refused(context, streams)?.hint(
            "Nothing has changed. Commit what is in the index, unstage it with git_restore (staged: true), or omit \
             restore_index.",
        ))
    }

    /// The error of a merge that git refused. git still tries to restore untracked files.
    pub fn refused(&self, context: &mut Context<'_>, mut streams: Streams) -> Result<ToolError, ToolError> {
        if self.wish.index {
            streams.error_line(&[b"Index was not unstashed."]);
        }
        self.failed(context, &Edits::new(), streams)
    }

    /// The same for a merge with these edits that failed later.
    pub fn failed(
        &self,
        context: &mut Context<'_>,
        edits: &Edits,
        mut streams: Streams,
    ) -> Result<ToolError, ToolError> {
        self.untracked(context, edits, &mut streams)?;
        Ok(streams.failed().hint("Nothing has changed."))
    }

    /// Plans how to restore untracked files.
    pub fn untracked(
        &self,
        context: &mut Context<'_>,
        edits: &Edits,
        streams: &mut Streams,
    ) -> Result<Option<untracked::Restore>, ToolError> {
        let after = After::new(self.repo, edits, self.working_dir, context.deadline);
        let tree = self.stash.untracked;
        tree.map(|tree| untracked::plan(self.repo, tree, &after, streams, context.deadline)).transpose()
    }

    /// The first path where `tree` would replace an entry whose file has local changes.
    pub fn not_uptodate(&self, merged: &State, tree: &FlatTree, edits: &Edits) -> Option<BString> {
        let is_kept = |entry: &gix::index::Entry| {
            let known = tree.find(entry.path(merged)).map(|version| (version.mode, version.id));
            known == Some((entry.mode.bits(), entry.id))
        };
        let changed: BTreeSet<&BStr> = self.scan.changes.iter().map(|change| change.path.as_bstr()).collect();
        let is_other = |path: &BStr| {
            let is_there = || self.repo.standing(path).is_some();
            changed.contains(path) && !edits.contains_key(path) && is_there()
        };
        let mut entries = merged.entries().iter().filter(|entry| !is_kept(entry) && entry.mode != Mode::COMMIT);
        entries.find(|entry| is_other(entry.path(merged))).map(|entry| entry.path(merged).to_owned())
    }
}

/// The outcome of a merge without changes.
fn nothing() -> Outcome {
    Outcome {
        is_clean: true,
        edits: Edits::new(),
        conflicts: Default::default(),
        messages: Vec::new(),
        needed_limit: None,
    }
}
