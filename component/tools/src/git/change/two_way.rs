//! Moves the index and the working folder from one tree to another, as git does to switch branches. Paths that are equal in both trees stay
//! as they are, changed or not. It overwrites no uncommitted change (git-read-tree, "Two Tree Merge").

mod order;
mod present;
mod rejected;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage, Stat};
use gix::index::{Entry, State};

use self::present::Present;
use self::rejected::Reason;
pub use self::rejected::{Command, Rejected};
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::index_edit::{self, Edits, Slot};
use crate::git::store::names::check_path;
use crate::git::store::repo::Repo;
use crate::git::store::version::{SUBMODULE, Version};
use crate::git::store::{blob, missing};
use crate::git::worktree::changes::Change;
use crate::git::worktree::checkout_entry::{EntryCheckout, Removed};
use crate::git::worktree::sparse::Sparse;
use crate::git::worktree::writer::Writer;
use crate::paths::SandboxPath;

/// The planned changes. Making a plan changes nothing.
pub struct Plan<'a> {
    repo: &'a Repo,
    index: &'a Rc<State>,
    working_dir: &'a SandboxPath,
    deadline: &'a Deadline,
    /// Paths to remove from the index and the working folder.
    removed: BTreeSet<BString>,
    /// Paths to write.
    written: BTreeMap<BString, Version>,
}

/// The outcome of changing the files.
pub struct Placed {
    /// The stats of the written files, for the index.
    pub stats: BTreeMap<BString, Stat>,
    /// git's output on its error stream.
    pub warnings: String,
}

/// The outcome of carrying out a plan.
pub struct Carried {
    /// The new index.
    pub index: State,
    /// git's output on its error stream.
    pub warnings: String,
}

