//! Parses a patch, by the grammar that Codex documents. As in Codex, space around a marker does not count, nor does a here-document around
//! the whole.

use crate::error::ToolError;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";

/// What becomes of a file.
#[derive(Debug, Eq, PartialEq)]
pub struct FileChange<'a> {
    /// The file.
    pub path: &'a str,
    /// What becomes of it.
    pub change: Change<'a>,
}

/// What becomes of a file.
#[derive(Debug, Eq, PartialEq)]
pub enum Change<'a> {
    /// It gets this content.
    Add(String),
    /// It goes.
    Delete,
    /// It changes, and may move.
    Update {
        /// Where it moves.
        to: Option<&'a str>,
        /// What changes in it, from its beginning to its end.
        hunks: Vec<Hunk<'a>>,
    },
}

/// A part of a file that changes.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Hunk<'a> {
    /// Lines before it, each after the last, such as the function that it is in.
    pub headers: Vec<&'a str>,
    /// Its lines.
    pub lines: Vec<Line<'a>>,
    /// Whether it is at the end of the file.
    pub at_end: bool,
}

/// A line of a hunk, without its mark.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Line<'a> {
    /// It stays.
    Context(&'a str),
    /// It goes.
    Deleted(&'a str),
    /// It comes.
    Added(&'a str),
}

/// The changes of a patch, in its order.
pub fn parse(patch: &str) -> Result<Vec<FileChange<'_>>, ToolError> {
    let mut lines = Lines { lines: envelope(patch)?, at: 0 };
    let mut changes = Vec::new();
    while let Some(line) = lines.peek() {
        if line.trim().is_empty() {
            lines.at += 1;
            continue;
        }
        changes.push(lines.change()?);
    }
    match changes.is_empty() {
        true => Err(invalid("it changes no file")),
        false => Ok(changes),
    }
}

/// The lines between the first marker and the last, each with its number.
fn envelope(patch: &str) -> Result<Vec<(usize, &str)>, ToolError> {
    let all: Vec<(usize, &str)> =
        patch.lines().enumerate().map(|(at, line)| (at + 1, line.strip_suffix('\r').unwrap_or(line))).collect();
    let is_blank = |(_, line): &&(usize, &str)| line.trim().is_empty();
    let start = all.iter().take_while(is_blank).count();
    let end = all.len() - all[start..].iter().rev().take_while(is_blank).count();
    let mut all = &all[start..end];
    if let [(_, first), inner @ .., (_, last)] = all
        && first.trim_start().starts_with("<<")
        && last.trim() == first.trim_start_matches([' ', '<', '-', '\'', '"']).trim_end_matches([' ', '\'', '"'])
    {
        all = inner;
    }
    match all {
        [(_, first), inner @ .., (_, last)] if first.trim() == BEGIN && last.trim() == END => Ok(inner.to_vec()),
        [(_, first), ..] if first.trim() == BEGIN => Err(invalid(&format!("its last line is not '{END}'"))),
        _ => Err(invalid(&format!("its first line is not '{BEGIN}'"))),
    }
}

fn invalid(why: &str) -> ToolError {
    ToolError::bad_args(format!("This is no patch: {why}")).hint(format!(
        "Write '{BEGIN}', then '{UPDATE}PATH' with hunks whose lines begin with a space, - or +, then '{END}'."
    ))
}

struct Lines<'a> {
    lines: Vec<(usize, &'a str)>,
    at: usize,
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.at).map(|(_, line)| *line)
    }

    /// An error at the current line.
    fn invalid(&self, why: &str) -> ToolError {
        let line = self.lines.get(self.at).or(self.lines.last());
        match line {
            Some((number, line)) => invalid(&format!("line {number} {why}: {line}")),
            None => invalid(why),
        }
    }

    fn change(&mut self) -> Result<FileChange<'a>, ToolError> {
        let line = self.peek().unwrap_or_default().trim();
        if let Some(path) = line.strip_prefix(ADD) {
            self.at += 1;
            return Ok(FileChange { path: path.trim(), change: Change::Add(self.content()) });
        }
        if let Some(path) = line.strip_prefix(DELETE) {
            self.at += 1;
            return Ok(FileChange { path: path.trim(), change: Change::Delete });
        }
        let Some(path) = line.strip_prefix(UPDATE) else { return Err(self.invalid("names no file")) };
        self.at += 1;
        let to = self.peek().and_then(|line| line.trim().strip_prefix(MOVE)).map(str::trim);
        self.at += usize::from(to.is_some());
        let hunks = self.hunks()?;
        if hunks.is_empty() && to.is_none() {
            self.at -= 1;
            return Err(self.invalid("has no hunk after it"));
        }
        Ok(FileChange { path: path.trim(), change: Change::Update { to, hunks } })
    }

    /// The content of a new file.
    fn content(&mut self) -> String {
        let mut content = String::new();
        while let Some(line) = self.peek().and_then(|line| line.strip_prefix('+')) {
            content.push_str(line);
            content.push('\n');
            self.at += 1;
        }
        content
    }

    fn hunks(&mut self) -> Result<Vec<Hunk<'a>>, ToolError> {
        let mut hunks = Vec::new();
        loop {
            // Blank lines may stand between hunks.
            let blank = self.lines[self.at..].iter().take_while(|(_, line)| line.trim().is_empty()).count();
            let next = self.lines.get(self.at + blank).map(|(_, line)| *line);
            match next {
                None => return Ok(hunks),
                Some(line) if line.starts_with("***") => return Ok(hunks),
                Some(_) => {
                    self.at += blank;
                    hunks.push(self.hunk(hunks.is_empty())?);
                }
            }
        }
    }

    fn hunk(&mut self, is_first: bool) -> Result<Hunk<'a>, ToolError> {
        let mut hunk = Hunk::default();
        let begins = self.at;
        while let Some(line) = self.peek()
            && let Some(header) = line.trim_end().strip_prefix("@@")
        {
            // A unified diff's line numbers say where it was made. They do not say where it belongs.
            let header = header.strip_prefix(' ').unwrap_or(header);
            let is_numbers = header.starts_with('-') && header.trim_end().ends_with("@@");
            if !header.is_empty() && !is_numbers {
                hunk.headers.push(header);
            }
            self.at += 1;
        }
        if begins == self.at && !is_first {
            return Err(self.invalid("begins no hunk"));
        }
        while let Some(line) = self.peek() {
            if line.trim_end() == END_OF_FILE {
                hunk.at_end = true;
                self.at += 1;
                break;
            }
            let mark = line.chars().next();
            hunk.lines.push(match (mark, line.get(1..)) {
                (Some(' '), Some(text)) => Line::Context(text),
                (Some('-'), Some(text)) => Line::Deleted(text),
                (Some('+'), Some(text)) => Line::Added(text),
                // Many models leave out the space of an empty line.
                (None, _) => Line::Context(""),
                _ if line.starts_with("***") || line.starts_with("@@") => break,
                _ => return Err(self.invalid("begins with no mark")),
            });
            self.at += 1;
        }
        // Blank lines before the next header separate. They belong to no hunk.
        if self.peek().is_none_or(|line| line.starts_with('*') || line.starts_with("@@")) && !hunk.at_end {
            while hunk.lines.last() == Some(&Line::Context(""))
                && hunk.lines.len() > 1
                && self.lines[self.at - 1].1.is_empty()
            {
                hunk.lines.pop();
                self.at -= 1;
            }
            let blank = self.lines[self.at..].iter().take_while(|(_, line)| line.is_empty()).count();
            self.at += blank;
        }
        match hunk.lines.is_empty() {
            true => Err(self.invalid("has no lines of a hunk before it")),
            false => Ok(hunk),
        }
    }
}
