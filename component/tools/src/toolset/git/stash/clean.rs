//! Removes untracked files and folders (`git clean -f -d`), except for ignored ones. A folder stays if anything in it stays. Repositories
//! and the working folder of the call stay too.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::worktree::diff_files::is_repository;
use crate::git::worktree::excludes::{self, Excludes, GITIGNORE};
use crate::git::worktree::rule_files;
use crate::platform::{self, Kind};

/// The files and folders to remove.
#[derive(Debug, Default)]
pub struct Cleaning {
    files: Vec<BString>,
    /// A folder comes after its subfolders.
    folders: Vec<BString>,
    /// Whether the call's working folder stays although it would be empty.
    pub spares_working_dir: bool,
}

/// Finds what to remove. `index` says which files are tracked.
pub fn plan(repo: &Repo, index: &State, working_dir: &BStr, deadline: &Deadline) -> Result<Cleaning, ToolError> {
    let excludes = Excludes::of(repo, deadline)?;
    let mut walk = Walk { repo, index, working_dir, deadline, excludes, cleaning: Cleaning::default() };
    walk.folder(BString::default(), false)?;
    Ok(walk.cleaning)
}

struct Walk<'a> {
    repo: &'a Repo,
    index: &'a State,
    working_dir: &'a BStr,
    deadline: &'a Deadline,
    excludes: Excludes<'a>,
    cleaning: Cleaning,
}

impl Walk<'_> {
    /// Walks through a folder, whose path ends in a slash, and returns whether it would become empty. The limit on path length also limits
    /// the recursion.
    fn folder(&mut self, folder: BString, is_excluded: bool) -> Result<bool, ToolError> {
        let io = |error: std::io::Error| ToolError::io(&folder.to_str_lossy(), &error);
        let list = platform::list(&platform::join(&self.repo.root, &folder)).map_err(io)?;
        let file = join(&folder, GITIGNORE.as_bytes());
        let rules = match is_excluded {
            true => None,
            false => {
                let kind = rule_files::kind(self.repo, file.as_bstr());
                excludes::rules(self.repo, self.index, file.as_bstr(), kind)?
            }
        };
        self.excludes.enter(folder.as_bstr(), rules.as_deref(), is_excluded)?;
        let mut is_empty = true;
        for entry in list {
            self.deadline.poll()?;
            let goes = entry.name != b".git" && self.entry(join(&folder, &entry.name), entry.stat.kind)?;
            is_empty &= goes;
        }
        self.excludes.leave();
        Ok(is_empty)
    }

    /// Whether to remove the entry at `path`.
    fn entry(&mut self, path: BString, kind: Kind) -> Result<bool, ToolError> {
        if self.index.entry_range(path.as_bstr()).is_some() || kind == Kind::Other {
            return Ok(false);
        }
        if kind != Kind::Folder {
            let goes = !self.excludes.contains(path.as_bstr(), false)?;
            if goes {
                self.cleaning.files.push(path);
            }
            return Ok(goes);
        }
        let inside = join(&path, b"/");
        let is_tracked = self.index.prefixed_entries_range(inside.as_bstr()).is_some();
        let is_excluded = self.excludes.contains(path.as_bstr(), true)?;
        if !is_tracked && (is_excluded || is_repository(self.repo, inside.as_bstr())) {
            return Ok(false);
        }
        let is_empty = self.folder(inside, is_excluded)?;
        if is_tracked || !is_empty {
            return Ok(false);
        }
        if path.as_bstr() == self.working_dir {
            self.cleaning.spares_working_dir = true;
            return Ok(false);
        }
        self.cleaning.folders.push(path);
        Ok(true)
    }
}

impl Cleaning {
    /// Removes the files and folders.
    pub fn run(&self, repo: &Repo, deadline: &Deadline) -> Result<(), ToolError> {
        for path in &self.files {
            deadline.poll()?;
            let removed = platform::remove_file(&platform::join(&repo.root, path));
            removed.map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        }
        for path in &self.folders {
            deadline.poll()?;
            let removed = platform::remove_dir(&platform::join(&repo.root, path));
            removed.map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        }
        Ok(())
    }
}

fn join(folder: &BString, name: &[u8]) -> BString {
    let mut path = folder.clone();
    path.extend_from_slice(name);
    path
}