impl<'a> Plan<'a> {
    /// Plans the move from the first of `trees` to the second, which differ by `changes` in path order. Fails with all paths where the move
    /// would lose something.
    pub fn new(
        repo: &'a Repo,
        index: &'a Rc<State>,
        trees: [ObjectId; 2],
        changes: Vec<Change>,
        working_dir: &'a SandboxPath,
        deadline: &'a Deadline,
    ) -> Result<Result<Plan<'a>, Rejected>, ToolError> {
        let plan = Plan { repo, index, working_dir, deadline, removed: BTreeSet::new(), written: BTreeMap::new() };
        let present = Present::of(repo, index, deadline);
        let mut merge = Merge { plan, present, rejected: Rejected::default() };
        let mut failed: Option<BString> = None;
        for change in order::as_walked(repo, trees, changes, deadline)? {
            deadline.poll_units(4)?;
            // If git cannot replace a folder, it does not look at the paths below it.
            let is_below =
                |failed: &BString| change.path.strip_prefix(failed.as_slice()).is_some_and(|rest| rest[0] == b'/');
            if failed.as_ref().is_some_and(is_below) {
                continue;
            }
            let before = merge.rejected.len();
            merge.path(change.path.as_bstr(), change.old, change.new)?;
            if merge.rejected.len() > before {
                failed = Some(change.path);
            }
        }
        if merge.rejected.len() > 0 {
            return Ok(Err(merge.rejected));
        }
        // Entries that the index keeps below a path stay, so the path is not written.
        let Plan { removed, .. } = &merge.plan;
        let is_kept = |entry: &Entry| !removed.contains(entry.path(index));
        let has_below = |path: &BString| {
            let below = BString::from([path.as_slice(), b"/"].concat());
            index.prefixed_entries(below.as_bstr()).unwrap_or_default().iter().any(is_kept)
        };
        let covered: Vec<BString> = merge.plan.written.keys().filter(|path| has_below(path)).cloned().collect();
        merge.plan.written.retain(|path, _| !covered.contains(path));
        Ok(Ok(merge.plan))
    }

    /// Plans to have these versions, whatever is there now. `None` removes a path.
    pub fn overwriting(
        repo: &'a Repo,
        index: &'a Rc<State>,
        versions: BTreeMap<BString, Option<Version>>,
        working_dir: &'a SandboxPath,
        deadline: &'a Deadline,
    ) -> Plan<'a> {
        let mut plan = Plan { repo, index, working_dir, deadline, removed: BTreeSet::new(), written: BTreeMap::new() };
        for (path, version) in versions {
            match version {
                Some(version) => drop(plan.written.insert(path, version)),
                None => drop(plan.removed.insert(path)),
            }
        }
        plan
    }

    /// Also writes the file at `path`.
    pub fn write(&mut self, path: &BStr, version: Version) {
        self.written.insert(path.to_owned(), version);
    }

    /// Carries out the plan.
    pub fn carry_out(self) -> Result<Carried, ToolError> {
        let left_out = self.left_out()?;
        let mut edits = Edits::new();
        for (path, version) in &self.written {
            let slot = Slot { mode: Mode::from_bits_truncate(version.mode), id: version.id, stat: Default::default() };
            edits.insert(path.clone(), Some(slot));
        }
        edits.extend(
            self.removed.iter().filter(|path| !self.written.contains_key(*path)).map(|path| (path.clone(), None)),
        );
        self.ensure_possible(&left_out)?;
        let mut state = self.index.as_ref().clone();
        index_edit::apply(&mut state, &edits);
        let Placed { stats, warnings } = self.place(&Rc::new(state.clone()), &left_out)?;
        let (entries, backing) = state.entries_mut_and_pathbacking();
        for entry in entries {
            let path = entry.path_in(backing);
            if let Some(stat) = stats.get(path) {
                entry.stat = *stat;
            }
        }
        self.keep_skipped(&mut state, &left_out);
        Ok(Carried { index: state, warnings })
    }

    /// The paths that a sparse working folder leaves out.
    pub fn left_out(&self) -> Result<BTreeSet<BString>, ToolError> {
        let sparse = Sparse::load(self.repo)?;
        let paths = self.written.keys().filter(|path| self.leaves_out(path.as_bstr(), sparse.as_ref()));
        Ok(paths.cloned().collect())
    }

    /// Marks the entries in `state`, the new index, that git must still skip in the working folder.
    pub fn keep_skipped(&self, state: &mut State, left_out: &BTreeSet<BString>) {
        let (entries, backing) = state.entries_mut_and_pathbacking();
        for entry in entries.iter_mut().filter(|entry| entry.stage() == Stage::Unconflicted) {
            let path = entry.path_in(backing);
            if left_out.contains(path) || (self.written.contains_key(path) && self.is_skipped(path)) {
                entry.flags.insert(Flags::SKIP_WORKTREE | Flags::EXTENDED);
            }
        }
    }

    /// Removes and writes the files, except those in `left_out`. The attributes come from `rules`, the new index.
    pub fn place(&self, rules: &Rc<State>, left_out: &BTreeSet<BString>) -> Result<Placed, ToolError> {
        let writer = Writer::of_switch(self.repo, rules, self.deadline);
        let mut placing = EntryCheckout::new(self.repo, writer, self.working_dir.relative());
        let mut warnings = String::new();
        for path in &self.removed {
            self.deadline.poll()?;
            let mode = index_edit::any_mode(self.index, path.as_bstr()).unwrap_or(Mode::FILE);
            if let Removed::Not(warning) = placing.remove(path.as_bstr(), mode)? {
                warnings.push_str(&warning);
            }
        }
        let mut stats = BTreeMap::new();
        for (path, version) in self.written.iter().filter(|(path, _)| !left_out.contains(*path)) {
            self.deadline.poll_units(8)?;
            let content = match version.mode {
                SUBMODULE => Vec::new(),
                _ => {
                    blob::read(self.repo, version.id)?.ok_or_else(|| missing::blobs(self.repo, [version.id].into()))?
                }
            };
            let mode = Mode::from_bits_truncate(version.mode);
            let put = placing.put(path.as_bstr(), mode, version.id, content)?;
            stats.insert(path.clone(), put.stat);
        }
        Ok(Placed { stats, warnings })
    }

    /// Whether a sparse working folder leaves out the file at `path`, now or after the move.
    fn leaves_out(&self, path: &BStr, sparse: Option<&Sparse>) -> bool {
        let Some(sparse) = sparse else { return false };
        match self.index.entry_by_path_and_stage(path, Stage::Unconflicted) {
            Some(_) => self.is_skipped(path),
            None => !sparse.contains(path) && self.repo.standing(path).is_none(),
        }
    }

    /// Whether the entry of `path` is marked as skipped. The mark stays even when the file is written.
    fn is_skipped(&self, path: &BStr) -> bool {
        let known = self.index.entry_by_path_and_stage(path, Stage::Unconflicted);
        known.is_some_and(|entry| entry.flags.contains(Flags::SKIP_WORKTREE))
    }

    /// Refuses names that no checkout may write, and asks for missing blobs, before anything is written.
    pub fn ensure_possible(&self, left_out: &BTreeSet<BString>) -> Result<(), ToolError> {
        for (path, version) in &self.written {
            check_path(path.as_bstr(), Mode::from_bits_truncate(version.mode))?;
        }
        let written = self.written.iter().filter(|(path, _)| !left_out.contains(*path));
        let blobs = written.map(|(_, version)| version).filter(|version| version.mode != SUBMODULE);
        let missing: BTreeSet<ObjectId> =
            blobs.map(|version| version.id).filter(|id| !self.repo.gix.has_object(id)).collect();
        if missing.is_empty() { Ok(()) } else { Err(missing::blobs(self.repo, missing)) }
    }
}

