//! A merged tree brought from the index's tree into index and working folder, as git switches between two trees (git's unpack-trees.c,
//! `twoway_merge`): what the working folder has of its own is left alone, or the whole step is refused.

use std::collections::{BTreeMap, BTreeSet};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat};
use gix::index::{Entry as Indexed, State};
use patch::tree_merge::Entry;

use super::merged::Edits;
use super::overlooked::{is_other, is_overlooked};
use super::refusals::{Reason, Refusals};
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::content::{Contents, SUBMODULE, blob};
use crate::git::flat_tree::FlatTree;
use crate::git::placing::Placing;
use crate::git::writer::check_path;
use crate::git::{absent, excludes};
use crate::platform::{self, Kind};

/// Where the step begins.
pub struct Bring<'a> {
    pub contents: &'a Contents<'a>,
    pub index: &'a State,
    /// The tree that the index is taken for.
    pub from: &'a FlatTree,
    /// Paths at which the working folder has something else than the index.
    pub changed: BTreeSet<&'a BStr>,
    /// What is neither tracked nor ignored.
    pub untracked: BTreeSet<&'a [u8]>,
    /// The folder that the call works in.
    pub working_dir: &'a BStr,
    pub deadline: &'a Deadline,
}

/// What is to be done to files.
#[derive(Debug, Default)]
pub struct Plan {
    removed: Vec<(BString, Mode)>,
    written: BTreeMap<BString, Entry>,
    pub refusals: Refusals,
}

