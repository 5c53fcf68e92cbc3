//! Chooses the lines of a file that fit into one result.

use std::ops::Range;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::output::TRUNCATION_MARKER;

/// How JSON carries the bytes of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Coding {
    /// Unchanged.
    Utf8,
    /// Four characters for every three bytes.
    Base64,
}

impl Coding {
    /// The encoded length of `len` bytes.
    fn coded(self, len: usize) -> usize {
        match self {
            Coding::Utf8 => len,
            Coding::Base64 => len.div_ceil(3) * 4,
        }
    }
}

/// A part of a file.
#[derive(Debug, Eq, PartialEq)]
pub struct Page {
    /// The bytes.
    pub bytes: Range<usize>,
    /// Lines in the whole file.
    pub lines: u64,
    /// The line after the page. `None` at the end of the file.
    pub next: Option<u64>,
    /// Whether and where the page had to be cut.
    pub cut: Cut,
}

/// Where a page was cut because not everything wanted fits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Cut {
    /// Nowhere.
    No,
    /// After a whole line.
    AfterLine,
    /// After one whole line, which leaves no room for the marker. With the marker, no page could show the line's end.
    AfterOnlyLine,
    /// Inside the first line, which does not fit.
    InLine,
}

/// The wanted part of a file.
pub struct Wanted {
    /// The first line, counted from 1.
    pub first: u64,
    /// Maximum number of lines.
    pub limit: u64,
    /// Size limit in bytes, for the text and for the encoded content each.
    pub max_bytes: usize,
    /// The encoding.
    pub coding: Coding,
    /// Whether each line of the text has its number before it.
    pub numbered: bool,
}

/// What stands before a line with a number: `     7` and a tab, as `cat -n` has it.
pub fn number(line: u64) -> String {
    format!("{line:>6}\t")
}

impl Page {
    /// The wanted lines of `content` that fit. If not all do, leaves room for the truncation marker.
    pub fn of(content: &[u8], wanted: &Wanted, deadline: &Deadline) -> Result<Page, ToolError> {
        let Wanted { first, limit, max_bytes, .. } = *wanted;
        let last = first.saturating_add(limit - 1);
        let (mut at, mut lines) = (0, 0);
        let (mut start, mut end) = (content.len(), content.len());
        let mut text_bytes = 0;
        // The end of the lines that fit with the marker after them, and the number of the next line.
        let mut before_marker = None;
        let mut cut = false;
        for line in content.split_inclusive(|byte| *byte == b'\n') {
            deadline.poll_units(1 + units(line.len()))?;
            lines += 1;
            if lines == first {
                start = at;
            }
            if !cut && (first..=last).contains(&lines) {
                text_bytes += wanted.number_bytes(lines) + patch::escape::escaped_len(line, max_bytes);
                end = at + line.len();
                cut = text_bytes.max(wanted.coding.coded(end - start)) > max_bytes;
                if text_bytes <= max_bytes.saturating_sub(TRUNCATION_MARKER.len()) && !cut {
                    before_marker = Some((end, lines + 1));
                }
            }
            at += line.len();
        }
        if !cut {
            return Ok(Page {
                bytes: start..end,
                lines,
                next: (last < lines).then_some(last.saturating_add(1)),
                cut: Cut::No,
            });
        }
        Ok(match before_marker {
            Some((end, next)) => Page { bytes: start..end, lines, next: Some(next), cut: Cut::AfterLine },
            None => {
                let line_end =
                    content[start..].iter().position(|byte| *byte == b'\n').map_or(content.len(), |at| start + at + 1);
                let line = &content[start..line_end];
                if wanted.fits(line) {
                    return Ok(Page { bytes: start..line_end, lines, next: Some(first + 1), cut: Cut::AfterOnlyLine });
                }
                let fits = start + wanted.fitting_prefix(line);
                Page { bytes: start..fits, lines, next: (first < lines).then_some(first + 1), cut: Cut::InLine }
            }
        })
    }
}

impl Wanted {
    /// The bytes of a line's number in the text.
    fn number_bytes(&self, line: u64) -> usize {
        if self.numbered { number(line).len() } else { 0 }
    }

    /// Whether `bytes`, the first line, fit without the marker.
    fn fits(&self, bytes: &[u8]) -> bool {
        let text = patch::escape::escaped_len(bytes, self.max_bytes) + self.number_bytes(self.first);
        text.max(self.coding.coded(bytes.len())) <= self.max_bytes
    }

