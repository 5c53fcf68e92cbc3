//! Which sandbox a command is for: the one that was named, else the one of the repository in the current folder.

use std::path::Path;

use gate::id::SandboxId;
use host::settings::Belonging;

use crate::approve::Talk;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::home::{Entry, Home};
use crate::remote;
use crate::screen;
use crate::terminal::Terminal;

/// A sandbox, and why it is this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The sandbox.
    pub name: SandboxId,
    /// Why.
    pub why: Why,
}

/// Why a command is for a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The person named it.
    Named,
    /// The person named it, and stands in another repository.
    NamedElsewhere(Belonging),
    /// It is the last used of those that belong to the repository in the current folder, or of those that belong to none, outside of
    /// any. The others.
    Found(Vec<SandboxId>),
    /// None was made from the repository in the current folder, which has the first commit of the one that it was made from, and that is
    /// gone.
    Moved,
}

/// Where a person stands: the repository around the current folder, and all sandboxes.
#[derive(Debug)]
pub struct Standing {
    repository: Option<Belonging>,
    entries: Vec<Entry>,
    /// The sandboxes of another repository that stood here before.
    replaced: Vec<SandboxId>,
    /// The sandboxes whose repository stands nowhere now, and may have been moved here: this one has its first commit.
    moved: Vec<SandboxId>,
    /// The sandboxes of this repository that began with a commit which it does not have any more.
    rewritten: Vec<SandboxId>,
    /// True if `GIT_DIR` names the repository, and not the folder.
    is_by_variable: bool,
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
            rewritten: Vec::new(),
            is_by_variable: false,
        };
        let Some(here) = &standing.repository else { return Ok(standing) };
        for entry in &standing.entries {
            let Some(own) = &entry.repository else { continue };
            let Some(root) = &own.root else { continue };
            if own.git_dir == here.git_dir {
                let lacks = |commit: &str| remote::has_commit(&here.git_dir, commit) == Some(false);
                if lacks(root) {
                    standing.replaced.push(entry.name.clone());
                } else if own.tip.as_deref().is_some_and(lacks) {
                    standing.rewritten.push(entry.name.clone());
                }
            } else if !own.git_dir.exists() && remote::has_commit(&here.git_dir, root) == Some(true) {
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

    /// The sandbox of a repository that was used last.
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

    /// The other repository that a sandbox belongs to, in a person's words.
    pub fn elsewhere(&self, name: &SandboxId) -> Option<String> {
        let here = self.repository.as_ref()?;
        let entry = self.entry(name)?;
        let own = entry.repository.as_ref()?;
        let is_other = !self.belongs(entry, here) && !self.moved.contains(name);
        is_other.then(|| if own.git_dir == here.git_dir { format!("{}, before", shown(own)) } else { shown(own) })
    }

    /// The sandbox's name, and whose it is if that is another repository.
    pub fn heading(&self, name: &SandboxId) -> String {
        match self.elsewhere(name) {
            Some(of) => format!("{name}, of another repository: {of}"),
            None => name.to_string(),
        }
    }

    fn entry(&self, name: &SandboxId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == *name)
    }

    /// Whether a sandbox was made from this repository.
    fn belongs(&self, entry: &Entry, repository: &Belonging) -> bool {
        entry.repository.as_ref().is_some_and(|own| own.git_dir == repository.git_dir)
            && !self.replaced.contains(&entry.name)
    }

    /// The sandbox that the person named.
    pub fn named(&self, name: SandboxId) -> Choice {
        let why = match (&self.repository, self.elsewhere(&name)) {
            (Some(here), Some(_)) => Why::NamedElsewhere(here.clone()),
            _ => Why::Named,
        };
        Choice { name, why }
    }

    /// The sandbox that the folder names, if it names one. In a linked worktree, those that were made from it come first. If none was made
    /// from this repository, one whose repository was moved here.
    pub fn found(&self) -> Option<Choice> {
        let fits = |entry: &&Entry| match (&self.repository, &entry.repository) {
            (Some(here), Some(_)) => self.belongs(entry, here),
            (None, None) => true,
            _ => false,
        };
        let mut fitting: Vec<&Entry> = self.entries.iter().filter(fits).collect();
        if let Some(here) = &self.repository {
            let is_same = |entry: &&Entry| entry.repository.as_ref().is_some_and(|own| own.worktree == here.worktree);
            fitting.sort_by_key(|entry| !is_same(entry));
        }
        let mut names = fitting.iter().map(|entry| entry.name.clone());
        match names.next() {
            Some(name) => Some(Choice { name, why: Why::Found(names.collect()) }),
            None => Some(Choice { name: self.moved.first()?.clone(), why: Why::Moved }),
        }
    }

    /// The sandbox that is named, else found.
    ///
    /// # Errors
    /// If none is named or found. The hint says what there is.
    pub fn choose(&self, named: Option<SandboxId>) -> Result<Choice> {
        match named {
            Some(name) => Ok(self.named(name)),
            None => self.found().ok_or_else(|| self.nothing()),
        }
    }

    /// What a person has to know of the choice before they see anything of the sandbox, a sentence each. Nothing if the folder says it all.
    pub fn words(&self, choice: &Choice) -> Vec<String> {
        let name = &choice.name;
        let own = self.entry(name).and_then(|entry| entry.repository.as_ref());
        let mut words = Vec::new();
        match (&choice.why, own) {
            (Why::NamedElsewhere(here), Some(own)) if own.git_dir == here.git_dir => {
                words.push(format!("sandbox {name} {}", self.replaced_words(own)));
            }
            (Why::NamedElsewhere(here), Some(own)) => {
                words.push(format!("sandbox {name} belongs to {}, not to {}", shown(own), shown(here)));
            }
            (Why::Found(others), _) if !others.is_empty() => {
                let others = others.iter().map(SandboxId::as_str).collect::<Vec<_>>().join(", ");
                words.push(format!("sandbox {name}, which was used last; -s names another: {others}"));
            }
            _ => {}
        }
        if let (Some(own), true) = (own, self.moved.contains(name)) {
            words.push(format!(
                "sandbox {name} was made from {}, which is gone, and this repository has its first commit. If you moved it: \
                 `gitgate -s {name} push --to .#BRANCH` pushes here, and `gitgate -s {name} pull --from .` brings in what is new here",
                shown(own)
            ));
        }
        if let (Some(here), true) = (&self.repository, self.is_by_variable) {
            words.push(format!("GIT_DIR names the repository {}", shown(here)));
        }
        if let (Some(tip), true) = (own.and_then(|own| own.tip.as_deref()), self.rewritten.contains(name)) {
            words.push(format!(
                "sandbox {name} began with the commit {}, which this repository does not have any more: its history was rewritten, or it is \
                 another one",
                short(tip)
            ));
        }
        if let (Why::Found(_), Some(own), Some(here)) = (&choice.why, own, &self.repository)
            && own.git_dir == here.git_dir
            && let (Some(its), Some(this)) = (&own.worktree, &here.worktree)
            && its != this
        {
            words.push(format!("sandbox {name} was made from {}, not from this worktree", shown(own)));
        }
        words
    }

    fn replaced_words(&self, own: &Belonging) -> String {
        format!(
            "was made from another repository that was at {} before, or from another history of it: its first commit, {}, is not here",
            shown(own),
            short(own.root.as_deref().unwrap_or_default())
        )
    }

    fn nothing(&self) -> HostError {
        let names: Vec<&str> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
        let there = match names.as_slice() {
            [] => String::new(),
            names => format!(", or name one with -s: {}", names.join(", ")),
        };
        match &self.repository {
            Some(here) => {
                let place = shown(here);
                let replaced =
                    self.replaced.iter().find_map(|name| Some((name, self.entry(name)?.repository.as_ref()?)));
                let replaced = replaced.map(|(name, own)| format!("; the sandbox {name} {}", self.replaced_words(own)));
                let what = format!("no sandbox belongs to the repository {place}{}", replaced.unwrap_or_default());
                HostError::new(ErrorKind::NoSuchSandbox, what).hint(format!("make one with `gitgate new`{there}"))
            }
            None if names.is_empty() => HostError::new(ErrorKind::NoSuchSandbox, "there is no sandbox")
                .hint("run `gitgate new` in a repository, or `gitgate new --empty`"),
            None => HostError::new(ErrorKind::NoSuchSandbox, "this folder is in no repository, so it names no sandbox")
                .hint(format!("go to the repository of one{there}")),
        }
    }
}

