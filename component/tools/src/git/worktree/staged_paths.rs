//! Selects the paths of a staged commit and reads their new entries: named files and folders in their present state.

use std::collections::BTreeSet;
use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::{State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::index_edit::{self, Edits};
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::worktree::add_to_index::Staging;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::diff_files::{self, Scan};
use crate::git::worktree::{excludes, nested};
use crate::paths::{Access, Zones};
use crate::platform::Kind;

/// Resolves files and folders that a caller names to paths from the root of the repository. It also resolves links in their parents.
///
/// # Errors
///
/// If a path is outside /workspace.
pub fn named(zones: &Zones, files: &[String]) -> Result<Vec<BString>, ToolError> {
    let path = |file: &String| {
        let path = zones.resolve(file, &zones.workspace(), Access::Look)?;
        if !path.is_in_workspace() {
            return Err(ToolError::outside(file).hint("You can stage only files below /workspace."));
        }
        Ok(BString::from(path.relative()))
    };
    files.iter().map(path).collect()
}

/// Reads the present state of the paths `named`, relative to the root of the repository, and writes new objects.
///
/// # Errors
///
/// In git's words, for a path that neither exists nor is tracked, for an ignored one, for one in a submodule, and for an invalid name.
pub fn select(repo: &Repo, index: &Rc<State>, named: &[BString], deadline: &Deadline) -> Result<Edits, ToolError> {
    let mut selection = Selection {
        repo,
        index,
        deadline,
        staging: Staging::default(),
        unchanged: BTreeSet::new(),
        ignored: Vec::new(),
    };
    for path in named {
        if let Some(folder) = nested::submodule_above(index, path.as_bstr()) {
            let message = format!("Pathspec '{path}' is in submodule '{folder}'");
            return Err(ToolError::failed(message).hint(nested::OUTSIDE));
        }
    }
    let mut folders = Vec::new();
    for path in named {
        match repo.stat(path.as_bstr()).map(|stat| stat.kind) {
            Ok(Kind::File | Kind::Link) => selection.file(path.as_bstr())?,
            Ok(Kind::Folder) => folders.push(path.clone()),
            Ok(Kind::Other) => {
                return Err(ToolError::failed(format!(
                    "{path}: can only add regular files, symbolic links or git-directories"
                )));
            }
            Err(_) => selection.gone(path.as_bstr())?,
        }
    }
    if !folders.is_empty() {
        selection.folders(folders)?;
    }
    selection.refuse_ignored()?;
    let Selection { staging, unchanged, .. } = selection;
    let slots = unchanged.into_iter().map(|path| (path.clone(), index_edit::slot(index, path.as_bstr())));
    let mut edits: Edits = slots.collect();
    edits.extend(staging.edits(repo, index, deadline)?);
    Ok(edits)
}

/// The selected paths.
struct Selection<'a> {
    repo: &'a Repo,
    index: &'a Rc<State>,
    deadline: &'a Deadline,
    /// Paths to read from the working folder.
    staging: Staging,
    /// Paths whose files equal the index.
    unchanged: BTreeSet<BString>,
    ignored: Vec<BString>,
}

impl Selection<'_> {
    /// Selects a named file or link. It must be tracked or not ignored.
    fn file(&mut self, path: &BStr) -> Result<(), ToolError> {
        if self.index.entry_by_path(path).is_some() {
            self.staging.tracked.insert(path.to_owned(), true);
        } else if excludes::is_ignored(self.repo, self.index, path, self.deadline)? {
            self.ignored.push(path.to_owned());
        } else {
            self.staging.untracked.insert(path.to_owned());
        }
        Ok(())
    }

    /// Selects a missing path: this removes every tracked path at it or below it.
    fn gone(&mut self, path: &BStr) -> Result<(), ToolError> {
        let mut below = path.to_owned();
        below.push(b'/');
        let ranges = [self.index.entry_range(path), self.index.prefixed_entries_range(below.as_bstr())];
        let entries = ranges.into_iter().flatten().flat_map(|range| &self.index.entries()[range]);
        let mut found = false;
        for entry in entries {
            self.deadline.poll()?;
            let path = entry.path(self.index).to_owned();
            // A path that a sparse checkout leaves out is not deleted.
            match entry.flags.contains(entry::Flags::SKIP_WORKTREE) {
                true => drop(self.unchanged.insert(path)),
                false => drop(self.staging.tracked.insert(path, false)),
            }
            found = true;
        }
        if found { Ok(()) } else { Err(no_match(path)) }
    }

    /// Selects every tracked or untracked file in these folders.
    fn folders(&mut self, folders: Vec<BString>) -> Result<(), ToolError> {
        let pathspec = Pathspec::literal(folders.iter().cloned());
        let options = diff_files::Options { untracked: true, compare: diff_files::Compare::Stat, pathspec: &pathspec };
        // This compares no contents, so it loads no attributes.
        let attributes = Attributes::of(self.repo, self.index.clone(), self.deadline);
        let Scan { changes, untracked_files, .. } =
            diff_files::scan(self.repo, self.index, &attributes, &options, self.deadline)?;
        for change in changes {
            self.staging.take(self.repo, change)?;
        }
        for (path, _) in untracked_files {
            if pathspec.matches(path.as_bstr()) {
                if path.ends_with(b"/") {
                    return Err(nested::of_its_own(path.as_bstr()));
                }
                self.staging.untracked.insert(path);
            }
        }
        // Take unchanged tracked files too: HEAD may not have the index's version.
        for entry in self.index.entries() {
            self.deadline.poll()?;
            let path = entry.path(self.index);
            if pathspec.matches(path) && !self.staging.tracked.contains_key(path) && entry.stage_raw() == 0 {
                self.unchanged.insert(path.to_owned());
            }
        }
        for folder in folders {
            if !folder.is_empty() && !self.has_any(&folder) {
                if excludes::is_ignored(self.repo, self.index, folder.as_bstr(), self.deadline)? {
                    self.ignored.push(folder);
                } else {
                    return Err(no_match(folder.as_bstr()));
                }
            }
        }
        Ok(())
    }

    /// Whether the selection has `path` or a path below it.
    fn has_any(&self, path: &BString) -> bool {
        let is_there = |found: Option<&BString>| {
            let rest = found.and_then(|found| found.strip_prefix(path.as_slice()));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        };
        let mut below = path.clone();
        below.push(b'/');
        [path, &below].into_iter().any(|from| {
            is_there(self.staging.tracked.range::<BString, _>(from..).next().map(|(found, _)| found))
                || is_there(self.staging.untracked.range::<BString, _>(from..).next())
                || is_there(self.unchanged.range::<BString, _>(from..).next())
        })
    }

    fn refuse_ignored(&self) -> Result<(), ToolError> {
        if self.ignored.is_empty() {
            return Ok(());
        }
        let mut message = String::from("The following paths are ignored by one of your .gitignore files:\n");
        for path in &self.ignored {
            message.push_str(&format!("{path}\n"));
        }
        Err(ToolError::failed(message.trim_end()).hint("Leave them out, or first change .gitignore."))
    }
}

fn no_match(path: &BStr) -> ToolError {
    ToolError::not_found(format!("pathspec '{path}' did not match any files"))
        .hint("Call git_status to see what has changed.")
}
