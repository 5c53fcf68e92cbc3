//! Formats `git status` for people.

use gix::bstr::{BStr, BString, ByteSlice};
use patch::quote::quote_path;

use super::collect::Status;
use crate::error::ToolError;
use crate::git::change::operation::{Operations, Rebase};
use crate::git::history::detached_head;
use crate::git::store::refs::Refs;
use crate::git::store::repo::{Head, Repo};
use crate::git::worktree::changes::Change;

/// Width of the label before a path.
const LABEL: usize = 12;
/// Width of the label before an unmerged path.
const UNMERGED_LABEL: usize = 17;

/// git's text if the state of a rebase does not name its base.
pub const NOTHING: &str = "(null)";

/// The whole output. Its paths are relative to `prefix`, which is relative to the root.
pub fn text(refs: &Refs<'_>, status: &Status, untracked: bool, prefix: &str) -> Result<Vec<u8>, ToolError> {
    let repo = refs.repo;
    let operations = Operations::of(repo)?;
    let mut page = Page { status, prefix, operations, out: Vec::new() };
    page.head(refs)?;
    page.upstream();
    page.operations(repo)?;
    page.sparse(repo);
    if page.is_initial() {
        page.line("");
        page.line("No commits yet");
        page.line("");
    }
    page.staged();
    page.unmerged();
    page.unstaged();
    if untracked {
        page.untracked();
    } else if page.is_committable() {
        page.line("Untracked files not listed (use -u option to show untracked files)");
    }
    page.conclusion(untracked);
    Ok(page.out)
}

/// The output written so far.
pub(super) struct Page<'a> {
    pub(super) status: &'a Status,
    prefix: &'a str,
    pub(super) operations: Operations,
    out: Vec<u8>,
}

