//! Writes a merged tree into the working folder, and updates the index.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Mode, Stat};
use patch::sort::map;
use patch::tree_merge::{Entry, Outcome};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::change::tree_merge::Sides;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::index_edit::{self, Slot};
use crate::git::store::missing;
use crate::git::store::names::check_path;
use crate::git::store::repo::Repo;
use crate::git::store::version::{SUBMODULE, Version};
use crate::git::text::workspace_path;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes::Change;
use crate::git::worktree::content::Contents;
use crate::git::worktree::diff_files;
use crate::git::worktree::sparse::Sparse;
use crate::git::worktree::writer::Writer;
use crate::platform;
use crate::toolset::git::pull::report::FileStatus;
use crate::toolset::git::pull::{in_the_way, work};

/// A planned update of the working folder.
pub struct Update<'a> {
    pub repo: &'a Repo,
    /// The tree of the new HEAD.
    pub tree: &'a FlatTree,
    /// The old index.
    pub state: &'a State,
    pub attributes: &'a Attributes<'a>,
    /// The files that the working folder should have. `None` for all.
    pub sparse: Option<&'a Sparse>,
    /// The local changes that went into the merge.
    pub ours: &'a [Change],
    /// Content that only the index has.
    pub only_in_index: &'a [(BString, Version)],
    /// Reads the contents of the merged tree.
    pub sides: &'a Sides<'a>,
}

/// The result of an update.
pub struct Written {
    pub index: State,
    pub files: BTreeMap<BString, FileStatus>,
}

/// A file, link or submodule to write.
struct Write {
    entry: Entry,
    /// Content read from the working folder in advance, because the update may remove its file first.
    held: Option<Vec<u8>>,
    is_new: bool,
}

/// Paths that the working folder lacks and should have.
pub fn newly_in<'a>(repo: &'a Repo, state: &'a State, sparse: &'a Sparse) -> impl Iterator<Item = &'a BStr> {
    let skipped = state.entries().iter().filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE));
    let paths = skipped.map(|entry| entry.path(state));
    paths.filter(|path| sparse.contains(path) && repo.stat(path).is_err())
}