impl Bring<'_> {
    /// Looks what each of `edits` meets. `conflicts` are paths in conflict, which are never left out of a sparse working folder.
    ///
    /// # Errors
    ///
    /// Blobs that are not here are asked for.
    pub fn plan<'p>(&self, edits: &Edits, conflicts: impl Iterator<Item = &'p BString>) -> Result<Plan, ToolError> {
        let mut plan = Plan::default();
        for (path, new) in edits {
            self.deadline.poll_units(4)?;
            let path = path.as_bstr();
            let old = self.from.find(path);
            let current = self.index.entry_by_path(path);
            let is = |current: &Indexed, id, mode| {
                let is_whole = !current.flags.contains(Flags::INTENT_TO_ADD);
                is_whole && (current.mode.bits(), current.id) == (mode, id)
            };
            let is_old = |current: &&Indexed| old.is_some_and(|old| is(current, old.id, old.mode));
            match (current, new) {
                (Some(current), Some(new)) if is(current, new.id, new.mode) => {}
                (Some(current), _) if is_old(&current) => {
                    let is_kept = self.check_changed(current, path, new.is_none(), &mut plan.refusals)?;
                    match new {
                        Some(new) if is_kept => drop(plan.written.insert(path.to_owned(), *new)),
                        None if is_kept => plan.removed.push((path.to_owned(), current.mode)),
                        _ => {}
                    }
                }
                (Some(_), _) => plan.refusals.add(Reason::Staged, path),
                (None, Some(_)) if old.is_some() => plan.refusals.add(Reason::Staged, path),
                (None, Some(new)) => {
                    self.check_absent(path, edits, Reason::Overwritten, &mut plan.refusals)?;
                    plan.written.insert(path.to_owned(), *new);
                }
                (None, None) => self.check_absent(path, edits, Reason::Removed, &mut plan.refusals)?,
            }
        }
        for path in conflicts {
            let skipped = self.index.entry_by_path(path.as_bstr());
            let skipped = skipped.filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE));
            if let Some(entry) = skipped.filter(|_| !edits.contains_key(path)) {
                plan.written.insert(path.clone(), Entry { mode: entry.mode.bits(), id: entry.id });
            }
        }
        self.ensure_here(&plan)?;
        Ok(plan)
    }

    /// Refuses to touch a file that is not what the index has; says whether it may be touched.
    fn check_changed(
        &self,
        current: &Indexed,
        path: &BStr,
        is_removal: bool,
        refusals: &mut Refusals,
    ) -> Result<bool, ToolError> {
        let real = platform::join(&self.contents.repo.root, path);
        let found = platform::stat(&real);
        let is_folder = found.as_ref().is_ok_and(|stat| stat.kind == Kind::Folder);
        if is_removal && is_folder && current.mode != Mode::COMMIT && !self.check_folder(path, refusals) {
            return Ok(false);
        }
        let is_changed = match is_overlooked(current) {
            true => is_other(self.contents, self.index, current, path)?,
            false => self.changed.contains(path),
        };
        let is_missing = || matches!(&found, Err(error) if error.kind() == std::io::ErrorKind::NotFound);
        if !is_changed || current.mode == Mode::COMMIT || is_missing() {
            return Ok(true);
        }
        refusals.add(Reason::Changed, path);
        Ok(false)
    }

    /// Refuses to lose what is untracked and not ignored, where the tree has nothing at `path`, or something new.
    fn check_absent(
        &self,
        path: &BStr,
        edits: &Edits,
        reason: Reason,
        refusals: &mut Refusals,
    ) -> Result<(), ToolError> {
        let repo = self.contents.repo;
        let goes = |path: &BStr| matches!(edits.get(path), Some(None)) && self.index.entry_by_path(path).is_some();
        let is_ignored = |path: &BStr| excludes::is_ignored(repo, self.index, path, self.deadline);
        for slash in path.find_iter(b"/") {
            let folder = path[..slash].as_bstr();
            match platform::stat(&platform::join(&repo.root, folder)).map(|stat| stat.kind) {
                Ok(Kind::Folder) => {}
                Ok(_) => {
                    if !goes(folder) && !is_ignored(folder)? {
                        refusals.add(reason, folder);
                    }
                    return Ok(());
                }
                Err(_) => return Ok(()),
            }
        }
        match platform::stat(&platform::join(&repo.root, path)).map(|stat| stat.kind) {
            Err(_) => {}
            Ok(_) if is_ignored(path)? => {}
            Ok(Kind::Folder) => drop(self.check_folder(path, refusals)),
            Ok(_) if goes(path) => {}
            Ok(_) => refusals.add(reason, path),
        }
        Ok(())
    }

    /// Refuses to remove a folder with untracked files that are not ignored, or the one that the call works in.
    fn check_folder(&self, path: &BStr, refusals: &mut Refusals) -> bool {
        let inside = [path.as_bytes(), b"/"].concat();
        let mut untracked = self.untracked.range(inside.as_slice()..);
        if untracked.next().is_some_and(|file| file.starts_with(&inside)) {
            refusals.add(Reason::Folder, path);
            return false;
        }
        if path == self.working_dir {
            refusals.add(Reason::WorkingDir, path);
            return false;
        }
        true
    }

    fn ensure_here(&self, plan: &Plan) -> Result<(), ToolError> {
        let mut missing = BTreeSet::new();
        for (path, entry) in &plan.written {
            check_path(path.as_bstr(), Mode::from_bits_truncate(entry.mode))?;
            if entry.mode != SUBMODULE && !self.contents.repo.gix.has_object(entry.id) {
                missing.insert(entry.id);
            }
        }
        if missing.is_empty() { Ok(()) } else { Err(absent::missing(self.contents.repo, missing)) }
    }

    /// Does what was planned, and gives what the index keeps of the files that were written.
    pub fn run(
        &self,
        plan: &Plan,
        placing: &mut Placing<'_>,
        err: &mut Vec<u8>,
    ) -> Result<BTreeMap<BString, Stat>, ToolError> {
        for (path, mode) in &plan.removed {
            self.deadline.poll()?;
            placing.unlink(path.as_bstr(), *mode, err)?;
        }
        let repo = self.contents.repo;
        let mut stats = BTreeMap::new();
        for (path, Entry { mode, id }) in &plan.written {
            self.deadline.poll_units(8)?;
            let content = match *mode {
                SUBMODULE => Vec::new(),
                _ => blob(repo, *id)?.ok_or_else(|| absent::missing(repo, [*id].into()))?,
            };
            let stat = placing.replace(path.as_bstr(), Mode::from_bits_truncate(*mode), content)?;
            stats.insert(path.clone(), stat);
        }
        Ok(stats)
    }
}
