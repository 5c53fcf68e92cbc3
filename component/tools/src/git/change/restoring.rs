//! Restores paths of the index and the working folder from HEAD or the index, as `git restore` and
//! `git checkout -- <paths>` do.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage, Stat};
use gix::index::{Entry, State};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::flat_tree::{self, FlatTree};
use crate::git::store::index_edit::{self, Edits, Slot};
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::store::{blob, index, missing};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::checkout_entry::{EntryCheckout, Removed};
use crate::git::worktree::content::Contents;
use crate::git::worktree::writer::Writer;
use crate::git::worktree::{diff_files, sparse};
use crate::paths::SandboxPath;

/// What to restore.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scope {
    /// The index, from HEAD. Without it, the working folder is restored from the index.
    pub staged: bool,
    /// The working folder.
    pub worktree: bool,
    /// A tree instead of HEAD, and instead of the index.
    pub source: Option<ObjectId>,
    /// Whether only what the tree has is restored, and nothing removed.
    pub overlay: bool,
    /// The side of a conflict that is written, while the index keeps the conflict.
    pub side: Option<Stage>,
}

/// The outcome of restoring paths.
pub struct Restored {
    /// The tracked paths that changed.
    pub changed: BTreeSet<BString>,
    /// git's output on its error stream.
    pub warnings: String,
}

/// Restores the paths that `pathspec` selects.
///
/// # Errors
///
/// In git's words, for an unknown path, and for a path in conflict that HEAD does not have.
pub fn restore(
    repo: &Repo,
    cache: &mut index::Cache,
    trees: &mut flat_tree::Cache,
    pathspec: &Pathspec,
    working_dir: &SandboxPath,
    scope: Scope,
    deadline: &Deadline,
) -> Result<Restored, ToolError> {
    let loaded = index::load(cache, repo)?;
    let old = sparse::present(repo, &loaded);
    let head = || repo.tree_of(repo.head()?.id().ok_or_else(|| ToolError::failed("fatal: could not resolve HEAD"))?);
    let tree = match scope.source {
        Some(tree) => Some(tree),
        None => scope.staged.then(head).transpose()?,
    };
    let tree = tree.map(|tree| flat_tree::load(trees, repo, tree, deadline)).transpose()?;
    let mut edits = match (&tree, scope.side) {
        (Some(tree), _) => to_tree(&old, tree, pathspec, deadline)?,
        (None, Some(side)) => to_side(&old, side, pathspec)?,
        (None, None) => Edits::new(),
    };
    let only = tree.as_deref().filter(|_| scope.overlay);
    if only.is_some() {
        edits.retain(|_, slot| slot.is_some());
    }
    // What comes from elsewhere than the index, and not into it, leaves it as it is.
    let keeps = !scope.staged && (scope.source.is_some() || !edits.is_empty());
    let mut new = old.as_ref().clone();
    let (replaced, removed): (Edits, Edits) = edits.into_iter().partition(|(_, slot)| slot.is_some());
    index_edit::apply(&mut new, &replaced);
    let picked = Picked::of(&new, pathspec, &removed, only);
    picked.ensure_each_item(pathspec)?;
    picked.ensure_merged()?;
    index_edit::apply(&mut new, &removed);
    let mut warnings = String::new();
    let mut changed: BTreeSet<BString> = match keeps {
        true => BTreeSet::new(),
        false => index_edit::changed_paths(&old, &new).into_iter().collect(),
    };
    if scope.worktree {
        let restoring = Restoring { repo, deadline, removed: &removed, old: &old, only, working_dir };
        changed.extend(restoring.run(&mut new, pathspec, &mut warnings)?);
    }
    if !keeps {
        index::store(cache, repo, new)?;
    }
    Ok(Restored { changed, warnings })
}