impl Update<'_> {
    /// Applies the edits of the merge. `moved` are the changes from the old HEAD to the new one.
    pub fn run(&self, outcome: &Outcome, moved: &[Change], deadline: &Deadline) -> Result<Written, ToolError> {
        let writes = self.writes(outcome, deadline)?;
        let removed = outcome.edits.iter().filter(|(_, new)| new.is_none()).map(|(path, _)| path);
        writes.keys().chain(removed).try_for_each(|path| self.ensure_known(path.as_bstr()))?;
        // New attributes apply to the files that come with them.
        let mut index = self.index(moved);
        work::ensure_kept(self.only_in_index, &index)?;
        let mut files = BTreeMap::new();
        for path in outcome.edits.iter().filter(|(_, new)| new.is_none()).map(|(path, _)| path.as_bstr()) {
            deadline.poll()?;
            if self.remove(path)? {
                files.insert(path.to_owned(), FileStatus::Deleted);
            }
        }
        let mut stats = BTreeMap::new();
        let rules = Rc::new(index.clone());
        let mut writer = Writer::of_checkout(self.repo, &rules, deadline);
        for (path, Write { entry, held, is_new }) in writes {
            deadline.poll_units(8)?;
            self.clear_folder(path.as_bstr())?;
            let content = match held {
                Some(content) => content,
                None => self.read(entry)?.ok_or_else(|| missing::blobs(self.repo, [entry.id].into()))?,
            };
            let status = match outcome.conflicts.contains_key(&path) {
                true => FileStatus::of_conflict(&content),
                false if is_new => FileStatus::Added,
                false => FileStatus::Modified,
            };
            let mode = Mode::from_bits_truncate(entry.mode);
            let stat = writer.write_object(path.as_bstr(), mode, entry.id, content)?;
            if self.is_committed(path.as_bstr(), &entry) {
                stats.insert(path.clone(), stat);
            }
            files.insert(path, status);
        }
        drop(writer);
        self.note(&mut index, moved, &stats);
        Ok(Written { index, files })
    }

    /// Refuses to overwrite a file that the merge has not read: an untracked one where only the merge puts a file, or a changed one that
    /// git was told not to check.
    fn ensure_known(&self, path: &BStr) -> Result<(), ToolError> {
        let is_file = self.repo.stat(path).is_ok_and(|stat| stat.kind != platform::Kind::Folder);
        let is_ours = || self.ours_at(path).is_some_and(|change| change.new.is_some());
        let is_known = match self.state.entry_by_path(path) {
            _ if !is_file => true,
            None => is_ours(),
            Some(entry) if self.is_overlooked(entry) => {
                let contents = Contents { repo: self.repo, attributes: self.attributes };
                let indexed = Version::object(entry.mode.bits(), entry.id);
                diff_files::version(&contents, path, entry.mode.bits())? == Some(indexed)
            }
            Some(_) => true,
        };
        if is_known { Ok(()) } else { Err(in_the_way(&workspace_path::absolute(path))) }
    }

    /// Whether git skips the file of `entry` because the user told it to.
    fn is_overlooked(&self, entry: &gix::index::Entry) -> bool {
        let skipped = entry.flags.contains(Flags::SKIP_WORKTREE) && self.sparse.is_none();
        skipped || entry.flags.contains(Flags::ASSUME_VALID)
    }

    fn ours_at(&self, path: &BStr) -> Option<&Change> {
        let at = self.ours.binary_search_by(|change| change.path.as_bstr().cmp(path));
        at.ok().map(|at| &self.ours[at])
    }

    fn read(&self, entry: Entry) -> Result<Option<Vec<u8>>, ToolError> {
        if entry.mode == SUBMODULE { Ok(Some(Vec::new())) } else { self.sides.read(entry.id) }
    }

    /// The files to write. Nothing is written yet, so the call can still ask for missing contents.
    fn writes(&self, outcome: &Outcome, deadline: &Deadline) -> Result<BTreeMap<BString, Write>, ToolError> {
        let edited = outcome.edits.iter().filter_map(|(path, entry)| Some((path.clone(), (*entry)?)));
        let edited = edited.filter(|(path, entry)| self.has(path.as_bstr(), entry, outcome));
        let mut all = map(edited);
        for path in self.sparse.iter().flat_map(|sparse| newly_in(self.repo, self.state, sparse)) {
            if let Some(Version { mode, id, .. }) = self.tree.find(path)
                && !outcome.edits.contains_key(path)
            {
                all.insert(path.to_owned(), Entry { mode, id });
            }
        }
        let mut absent = BTreeSet::new();
        let mut writes = BTreeMap::new();
        for (path, entry) in all {
            deadline.poll_units(8)?;
            check_path(path.as_bstr(), Mode::from_bits_truncate(entry.mode))?;
            if entry.mode != SUBMODULE && !self.sides.has(entry.id) {
                absent.insert(entry.id);
                continue;
            }
            let held = if self.sides.is_in_worktree(entry.id) { self.read(entry)? } else { None };
            let is_new = !self.is_there(path.as_bstr());
            writes.insert(path, Write { entry, held, is_new });
        }
        if absent.is_empty() { Ok(writes) } else { Err(missing::blobs(self.repo, absent)) }
    }

    /// Whether the working folder should have `entry` at `path`. It must have what no commit has, because nothing else keeps that.
    fn has(&self, path: &BStr, entry: &Entry, outcome: &Outcome) -> bool {
        self.sparse.is_none_or(|sparse| sparse.contains(path))
            || outcome.conflicts.contains_key(path)
            || !self.is_committed(path, entry)
            || self.is_there(path)
    }

    /// Whether the sparse working folder leaves `path` out, and the sandbox has not deleted it.
    fn leaves_out(&self, path: &BStr) -> bool {
        self.sparse.is_some_and(|sparse| !sparse.contains(path))
            && !self.is_there(path)
            && self.ours_at(path).is_none_or(|change| change.new.is_some())
    }

    fn is_committed(&self, path: &BStr, entry: &Entry) -> bool {
        self.tree.find(path).is_some_and(|version| (version.mode, version.id) == (entry.mode, entry.id))
    }

    fn is_there(&self, path: &BStr) -> bool {
        self.repo.stat(path).is_ok()
    }

    /// Removes a file or link, and the folders that become empty.
    fn remove(&self, path: &BStr) -> Result<bool, ToolError> {
        let io = |error: std::io::Error| ToolError::io(&path.to_str_lossy(), &error);
        let Ok(real) = self.repo.real(path) else {
            return Ok(false);
        };
        match platform::stat(&real) {
            // As in git, a submodule's folder stays if it is not empty.
            Ok(stat) if stat.kind == platform::Kind::Folder => {
                let is_gone = platform::remove_dir(&real).is_ok();
                self.prune(&real);
                return Ok(is_gone);
            }
            Ok(_) => platform::remove_file(&real).map_err(io)?,
            Err(_) => return Ok(false),
        }
        self.prune(&real);
        Ok(true)
    }

    /// Removes the empty parent folders of `real`.
    fn prune(&self, real: &Path) {
        let folders = real.ancestors().skip(1).take_while(|folder| *folder != self.repo.root);
        for folder in folders {
            // This folder is not empty, so its parents are not either.
            if platform::remove_dir(folder).is_err() {
                break;
            }
        }
    }

    /// Removes a folder without files at the path of a file.
    fn clear_folder(&self, path: &BStr) -> Result<(), ToolError> {
        let is_folder = self.repo.stat(path).is_ok_and(|stat| stat.kind == platform::Kind::Folder);
        let is_submodule = self.tree.find(path).is_some_and(|version| version.mode == SUBMODULE);
        if !is_folder || is_submodule {
            return Ok(());
        }
        // The merge has moved the files elsewhere, so only nested folders remain.
        let io = |error: std::io::Error| ToolError::io(&path.to_str_lossy(), &error);
        let real = self.repo.real(path).map_err(io)?;
        let mut all = vec![real];
        let mut next = 0;
        while let Some(folder) = all.get(next).cloned() {
            for entry in platform::list(&folder).map_err(io)? {
                all.push(platform::join(&folder, &entry.name));
            }
            next += 1;
        }
        all.iter().rev().try_for_each(|folder| platform::remove_dir(folder).map_err(io))
    }

    /// The new HEAD's index entries where HEAD changes, and the old ones elsewhere. It has no stats for the changed ones yet.
    fn index(&self, moved: &[Change]) -> State {
        let slot = |version: Version| Slot {
            mode: Mode::from_bits_truncate(version.mode),
            id: version.id,
            stat: Stat::default(),
        };
        let edits = map(moved.iter().map(|change| (change.path.clone(), change.new.map(slot))));
        let mut state = self.state.clone();
        index_edit::apply(&mut state, &edits);
        state
    }

    /// Updates the stats of written files, and marks those that a sparse working folder leaves out.
    fn note(&self, index: &mut State, moved: &[Change], stats: &BTreeMap<BString, Stat>) {
        let moved: BTreeSet<&BStr> = moved.iter().map(|change| change.path.as_bstr()).collect();
        let (entries, backing) = index.entries_mut_and_pathbacking();
        for entry in entries {
            let path = entry.path_in(backing);
            if let Some(stat) = stats.get(path) {
                entry.flags.remove(Flags::SKIP_WORKTREE);
                entry.stat = *stat;
            } else if moved.contains(path) && self.leaves_out(path) {
                entry.flags.insert(Flags::SKIP_WORKTREE | Flags::EXTENDED);
            }
        }
    }
}
