//! Finds untracked files and lists them as git does.

use gix::bstr::{BStr, ByteSlice};

use super::Walk;
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::worktree::nested;
use crate::platform::{self, Kind};

impl Walk<'_> {
    /// Handles an entry of the current folder that is not in the index.
    pub(super) fn not_in_index(&mut self, found: &platform::Entry) -> Result<(), ToolError> {
        if !self.options.untracked || found.stat.kind == Kind::Other {
            return Ok(());
        }
        let is_folder = found.stat.kind == Kind::Folder;
        let path = self.join(&found.name);
        if is_folder && nested::is_submodule(self.index, path.as_bstr()) {
            return Ok(());
        }
        if self.is_excluded(&found.name, is_folder)? {
            return Ok(());
        }
        if !is_folder {
            self.scan.untracked.push(path.clone());
            self.scan.untracked_files.push((path, found.stat.size));
            return Ok(());
        }
        if self.passes_over(&found.name) {
            return Ok(());
        }
        let before = self.scan.untracked_files.len();
        self.untracked_folder(&found.name)?;
        // git reports a folder in the place of a tracked file only as the deletion of that file.
        let is_new = self.index.entry_range(path.as_bstr()).is_none();
        if is_new && self.scan.untracked_files.len() > before {
            let mut path = path;
            path.push(b'/');
            self.scan.untracked.push(path);
        }
        Ok(())
    }

    /// Collects the files of a folder without tracked files.
    fn untracked_folder(&mut self, name: &[u8]) -> Result<(), ToolError> {
        self.within(name, |walk| {
            if is_repository(walk.repo, walk.path.as_bstr()) {
                walk.scan.untracked_files.push((walk.path.clone(), 0));
                return Ok(());
            }
            let list = walk.list()?;
            walk.enter(&list, false)?;
            for found in &list {
                walk.deadline.poll()?;
                let is_folder = found.stat.kind == Kind::Folder;
                if found.stat.kind == Kind::Other || walk.is_excluded(&found.name, is_folder)? {
                    continue;
                }
                if is_folder {
                    walk.untracked_folder(&found.name)?;
                } else {
                    let path = walk.join(&found.name);
                    walk.scan.untracked_files.push((path, found.stat.size));
                }
            }
            if let Some(excludes) = &mut walk.excludes {
                excludes.leave();
            }
            Ok(())
        })
    }
}

/// Whether the folder `path`, with a slash at its end, has its own repository.
pub fn is_repository(repo: &Repo, path: &BStr) -> bool {
    let git = platform::join(&repo.root, path).join(".git");
    match platform::stat(&git).map(|stat| stat.kind) {
        Ok(Kind::Folder) => {
            let is_folder = |name: &str| platform::stat(&git.join(name)).is_ok_and(|stat| stat.kind == Kind::Folder);
            platform::stat(&git.join("HEAD")).is_ok() && is_folder("objects") && is_folder("refs")
        }
        Ok(Kind::File) => {
            let content = platform::read(&git);
            content.is_ok_and(|content| content.starts_with(b"gitdir: "))
        }
        _ => false,
    }
}
