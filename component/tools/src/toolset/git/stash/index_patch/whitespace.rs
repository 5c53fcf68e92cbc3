//! git's warnings about white space errors that a patch adds (git-apply, `--whitespace=warn`; default `core.whitespace`).

use gix::bstr::ByteSlice;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::words::streams::Streams;

/// How many errors git reports one by one.
const TOLD: usize = 5;

/// The white space errors of a patch.
#[derive(Default)]
pub struct Whitespace {
    count: usize,
    /// For each hunk of each patched file, the patch line at which trailing blank lines begin, if it adds any.
    blank_ends: Vec<Vec<Option<usize>>>,
}

/// The state of a scan.
struct Scan<'a> {
    whitespace: Whitespace,
    streams: &'a mut Streams,
    /// Remaining lines of the hunk in the old and the new text.
    left: (usize, usize),
    /// Whether lines of this file end in carriage returns.
    crlf: bool,
}

impl Whitespace {
    /// Scans the text of a patch, given as parts of whole lines.
    pub fn of(
        parts: impl Iterator<Item = Result<Vec<u8>, ToolError>>,
        streams: &mut Streams,
        deadline: &Deadline,
    ) -> Result<Whitespace, ToolError> {
        let mut scan = Scan { whitespace: Whitespace::default(), streams, left: (0, 0), crlf: false };
        let mut number = 0;
        for part in parts {
            for line in part?.split_inclusive(|byte| *byte == b'\n') {
                deadline.poll_units(1 + units(line.len()))?;
                // git does not count the line about a missing line feed at the end of a hunk.
                if scan.left != (0, 0) || !line.starts_with(b"\\") {
                    number += 1;
                }
                scan.line(number, line);
            }
        }
        Ok(scan.whitespace)
    }

    fn record(&mut self, streams: &mut Streams, number: usize, what: &str, line: &[u8]) {
        self.count += 1;
        if self.count <= TOLD {
            streams.error_line(&[format!("<stdin>:{number}: {what}.\n").as_bytes(), line]);
        }
    }

    /// Tells that a hunk was applied at the end of its file. Both numbers count from zero.
    pub fn at_end(&mut self, file: usize, hunk: usize, streams: &mut Streams) {
        let blank = self.blank_ends.get(file).and_then(|hunks| *hunks.get(hunk)?);
        if let Some(number) = blank {
            self.record(streams, number, "new blank line at EOF", b"+");
        }
    }

    /// git's summary after applying the patch.
    pub fn conclude(&self, streams: &mut Streams) {
        let plural = |count: usize, one: &'static str, many: &'static str| if count == 1 { one } else { many };
        if let Some(more) = self.count.checked_sub(TOLD).filter(|more| *more > 0) {
            let errors = plural(more, "error", "errors");
            streams.error_line(&[format!("warning: squelched {more} whitespace {errors}").as_bytes()]);
        }
        if self.count > 0 {
            let lines = plural(self.count, "line adds", "lines add");
            streams.error_line(&[format!("warning: {} {lines} whitespace errors.", self.count).as_bytes()]);
        }
    }
}

impl Scan<'_> {
    fn line(&mut self, number: usize, line: &[u8]) {
        if self.left == (0, 0) {
            if line.starts_with(b"diff --git ") {
                self.whitespace.blank_ends.push(Vec::new());
                self.crlf = false;
            } else if let Some(left) = header(line) {
                self.left = left;
                self.hunks().push(None);
            } else if line.starts_with(b"\\") {
                self.set_blank(None);
            }
            return;
        }
        let Some((first, rest)) = line.split_first() else { return };
        let is_blank = rest.iter().all(u8::is_ascii_whitespace);
        match first {
            b'+' => {
                self.left.1 = self.left.1.saturating_sub(1);
                if let Some(what) = fault(rest, self.crlf) {
                    let told = rest.strip_suffix(b"\n").unwrap_or(rest);
                    self.whitespace.record(self.streams, number, what, told);
                }
                let begun = self.hunks().last().copied().flatten();
                self.set_blank(is_blank.then(|| begun.unwrap_or(number)));
            }
            b'-' => {
                self.left.0 = self.left.0.saturating_sub(1);
                self.crlf |= rest.ends_with(b"\r\n");
                self.set_blank(None);
            }
            b' ' => {
                self.left = (self.left.0.saturating_sub(1), self.left.1.saturating_sub(1));
                self.crlf |= rest.ends_with(b"\r\n");
                if !is_blank {
                    self.set_blank(None);
                }
            }
            _ => self.set_blank(None),
        }
    }

    fn hunks(&mut self) -> &mut Vec<Option<usize>> {
        if self.whitespace.blank_ends.is_empty() {
            self.whitespace.blank_ends.push(Vec::new());
        }
        self.whitespace.blank_ends.last_mut().expect("there is one")
    }

    fn set_blank(&mut self, line: Option<usize>) {
        if let Some(last) = self.hunks().last_mut() {
            *last = line;
        }
    }
}

/// The white space error of an added line.
fn fault(line: &[u8], crlf: bool) -> Option<&'static str> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = if crlf { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
    let text = line.trim_end_with(|last| last.is_ascii_whitespace() || last == '\u{b}');
    let indent = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let has_tab_after_space = indent.copied().collect::<Vec<u8>>().contains_str(" \t");
    match (text.len() < line.len(), has_tab_after_space) {
        (true, true) => Some("trailing whitespace, space before tab in indent"),
        (true, false) => Some("trailing whitespace"),
        (false, true) => Some("space before tab in indent"),
        (false, false) => None,
    }
}

/// The numbers of old and new lines, from a hunk's header.
fn header(line: &[u8]) -> Option<(usize, usize)> {
    let ranges = line.strip_prefix(b"@@ -")?;
    let (old, rest) = ranges.split_once_str(b" +")?;
    let (new, _) = rest.split_once_str(b" @@")?;
    let length = |range: &[u8]| match range.split_once_str(b",") {
        Some((_, length)) => length.to_str().ok()?.parse().ok(),
        None => Some(1),
    };
    Some((length(old)?, length(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stderr_of(patch: &str) -> String {
        let mut streams = Streams::default();
        let parts = patch.split_inclusive('\n').map(|line| Ok(line.as_bytes().to_vec()));
        let whitespace = Whitespace::of(parts, &mut streams, &Deadline::after(|| 0, u64::MAX)).unwrap();
        whitespace.conclude(&mut streams);
        streams.err.to_str().unwrap().to_owned()
    }

    #[test]
    fn added_lines_with_white_space_at_their_ends_are_told_of() {
        let patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n-old \n+new \n+ \tx\n kept \n";
        let expected = "<stdin>:6: trailing whitespace.\nnew \n<stdin>:7: space before tab in indent.\n \tx\n\
                        warning: 2 lines add whitespace errors.\n";
        assert_eq!(stderr_of(patch), expected);
    }

    #[test]
    fn only_the_first_are_told_one_by_one() {
        let lines = "+x \n".repeat(7);
        let text = stderr_of(&format!("diff --git a/a b/a\n@@ -0,0 +1,7 @@\n{lines}"));
        assert!(
            text.ends_with("warning: squelched 2 whitespace errors\nwarning: 7 lines add whitespace errors.\n"),
            "{text}"
        );
    }
}
