//! Which sandbox a command is for: the one that was named, else the one of the repository in the current folder.

use std::path::Path;

use gate::id::SandboxId;
use host::settings::Belonging;

use super::standing::Standing;
use crate::approve::Talk;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::home::Entry;
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
    /// It was made from the repository in the current folder when that had no commit, or from another one that stood here then.
    Grown,
}

impl Standing {
    /// The sandbox that the person named.
    pub fn named(&self, name: SandboxId) -> Choice {
        let is_of_none = self.entry(&name).is_some_and(|entry| entry.repository.is_none());
        let why = match &self.repository {
            Some(here) if is_of_none || self.elsewhere(&name).is_some() => Why::NamedElsewhere(here.clone()),
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
            Some(name) if self.grown.contains(&name) => Some(Choice { name, why: Why::Grown }),
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
            (Why::Found(others), None) if self.repository.is_none() && others.is_empty() => {
                words.push(format!("sandbox {name}, which belongs to no repository"));
            }
            (Why::Found(others), _) if !others.is_empty() => {
                let others = others.iter().map(SandboxId::as_str).collect::<Vec<_>>().join(", ");
                words.push(format!("sandbox {name}, the one you worked on last; -s names another: {others}"));
            }
            _ => {}
        }
        if let (Some(own), true) = (own, self.moved.contains(name)) {
            words.push(format!(
                "sandbox {name} was made from {}, which is gone, and this repository has its first commit. If you moved it: \
                 `gitgate -s {name} push --to .#BRANCH` pushes here, and `gitgate -s {name} pull --from .` brings in what is new here",
                shown(own)
            ));
            let others: Vec<&str> = self.moved.iter().filter(|other| *other != name).map(SandboxId::as_str).collect();
            if !others.is_empty() {
                words.push(format!("so do other sandboxes whose repository is gone: {}", others.join(", ")));
            }
        }
        if self.grown.contains(name) {
            words.push(format!("sandbox {name} {GROWN}"));
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
            (Why::Grown, _) => (
                format!("the sandbox {name} {GROWN}"),
                format!("say -s {name} if it is the same, or make another sandbox with `gitgate -s NAME new`"),
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
            _ => Err(HostError::new(ErrorKind::NotApproved, "nothing was done").hint(hint).into()),
        }
    }
}

/// What is not known of a sandbox that was made from a repository without a commit.
const GROWN: &str =
    "was made from a repository without a commit at this place, which has commits by now: it may be another one";

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
pub(super) fn shown(repository: &Belonging) -> String {
    screen::line(&place(repository).display().to_string())
}
