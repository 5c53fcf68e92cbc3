//! Guesses which text a caller meant that was not found.

use gix::bstr::ByteSlice;

use super::line_ends::LineEnds;
use crate::deadline::{Deadline, units};
use crate::error::ToolError;

/// Largest file, in bytes, to compare line by line. A hint is not worth more memory.
const MAX_COMPARED: usize = 1 << 20;

/// Limits the comparison. If many lines are alike, it compares several lines at each place.
const MAX_LINES_COMPARED: usize = 1 << 20;

/// Bytes of the longest text to repeat in a hint.
const MAX_REPEATED: usize = 2000;

/// The hint without a comparison.
const READ_FIRST: &str = "Read the file and copy the text exactly, including whitespace.";

/// A hint for a caller whose `old` does not occur in `content`, a file with these line ends.
pub fn hint(content: &[u8], old: &[u8], ends: LineEnds, deadline: &Deadline) -> Result<String, ToolError> {
    // Where all lines end alike, old has been made to follow them.
    if ends == LineEnds::Mixed {
        for (other, name, written) in [(LineEnds::Crlf, "CRLF", "\\r\\n"), (LineEnds::Lf, "LF", "\\n")] {
            if content.contains_str(other.follow(old)) {
                return Ok(format!(
                    "Some lines of the file end with {name}. There, write {written} for the line breaks in `old` and `new`."
                ));
            }
        }
    }
    if content.len().max(old.len()) > MAX_COMPARED {
        return Ok(READ_FIRST.to_owned());
    }
    let wanted: Vec<Vec<u8>> = old.split_str("\n").map(squeezed).collect();
    let lines = squeezed_lines(content, deadline)?;
    if let Some(near) = but_for_white_space(&lines, &wanted, deadline)? {
        return Ok(match near.exact(content, wanted.len()) {
            Some(exact) => format!(
                "From line {} on, the file differs from `old` only in whitespace. There it is exactly:\n{exact}",
                near.line
            ),
            None => format!(
                "From line {} on, the file differs from `old` only in whitespace. Read it there and copy it exactly.",
                near.line
            ),
        });
    }
    let first = wanted.iter().find(|line| !line.is_empty());
    if let Some(first) = first
        && let Some(line) = lines.iter().position(|line| line.contains_str(first))
    {
        return Ok(format!(
            "Line {} matches the first line of `old`, but the lines after it differ. Read the file there and copy it \
             exactly.",
            line + 1
        ));
    }
    Ok(READ_FIRST.to_owned())
}

fn squeezed_lines(content: &[u8], deadline: &Deadline) -> Result<Vec<Vec<u8>>, ToolError> {
    let mut lines = Vec::new();
    for line in content.split_str("\n") {
        deadline.poll_units(1 + units(line.len()))?;
        lines.push(squeezed(line));
    }
    Ok(lines)
}

/// Trims a line, and replaces each run of white space by one space.
fn squeezed(line: &[u8]) -> Vec<u8> {
    let words: Vec<&[u8]> = line.fields_with(|character| character.is_ascii_whitespace()).collect();
    words.join(&b' ')
}

/// A place that differs from a text only in white space.
struct Near {
    /// The number of its first line.
    line: usize,
    /// Whether it is the only one, and consists of whole lines.
    is_clear: bool,
}

impl Near {
    /// The `count` lines of the file there, if it is clear that they are meant, and they are text and not too long to repeat.
    fn exact<'a>(&self, content: &'a [u8], count: usize) -> Option<&'a str> {
        let mut ends = content.find_iter("\n").map(|at| at + 1).skip(self.line.saturating_sub(2));
        let start = if self.line == 1 { 0 } else { ends.next()? };
        let end = ends.nth(count.saturating_sub(1)).map_or(content.len(), |after| after - 1);
        let exact = content.get(start..end)?.to_str().ok()?;
        (self.is_clear && exact.len() <= MAX_REPEATED).then_some(exact)
    }
}