impl Page<'_> {
    pub(super) fn line(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    pub(super) fn pieces(&mut self, pieces: &[&[u8]]) {
        for piece in pieces {
            self.out.extend_from_slice(piece);
        }
        self.out.push(b'\n');
    }

    fn is_initial(&self) -> bool {
        matches!(self.status.head, Head::Unborn { .. })
    }

    pub(super) fn has_unmerged(&self) -> bool {
        self.status.unmerged().next().is_some()
    }

    fn is_committable(&self) -> bool {
        let concludes = self.operations.merge && !self.has_unmerged();
        // Before the first commit git counts an unmerged path as something to commit.
        let begins = self.is_initial() && self.has_unmerged();
        concludes || begins || self.status.merged_staged().next().is_some()
    }

    fn head(&mut self, refs: &Refs<'_>) -> Result<(), ToolError> {
        match &self.status.head {
            Head::Branch { name, .. } | Head::Unborn { name } => {
                let short = name.strip_prefix(b"refs/heads/").unwrap_or(name);
                self.pieces(&[b"On branch ", short]);
            }
            Head::Detached { .. } if self.rebase_head() => {}
            Head::Detached { id } => match detached_head::origin(refs, *id)? {
                Some(origin) if origin.at => self.pieces(&[b"HEAD detached at ", &origin.from]),
                Some(origin) => self.pieces(&[b"HEAD detached from ", &origin.from]),
                None => self.line("Not currently on any branch."),
            },
        }
        Ok(())
    }

    /// Writes the base of a rebase that has detached HEAD. Returns false without such a rebase.
    fn rebase_head(&mut self) -> bool {
        let Some(Rebase::Commits { interactive, onto, .. }) = &self.operations.rebase else { return false };
        let onto = onto.clone().unwrap_or_else(|| NOTHING.into());
        let kind = if *interactive { "interactive rebase" } else { "rebase" };
        self.pieces(&[format!("{kind} in progress; onto ").as_bytes(), &onto]);
        true
    }

    fn upstream(&mut self) {
        if let Some(upstream) = self.status.upstream.as_ref().filter(|_| !self.is_initial()) {
            self.out.extend(upstream.told());
            self.line("");
        }
    }

    fn sparse(&mut self, repo: &Repo) {
        let config = repo.gix.config_snapshot();
        let is_sparse = config.boolean("core.sparseCheckout").unwrap_or(false);
        if is_sparse && self.status.entries > 0 {
            let percent = 100 - 100 * self.status.scan.skipped / self.status.entries;
            self.line(&format!("You are in a sparse checkout with {percent}% of tracked files present."));
            self.line("");
        }
    }

    /// Tells how to remove a path from the index.
    fn unstage_hint(&mut self) {
        match (self.is_initial(), self.operations.has_given_commit()) {
            (_, true) => {}
            (true, _) => self.line("  (use \"git rm --cached <file>...\" to unstage)"),
            (false, _) => self.line("  (use \"git restore --staged <file>...\" to unstage)"),
        }
    }

    fn staged(&mut self) {
        let status = self.status;
        if status.merged_staged().next().is_none() {
            return;
        }
        self.line("Changes to be committed:");
        self.unstage_hint();
        for change in status.merged_staged() {
            self.change(change);
        }
        self.line("");
    }

    fn unmerged(&mut self) {
        let status = self.status;
        if !self.has_unmerged() {
            return;
        }
        self.line("Unmerged paths:");
        self.unstage_hint();
        let any = |which: &[&str]| status.unmerged().any(|(_, letters)| which.contains(&letters));
        let (both_deleted, one_deleted) = (any(&["DD"]), any(&["UD", "DU"]));
        let others = any(&["AU", "UA", "AA", "UU"]);
        self.line(match (both_deleted, one_deleted, others) {
            (false, false, _) => "  (use \"git add <file>...\" to mark resolution)",
            (true, false, false) => "  (use \"git rm <file>...\" to mark resolution)",
            _ => "  (use \"git add/rm <file>...\" as appropriate to mark resolution)",
        });
        for (path, letters) in status.unmerged() {
            let label = match letters {
                "DD" => "both deleted:",
                "AU" => "added by us:",
                "UD" => "deleted by them:",
                "UA" => "added by them:",
                "DU" => "deleted by us:",
                "AA" => "both added:",
                _ => "both modified:",
            };
            let path = self.shown(path.as_bstr());
            self.pieces(&[format!("\t{label:UNMERGED_LABEL$}").as_bytes(), &path]);
        }
        self.line("");
    }

    fn unstaged(&mut self) {
        let status = self.status;
        if status.merged_unstaged().next().is_none() {
            return;
        }
        self.line("Changes not staged for commit:");
        let deleted = status.merged_unstaged().any(|change| change.letter() == 'D');
        let command = if deleted { "add/rm" } else { "add" };
        self.line(&format!("  (use \"git {command} <file>...\" to update what will be committed)"));
        self.line("  (use \"git restore <file>...\" to discard changes in working directory)");
        for change in status.merged_unstaged() {
            self.change(change);
        }
        self.line("");
    }

    fn change(&mut self, change: &Change) {
        let label = match change.letter() {
            'A' => "new file:",
            'D' => "deleted:",
            'R' => "renamed:",
            'T' => "typechange:",
            _ => "modified:",
        };
        let label = format!("\t{label:LABEL$}");
        let path = self.shown(change.path.as_bstr());
        match &change.from {
            Some(from) => {
                let from = self.shown(from.path.as_bstr());
                self.pieces(&[label.as_bytes(), &from, b" -> ", &path]);
            }
            None => self.pieces(&[label.as_bytes(), &path]),
        }
    }

    fn untracked(&mut self) {
        let status = self.status;
        if status.scan.untracked.is_empty() {
            return;
        }
        self.line("Untracked files:");
        self.line("  (use \"git add <file>...\" to include in what will be committed)");
        for path in &status.scan.untracked {
            let path = self.shown(path.as_bstr());
            self.pieces(&[b"\t", &path]);
        }
        self.line("");
    }

    fn conclusion(&mut self, untracked: bool) {
        if self.is_committable() {
            return;
        }
        let line = if !self.status.unstaged.is_empty() {
            "no changes added to commit (use \"git add\" and/or \"git commit -a\")"
        } else if !self.status.scan.untracked.is_empty() {
            "nothing added to commit but untracked files present (use \"git add\" to track)"
        } else if self.is_initial() {
            "nothing to commit (create/copy files and use \"git add\" to track)"
        } else if !untracked {
            "nothing to commit (use -u to show untracked files)"
        } else {
            "nothing to commit, working tree clean"
        };
        self.line(line);
    }

    fn shown(&self, path: &BStr) -> BString {
        quote_path(relative(path, self.prefix).as_bstr()).into_owned()
    }
}

/// `path` relative to the folder `prefix`. Both are relative to the root.
fn relative(path: &BStr, prefix: &str) -> BString {
    if prefix.is_empty() {
        return path.to_owned();
    }
    let mut up = prefix.split('/').peekable();
    let mut rest = path;
    while let Some(name) = up.peek() {
        let after = rest.strip_prefix(name.as_bytes());
        // A removed file may have had the folder's name.
        let below = after.and_then(|after| if after.is_empty() { Some(after) } else { after.strip_prefix(b"/") });
        let Some(below) = below else { break };
        rest = below.as_bstr();
        up.next();
    }
    let mut relative = BString::from("../".repeat(up.count()));
    relative.extend_from_slice(rest);
    if relative.is_empty() {
        relative.extend_from_slice(b"./");
    }
    relative
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_working_folder() {
        let seen = |path: &str, prefix: &str| relative(path.into(), prefix).to_string();
        assert_eq!(seen("a/b", ""), "a/b");
        assert_eq!(seen("a/b", "a"), "b");
        assert_eq!(seen("ab/c", "a"), "../ab/c");
        assert_eq!(seen("x", "a/b"), "../../x");
        assert_eq!(seen("a/", "a"), "./");
        assert_eq!(seen("a/", "a/b"), "../");
        assert_eq!(seen("a", "a"), "./");
        assert_eq!(seen("a", "a/b"), "../");
    }
}