/// Digits of a commit's name that a person sees.
const SHORT: usize = 8;

fn short(commit: &str) -> &str {
    commit.get(..SHORT).unwrap_or(commit)
}

/// What a person calls a repository: its worktree, else its git folder.
pub fn place(repository: &Belonging) -> &Path {
    repository.worktree.as_deref().unwrap_or(&repository.git_dir)
}

/// The same on a screen.
fn shown(repository: &Belonging) -> String {
    screen::line(&place(repository).display().to_string())
}

impl Standing {
    /// Asks whether a sandbox is meant that belongs elsewhere, and that the person has not typed. Tells whose it is only to whom it asks: the
    /// error says the same to everybody else. Nothing is asked about any other.
    ///
    /// # Errors
    /// If the person does not mean it, or nobody can be asked.
    pub fn ensure_meant(&self, choice: &Choice, acts: &str, tell: impl FnOnce()) -> anyhow::Result<()> {
        let name = &choice.name;
        let (what, hint) = match (&choice.why, self.entry(name).and_then(|entry| entry.repository.as_ref())) {
            (Why::NamedElsewhere(here), _) => (
                format!("GITGATE_SANDBOX names {name}, which does not belong to {}", shown(here)),
                format!("say -s {name} if you mean it, or unset GITGATE_SANDBOX"),
            ),
            (Why::Moved, Some(own)) => (
                format!("the sandbox {name} was made from {}, which is gone", shown(own)),
                format!("say -s {name} if this repository is the same, or make another sandbox with `gitgate new`"),
            ),
            _ => {
                tell();
                return Ok(());
            }
        };
        let Some(mut terminal) = Terminal::open() else {
            return Err(HostError::new(ErrorKind::Refused, what).hint(hint).into());
        };
        tell();
        let prompt = format!("{acts} the sandbox {name} all the same? [y]es [n]o ");
        match terminal.press(&prompt).doing("write to", Path::new("/dev/tty"))?.as_deref() {
            Some("y" | "yes") => Ok(()),
            _ => Err(HostError::new(ErrorKind::NotApproved, what).hint(hint).into()),
        }
    }
}

