//! Guesses which text a caller meant that was not found.

use gix::bstr::ByteSlice;

use super::line_ends::LineEnds;
use crate::deadline::{Deadline, units};
use crate::error::ToolError;

/// Largest file, in bytes, to compare line by line. A hint is not worth more memory.
const MAX_COMPARED: usize = 1 << 20;

/// Limits the comparison. If many lines are alike, it compares several lines at each place.
const MAX_LINES_COMPARED: usize = 1 << 20;

/// The hint without a comparison.
const READ_FIRST: &str = "Read the file and copy the text exactly, including whitespace.";

/// A hint for a caller whose `old` does not occur in `content`, a file with these line ends.
pub fn hint(content: &[u8], old: &[u8], ends: LineEnds, deadline: &Deadline) -> Result<String, ToolError> {
    // Where all lines end alike, old has been made to follow them.
    if ends == LineEnds::Mixed {
        for (other, name, written) in [(LineEnds::Crlf, "CRLF", "\\r\\n"), (LineEnds::Lf, "LF", "\\n")] {
            if content.contains_str(other.follow(old)) {
                return Ok(format!(
                    "Some lines of the file end with {name}. There, write {written} for the line breaks in old and new."
                ));
            }
        }
    }
    if content.len().max(old.len()) > MAX_COMPARED {
        return Ok(READ_FIRST.to_owned());
    }
    let wanted: Vec<Vec<u8>> = old.split_str("\n").map(squeezed).collect();
    let lines = squeezed_lines(content, deadline)?;
    if let Some(line) = first_but_for_white_space(&lines, &wanted, deadline)? {
        return Ok(format!(
            "From line {line} on, the file differs from old only in whitespace. Read it there and copy it exactly."
        ));
    }
    let first = wanted.iter().find(|line| !line.is_empty());
    if let Some(first) = first
        && let Some(line) = lines.iter().position(|line| line.contains_str(first))
    {
        return Ok(format!(
            "Line {} matches the first line of old, but the lines after it differ. Read the file there and copy it \
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

/// The number of the line where `wanted` begins. The first line of `wanted` may match the end of a line, and its last line the beginning of
/// one. `None` if there is no such line, or if the search is too expensive.
fn first_but_for_white_space(
    lines: &[Vec<u8>],
    wanted: &[Vec<u8>],
    deadline: &Deadline,
) -> Result<Option<usize>, ToolError> {
    if wanted.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let mut left = MAX_LINES_COMPARED;
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
                    None => return Ok(None),
                }
                equal == middle.len()
            }
            _ => false,
        };
        if found {
            return Ok(Some(at + 1));
        }
    }
    Ok(None)
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
    fn other_white_space_is_found() {
        for (content, old) in [
            ("x\n\tif a {\n\t\tb\n", "if a {\n    b\n"),
            ("x\nlet a  = 1;\n", "let a = 1"),
            ("x\nend of line\nnext", "of line \nne"),
        ] {
            let expected =
                "From line 2 on, the file differs from old only in whitespace. Read it there and copy it exactly.";
            assert_eq!(hint_for(content, old), expected, "{old:?}");
        }
    }

    #[test]
    fn a_right_first_line_is_found() {
        let expected = "Line 2 matches the first line of old, but the lines after it differ. Read the file there and copy it exactly.";
        assert_eq!(hint_for("x\nfn a() {\n  one\n}", "fn a() {\n  two\n}"), expected);
    }

    #[test]
    fn lines_that_are_all_alike_are_not_compared_without_end() {
        let blank = "\n".repeat(4000);
        let hint = hint_for(&format!("{blank}x\n\n\n"), &format!("{}x \n\n", &blank[..1000]));
        assert!(hint.starts_with("Line 4001 matches the first line of old"), "{hint}");
    }

    #[test]
    fn what_is_nowhere_near_is_to_be_read_first() {
        for (content, old) in [("a\nb\n", "c"), ("", "c\nd"), ("a", " \n ")] {
            assert_eq!(hint_for(content, old), READ_FIRST);
        }
        assert_eq!(hint_for(&"a  b\n".repeat(1 << 20), "a b"), READ_FIRST);
    }
}
