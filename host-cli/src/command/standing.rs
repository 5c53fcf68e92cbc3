//! Where a person stands: the repository around the current folder, and which sandboxes belong to it.

use std::path::Path;

use gate::id::SandboxId;
use host::settings::Belonging;

use super::choice::shown;
use crate::home::{Entry, Home};
use crate::remote;

/// Where a person stands: the repository around the current folder, and all sandboxes.
#[derive(Debug)]
pub struct Standing {
    pub(super) repository: Option<Belonging>,
    pub(super) entries: Vec<Entry>,
    /// The sandboxes of another repository that stood here before.
    pub(super) replaced: Vec<SandboxId>,
    /// The sandboxes whose repository stands nowhere now, and may have been moved here: this one has its first commit.
    pub(super) moved: Vec<SandboxId>,
    /// The sandboxes made from a repository without a commit that stood here, which has commits by now: it may be another one.
    pub(super) grown: Vec<SandboxId>,
    /// The sandboxes of this repository that began with a commit which it does not have any more.
    pub(super) rewritten: Vec<SandboxId>,
    /// True if `GIT_DIR` names the repository, and not the folder.
    pub(super) is_by_variable: bool,
}

impl Standing {
    /// As it is in `folder`.
    ///
    /// # Errors
    /// If the folder or the home cannot be read.
    pub fn of(home: &Home, folder: &Path) -> anyhow::Result<Self> {
        let (repository, entries) = (remote::here(folder)?, home.entries()?);
        let mut standing = Standing {
            repository,
            entries,
            replaced: Vec::new(),
            moved: Vec::new(),
            grown: Vec::new(),
            rewritten: Vec::new(),
            is_by_variable: false,
        };
        let Some(here) = &standing.repository else { return Ok(standing) };
        let Some(commits) = remote::Commits::of(&here.git_dir) else { return Ok(standing) };
        for entry in &standing.entries {
            let Some(own) = &entry.repository else { continue };
            let Some(root) = &own.root else {
                if entry.is_of_the_beginning && own.git_dir == here.git_dir && commits.are_any() {
                    standing.grown.push(entry.name.clone());
                }
                continue;
            };
            if own.git_dir == here.git_dir {
                if !commits.have(root) {
                    standing.replaced.push(entry.name.clone());
                } else if own.tip.as_deref().is_some_and(|tip| !commits.have(tip)) {
                    standing.rewritten.push(entry.name.clone());
                }
            // Other branches may have come from another repository.
            } else if !own.git_dir.exists() && commits.have(root) && commits.begin_with(root) {
                standing.moved.push(entry.name.clone());
            }
        }
        Ok(standing)
    }

    /// The same for a person who has named the repository by `GIT_DIR`, if it is another one than that of the current folder.
    #[must_use]
    pub fn by_variable(self, folder: &Path) -> Self {
        let own = remote::here(folder).ok().flatten();
        let is_other = own.map(|own| own.git_dir) != self.repository.as_ref().map(|here| here.git_dir.clone());
        Standing { is_by_variable: is_other, ..self }
    }

    /// The repository.
    pub fn repository(&self) -> Option<&Belonging> {
        self.repository.as_ref()
    }

    /// True if a sandbox has this name.
    pub fn has(&self, name: &SandboxId) -> bool {
        self.entries.iter().any(|entry| entry.name == *name)
    }

    /// The sandbox of a repository that the person worked on last.
    pub fn of_repository(&self, repository: &Belonging) -> Option<&SandboxId> {
        self.entries.iter().find(|entry| self.belongs(entry, repository)).map(|entry| &entry.name)
    }

    /// The same names, those of this repository first, in an order that is the same otherwise.
    pub fn own_first(&self, mut names: Vec<SandboxId>) -> Vec<SandboxId> {
        names.sort_by_key(|name| self.elsewhere(name).is_some());
        names
    }

    /// The sandboxes of this repository among `names`, the one that the folder names first. Outside of any, all of them.
    pub fn of_here(&self, names: &[SandboxId]) -> Vec<SandboxId> {
        let found = self.found().map(|choice| choice.name);
        let is_here = |name: &&SandboxId| self.elsewhere(name).is_none();
        let mut here: Vec<SandboxId> = names.iter().filter(is_here).cloned().collect();
        here.sort_by_key(|name| Some(name) != found.as_ref());
        here
    }

    /// The other repository that a sandbox belongs to, in a person's words: `of another repository: /home/ada/project`.
    pub fn elsewhere(&self, name: &SandboxId) -> Option<String> {
        let here = self.repository.as_ref()?;
        let entry = self.entry(name)?;
        let own = entry.repository.as_ref()?;
        let is_other = !self.belongs(entry, here) && !self.moved.contains(name);
        is_other.then(|| match own.git_dir == here.git_dir {
            true => format!("of another repository that was at {} before", shown(own)),
            false => format!("of another repository: {}", shown(own)),
        })
    }

    /// True if a sandbox was not made from the repository here, but from another one or from none.
    pub fn is_strange(&self, name: &SandboxId) -> bool {
        let belongs = |here| self.entry(name).is_some_and(|entry| self.belongs(entry, here));
        !self.repository.as_ref().is_some_and(belongs)
    }

    /// The sandbox's name, and whose it is if that is another repository, or one that is gone.
    pub fn heading(&self, name: &SandboxId) -> String {
        let own = self.entry(name).and_then(|entry| entry.repository.as_ref());
        match (self.elsewhere(name), own) {
            (Some(of), _) => format!("{name}, {of}"),
            (None, Some(own)) if self.moved.contains(name) => {
                format!("{name}, made from {}, which is gone", shown(own))
            }
            (None, _) => name.to_string(),
        }
    }

    pub(super) fn entry(&self, name: &SandboxId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == *name)
    }

    /// Whether a sandbox was made from this repository.
    pub(super) fn belongs(&self, entry: &Entry, repository: &Belonging) -> bool {
        entry.repository.as_ref().is_some_and(|own| own.git_dir == repository.git_dir)
            && !self.replaced.contains(&entry.name)
    }
}