/// The name for a sandbox that is made from `folder`: that of the folder, as far as a sandbox can have it, and with a number if another
/// sandbox has it.
pub fn name_of(folder: &str, is_taken: impl Fn(&SandboxId) -> bool) -> SandboxId {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let text: String = folder.chars().map(|c| if allowed(c) { c } else { '-' }).collect();
    let text = text.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let text: String = text.chars().take(LONGEST).collect();
    let base = if text.parse::<SandboxId>().is_ok() { text } else { "sandbox".to_owned() };
    let numbered = |number: u32| if number == 1 { base.clone() } else { format!("{base}-{number}") };
    let mut names = (1..).map(|number| numbered(number).parse().expect("a name is one with a number, too"));
    names.find(|name| !is_taken(name)).expect("there are more numbers than sandboxes")
}

/// Characters of a name that is made, so that a number still fits.
const LONGEST: usize = 56;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_is_called_like_its_folder() {
        let name = |folder: &str| name_of(folder, |name| name.as_str() == "taken").to_string();
        assert_eq!(name("project"), "project");
        assert_eq!(name("taken"), "taken-2");
        assert_eq!(name(".dotfiles"), "dotfiles");
        assert_eq!(name("my project (1)"), "my-project--1-");
        for odd in ["", "...", "con", "\u{e9}\u{e9}"] {
            assert_eq!(name(odd), "sandbox", "{odd}");
        }
        assert_eq!(name(&"x".repeat(300)).len(), LONGEST);
    }
}
