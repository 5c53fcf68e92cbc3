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
}

/// Where a person stands: the repository around the current folder, and all sandboxes.
#[derive(Debug)]
pub struct Standing {
    repository: Option<Belonging>,
    entries: Vec<Entry>,
}

impl Standing {
    /// As it is in `folder`.
    ///
    /// # Errors
    /// If the folder or the home cannot be read.
    pub fn of(home: &Home, folder: &Path) -> anyhow::Result<Self> {
        Ok(Standing { repository: remote::here(folder)?, entries: home.entries()? })
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
        let belongs = |entry: &&Entry| entry.repository.as_ref().is_some_and(|own| own.git_dir == repository.git_dir);
        self.entries.iter().find(belongs).map(|entry| &entry.name)
    }

    /// The sandboxes of the repository first, in an order that is the same otherwise.
    pub fn own_first(&self, mut names: Vec<SandboxId>) -> Vec<SandboxId> {
        names.sort_by_key(|name| self.elsewhere(name).is_some());
        names
    }

    /// The other repository that a sandbox belongs to, in a person's words.
    pub fn elsewhere(&self, name: &SandboxId) -> Option<String> {
        let here = self.repository.as_ref()?;
        let own = self.entries.iter().find(|entry| entry.name == *name)?.repository.as_ref()?;
        (own.git_dir != here.git_dir).then(|| shown(own))
    }

    /// The sandbox that the person named.
    pub fn named(&self, name: SandboxId) -> Choice {
        let own = self.entries.iter().find(|entry| entry.name == name).and_then(|entry| entry.repository.as_ref());
        let why = match (&self.repository, own) {
            (Some(here), Some(own)) if own.git_dir != here.git_dir => Why::NamedElsewhere(here.clone()),
            _ => Why::Named,
        };
        Choice { name, why }
    }

    /// The sandbox that the folder names, if it names one. In a linked worktree, those that were made from it come first.
    pub fn found(&self) -> Option<Choice> {
        let fits = |entry: &&Entry| match (&self.repository, &entry.repository) {
            (Some(here), Some(own)) => own.git_dir == here.git_dir,
            (None, None) => true,
            _ => false,
        };
        let mut fitting: Vec<&Entry> = self.entries.iter().filter(fits).collect();
        if let Some(here) = &self.repository {
            let is_same = |entry: &&Entry| entry.repository.as_ref().is_some_and(|own| own.worktree == here.worktree);
            fitting.sort_by_key(|entry| !is_same(entry));
        }
        let (first, others) = fitting.split_first()?;
        let others = others.iter().map(|entry| entry.name.clone()).collect();
        Some(Choice { name: first.name.clone(), why: Why::Found(others) })
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

    /// What a person has to know of the choice before they see anything of the sandbox. `None` if the folder says it all.
    pub fn words(&self, choice: &Choice) -> Option<String> {
        let name = &choice.name;
        match &choice.why {
            Why::Named => None,
            Why::NamedElsewhere(here) => {
                let own = self.entries.iter().find(|entry| entry.name == *name)?.repository.as_ref()?;
                Some(format!("sandbox {name} belongs to {}, not to {}", shown(own), shown(here)))
            }
            Why::Found(others) if others.is_empty() => None,
            Why::Found(others) => {
                let others = others.iter().map(SandboxId::as_str).collect::<Vec<_>>().join(", ");
                Some(format!("sandbox {name}, which was used last; -s names another: {others}"))
            }
        }
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
                HostError::new(ErrorKind::NoSuchSandbox, format!("no sandbox belongs to the repository {place}"))
                    .hint(format!("make one with `gitgate new`{there}"))
            }
            None if names.is_empty() => HostError::new(ErrorKind::NoSuchSandbox, "there is no sandbox")
                .hint("run `gitgate new` in a repository, or `gitgate new --empty`"),
            None => HostError::new(ErrorKind::NoSuchSandbox, "this folder is in no repository, so it names no sandbox")
                .hint(format!("go to the repository of one{there}")),
        }
    }
}

/// What a person calls a repository: its worktree, else its git folder.
pub fn place(repository: &Belonging) -> &Path {
    repository.worktree.as_deref().unwrap_or(&repository.git_dir)
}

/// The same on a screen.
fn shown(repository: &Belonging) -> String {
    screen::line(&place(repository).display().to_string())
}

/// Asks whether the sandbox `name` is meant, where the person stands in the repository `here`. Tells whose it is only to whom it asks: the
/// error says the same to everybody else.
///
/// # Errors
/// If the person does not mean it, or nobody can be asked.
pub fn ensure_meant(name: &SandboxId, here: &Belonging, acts: &str, tell: impl FnOnce()) -> anyhow::Result<()> {
    let what = format!("GITGATE_SANDBOX names {name}, which does not belong to {}", shown(here));
    let hint = format!("say -s {name} if you mean it, or unset GITGATE_SANDBOX");
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
