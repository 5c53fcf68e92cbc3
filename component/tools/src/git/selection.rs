//! Which paths a staged commit takes, and what they are to be: named files and folders, as the working folder has them.

use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::{State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::attributes::Attributes;
use crate::git::excludes::{Excludes, GITIGNORE};
use crate::git::index_edit::{self, Edits, Slot};
use crate::git::pathspec::Pathspec;
use crate::git::repo::{Repo, damaged};
use crate::git::worktree::{self, Scan};
use crate::paths::is_git_folder_name;
use crate::platform::{self, Kind};

/// Reads what the named paths, from the root of the repository, are now, and writes the objects of what is new.
///
/// # Errors
///
/// In git's words: a path that neither is nor was, or that is ignored; and a name that no repository may have.
pub fn select(repo: &Repo, index: &Rc<State>, named: &[BString], deadline: &Deadline) -> Result<Edits, ToolError> {
    let mut selection = Selection {
        repo,
        index,
        attributes: Attributes::of(repo, index.clone()),
        deadline,
        edits: Edits::new(),
        ignored: Vec::new(),
    };
    let mut folders = Vec::new();
    for path in named {
        let real = platform::join(&repo.root, path);
        match platform::stat(&real).map(|stat| stat.kind) {
            Ok(Kind::File | Kind::Link) => selection.file(path.as_bstr(), true)?,
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
    selection.finish()
}

struct Selection<'a> {
    repo: &'a Repo,
    index: &'a Rc<State>,
    attributes: Attributes<'a>,
    deadline: &'a Deadline,
    edits: Edits,
    ignored: Vec<BString>,
}

impl Selection<'_> {
    /// A file or link that is there. One that was named itself must not be ignored, unless it is tracked already.
    fn file(&mut self, path: &BStr, named: bool) -> Result<(), ToolError> {
        self.deadline.poll_units(8)?;
        if named && self.index.entry_by_path(path).is_none() && is_ignored(self.repo, path)? {
            self.ignored.push(path.to_owned());
            return Ok(());
        }
        check_names(path)?;
        let real = platform::join(&self.repo.root, path);
        let stat = platform::stat(&real).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        let known = index_edit::slot(self.index, path);
        let mode = match stat.kind {
            Kind::Link => entry::Mode::SYMLINK,
            _ if stat.executable => entry::Mode::FILE_EXECUTABLE,
            _ => entry::Mode::FILE,
        };
        let unchanged = known.filter(|known| {
            known.mode == mode
                && worktree::is_unchanged(&known.stat, &stat.index, self.index.timestamp().unix_seconds())
        });
        let id = match unchanged {
            Some(known) => known.id,
            None => self.write(path, mode)?,
        };
        self.edits.insert(path.to_owned(), Some(Slot { mode, id, stat: stat.index }));
        Ok(())
    }

    fn write(&self, path: &BStr, mode: entry::Mode) -> Result<ObjectId, ToolError> {
        let content = match mode {
            entry::Mode::SYMLINK => self.attributes.read_link(path)?,
            _ => self.attributes.read_file(path)?,
        };
        Ok(self.repo.gix.write_blob(content).map_err(|error| damaged(&error))?.detach())
    }

    /// A path that is not there: everything that was tracked at it or below it goes.
    fn gone(&mut self, path: &BStr) -> Result<(), ToolError> {
        let mut found = false;
        let mut prefix = path.to_owned();
        prefix.push(b'/');
        for entry in self.index.entries() {
            let tracked = entry.path(self.index);
            if tracked == path || tracked.starts_with(&prefix) {
                self.edits.insert(tracked.to_owned(), None);
                found = true;
            }
        }
        if found { Ok(()) } else { Err(no_match(path)) }
    }

    /// Everything in these folders that is tracked or could be.
    fn folders(&mut self, folders: Vec<BString>) -> Result<(), ToolError> {
        let pathspec = Pathspec::literal(folders.iter().cloned());
        let options = worktree::Options { untracked: true, size_decides: false, pathspec: &pathspec };
        let Scan { changes, untracked_files, .. } =
            worktree::scan(self.repo, self.index, &self.attributes, &options, self.deadline)?;
        for change in changes {
            let path = change.path.as_bstr();
            match platform::stat(&platform::join(&self.repo.root, path)).map(|stat| stat.kind) {
                Ok(Kind::File | Kind::Link) => self.file(path, false)?,
                _ => {
                    self.edits.insert(change.path, None);
                }
            }
        }
        for (path, _) in untracked_files {
            if pathspec.matches(path.as_bstr()) {
                if path.ends_with(b"/") {
                    return Err(ToolError::failed(format!("{path} is a git repository of its own"))
                        .hint("Submodules cannot be staged. Name the files around it."));
                }
                self.file(path.as_bstr(), false)?;
            }
        }
        // What is tracked and unchanged is taken too, where the index has it but HEAD does not.
        for entry in self.index.entries() {
            let path = entry.path(self.index);
            if pathspec.matches(path) && !self.edits.contains_key(path) && entry.stage_raw() == 0 {
                self.edits.insert(path.to_owned(), index_edit::slot(self.index, path));
            }
        }
        for folder in folders {
            let inside = |path: &BString| {
                folder.is_empty() || path.strip_prefix(folder.as_slice()).is_some_and(|rest| rest.starts_with(b"/"))
            };
            if !folder.is_empty() && !self.edits.keys().any(inside) {
                if is_ignored(self.repo, folder.as_bstr())? {
                    self.ignored.push(folder);
                } else {
                    return Err(no_match(folder.as_bstr()));
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Edits, ToolError> {
        if self.ignored.is_empty() {
            return Ok(self.edits);
        }
        let mut message = String::from("The following paths are ignored by one of your .gitignore files:\n");
        for path in &self.ignored {
            message.push_str(&format!("{path}\n"));
        }
        Err(ToolError::failed(message.trim_end()).hint("Leave them out, or change .gitignore first."))
    }
}

fn no_match(path: &BStr) -> ToolError {
    ToolError::not_found(format!("pathspec '{path}' did not match any files"))
        .hint("git_status shows what has changed.")
}

/// Refuses names that some filesystem would take for `.git`, whoever has made them.
fn check_names(path: &BStr) -> Result<(), ToolError> {
    if path.split(|byte| *byte == b'/').any(is_git_folder_name) {
        return Err(ToolError::git_folder(&path.to_str_lossy()));
    }
    Ok(())
}

/// Whether `path` is excluded by the rules of the folders above it.
fn is_ignored(repo: &Repo, path: &BStr) -> Result<bool, ToolError> {
    let mut excludes = Excludes::of(repo)?;
    let mut folder = BString::default();
    let mut excluded = false;
    let mut rest = path;
    loop {
        let rules = platform::read(&platform::join(&repo.root, &folder).join(GITIGNORE)).ok();
        excludes.enter(folder.as_bstr(), rules.as_deref(), excluded);
        let Some(slash) = rest.find_byte(b'/') else {
            let is_folder =
                platform::stat(&platform::join(&repo.root, path)).is_ok_and(|stat| stat.kind == Kind::Folder);
            return Ok(excludes.contains(path, is_folder));
        };
        folder.extend_from_slice(&rest[..slash]);
        excluded = excludes.contains(folder.as_bstr(), true);
        folder.push(b'/');
        rest = rest[slash + 1..].as_bstr();
    }
}
