//! What a person is asked about: a call, or what would leave the sandbox.

use gate::approval::Proposal;
use gate::review::{Flag, KEYS, Screen, in_rows, one_row, quoted};

use super::CallRequest;
use super::hunk::Hunk;
use super::walk::File;
use crate::screen;

/// What the prompt asks about.
pub(super) trait Subject {
    /// The question, with a summary.
    fn question(&self, screen: &Screen) -> String;
    /// Every detail.
    fn whole(&self) -> String;
    /// Every warning, the most severe first, if there is any.
    fn warnings(&self) -> String {
        String::new()
    }
    /// The protected branch that it goes to, if it does.
    fn protected(&self) -> Option<&str> {
        None
    }
    /// The files, and the message of the last commit, if they can be edited.
    fn edited(&self) -> Option<(Vec<File>, String)> {
        None
    }
}

impl Subject for Proposal {
    fn question(&self, screen: &Screen) -> String {
        self.review().prompt_box(screen)
    }

    fn whole(&self) -> String {
        self.review().whole()
    }

    fn warnings(&self) -> String {
        self.review().warnings()
    }

    fn protected(&self) -> Option<&str> {
        let is_protected = |flag: &Flag| matches!(flag, Flag::ProtectedBranch { .. });
        let review = self.review();
        // A branch that is made has nobody's work on it, and neither has a bundle's.
        let protected = review.flags.iter().any(is_protected) && !review.new_branch;
        protected.then(|| review.reference.branch())
    }

    fn edited(&self) -> Option<(Vec<File>, String)> {
        let review = self.review();
        // A file that moved is two here, because an edit counts hunks by path.
        let files = review.files.iter().map(|file| {
            let (head, hunks) = file.parts();
            let hunks = hunks.into_iter().filter_map(Hunk::read).collect();
            let shown = file.shown_path();
            let summary = one_row(&file.line().replacen(&shown, &quoted(&shown), 1), SUMMARY);
            File { path: file.path.to_string(), summary, head: head.to_owned(), hunks }
        });
        let message = review.commits.last().map_or_else(String::new, |commit| commit.message.clone());
        Some((files.collect(), message))
    }
}

impl Subject for CallRequest {
    fn question(&self, screen: &Screen) -> String {
        let summary = in_rows(usize::MAX, &format!("{}: ", screen::line(&self.tool)), &self.summary, screen.columns);
        let rows: Vec<&str> = summary.lines().collect();
        let shown = rows[..rows.len().min(ROWS)].join("\n");
        let more = match rows.len().saturating_sub(ROWS) {
            0 => String::new(),
            more => format!("\n… and {more} more rows, which d shows"),
        };
        format!("{shown}{more}\n{KEYS}\n")
    }

    fn whole(&self) -> String {
        if self.detail.is_empty() { format!("{}\n", self.summary) } else { self.detail.clone() }
    }
}

/// Rows of a call in the question about it; all of it is a key away.
pub(super) const ROWS: usize = 6;
/// Columns of a file's name and what happened to it, in the question about it.
const SUMMARY: usize = 50;