/// The edits that bring the index back to `tree` at the selected paths.
fn to_tree(index: &State, tree: &FlatTree, pathspec: &Pathspec, deadline: &Deadline) -> Result<Edits, ToolError> {
    let mut edits = Edits::new();
    for (path, version) in (0..tree.len()).filter_map(|at| tree.get(at)) {
        deadline.poll()?;
        if !pathspec.matches_mode(path, version.mode) {
            continue;
        }
        let slot = Slot { mode: Mode::from_bits_truncate(version.mode), id: version.id, stat: Stat::default() };
        let same = index.entry_by_path_and_stage(path, Stage::Unconflicted).filter(|entry| {
            (entry.mode, entry.id) == (slot.mode, slot.id) && !entry.flags.contains(Flags::INTENT_TO_ADD)
        });
        if same.is_none() {
            edits.insert(path.to_owned(), Some(slot));
        }
    }
    for entry in index.entries() {
        deadline.poll()?;
        let path = entry.path(index);
        let counts = !is_skipped(entry) && pathspec.matches_mode(path, entry.mode.bits());
        if counts && tree.find(path).is_none() {
            edits.insert(path.to_owned(), None);
        }
    }
    Ok(edits)
}

/// The edits that put one side of each conflict at the selected paths into its place.
fn to_side(index: &State, side: Stage, pathspec: &Pathspec) -> Result<Edits, ToolError> {
    let mut edits = Edits::new();
    for entry in index.entries().iter().filter(|entry| entry.stage() != Stage::Unconflicted) {
        let path = entry.path(index);
        if !pathspec.matches_mode(path, entry.mode.bits()) {
            continue;
        }
        let Some(entry) = index.entry_by_path_and_stage(path, side) else {
            let whose = if side == Stage::Ours { "our" } else { "their" };
            return Err(ToolError::failed(format!("error: path '{path}' does not have {whose} version")));
        };
        edits.insert(path.to_owned(), Some(Slot { mode: entry.mode, id: entry.id, stat: Stat::default() }));
    }
    Ok(edits)
}

fn is_skipped(entry: &Entry) -> bool {
    entry.flags.contains(Flags::SKIP_WORKTREE)
}

/// The selected entries, before any is removed.
struct Picked<'a> {
    index: &'a State,
    entries: Vec<&'a Entry>,
}

impl<'a> Picked<'a> {
    fn of(index: &'a State, pathspec: &Pathspec, removed: &Edits, only: Option<&FlatTree>) -> Picked<'a> {
        let counts = |entry: &&Entry| {
            let path = entry.path(index);
            let is_picked = !is_skipped(entry)
                && pathspec.matches_mode(path, entry.mode.bits())
                && only.is_none_or(|tree| tree.find(path).is_some());
            is_picked || removed.contains_key(path)
        };
        Picked { index, entries: index.entries().iter().filter(counts).collect() }
    }

    /// Refuses a pathspec with an item that matches nothing.
    fn ensure_each_item(&self, pathspec: &Pathspec) -> Result<(), ToolError> {
        let is_known = |item: &&crate::git::store::pathspec::Item| {
            self.entries.iter().any(|entry| item.matches_mode(entry.path(self.index), entry.mode.bits()))
        };
        let unknown = pathspec.items().iter().filter(|item| !is_known(item));
        let lines: Vec<String> = unknown
            .map(|item| format!("error: pathspec '{}' did not match any file(s) known to git", item.original()))
            .collect();
        if lines.is_empty() {
            return Ok(());
        }
        Err(ToolError::not_found(lines.join("\n"))
            .hint("Nothing has changed. Call git_status to see what you can restore."))
    }

    fn ensure_merged(&self) -> Result<(), ToolError> {
        let mut unmerged: Vec<&BStr> = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.stage() != Stage::Unconflicted) {
            let path = entry.path(self.index);
            if unmerged.last() != Some(&path) {
                unmerged.push(path);
            }
        }
        if unmerged.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = unmerged.iter().map(|path| format!("error: path '{path}' is unmerged")).collect();
        Err(ToolError::failed(lines.join("\n"))
            .hint("Nothing has changed. Resolve the file, then add it with git_add."))
    }
}

/// Restores the working folder from an index.
struct Restoring<'a> {
    repo: &'a Repo,
    deadline: &'a Deadline,
    /// The paths to remove.
    removed: &'a Edits,
    /// The index before the call.
    old: &'a State,
    /// The tree whose paths alone are restored, if there is one.
    only: Option<&'a FlatTree>,
    working_dir: &'a SandboxPath,
}

