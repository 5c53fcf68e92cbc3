//! Resets index and working folder to HEAD, overwriting everything (`git reset --hard`).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat};
use gix::index::{Entry, State};

use super::overlooked::{is_other, is_overlooked};
use crate::error::ToolError;
use crate::git::change::branch_state;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::index_edit::{self, Edits, Slot};
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::{Head, Repo};
use crate::git::store::version::Version;
use crate::git::store::{blob, index, missing};
use crate::git::words::streams::Streams;
use crate::git::worktree::changes::Change;
use crate::git::worktree::checkout_entry::{EntryCheckout, Removed};
use crate::git::worktree::content::Contents;
use crate::git::worktree::sparse::Sparse;
use crate::git::worktree::writer::Writer;
use crate::platform::Kind;
use crate::session::Context;

/// A planned reset.
pub struct Reset {
    /// The new index.
    state: State,
    /// Files to remove, because the index has them and HEAD does not.
    removed: Vec<(BString, Mode)>,
    /// Paths to write.
    written: BTreeSet<BString>,
}

/// Compares `index` with `head`. `unstaged` are the changes of the working tree against the index.
///
/// # Errors
///
/// Asks for missing blobs. Nothing has changed then.
pub fn plan(
    context: &Context<'_>,
    contents: &Contents<'_>,
    index: &State,
    head: &FlatTree,
    unstaged: &[Change],
    streams: &mut Streams,
) -> Result<Reset, ToolError> {
    let repo = contents.repo;
    let sparse = Sparse::load(repo)?;
    ensure_known(contents, index, head, sparse.as_ref(), streams)?;
    let is_left_out = |path: &BString| sparse.as_ref().is_some_and(|sparse| !sparse.contains(path.as_bstr()));
    let (state, staged) = at_head(context, index, head)?;
    let mut removed: Vec<(BString, Mode)> = Vec::new();
    for entry in index.entries() {
        let path = entry.path(index);
        if head.find(path).is_none() && removed.last().is_none_or(|(last, _)| last != path) {
            removed.push((path.to_owned(), entry.mode));
        }
    }
    let mut reset = Reset { state, removed, written: BTreeSet::new() };
    let mut written = staged.clone();
    written.extend(unstaged.iter().map(|change| change.path.clone()));
    written.extend(assumed(contents, index)?);
    let (entries, backing) = reset.state.entries_mut_and_pathbacking();
    let mut missing = BTreeSet::new();
    for entry in entries {
        context.deadline.poll()?;
        let path = entry.path_in(backing).to_owned();
        let was_skipped = entry.flags.contains(Flags::SKIP_WORKTREE);
        if sparse.is_some() {
            entry.flags.set(Flags::SKIP_WORKTREE | Flags::EXTENDED, is_left_out(&path));
        }
        let is_skipped = entry.flags.contains(Flags::SKIP_WORKTREE);
        match (was_skipped, is_skipped) {
            (false, true) => reset.removed.push((path, entry.mode)),
            (true, true) if sparse.is_some() || !staged.contains(&path) => {}
            _ if was_skipped || written.contains(&path) => {
                if entry.mode != Mode::COMMIT && !repo.gix.has_object(entry.id) {
                    missing.insert(entry.id);
                }
                reset.written.insert(path);
            }
            _ => {}
        }
    }
    if missing.is_empty() { Ok(reset) } else { Err(missing::blobs(repo, missing)) }
}

/// Refuses to change an entry whose file has changed although the user told git to ignore it (git's unpack-trees.c, `verify_uptodate`).
fn ensure_known(
    contents: &Contents<'_>,
    index: &State,
    head: &FlatTree,
    sparse: Option<&Sparse>,
    streams: &mut Streams,
) -> Result<(), ToolError> {
    let is_left_out = |entry: &Entry| {
        let path = entry.path(index);
        entry.flags.contains(Flags::SKIP_WORKTREE) && sparse.is_some_and(|sparse| !sparse.contains(path))
    };
    for entry in index.entries().iter().filter(|entry| is_overlooked(entry) && !is_left_out(entry)) {
        let path = entry.path(index);
        let known = Version::object(entry.mode.bits(), entry.id);
        if head.find(path) == Some(known) || entry.mode == Mode::COMMIT || contents.repo.standing(path).is_none() {
            continue;
        }
        if is_other(contents, index, entry, path)? {
            streams.error_line(&[b"error: Entry '", path, b"' not uptodate. Cannot merge."]);
            streams.error_line(&[b"fatal: Could not reset index file to revision 'HEAD'."]);
            return Err(streams.failed().hint(
                "Nothing has changed. The user told git to ignore changes to this file. Ask them to run git \
                 update-index --no-assume-unchanged --no-skip-worktree on it.",
            ));
        }
    }
    Ok(())
}

