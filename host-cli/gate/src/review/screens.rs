//! The screens of a review: escaped texts, never shortened.

use std::fmt::Write;

use super::{CommitLine, FileChange, Review, Status, Version, renames::Row, sentences::quoted, words};
use crate::{format::tree::Mode, text};

/// Digits of an id in a list of parents, as in the patch.
const ABBREV: usize = 12;

impl Review {
    /// One line per file: `A path (+25)`, `M path (+10 -3)`, `D path (-42)`, `A path (binary, 2.1
    /// KB)`, `R old/path -> new/path (+1 -1)`.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        for row in self.rows() {
            match &row {
                Row::File(file) => line(&mut out, format_args!("{}", file.line())),
                Row::Renamed { from, to, .. } => {
                    let [from, to] = [from, to].map(|file| quoted(&file.shown_path()));
                    line(&mut out, format_args!("R {from} -> {to} ({})", said(&row)));
                }
            }
        }
        out
    }

    /// All files in a line: `3 files, +12 -4`. A binary file has no lines.
    pub fn total(&self) -> String {
        let files = self.rows().count();
        let noun = if files == 1 { "file" } else { "files" };
        format!("{files} {noun}, {}", self.lines())
    }

    /// The lines added and deleted in all files: `+12 -4`.
    pub(super) fn lines(&self) -> String {
        let (mut added, mut deleted) = (0, 0);
        for [more, fewer] in self.rows().map(|row| row.counts()) {
            (added, deleted) = (added + more, deleted + fewer);
        }
        format!("+{added} -{deleted}")
    }

    /// One line per risk: `high: Pushing directly to main branch`.
    pub fn warnings(&self) -> String {
        let mut out = String::new();
        for flag in &self.flags {
            let severity = format!("{:?}", flag.severity()).to_lowercase();
            line(&mut out, format_args!("{severity}: {}", flag.sentence()));
        }
        out
    }

    /// The commits, oldest first, with whole messages, as `git log` shows them. If the committer or
    /// the commit date differs from the author's, the commit is shown as with `--format=fuller`.
    pub fn log(&self) -> String {
        let mut out = String::new();
        self.commits.iter().for_each(|commit| log_entry(&mut out, commit));
        out
    }

    /// The whole patch against the target's head, then the contents of intermediate commits.
    pub fn patch(&self) -> String {
        let mut out = String::new();
        self.patch_to(&mut out, &self.pieces());
        out
    }

    /// Whether its patch has more than so many lines.
    pub fn is_longer_than(&self, lines: usize) -> bool {
        let intermediate = self.intermediate.iter().map(|file| &*file.change.patch);
        let pieces = self.rows().flat_map(Row::patch).chain(intermediate);
        pieces.flat_map(str::lines).nth(lines).is_some()
    }

    /// The patch of the files, with renames.
    fn pieces(&self) -> Vec<&str> {
        self.rows().flat_map(Row::patch).collect()
    }

    fn patch_to(&self, out: &mut String, files: &[&str]) {
        let intermediate = self.intermediate.iter().map(|file| &*file.change.patch);
        // The patch can fill most of the memory, so do not let the buffer double.
        out.reserve(files.iter().copied().chain(intermediate).map(str::len).sum());
        files.iter().for_each(|piece| out.push_str(piece));
        for file in &self.intermediate {
            line(out, format_args!("\nOnly in the intermediate commit {}:", file.commit));
            out.push_str(&file.change.patch);
        }
    }

    /// Everything that would leave: the commits and all their changes.
    pub fn whole(&self) -> String {
        let mut out = self.log();
        self.patch_to(&mut out, &self.pieces());
        out
    }

    /// The same for programs, with a patch for each of [`Review::files`]: what moved is a deletion and an addition.
    pub fn whole_by_path(&self) -> String {
        let mut out = self.log();
        self.patch_to(&mut out, &self.files.iter().map(|file| &*file.patch).collect::<Vec<_>>());
        out
    }
}

/// A commit in the log.
pub(super) fn log_entry(out: &mut String, commit: &CommitLine) {
    line(out, format_args!("commit {}", commit.id));
    if commit.parents.len() > 1 {
        let parents: Vec<_> = commit.parents.iter().map(|id| id.to_hex_with_len(ABBREV).to_string()).collect();
        line(out, format_args!("Merge: {}", parents.join(" ")));
    }
    if commit.signed {
        line(out, format_args!("Signed: with your key"));
    }
    let [author, committer] = [&commit.author, &commit.committer].map(|person| text::name(person.as_bytes()));
    if commit.committer == commit.author && commit.committer_date == commit.date {
        line(out, format_args!("Author: {author}\nDate:   {}\n", commit.date));
    } else {
        line(out, format_args!("Author:     {author}\nAuthorDate: {}", commit.date));
        line(out, format_args!("Commit:     {committer}\nCommitDate: {}\n", commit.committer_date));
    }
    for part in text::block(commit.message.as_bytes()).lines() {
        line(out, format_args!("    {part}"));
    }
    out.push('\n');
}

impl FileChange {
    /// The file and what happened to it: `M path (+10 -3)`.
    pub fn line(&self) -> String {
        format!("{} {} ({})", self.status.letter(), self.shown_path(), said(&Row::File(self)))
    }
}

/// The facts about a file that a person needs: what it is, whether it can be run, and the lines that changed. What has no lines has a size.
pub(super) fn said(row: &Row<'_>) -> String {
    let [added, deleted] = row.counts();
    let (old, file, binary, counts) = match row {
        Row::File(file) => {
            let counts = match file.status {
                Status::Added => format!("+{added}"),
                Status::Deleted => format!("-{deleted}"),
                Status::Modified | Status::TypeChanged => format!("+{added} -{deleted}"),
            };
            (&file.old, file, file.binary, counts)
        }
        Row::Renamed { rename, from, to } => (&from.old, to, rename.binary, format!("+{added} -{deleted}")),
    };
    let counts = if binary { size(file) } else { counts };
    let is_submodule = [old, &file.new].into_iter().flatten().any(|version| version.mode == Mode::Submodule.value());
    let content = match file.encoding {
        _ if binary => Some("binary"),
        _ if is_submodule => Some("submodule"),
        encoding => encoding,
    };
    let can_run = |version: &Option<Version>| version.as_ref().map(|version| version.mode == Mode::Executable.value());
    let mode = match (can_run(old), can_run(&file.new)) {
        (Some(false) | None, Some(true)) => Some("executable now"),
        (Some(true), Some(false)) => Some("not executable any more"),
        _ => None,
    };
    [content, mode, Some(counts.as_str())].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The size of a file, in words.
fn size(file: &FileChange) -> String {
    file.size().map_or_else(|| "content not available".to_owned(), words::size)
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string does not fail");
}
