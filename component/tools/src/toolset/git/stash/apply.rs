//! Restores stashed changes (`git stash apply`, `git stash pop`). It first checks everything that
//! could be in the way, then changes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::Flags;
use patch::tree_merge::Outcome;

use super::applying::{Applying, Wish};
use super::entries::Stash;
use super::indexed;
use super::untracked::Restore;
use super::{drop, index_patch, report, reset, snapshot};
use crate::error::ToolError;
use crate::git::change::branch_state::{self, AUTO_MERGE};
use crate::git::change::merged_index::{changes_of, edited, in_conflict, merged_tree};
use crate::git::change::two_way::{Command, Placed, Plan};
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::flat_tree::{self, FlatTree};
use crate::git::store::index;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::store::version::Version;
use crate::git::text::merge_messages;
use crate::git::words::streams::Streams;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes;
use crate::git::worktree::{diff_files, sparse};
use crate::output::Output;
use crate::paths::SandboxPath;
use crate::platform::Kind;
use crate::session::Context;
use crate::toolset::git::status;

/// Merges the changes of `stash` into the working folder.
pub fn run(
    context: &mut Context<'_>,
    repo: &Repo,
    working_dir: &SandboxPath,
    stash: &Stash,
    wish: Wish,
) -> Result<Output, ToolError> {
    let deadline = context.deadline;
    let old = sparse::present(repo, &index::load(&mut context.session.caches.index, repo)?);
    indexed::ensure_merged(&old)?;
    let head_tree = repo.head_tree()?;
    let head = flat_tree::load(&mut context.session.caches.trees, repo, head_tree, deadline)?;
    let staged = changes::tree_to_index(&head, &old, deadline)?;
    let current = edit_tree(repo, head_tree, &snapshot::edits(&staged))?;
    let from = flat_tree::load(&mut context.session.caches.trees, repo, current, deadline)?;
    let mut streams = Streams::default();
    let restored = match wish.index && stash.base != stash.index && current != stash.index {
        true => Some(index_patch::apply(context, repo, (stash.base, stash.index), &from, current, &mut streams)?),
        false => None,
    };
    // To restore the index's changes, git starts with an index that equals HEAD.
    let start = match restored {
        Some(_) => {
            let patched = changes::tree_to_tree(repo, stash.base, stash.index, deadline)?;
            Rc::new(reset::at_head(context, &indexed::looked_at(repo, &old, &patched)?, &head)?.0)
        }
        None => old,
    };
    let attributes = Attributes::of(repo, start.clone(), deadline);
    let options =
        diff_files::Options { untracked: true, pathspec: &Pathspec::all(), compare: diff_files::Compare::Size };
    let scan = diff_files::scan(repo, &start, &attributes, &options, deadline)?;
    let at = working_dir.relative();
    let (index, from, scan, folder) = (&*start, &*from, &scan, at.as_str().into());
    let applying = Applying { repo, stash, wish, index, from, scan, working_dir: folder };
    let differing = match restored {
        Some(_) => {
            changes::tree_to_tree(repo, current, head_tree, deadline)?.into_iter().map(|change| change.path).collect()
        }
        None => indexed::intended(index),
    };
    if !differing.is_empty() {
        return Err(applying.differs(context, &differing, streams)?);
    }
    let outcome = applying.merge(context, current, &mut streams)?;
    let merged = merged_tree(repo, current, &outcome.edits)?;
    let plan = match Plan::new(repo, &start, [current, merged], changes_of(from, &outcome), working_dir, deadline)? {
        Ok(plan) => plan,
        Err(rejected) => {
            streams.err.extend_from_slice(rejected.text(Command::Merge).as_bytes());
            let error = applying.refused(context, streams)?;
            return Err(rejected.error(error.message));
        }
    };
    let ready = Ready::of(context, &applying, plan, outcome, restored, streams)?;
    ready.run(context, (stash.base != stash.tree).then_some(merged))
}

/// Everything to write, after all checks.
struct Ready<'a> {
    applying: &'a Applying<'a>,
    plan: Plan<'a>,
    /// Files that a sparse working folder does not get.
    left_out: BTreeSet<BString>,
    outcome: Outcome,
    /// The tree of the restored index, if the call restores it.
    restored: Option<Rc<FlatTree>>,
    /// Whether git resets the index in between.
    resets: bool,
    /// The index of the merged tree.
    merged: State,
    /// Paths that the index cannot restore.
    blocked: BTreeSet<BString>,
    untracked: Option<Restore>,
    streams: Streams,
    /// The position in the error stream of the messages about files that git could not remove.
    removals: usize,
}