/// The first place that differs from `wanted` only in white space. The first line of `wanted` may match the end of a line, and its last line
/// the beginning of one. `None` if there is no such place, or if the search is too expensive.
fn but_for_white_space(lines: &[Vec<u8>], wanted: &[Vec<u8>], deadline: &Deadline) -> Result<Option<Near>, ToolError> {
    if wanted.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let mut left = MAX_LINES_COMPARED;
    let mut near: Option<Near> = None;
    for (at, window) in lines.windows(wanted.len()).enumerate() {
        deadline.poll()?;
        let found = match (window, wanted) {
            ([line], [wanted]) => line.contains_str(wanted),
            ([first, middle @ .., last], [wanted_first, wanted_middle @ .., wanted_last])
                if first.ends_with(wanted_first) && last.starts_with(wanted_last) =>
            {
                let equal = middle.iter().zip(wanted_middle).take_while(|(line, wanted)| line == wanted).count();
                match left.checked_sub(equal) {
                    Some(fewer) => left = fewer,
                    None => return Ok(near),
                }
                equal == middle.len()
            }
            _ => false,
        };
        match (&mut near, found) {
            (Some(near), true) => {
                near.is_clear = false;
                break;
            }
            (None, true) => {
                let is_whole = window.first() == wanted.first() && window.last() == wanted.last();
                near = Some(Near { line: at + 1, is_clear: is_whole });
            }
            (_, false) => {}
        }
    }
    Ok(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint_for(content: &str, old: &str) -> String {
        hint(content.as_bytes(), old.as_bytes(), LineEnds::of(content.as_bytes()), &Deadline::after(|| 0, u64::MAX))
            .unwrap()
    }

    #[test]
    fn other_line_ends_are_named() {
        assert!(hint_for("a\r\nb\r\nc\n", "a\nb").starts_with("Some lines of the file end with CRLF."));
        assert!(hint_for("a\nb\nc\r\n", "a\r\nb").starts_with("Some lines of the file end with LF."));
    }

    #[test]
    fn other_white_space_is_found_and_said_exactly_if_it_is_clear() {
        let said = "From line 2 on, the file differs from `old` only in whitespace. ";
        for (content, old, exact) in [
            ("x\n\tif a {\n\t\tb\n", "if a {\n    b\n", Some("\tif a {\n\t\tb\n")),
            ("x\n\tif a {\n\t\tb\n}", "if a {\n    b", Some("\tif a {\n\t\tb")),
            ("x\nlet a  = 1;", "let a = 1;", Some("let a  = 1;")),
            // Only a part of a line is meant.
            ("x\nlet a  = 1;\n", "let a = 1", None),
            ("x\nend of line\nnext", "of line \nne", None),
            // It could be the other one.
            ("x\n\ta\n\tb\n a\n b\n", "a\nb", None),
        ] {
            let rest = match exact {
                Some(exact) => format!("There it is exactly:\n{exact}"),
                None => "Read it there and copy it exactly.".to_owned(),
            };
            assert_eq!(hint_for(content, old), format!("{said}{rest}"), "{old:?}");
        }
    }

    #[test]
    fn a_right_first_line_is_found() {
        let expected = "Line 2 matches the first line of `old`, but the lines after it differ. Read the file there and copy it exactly.";
        assert_eq!(hint_for("x\nfn a() {\n  one\n}", "fn a() {\n  two\n}"), expected);
    }

    #[test]
    fn lines_that_are_all_alike_are_not_compared_without_end() {
        let blank = "\n".repeat(4000);
        let hint = hint_for(&format!("{blank}x\n\n\n"), &format!("{}x \n\n", &blank[..1000]));
        assert!(hint.starts_with("Line 4001 matches the first line of `old`"), "{hint}");
    }

    #[test]
    fn what_is_nowhere_near_is_to_be_read_first() {
        for (content, old) in [("a\nb\n", "c"), ("", "c\nd"), ("a", " \n ")] {
            assert_eq!(hint_for(content, old), READ_FIRST);
        }
        assert_eq!(hint_for(&"a  b\n".repeat(1 << 20), "a b"), READ_FIRST);
    }
}
