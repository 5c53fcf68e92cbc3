//! The screens of a review: escaped texts, never shortened.

use std::fmt::Write;

use super::{CommitLine, FileChange, Review, Status, Version, words};
use crate::{format::tree::Mode, text};

/// Digits of an id in a list of parents, as in the patch.
const ABBREV: usize = 12;

impl Review {
    /// One line per file: `A path (+25)`, `M path (+10 -3)`, `D path (-42)`, `A path (binary, 2.1
    /// KB)`.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        for file in &self.files {
            let counts = match file.status {
                _ if file.binary => size(file),
                Status::Added => format!("+{}", file.added),
                Status::Deleted => format!("-{}", file.deleted),
                Status::Modified | Status::TypeChanged => {
                    format!("+{} -{}", file.added, file.deleted)
                }
            };
            let said = said(file, &counts);
            line(&mut out, format_args!("{} {} ({said})", file.status.letter(), file.shown_path()));
        }
        out
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
        self.patch_to(&mut out);
        out
    }

    fn patch_to(&self, out: &mut String) {
        let intermediate = self.intermediate.iter().map(|file| &file.change);
        // The patch can fill most of the memory, so do not let the buffer double.
        out.reserve(self.files.iter().chain(intermediate).map(|file| file.patch.len()).sum());
        self.files.iter().for_each(|file| out.push_str(&file.patch));
        for file in &self.intermediate {
            line(out, format_args!("\nOnly in the intermediate commit {}:", file.commit));
            out.push_str(&file.change.patch);
        }
    }

    /// Everything that would leave: the commits and all their changes.
    pub fn whole(&self) -> String {
        let mut out = self.log();
        self.patch_to(&mut out);
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

/// The facts about a file that a person needs, with `counts` last.
pub(super) fn said(file: &FileChange, counts: &str) -> String {
    let content = if file.binary { Some("binary") } else { file.encoding };
    let can_run = |version: &Option<Version>| version.as_ref().map(|version| version.mode == Mode::Executable.value());
    let mode = match (can_run(&file.old), can_run(&file.new)) {
        (Some(false) | None, Some(true)) => Some("executable now"),
        (Some(true), Some(false)) => Some("not executable any more"),
        _ => None,
    };
    [content, mode, Some(counts)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The size of a file, in words.
pub(super) fn size(file: &FileChange) -> String {
    match file.size() {
        Some(size) => words::size(size),
        None if file.new.as_ref().or(file.old.as_ref()).is_some_and(|version| version.mode == 0o160_000) => {
            "submodule".to_owned()
        }
        None => "content not available".to_owned(),
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string does not fail");
}