impl<'a> Ready<'a> {
    /// Checks everything that the merge's `outcome` affects.
    fn of(
        context: &mut Context<'_>,
        applying: &'a Applying<'a>,
        mut plan: Plan<'a>,
        outcome: Outcome,
        restored: Option<ObjectId>,
        mut streams: Streams,
    ) -> Result<Ready<'a>, ToolError> {
        let edits = &outcome.edits;
        // A sparse working folder always gets files in conflict.
        for path in outcome.conflicts.keys().filter(|path| !edits.contains_key(*path)) {
            let known = applying.index.entry_by_path(path.as_bstr());
            if let Some(entry) = known.filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE)) {
                plan.write(path.as_bstr(), Version::object(entry.mode.bits(), entry.id));
            }
        }
        let left_out = match outcome.is_clean {
            // git writes the file only to keep the index as it was (git's builtin/stash.c, `unstage_changes_unless_new`).
            true => BTreeSet::new(),
            false => plan.left_out()?.into_iter().filter(|path| !outcome.conflicts.contains_key(path)).collect(),
        };
        plan.ensure_possible(&left_out)?;
        let removals = streams.err.len();
        merge_messages::say(&outcome, &mut streams);
        let merged = edited(applying.index, edits, &BTreeMap::new());
        let resets = restored.is_some();
        let restored = match restored.filter(|_| outcome.is_clean) {
            Some(tree) => {
                let trees = &mut context.session.caches.trees;
                Some(flat_tree::load(trees, applying.repo, tree, context.deadline)?)
            }
            None => None,
        };
        if let Some(tree) = &restored
            && let Some(path) = applying.not_uptodate(&merged, tree, edits)
        {
            streams.error_line(&[b"error: Entry '", &path, b"' not uptodate. Cannot merge."]);
            return Err(applying.failed(context, edits, streams)?);
        }
        if !outcome.is_clean && applying.wish.index {
            streams.error_line(&[b"Index was not unstashed."]);
        }
        let blocked = match outcome.is_clean && restored.is_none() {
            true => indexed::blocked(applying.from, edits),
            false => BTreeSet::new(),
        };
        for path in &blocked {
            streams.error_line(&[b"error: '", path, b"' appears as both a file and as a directory"]);
        }
        let untracked = applying.untracked(context, edits, &mut streams)?;
        if outcome.is_clean && untracked.as_ref().is_some_and(|untracked| untracked.fails) {
            return Err(streams.failed().hint(IN_THE_WAY));
        }
        Ok(Ready { applying, plan, left_out, outcome, restored, resets, merged, blocked, untracked, streams, removals })
    }

    /// Changes index and working tree, and reports their new state. `tree` is the merged tree, if there was a merge.
    fn run(self, context: &mut Context<'_>, tree: Option<ObjectId>) -> Result<Output, ToolError> {
        let Applying { repo, stash, wish, index: start, from, working_dir, .. } = *self.applying;
        let (mut streams, outcome) = (self.streams, &self.outcome);
        if self.resets {
            reset::note(context, repo, &repo.head()?)?;
        }
        let rules = Rc::new(self.merged);
        let Placed { stats, warnings } = self.plan.place(&rules, &self.left_out)?;
        streams.err.splice(self.removals..self.removals, warnings.into_bytes());
        let new = match &self.restored {
            Some(tree) => reset::at_head(context, &edited(start, &outcome.edits, &stats), tree)?.0,
            None if outcome.is_clean => indexed::unstaged(start, from, &outcome.edits, &self.blocked, &stats),
            None => {
                let mut new = in_conflict(edited(start, &outcome.edits, &stats), outcome);
                self.plan.keep_skipped(&mut new, &self.left_out);
                new
            }
        };
        index::store(&mut context.session.caches.index, repo, new)?;
        if let Some(tree) = tree {
            branch_state::point(repo, AUTO_MERGE, tree)?;
        }
        if let Some(untracked) = &self.untracked {
            untracked.run(repo, context.deadline)?;
        }
        match no_folder(repo, working_dir) {
            None => streams.out.extend(status::long_text(context, repo, &working_dir.to_string())?),
            // git runs status in the folder that it was called in, which the merge may have removed.
            Some(why) => {
                streams.error_line(&[b"fatal: exec 'status': cd to '", working_dir, b"/' failed: ", why.as_bytes()]);
            }
        }
        let dropped = wish.pops && outcome.is_clean;
        match (wish.pops, dropped) {
            (true, true) => std::mem::drop(drop::remove(context, repo, stash, &mut streams)?),
            (true, false) => streams.line(&[b"The stash entry is kept in case you need it again."]),
            (false, _) => {}
        }
        let untracked = self.untracked.map_or(0, |untracked| untracked.len());
        let applied = report::Applied { stash, wish, outcome, dropped, untracked };
        Ok(applied.output(streams, context.session.options.git.max_bytes))
    }
}

/// git's reason if it cannot run in `working_dir` any more.
fn no_folder(repo: &Repo, working_dir: &BStr) -> Option<&'static str> {
    match repo.standing(working_dir).map(|stat| stat.kind) {
        _ if working_dir.is_empty() => None,
        Some(Kind::Folder) => None,
        Some(_) => Some("Not a directory"),
        None => Some("No such file or directory"),
    }
}

const IN_THE_WAY: &str = "Nothing has changed. Other files are in the way of the entry's untracked files. Move them \
                          with move_file or delete them, then try again.";
