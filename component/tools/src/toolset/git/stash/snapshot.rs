//! Builds the tree of the tracked files in the working folder, which a stash keeps.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat};
use gix::index::{Entry, State};
use patch::sort::map;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::flat_tree::{FlatTree, check_depth};
use crate::git::store::index_edit::{self, Edits, Slot, any_mode};
use crate::git::store::repo::damaged;
use crate::git::store::version::{LINK, SUBMODULE};
use crate::git::words::streams::Streams;
use crate::git::worktree::changes::Change;
use crate::git::worktree::content::Contents;
use crate::git::worktree::diff_files;
use crate::platform::{self, Kind};

/// The input of a snapshot.
pub struct Tracked<'a> {
    pub contents: &'a Contents<'a>,
    pub index: &'a State,
    /// The tree of HEAD.
    pub head: &'a FlatTree,
    /// The changes of the index against HEAD.
    pub staged: &'a [Change],
    /// The changes of the working tree against the index.
    pub unstaged: &'a [Change],
    pub deadline: &'a Deadline,
}

impl Tracked<'_> {
    /// The tree `index`, updated from the working tree at every path that the index or HEAD tracks.
    pub fn tree(&self, index: ObjectId, streams: &mut Streams) -> Result<ObjectId, ToolError> {
        self.ensure_nothing_intended(streams)?;
        let mut edits = Edits::new();
        for path in self.paths()? {
            self.deadline.poll_units(8)?;
            if let Some(slot) = self.look(path, streams)? {
                // From here on, these attribute rules apply to contents.
                self.contents.attributes.follow_index(path, slot.map(|slot| slot.id));
                edits.insert(path.to_owned(), slot);
            }
        }
        edit_tree(self.contents.repo, index, &edits)
    }

    /// Refuses an intent-to-add entry whose file exists, or whose folder is a file: git cannot stash it (git's unpack-trees.c,
    /// `verify_uptodate_1`).
    fn ensure_nothing_intended(&self, streams: &mut Streams) -> Result<(), ToolError> {
        let intended = |entry: &&Entry| entry.flags.contains(Flags::INTENT_TO_ADD);
        let path = |entry: &Entry| entry.path(self.index);
        let is_absent = |path: &&BStr| {
            let stat = platform::stat(&platform::join(&self.contents.repo.root, path));
            stat.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        };
        let mut all = self.index.entries().iter().filter(intended).map(path);
        let Some(path) = all.find(|path| !is_absent(path)) else { return Ok(()) };
        streams.error_line(&[b"error: Entry '", path, b"' not uptodate. Cannot merge."]);
        streams.error_line(&[b"Cannot save the current worktree state"]);
        Err(streams
            .failed()
            .hint("Nothing has changed. Add the file with git_add, or unstage it with git_restore (staged: true)."))
    }

    /// The paths where the working tree may differ from the index: it has changes there, HEAD has a file that the index lacks, or the file
    /// of an assume-unchanged entry may be gone.
    fn paths(&self) -> Result<BTreeSet<&BStr>, ToolError> {
        // git overlooks an entry that neither HEAD nor the working tree has. It keeps the index's version.
        let is_seen = |change: &&Change| change.new.is_some() || self.head.find(change.path.as_bstr()).is_some();
        let taken = self.taken_for_unchanged();
        let seen = self.unstaged.iter().filter(is_seen).filter(|change| !taken.contains(change.path.as_bstr()));
        let mut paths: BTreeSet<&BStr> = seen.map(|change| change.path.as_bstr()).collect();
        for (path, _) in (0..self.head.len()).filter_map(|at| self.head.get(at)) {
            self.deadline.poll()?;
            if self.index.entry_by_path(path).is_none() {
                paths.insert(path);
            }
        }
        for entry in self.index.entries().iter().filter(|entry| entry.flags.contains(Flags::ASSUME_VALID)) {
            let path = entry.path(self.index);
            let known = self.head.find(path).map(|version| (version.mode, version.id));
            let is_gone = || self.contents.repo.standing(path).is_none();
            if known != Some((entry.mode.bits(), entry.id)) && is_gone() {
                paths.insert(path);
            }
        }
        // git checks entries that differ from HEAD again, because their files may have changed since the index was written, without a
        // visible change of stat.
        let written = self.index.timestamp().unix_seconds();
        for change in self.staged.iter().filter(|change| change.new.is_some()) {
            let path = change.path.as_bstr();
            let found = self.contents.repo.standing(path).filter(|found| found.kind != Kind::Folder);
            let trusts = |entry: &&Entry| entry.flags.contains(Flags::ASSUME_VALID);
            let known = self.index.entry_by_path(path).filter(|entry| !trusts(entry)).zip(found);
            if known.is_some_and(|(entry, found)| !diff_files::is_unchanged(&entry.stat, &found.index, written)) {
                paths.insert(path);
            }
        }
        paths.retain(|path| !self.is_skipped(path));
        Ok(paths)
    }

    /// Submodules replaced by a file that git passed before it found the first change. git then assumes that they match the index (git's
    /// diff-lib.c, `run_diff_files`, which ignores submodules).
    fn taken_for_unchanged(&self) -> BTreeSet<&BStr> {
        if has_changes(self.staged, &[], self.index) {
            return BTreeSet::new();
        }
        let looked_at = self.unstaged.iter().take_while(|change| was_submodule(change));
        let files = looked_at.filter(|change| change.new.is_some());
        let unstaged = files.filter(|change| self.head.find(change.path.as_bstr()) == change.old);
        unstaged.map(|change| change.path.as_bstr()).collect()
    }

    fn is_skipped(&self, path: &BStr) -> bool {
        self.index.entry_by_path(path).is_some_and(|entry| entry.flags.contains(Flags::SKIP_WORKTREE))
    }

    /// The version of `path` in the working tree. The outer `None` means that the entry keeps the index's version, as for a folder.
    fn look(&self, path: &BStr, streams: &mut Streams) -> Result<Option<Option<Slot>>, ToolError> {
        let repo = self.contents.repo;
        let is_folder = |stat: platform::Stat| stat.kind == Kind::Folder;
        if platform::stat(&platform::join(&repo.root, path)).is_ok_and(is_folder) {
            return Ok(None);
        }
        if has_link_above(self.contents, path) {
            streams.error_line(&[b"error: '", path, b"' is beyond a symbolic link"]);
            return Err(unable(path, streams));
        }
        let is_indexed = self.index.entry_by_path(path).is_some();
        let Some(slot) = slot(self.contents, path, any_mode(self.index, path))? else {
            return Ok(is_indexed.then_some(None));
        };
        if !is_indexed && self.collides(path) {
            streams.error_line(&[b"error: '", path, b"' appears as both a file and as a directory"]);
            streams.error_line(&[b"error: ", path, b": cannot add to the index - missing --add option?"]);
            return Err(unable(path, streams));
        }
        Ok(Some(Some(slot)))
    }

    /// Whether the index has a file in place of a parent of `path`, or files below `path`.
    fn collides(&self, path: &BStr) -> bool {
        let below = [path.as_bytes(), b"/"].concat();
        let is_file = |slash: usize| index_edit::slot(self.index, path[..slash].as_bstr()).is_some();
        self.index.prefixed_entries_range(below.as_bstr()).is_some() || path.find_iter(b"/").any(is_file)
    }
}

