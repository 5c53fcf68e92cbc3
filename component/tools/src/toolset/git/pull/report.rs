//! The result of a pull, for a model and for programs.

use std::collections::BTreeMap;

use gix::bstr::ByteSlice;
use patch::quote::quote_path;
use serde::Serialize;

use super::GitPull;
use crate::budget::{Room, is_zero};
use crate::git::change::labels::LABELS;
use crate::output::Output;

/// The change of a file by a pull. The text shows its letter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FileStatus {
    /// The file is new.
    Added,
    /// The file changed.
    Modified,
    /// The file was deleted.
    Deleted,
    /// The file contains conflict markers.
    Conflict,
    /// The file is in conflict, without markers.
    Unmerged,
}

impl FileStatus {
    fn letter(self) -> char {
        match self {
            FileStatus::Added => 'A',
            FileStatus::Modified => 'M',
            FileStatus::Deleted => 'D',
            FileStatus::Conflict | FileStatus::Unmerged => 'C',
        }
    }

    /// The status of a file in conflict that now has `content`.
    pub fn of_conflict(content: &[u8]) -> FileStatus {
        let has_markers = content.contains_str([b"< ", LABELS.ours].concat());
        if has_markers { FileStatus::Conflict } else { FileStatus::Unmerged }
    }

    fn is_conflict(self) -> bool {
        matches!(self, FileStatus::Conflict | FileStatus::Unmerged)
    }
}

/// Maximum number of files that the text names. The structured result lists as many as fit.
const NAMED: usize = 50;

/// A staged commit that is staged no longer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Unstaged {
    /// The id that it had.
    pub id: String,
    /// Its message, for the next try.
    pub message: String,
}

/// The result of a pull.
#[derive(Debug, Default)]
pub struct Report {
    /// git's first lines: the source, and how the tracking ref moved.
    pub opening: String,
    /// The changed files, by the paths that file tools use.
    pub files: BTreeMap<String, FileStatus>,
    /// Whether commits came in.
    pub moved: bool,
    /// The number of wanted files that did not change.
    pub unchanged: usize,
    /// Conflicts that the files themselves do not show, a sentence each.
    pub notes: Vec<String>,
    /// Staged commits that do not apply to the new base.
    pub unstaged: Vec<Unstaged>,
    /// Staged commits whose changes came in.
    pub landed: Vec<Unstaged>,
    /// The source repository.
    pub target: String,
    /// Its branch.
    pub branch: String,
    /// The commit of the branch.
    pub commit: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Pulled {
    /// Files that are new, changed or in conflict.
    pulled: Vec<String>,
    /// Those of them that have to be resolved.
    conflicts: Vec<String>,
    /// Files that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deleted: Vec<String>,
    /// Paths that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    omitted: usize,
    /// Staged commits that are staged no longer, because they do not apply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unstaged: Vec<Unstaged>,
    /// Staged commits that are staged no longer, because the target has their changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    landed: Vec<Unstaged>,
    target: String,
    branch: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_sha: Option<String>,
    hint: String,
    /// The result has text that others may have written: data, not instructions.
    untrusted: bool,
}

impl Report {
    /// The tool's result. Conflicts come first, because somebody must resolve them.
    pub fn output(self, max_bytes: usize) -> Output {
        let list = |which: &dyn Fn(FileStatus) -> bool| -> Vec<String> {
            self.files.iter().filter(|(_, status)| which(**status)).map(|(path, _)| path.clone()).collect()
        };
        let mut conflicts = list(&FileStatus::is_conflict);
        let mut deleted = list(&|status| status == FileStatus::Deleted);
        let mut pulled = list(&|status| status != FileStatus::Deleted);
        let hint = self.hint(pulled.len(), conflicts.len(), deleted.len());
        let mut text = self.opening.clone();
        let conflicts_first = self.files.iter().filter(|(_, status)| status.is_conflict());
        let rest = self.files.iter().filter(|(_, status)| !status.is_conflict());
        for (path, status) in conflicts_first.chain(rest).take(NAMED) {
            // Quotes a name with a line feed, which would start a new line.
            text.push_str(&format!("{} {}\n", status.letter(), quote_path(path.as_str().into())));
        }
        if let Some(more) = self.files.len().checked_sub(NAMED).filter(|more| *more > 0) {
            text.push_str(&format!("... and {more} more\n"));
        }
        text.push_str(&hint);
        text.push('\n');
        let mut room = Room::new(max_bytes);
        let omitted = room.cut(&mut conflicts) + room.cut(&mut pulled) + room.cut(&mut deleted);
        let pulled = Pulled {
            pulled,
            conflicts,
            deleted,
            omitted,
            unstaged: self.unstaged,
            landed: self.landed,
            target: self.target,
            branch: self.branch,
            commit_sha: self.commit,
            hint,
            untrusted: true,
        };
        Output::new::<GitPull>(text, pulled).max_bytes(max_bytes)
    }

    fn hint(&self, pulled: usize, conflicts: usize, deleted: usize) -> String {
        let mut sentences = Vec::new();
        match (pulled, conflicts, deleted) {
            (0, _, 0) if self.moved => sentences.push("New commits came in, but no file changed.".to_owned()),
            (0, _, 0) if self.unchanged > 0 || self.unstaged.is_empty() => {
                sentences.push("Already up to date.".to_owned())
            }
            (0, _, 0) => {}
            (_, 0, _) => sentences.push(format!("Pulled {} file(s) successfully.", pulled + deleted)),
            (_, conflicts, _) => {
                let unmerged = self.files.values().filter(|status| **status == FileStatus::Unmerged).count();
                let what = match conflicts - unmerged {
                    0 => ".",
                    _ => {
                        ". Edit the text between the markers <<<<<<< and >>>>>>>, remove the markers, and stage the \
                         files with git_stage."
                    }
                };
                sentences.push(format!("Pulled {} file(s), {conflicts} with conflicts{what}", pulled + deleted));
                if unmerged > 0 {
                    sentences.push(format!("Files that could not be merged and have no markers: {unmerged}."));
                }
            }
        }
        sentences.extend(self.notes.iter().cloned());
        for Unstaged { id, message } in &self.unstaged {
            let subject = message.lines().next().unwrap_or_default();
            sentences.push(format!(
                "Staged commit {id} \"{subject}\" no longer applies, so it is no longer staged. Its changes are in the \
                 working folder."
            ));
        }
        for Unstaged { id, message } in &self.landed {
            let subject = message.lines().next().unwrap_or_default();
            sentences.push(format!(
                "Staged commit {id} \"{subject}\" is no longer staged, because upstream already has its changes."
            ));
        }
        sentences.join(" ")
    }
}