impl Restoring<'_> {
    /// Writes every selected path that differs from `index`. Returns the changed paths.
    fn run(&self, index: &mut State, pathspec: &Pathspec, warnings: &mut String) -> Result<Vec<BString>, ToolError> {
        let rules = Rc::new(index.clone());
        let writes = self.writes(&rules, pathspec)?;
        let writer = Writer::of_restore(self.repo, &rules, self.deadline);
        let mut placing = EntryCheckout::new(self.repo, writer, self.working_dir.relative());
        let mut changed = Vec::new();
        for path in self.removed.keys() {
            self.deadline.poll()?;
            let mode = index_edit::any_mode(self.old, path.as_bstr()).unwrap_or(Mode::FILE);
            match placing.remove(path.as_bstr(), mode)? {
                Removed::Gone => changed.push(path.clone()),
                Removed::WasNotThere => {}
                Removed::Not(warning) => warnings.push_str(&warning),
            }
        }
        let mut stats: BTreeMap<BString, Stat> = BTreeMap::new();
        for entry in writes {
            self.deadline.poll_units(8)?;
            let path = entry.path(&rules);
            let content = self.content(entry)?.ok_or_else(|| missing::blobs(self.repo, [entry.id].into()))?;
            let put = placing.put(path, entry.mode, entry.id, content)?;
            if put.is_other {
                changed.push(path.to_owned());
            }
            stats.insert(path.to_owned(), put.stat);
        }
        let (entries, backing) = index.entries_mut_and_pathbacking();
        for entry in entries {
            if let Some(stat) = stats.get(entry.path_in(backing)) {
                entry.stat = *stat;
            }
        }
        Ok(changed)
    }

    /// The entries whose files have changed since the index last saw them. Asks for missing blobs before anything is written.
    fn writes<'i>(&self, index: &'i Rc<State>, pathspec: &Pathspec) -> Result<Vec<&'i Entry>, ToolError> {
        let written = index.timestamp().unix_seconds();
        let file_mode = self.repo.gix.config_snapshot().boolean("core.fileMode").unwrap_or(true);
        let attributes = Attributes::of(self.repo, index.clone(), self.deadline);
        let mut writes = Vec::new();
        let mut missing = BTreeSet::new();
        for entry in index.entries() {
            self.deadline.poll()?;
            let path = entry.path(index);
            let is_left_out = self.only.is_some_and(|tree| tree.find(path).is_none());
            if is_skipped(entry) || is_left_out || !pathspec.matches_mode(path, entry.mode.bits()) {
                continue;
            }
            let found = self.repo.standing(path);
            let found = found.filter(|found| diff_files::mode(file_mode, entry.mode, found) == entry.mode);
            if let Some(found) = found
                && self.is_unchanged(entry, path, &found.index, written, &attributes)?
            {
                continue;
            }
            if entry.mode == Mode::SYMLINK && entry.id.is_empty_blob() {
                let message = format!("error: unable to create symlink {path}: No such file or directory");
                return Err(ToolError::failed(message).hint("A link cannot have an empty target. Add the link again."));
            }
            if entry.mode != Mode::COMMIT && !self.repo.gix.has_object(entry.id) {
                missing.insert(entry.id);
            }
            writes.push(entry);
        }
        if missing.is_empty() { Ok(writes) } else { Err(missing::blobs(self.repo, missing)) }
    }

    /// Whether the file's stat matches the index. If the index is not younger than the file, compares the contents.
    fn is_unchanged(
        &self,
        entry: &Entry,
        path: &BStr,
        found: &Stat,
        written: i64,
        attributes: &Attributes<'_>,
    ) -> Result<bool, ToolError> {
        if diff_files::is_unchanged(&entry.stat, found, written) {
            return Ok(true);
        }
        if !diff_files::looks_unchanged(&entry.stat, found) {
            return Ok(false);
        }
        let contents = Contents { repo: self.repo, attributes };
        let version = diff_files::version(&contents, path, entry.mode.bits())?;
        Ok(version.is_some_and(|version| version.id == entry.id))
    }

    fn content(&self, entry: &Entry) -> Result<Option<Vec<u8>>, ToolError> {
        if entry.mode == Mode::COMMIT { Ok(Some(Vec::new())) } else { blob::read(self.repo, entry.id) }
    }
}