    /// The length of the longest prefix of `line` that fits with the marker after it.
    fn fitting_prefix(&self, line: &[u8]) -> usize {
        let room = self.max_bytes.saturating_sub(TRUNCATION_MARKER.len() + self.number_bytes(self.first));
        let whole = |len: usize| match self.coding {
            Coding::Base64 => len,
            Coding::Utf8 => boundary(line, len),
        };
        let fits = |len: usize| {
            let len = whole(len);
            patch::escape::escape(&line[..len]).len() <= room && self.coding.coded(len) <= self.max_bytes
        };
        // Escaping never shortens a prefix, so a prefix longer than the room cannot fit.
        let (mut fitting, mut too_long) = (0, line.len().min(room) + 1);
        while fitting + 1 < too_long {
            let middle = fitting.midpoint(too_long);
            if fits(middle) { fitting = middle } else { too_long = middle }
        }
        whole(fitting)
    }
}

/// The last position up to `at` that splits no UTF-8 character, or `at` itself if the bytes are not UTF-8.
pub fn boundary(text: &[u8], at: usize) -> usize {
    let is_boundary = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0b1100_0000 != 0b1000_0000);
    (at.saturating_sub(3)..=at).rev().find(is_boundary).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: usize = 40;

    fn page(content: &[u8], first: u64, limit: u64, coding: Coding) -> Page {
        let deadline = Deadline::after(|| 0, u64::MAX);
        Page::of(content, &Wanted { first, limit, max_bytes: ROOM, coding, numbered: false }, &deadline).unwrap()
    }

    #[test]
    fn what_fits_is_whole() {
        assert_eq!(page(b"", 1, 9, Coding::Utf8), Page { bytes: 0..0, lines: 0, next: None, cut: Cut::No });
        let whole = [b'x'; ROOM];
        assert_eq!(page(&whole, 1, 9, Coding::Utf8), Page { bytes: 0..ROOM, lines: 1, next: None, cut: Cut::No });
    }

    #[test]
    fn a_limit_ends_the_page_without_cutting_it() {
        assert_eq!(page(b"a\nb\nc", 2, 1, Coding::Utf8), Page { bytes: 2..4, lines: 3, next: Some(3), cut: Cut::No });
        assert_eq!(
            page(b"a\nb\nc", 2, u64::MAX, Coding::Utf8),
            Page { bytes: 2..5, lines: 3, next: None, cut: Cut::No }
        );
    }

    #[test]
    fn what_does_not_fit_is_cut_after_the_last_line_that_leaves_room_for_the_marker() {
        let content = b"0123456\n".repeat(6);
        assert_eq!(
            page(&content, 1, 9, Coding::Utf8),
            Page { bytes: 0..16, lines: 6, next: Some(3), cut: Cut::AfterLine }
        );
    }

    #[test]
    fn a_line_that_fits_without_the_marker_is_whole() {
        let line = format!("{}\n", "x".repeat(ROOM - 1));
        let two = line.repeat(2);
        let first = Page { bytes: 0..ROOM, lines: 2, next: Some(2), cut: Cut::AfterOnlyLine };
        assert_eq!(page(two.as_bytes(), 1, 9, Coding::Utf8), first);
        let last = Page { bytes: ROOM..2 * ROOM, lines: 2, next: None, cut: Cut::No };
        assert_eq!(page(two.as_bytes(), 2, 9, Coding::Utf8), last);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_between_characters() {
        let content = format!("{}\nnext\n", "é".repeat(30));
        let cut = page(content.as_bytes(), 1, 9, Coding::Utf8);
        assert_eq!(cut, Page { bytes: 0..16, lines: 2, next: Some(2), cut: Cut::InLine });
        assert_eq!(page(&[b'x'; 99], 1, 9, Coding::Utf8).next, None);
    }

    #[test]
    fn pages_together_are_the_file() {
        let content: Vec<u8> =
            (0..50u8).flat_map(|number| [vec![b'x'; usize::from(number % 7)], vec![b'\n']].concat()).collect();
        for coding in [Coding::Utf8, Coding::Base64] {
            let (mut next, mut read) = (Some(1), Vec::new());
            while let Some(first) = next {
                let page = page(&content, first, u64::MAX, coding);
                read.extend_from_slice(&content[page.bytes.clone()]);
                assert!(coding.coded(page.bytes.len()) <= ROOM);
                next = page.next;
            }
            assert_eq!(read, content);
        }
    }
}