fn unable(path: &BStr, streams: &mut Streams) -> ToolError {
    streams.error_line(&[b"fatal: Unable to process path ", path]);
    streams.error_line(&[b"Cannot save the current worktree state"]);
    streams.failed().hint(
        "Nothing has changed. Something else is in the place of a tracked file. Move it elsewhere with move_file.",
    )
}

/// Whether a parent folder of `path` is a link.
fn has_link_above(contents: &Contents<'_>, path: &BStr) -> bool {
    let is_link = |slash: usize| {
        let stat = platform::stat(&platform::join(&contents.repo.root, path[..slash].as_bstr()));
        stat.is_ok_and(|stat| stat.kind == Kind::Link)
    };
    path.find_iter(b"/").any(is_link)
}

/// Stores the file or link at `path`, and returns its tree entry. `None` if there is neither.
pub fn slot(contents: &Contents<'_>, path: &BStr, tracked: Option<Mode>) -> Result<Option<Slot>, ToolError> {
    let tracked = tracked.unwrap_or(Mode::FILE).bits();
    let Some(version) = diff_files::version(contents, path, tracked)? else {
        return Ok(None);
    };
    check_depth(path)?;
    let content = match version.mode {
        LINK => contents.attributes.read_link(path)?,
        _ => contents.attributes.read_file(path)?,
    };
    let repo = contents.repo;
    let id = repo.gix.write_blob(content).map_err(|error| damaged(&error))?.detach();
    let mode = Mode::from_bits_truncate(version.mode);
    Ok(Some(Slot { mode, id, stat: Stat::default() }))
}

/// Whether git would stash anything. Changes of submodules do not count.
pub fn has_changes(staged: &[Change], unstaged: &[Change], index: &State) -> bool {
    let is_submodule = |change: &Change| {
        let versions: Vec<_> = change.old.iter().chain(&change.new).collect();
        !versions.is_empty() && versions.iter().all(|version| version.mode == SUBMODULE)
    };
    let is_intended = |entry: &Entry| entry.flags.contains(Flags::INTENT_TO_ADD);
    staged.iter().any(|change| !is_submodule(change))
        || unstaged.iter().any(|change| !was_submodule(change))
        || index.entries().iter().any(is_intended)
}

fn was_submodule(change: &Change) -> bool {
    change.old.is_some_and(|old| old.mode == SUBMODULE)
}

/// Turns `changes` into edits.
pub fn edits(changes: &[Change]) -> Edits {
    let slot = |version: crate::git::store::version::Version| Slot {
        mode: Mode::from_bits_truncate(version.mode),
        id: version.id,
        stat: Stat::default(),
    };
    map(changes.iter().map(|change| (change.path.clone(), change.new.map(slot))))
}
