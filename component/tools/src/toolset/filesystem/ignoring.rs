//! Leaves out of a walk what git ignores: what the rules of `.gitignore` exclude and the index does not have.

use std::rc::Rc;

use gix::bstr::{BStr, ByteSlice};
use gix::index::State;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::index;
use crate::git::store::repo::Repo;
use crate::git::worktree::excludes::{self, Excludes, GITIGNORE};
use crate::git::worktree::rule_files;
use crate::paths::SandboxPath;
use crate::session::Session;

/// The rules from the root of the repository down to the current folder of a walk.
pub struct Ignoring<'a> {
    repo: Repo,
    index: Rc<State>,
    excludes: Excludes<'a>,
    /// The length of the workspace's path with its slash, which comes before every shown path.
    above: usize,
}

impl<'a> Ignoring<'a> {
    /// The rules for a walk that begins in `folder`. `None` if nothing is ignored there: it is in no repository, or ignored itself, and
    /// somebody who names it wants to see what is in it.
    pub fn below(
        session: &mut Session,
        folder: &SandboxPath,
        deadline: &'a Deadline,
    ) -> Result<Option<Ignoring<'a>>, ToolError> {
        if !folder.is_in_workspace() {
            return Ok(None);
        }
        // Whatever is wrong with the repository, the files are there: the next call of git says it.
        let Ok(repo) = session.repo() else { return Ok(None) };
        let Ok(index) = index::load(&mut session.caches.index, &repo) else { return Ok(None) };
        let relative = folder.relative();
        if !folder.is_root() && excludes::is_ignored(&repo, &index, relative.as_str().into(), deadline)? {
            return Ok(None);
        }
        let excludes = Excludes::of(&repo, deadline)?;
        let above = folder.shown().len() - relative.len() + usize::from(folder.is_root());
        let mut ignoring = Ignoring { repo, index, excludes, above };
        ignoring.enter_relative(b"".as_bstr(), false)?;
        for (slash, _) in relative.match_indices('/') {
            ignoring.enter_relative(relative.as_bytes()[..=slash].as_bstr(), false)?;
        }
        if !folder.is_root() {
            ignoring.enter_relative(format!("{relative}/").as_bytes().as_bstr(), false)?;
        }
        Ok(Some(ignoring))
    }

    /// Whether the walk leaves out the entry `shown` of the current folder.
    pub fn leaves_out(&self, shown: &[u8], is_folder: bool) -> Result<bool, ToolError> {
        let path = shown[self.above..].as_bstr();
        let bare = path.strip_suffix(b"/").unwrap_or(path).as_bstr();
        Ok(self.excludes.contains(bare, is_folder)? && !self.is_tracked(path, is_folder))
    }

    /// Enters the folder `shown`, which ends with a slash.
    pub fn enter(&mut self, shown: &[u8]) -> Result<(), ToolError> {
        let path = shown[self.above..].as_bstr();
        let excluded = self.excludes.contains(path[..path.len() - 1].as_bstr(), true)?;
        self.enter_relative(path, excluded)
    }

    /// Leaves the folder entered last.
    pub fn leave(&mut self) {
        self.excludes.leave();
    }

    fn enter_relative(&mut self, folder: &BStr, excluded: bool) -> Result<(), ToolError> {
        let mut file = folder.to_owned();
        file.extend_from_slice(GITIGNORE.as_bytes());
        let kind = rule_files::kind(&self.repo, file.as_bstr());
        let rules = excludes::rules(&self.repo, &self.index, file.as_bstr(), kind)?;
        self.excludes.enter(folder, rules.as_deref(), excluded)
    }

    fn is_tracked(&self, path: &BStr, is_folder: bool) -> bool {
        match is_folder {
            true => self.index.prefixed_entries_range(path).is_some_and(|range| !range.is_empty()),
            false => self.index.entry_by_path(path).is_some(),
        }
    }
}