/// A plan under construction.
struct Merge<'a> {
    plan: Plan<'a>,
    present: Present<'a>,
    rejected: Rejected,
}

impl Merge<'_> {
    /// Plans a path at which the trees differ. The cases are those of git's table.
    fn path(&mut self, path: &BStr, old: Option<Version>, new: Option<Version>) -> Result<(), ToolError> {
        let index = self.plan.index;
        let is_gone = self.plan.removed.contains(path);
        let current = index.entry_by_path_and_stage(path, Stage::Unconflicted).filter(|_| !is_gone);
        let Some(entry) = current else {
            return match (old, new) {
                // The deletion is the uncommitted change.
                (Some(_), Some(_)) => {
                    self.rejected.add(Reason::WouldOverwrite, path);
                    Ok(())
                }
                (None, Some(new)) => self.write_new(path, new),
                _ => self.ensure_absent(path, None, Reason::UntrackedRemoved, false).map(drop),
            };
        };
        let is = |version: Option<Version>| {
            version.is_some_and(|version| (version.mode, version.id) == (entry.mode.bits(), entry.id))
        };
        match (old, new) {
            // The index has the new version already.
            (_, Some(_)) if is(new) => Ok(()),
            (Some(_), None) if is(old) => self.remove(path, entry),
            (Some(_), Some(new)) if is(old) => {
                if self.ensure_unchanged(path, entry)? {
                    self.plan.written.insert(path.to_owned(), new);
                }
                Ok(())
            }
            _ => {
                self.rejected.add(Reason::WouldOverwrite, path);
                Ok(())
            }
        }
    }

    fn write_new(&mut self, path: &BStr, new: Version) -> Result<(), ToolError> {
        if self.ensure_absent(path, Some(new), Reason::UntrackedOverwritten, false)? {
            self.plan.written.insert(path.to_owned(), new);
        }
        Ok(())
    }

    fn remove(&mut self, path: &BStr, entry: &Entry) -> Result<(), ToolError> {
        let version = Version::object(entry.mode.bits(), entry.id);
        if self.ensure_absent(path, Some(version), Reason::UntrackedRemoved, true)?
            && self.ensure_unchanged(path, entry)?
        {
            self.plan.removed.insert(path.to_owned());
        }
        Ok(())
    }

    /// Whether the file of `entry` equals the index or is missing. Rejects the path otherwise.
    fn ensure_unchanged(&mut self, path: &BStr, entry: &Entry) -> Result<bool, ToolError> {
        let is_unchanged = self.present.is_unchanged(path, entry)?;
        if !is_unchanged {
            self.rejected.add(Reason::NotUptodate, path);
        }
        Ok(is_unchanged)
    }

    /// Whether no untracked entry is at `path` or in the place of a parent folder. Ignored entries do not count. With `folders`, files do
    /// not count either.
    fn ensure_absent(
        &mut self,
        path: &BStr,
        version: Option<Version>,
        reason: Reason,
        folders: bool,
    ) -> Result<bool, ToolError> {
        let Some((found, is_folder)) = self.present.in_the_way(path) else {
            return Ok(true);
        };
        if self.present.is_ignored(found)? {
            return Ok(true);
        }
        if is_folder {
            return self.ensure_clean(found, version);
        }
        if folders || self.plan.removed.contains(found) {
            return Ok(true);
        }
        self.rejected.add(reason, found);
        Ok(false)
    }

    /// Whether the folder at `path` can be replaced without a loss. Plans to remove its tracked files.
    fn ensure_clean(&mut self, path: &BStr, version: Option<Version>) -> Result<bool, ToolError> {
        if version.is_some_and(|version| version.mode == SUBMODULE) {
            return Ok(true);
        }
        let mut below = path.to_owned();
        below.push(b'/');
        let index = self.plan.index;
        // git starts its search at the position of the path itself. So if `a-b` comes first, it finds nothing of what is in `a`.
        let from = index.entries().partition_point(|entry| entry.path(index) < path);
        for entry in index.entries()[from..].iter().take_while(|entry| entry.path(index).starts_with(&below)) {
            let inside = entry.path(index);
            if !self.ensure_unchanged(inside, entry)? {
                return Ok(false);
            }
            self.plan.removed.insert(inside.to_owned());
        }
        if self.present.has_untracked(path)? {
            self.rejected.add(Reason::NotUptodateFolder, path);
            return Ok(false);
        }
        if self.plan.working_dir.relative().as_bytes() == path.as_bytes() {
            self.rejected.add(Reason::WorkingFolder, path);
            return Ok(false);
        }
        Ok(true)
    }
}