/// `index` reset to `head`, keeping the stats of unchanged entries, and the paths that changed.
pub fn at_head(context: &Context<'_>, index: &State, head: &FlatTree) -> Result<(State, BTreeSet<BString>), ToolError> {
    let mut edits = Edits::new();
    for (path, version) in (0..head.len()).filter_map(|at| head.get(at)) {
        context.deadline.poll()?;
        let mode = Mode::from_bits_truncate(version.mode);
        let same = index_edit::slot(index, path).filter(|slot| (slot.mode, slot.id) == (mode, version.id));
        let is_intended = |entry: &Entry| entry.flags.contains(Flags::INTENT_TO_ADD);
        if same.is_none() || index.entry_by_path(path).is_some_and(is_intended) {
            edits.insert(path.to_owned(), Some(Slot { mode, id: version.id, stat: Stat::default() }));
        }
    }
    let skipped: BTreeSet<BString> = index
        .entries()
        .iter()
        .filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE))
        .map(|entry| entry.path(index).to_owned())
        .collect();
    let mut state = index.clone();
    index_edit::apply(&mut state, &edits);
    state.remove_entries(|_, path, _| head.find(path).is_none());
    let (entries, backing) = state.entries_mut_and_pathbacking();
    for entry in entries {
        let path = entry.path_in(backing);
        if edits.contains_key(path) {
            entry.flags.remove(Flags::ASSUME_VALID);
            entry.flags.set(Flags::SKIP_WORKTREE | Flags::EXTENDED, skipped.contains(path));
        }
    }
    Ok((state, edits.into_keys().collect()))
}

/// Paths of assume-unchanged entries whose files differ. A submodule differs if it has no folder.
fn assumed(contents: &Contents<'_>, index: &State) -> Result<Vec<BString>, ToolError> {
    let mut others = Vec::new();
    for entry in index.entries().iter().filter(|entry| entry.flags.contains(Flags::ASSUME_VALID)) {
        let path = entry.path(index);
        let is_other = match entry.mode {
            Mode::COMMIT => contents.repo.standing(path).is_none_or(|found| found.kind != Kind::Folder),
            _ => is_other(contents, index, entry, path)?,
        };
        if is_other {
            others.push(path.to_owned());
        }
    }
    Ok(others)
}

impl Reset {
    /// The entries to write, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&BStr, Mode)> {
        let mode = |path: &BStr| self.state.entry_by_path(path).map(|entry| entry.mode);
        self.written.iter().map(|path| path.as_bstr()).filter_map(move |path| Some((path, mode(path)?)))
    }

    /// Applies the reset, and writes the index.
    pub fn run(mut self, context: &mut Context<'_>, repo: &Repo, streams: &mut Streams) -> Result<(), ToolError> {
        let deadline = context.deadline;
        let rules = Rc::new(self.state.clone());
        let mut placing = EntryCheckout::new(repo, Writer::of_switch(repo, &rules, deadline), "");
        for (path, mode) in &self.removed {
            deadline.poll()?;
            if let Removed::Not(warning) = placing.remove(path.as_bstr(), *mode)? {
                streams.err.extend_from_slice(warning.as_bytes());
            }
        }
        let mut stats: BTreeMap<BString, Stat> = BTreeMap::new();
        for entry in rules.entries().iter().filter(|entry| self.written.contains(entry.path(&rules))) {
            deadline.poll_units(8)?;
            let content = match entry.mode {
                Mode::COMMIT => Vec::new(),
                _ => blob::read(repo, entry.id)?.ok_or_else(|| missing::blobs(repo, [entry.id].into()))?,
            };
            let path = entry.path(&rules);
            stats.insert(path.to_owned(), placing.put(path, entry.mode, entry.id, content)?.stat);
        }
        drop(placing);
        let (entries, backing) = self.state.entries_mut_and_pathbacking();
        for entry in entries {
            if let Some(stat) = stats.get(entry.path_in(backing)) {
                entry.stat = *stat;
            }
        }
        index::store(&mut context.session.caches.index, repo, self.state)
    }
}

/// Logs the reset of HEAD, and forgets the state that a move of HEAD ends (git's builtin/reset.c, `reset_refs`). git does not log a reset
/// of a detached HEAD.
pub fn note(context: &Context<'_>, repo: &Repo, head: &Head) -> Result<(), ToolError> {
    let Some(id) = head.id() else { return Ok(()) };
    branch_state::point(repo, "ORIG_HEAD", id)?;
    if head.branch().is_some() {
        let (who, refs) = (context.reflog_signature(), Refs::of(repo, context.deadline));
        refs::note_head(&who, &refs, id, b"reset: moving to HEAD")?;
    }
    branch_state::forget(repo)
}
