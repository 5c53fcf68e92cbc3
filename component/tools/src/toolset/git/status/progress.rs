//! Describes an operation in progress, as `git status` does for people: its state, and how to continue.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};

use super::human::{NOTHING, Page};
use crate::error::ToolError;
use crate::git::change::operation::{Rebase, read};
use crate::git::store::abbrev::Abbrev;
use crate::git::store::repo::{Head, Repo};

/// How many done and how many remaining commands of a rebase to show.
const COMMANDS: usize = 2;

impl Page<'_> {
    pub(super) fn operations(&mut self, repo: &Repo) -> Result<(), ToolError> {
        if self.operations.merge {
            if matches!(self.operations.rebase, Some(Rebase::Commits { interactive: true, .. })) {
                self.commands(repo)?;
                self.line("");
            }
            self.merge();
        } else if let Some(Rebase::Mails { is_empty }) = self.operations.rebase {
            self.mails(is_empty);
        } else if self.operations.rebase.is_some() {
            self.rebase(repo)?;
        } else if let Some(id) = self.operations.cherry_pick {
            self.sequence(repo, id, "Cherry-pick", "cherry-picking", "cherry-pick")?;
        } else if let Some(id) = self.operations.revert {
            self.sequence(repo, id, "Revert", "reverting", "revert")?;
        }
        if let Some(from) = &self.operations.bisect {
            match from.clone() {
                Some(from) => self.pieces(&[b"You are currently bisecting, started from branch '", &from, b"'."]),
                None => self.line("You are currently bisecting."),
            }
            self.line("  (use \"git bisect reset\" to get back to the original branch)");
            self.line("");
        }
        Ok(())
    }

    fn merge(&mut self) {
        if self.has_unmerged() {
            self.line("You have unmerged paths.");
            self.line("  (fix conflicts and run \"git commit\")");
            self.line("  (use \"git merge --abort\" to abort the merge)");
        } else {
            self.line("All conflicts fixed but you are still merging.");
            self.line("  (use \"git commit\" to conclude merge)");
        }
        self.line("");
    }

    fn mails(&mut self, is_empty: bool) {
        self.line("You are in the middle of an am session.");
        if is_empty {
            self.line("The current patch is empty.");
        } else {
            self.line("  (fix conflicts and then run \"git am --continue\")");
        }
        self.line("  (use \"git am --skip\" to skip this patch)");
        if is_empty {
            self.line("  (use \"git am --allow-empty\" to record this patch as an empty commit)");
        }
        self.line("  (use \"git am --abort\" to restore the original branch)");
        self.line("");
    }

    fn rebase(&mut self, repo: &Repo) -> Result<(), ToolError> {
        let Some(Rebase::Commits { interactive, branch, onto }) = &self.operations.rebase else { return Ok(()) };
        let interactive = *interactive;
        let onto = onto.clone().unwrap_or_else(|| NOTHING.into());
        let branch = branch.clone();
        if interactive {
            self.commands(repo)?;
        }
        let doing = |page: &mut Self, what: &str, alone: &str| match &branch {
            Some(branch) => {
                page.pieces(&[
                    format!("You are currently {what} branch '").as_bytes(),
                    branch,
                    b"' on '",
                    &onto,
                    b"'.",
                ]);
            }
            None => page.line(&format!("You are currently {alone}.")),
        };
        if self.has_unmerged() {
            doing(self, "rebasing", "rebasing");
            self.line("  (fix conflicts and then run \"git rebase --continue\")");
            self.line("  (use \"git rebase --skip\" to skip this patch)");
            self.line("  (use \"git rebase --abort\" to check out the original branch)");
        } else if !interactive || read(repo, "MERGE_MSG")?.is_some() {
            doing(self, "rebasing", "rebasing");
            self.line("  (all conflicts fixed: run \"git rebase --continue\")");
        } else if self.is_splitting(repo)? {
            doing(self, "splitting a commit while rebasing", "splitting a commit during a rebase");
            self.line("  (Once your working directory is clean, run \"git rebase --continue\")");
        } else {
            doing(self, "editing a commit while rebasing", "editing a commit during a rebase");
            self.line("  (use \"git commit --amend\" to amend the current commit)");
            self.line("  (use \"git rebase --continue\" once you are satisfied with your changes)");
        }
        self.line("");
        Ok(())
    }

    /// The commands of an interactive rebase: the last done ones and the next ones.
    fn commands(&mut self, repo: &Repo) -> Result<(), ToolError> {
        let done = list(repo, "rebase-merge/done")?.unwrap_or_default();
        let to_do = list(repo, "rebase-merge/git-rebase-todo")?;
        if to_do.is_none() {
            self.line("git-rebase-todo is missing.");
        }
        let to_do = to_do.unwrap_or_default();
        match done.len() {
            0 => self.line("No commands done."),
            1 => self.line("Last command done (1 command done):"),
            count => self.line(&format!("Last commands done ({count} commands done):")),
        }
        for command in &done[done.len().saturating_sub(COMMANDS)..] {
            self.pieces(&[b"   ", &shortened(repo, command)?]);
        }
        if done.len() > COMMANDS {
            self.line("  (see more in file .git/rebase-merge/done)");
        }
        match to_do.len() {
            0 => self.line("No commands remaining."),
            1 => self.line("Next command to do (1 remaining command):"),
            count => self.line(&format!("Next commands to do ({count} remaining commands):")),
        }
        for command in to_do.iter().take(COMMANDS) {
            self.pieces(&[b"   ", &shortened(repo, command)?]);
        }
        if !to_do.is_empty() {
            self.line("  (use \"git rebase --edit-todo\" to view and edit)");
        }
        Ok(())
    }

    /// Whether the user is splitting the commit that a rebase edits, so HEAD is no longer that commit.
    fn is_splitting(&self, repo: &Repo) -> Result<bool, ToolError> {
        let Head::Detached { id: head } = &self.status.head else { return Ok(false) };
        if self.status.unstaged.is_empty() {
            return Ok(false);
        }
        let line = |name: &str| -> Result<Option<BString>, ToolError> {
            let content = read(repo, name)?;
            Ok(content.and_then(|content| content.lines().next().map(BString::from)))
        };
        let (original, amended) = (line("rebase-merge/orig-head")?, line("rebase-merge/amend")?);
        let before = line("ORIG_HEAD")?.and_then(|id| ObjectId::from_hex(&id).ok());
        Ok(match (before, original, amended) {
            (Some(_), Some(original), Some(amended)) if original == amended => {
                head.to_string() != amended.to_str_lossy()
            }
            (Some(before), Some(original), Some(_)) => before.to_string() != original.to_str_lossy(),
            _ => false,
        })
    }

    fn sequence(
        &mut self,
        repo: &Repo,
        id: Option<ObjectId>,
        name: &str,
        doing: &str,
        command: &str,
    ) -> Result<(), ToolError> {
        match id {
            Some(id) => {
                let short = Abbrev::of(repo)?.short(&id)?;
                self.line(&format!("You are currently {doing} commit {short}."));
            }
            None => self.line(&format!("{name} currently in progress.")),
        }
        match (self.has_unmerged(), id) {
            (true, _) => self.line(&format!("  (fix conflicts and run \"git {command} --continue\")")),
            (false, None) => self.line(&format!("  (run \"git {command} --continue\" to continue)")),
            (false, Some(_)) => self.line(&format!("  (all conflicts fixed: run \"git {command} --continue\")")),
        }
        self.line(&format!("  (use \"git {command} --skip\" to skip this patch)"));
        self.line(&format!("  (use \"git {command} --abort\" to cancel the {command} operation)"));
        self.line("");
        Ok(())
    }
}

/// The commands in a file of a rebase, if the file exists.
fn list(repo: &Repo, file: &str) -> Result<Option<Vec<BString>>, ToolError> {
    let content = read(repo, file)?;
    Ok(content.map(|content| {
        let lines = content.lines().filter(|line| !line.starts_with(b"#")).map(|line| line.trim_ascii());
        lines.filter(|line| !line.is_empty()).map(BString::from).collect()
    }))
}

/// The command with a short commit id.
fn shortened(repo: &Repo, command: &BString) -> Result<BString, ToolError> {
    let mut words = command.splitn(3, |byte| *byte == b' ');
    let (Some(name), Some(commit)) = (words.next(), words.next()) else { return Ok(command.clone()) };
    if matches!(name, b"exec" | b"x" | b"label" | b"l") {
        return Ok(command.clone());
    }
    let found = repo.gix.rev_parse_single(commit.trim_ascii().as_bstr());
    let Ok(id) = found else { return Ok(command.clone()) };
    let short = Abbrev::of(repo)?.short(&id.detach())?;
    let mut shortened = BString::from(name);
    shortened.extend_from_slice(format!(" {short} ").as_bytes());
    shortened.extend_from_slice(words.next().unwrap_or_default());
    Ok(shortened)
}
