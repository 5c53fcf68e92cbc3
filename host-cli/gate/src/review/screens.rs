//! The texts of a review. They are escaped and never shortened.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{CommitLine, FileChange, Review, Status, words};
use crate::text;

/// Columns inside the frame of the prompt.
const INNER: usize = 64;
/// Digits of an id in a list of parents, as in the patch.
const ABBREV: usize = 12;
/// Columns left of a text in the frame.
const MARGIN: usize = 2;

impl Review {
    /// One line per file: `A path (+25)`, `M path (+10 -3)`, `D path (-42)`, `A path (binary, 2.1
    /// KB)`.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        for file in &self.files {
            let counts = match file.status {
                _ if file.binary => format!("binary, {}", size(file)),
                Status::Added => format!("+{}", file.added),
                Status::Deleted => format!("-{}", file.deleted),
                Status::Modified | Status::TypeChanged => {
                    format!("+{} -{}", file.added, file.deleted)
                }
            };
            line(&mut out, format_args!("{} {} ({counts})", file.status.letter(), file.shown_path()));
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

    /// The commits, oldest first, with whole messages, as `git log` shows them. A commit whose
    /// committer or commit date differs from its author's is shown as with `--format=fuller`.
    pub fn log(&self) -> String {
        let mut out = String::new();
        self.commits.iter().for_each(|commit| log_entry(&mut out, commit));
        out
    }

    /// The whole patch against the target's head, then what only intermediate commits hold.
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

    /// The approval prompt in its frame: target, commits, files, warnings, keys.
    pub fn prompt_box(&self) -> String {
        let mut rows = vec!["git_push".to_owned(), String::new()];
        let branch = text::name(self.reference.branch().as_bytes());
        let made = if self.new_branch { ", new branch" } else { "" };
        rows.push(format!("Target: {} (branch: {branch}{made})", text::name(self.target.to_string().as_bytes())));
        let described: Vec<String> = self
            .commits
            .iter()
            .map(|commit| format!("{} \"{}\"", commit.short_id(), text::name(commit.subject.as_bytes())))
            .collect();
        match described.as_slice() {
            [] if self.supplied > 0 => {
                rows.push(format!("Commit: {} (the sandbox was created with it)", self.new.to_hex_with_len(7)));
            }
            [] => rows.push(format!("Commit: {} (already in the target)", self.new.to_hex_with_len(7))),
            [one] => rows.push(format!("Commit: {one}")),
            many => {
                rows.push(format!("Commits ({}):", many.len()));
                rows.extend(many.iter().map(|commit| format!("  {commit}")));
            }
        }
        rows.extend([String::new(), "Files:".to_owned()]);
        for file in &self.files {
            let sign = match file.status {
                Status::Added => "+",
                Status::Deleted => "-",
                Status::Modified => "M",
                Status::TypeChanged => "T",
            };
            rows.push(match file.status {
                Status::Deleted => format!("  {sign} {}", file.shown_path()),
                _ => format!("  {sign} {} ({})", file.shown_path(), size(file)),
            });
        }
        if !self.flags.is_empty() {
            rows.extend([String::new(), "Warnings:".to_owned()]);
            rows.extend(self.flags.iter().map(|flag| format!("  ! {}", flag.sentence())));
        }
        rows.extend([String::new(), "[d]iff  [a]pprove  [r]eject  [?]help".to_owned()]);
        frame(&rows)
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

fn size(file: &FileChange) -> String {
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

/// Draws a frame around `rows`. Wraps a long row and indents its continuation.
fn frame(rows: &[String]) -> String {
    let mut out = format!("┌{}┐\n", "─".repeat(INNER));
    for row in rows {
        for part in wrapped(row) {
            let gap = INNER.saturating_sub(MARGIN + part.width());
            line(&mut out, format_args!("│{}{part}{}│", " ".repeat(MARGIN), " ".repeat(gap)));
        }
    }
    out + &format!("└{}┘\n", "─".repeat(INNER))
}

/// Splits a row into parts that fit in columns, and in characters, because any number of characters
/// of width 0 fits in a column.
fn wrapped(row: &str) -> Vec<String> {
    const ROOM: usize = INNER - 2 * MARGIN;
    /// Most characters on a line: every letter may have a mark or two.
    const MOST: usize = 3 * ROOM;
    let spaces = row.chars().take_while(|char| *char == ' ').count();
    let indent = " ".repeat((spaces + 2).min(ROOM / 2));
    let (mut parts, mut part, mut width, mut count) = (Vec::new(), String::new(), 0, 0);
    for char in row.chars() {
        let wide = char.width().unwrap_or(0);
        if width + wide > ROOM || count == MOST {
            parts.push(std::mem::replace(&mut part, indent.clone()));
            (width, count) = (indent.len(), indent.len());
        }
        part.push(char);
        (width, count) = (width + wide, count + 1);
    }
    parts.push(part);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_go_on_and_lose_nothing() {
        let row = format!("  + {} (1.2 KB)", "x".repeat(200));
        let parts = wrapped(&row);
        assert!(parts.iter().all(|part| part.width() <= INNER - 2 * MARGIN));
        let joined: String = parts[0].clone() + &parts[1..].iter().map(|part| part[4..].to_owned()).collect::<String>();
        assert_eq!(joined, row);
    }

    #[test]
    fn every_row_of_the_frame_is_as_wide() {
        let framed = frame(&["日本語の名前".to_owned(), "a".repeat(70), String::new()]);
        assert!(framed.lines().all(|row| row.width() == INNER + 2), "{framed}");
    }

    #[test]
    fn attack_21_marks_without_width_go_on_in_the_next_row() {
        let row = format!("a{}", "\u{301}".repeat(100_000));
        let parts = wrapped(&row);
        assert!(parts.iter().all(|part| part.chars().count() <= 3 * INNER));
        assert_eq!(parts.concat().replace(' ', ""), row);
    }

    #[test]
    fn a_row_that_starts_far_to_the_right_goes_on() {
        let parts = wrapped(&format!("{}end", " ".repeat(200)));
        assert!(parts.iter().all(|part| part.width() <= INNER - 2 * MARGIN));
        assert!(parts.last().unwrap().ends_with("end"));
    }
}
