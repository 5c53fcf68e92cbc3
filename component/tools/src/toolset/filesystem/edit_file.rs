//! `edit_file`

use gix::bstr::ByteSlice;
use serde::{Deserialize, Serialize};

use super::line_ends::LineEnds;
use super::near_miss;
use crate::approval::Annotations;
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::Access;
use crate::platform;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Replace text in a file. Fails unless `old` occurs exactly once, or `all` is true. All other
/// bytes stay the same. Line breaks in `old` and `new` follow the file if all its lines end alike.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EditFile {
    /// File to edit, absolute (/workspace/notes.md) or relative to /workspace.
    path: String,
    /// Text to replace, exactly as in the file. Include enough surrounding lines to make it unique.
    old: String,
    /// Replacement text. An empty text deletes `old`.
    new: String,
    /// Whether to replace every occurrence of `old`. Default: false.
    #[serde(default)]
    all: bool,
}

/// How many lines a message names before it says "...".
const NAMED_LINES: usize = 10;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Edited {
    path: String,
    replacements: usize,
    /// Where the replaced texts began, in the file as it was. At most 10.
    lines: Vec<usize>,
    /// Bytes in the file as it is now.
    size: usize,
    /// How the line breaks of `new` were written, if that differs from how they were given: as all lines of the file end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "lineEnds")]
    line_ends: Option<&'static str>,
}

impl Call for EditFile {
    const NAME: &'static str = "edit_file";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Filesystem];
    const ANNOTATIONS: Annotations = Annotations::writes().destructive();
    const FILE: &'static str = schema_file!("edit_file");
    type Result = Edited;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        if self.old.is_empty() {
            return Err(ToolError::bad_args("old cannot be empty")
                .hint("Use write_file to write a whole file.")
                .into());
        }
        if self.old == self.new {
            return Err(ToolError::bad_args("old and new are the same").into());
        }
        let (path, _) = super::regular_file(context, &self.path, Access::Write)?;
        let content = platform::read(&path.real()).map_err(|error| ToolError::io(&self.path, &error))?;
        let ends = LineEnds::of(&content);
        let (old, new) = (ends.follow(self.old.as_bytes()), ends.follow(self.new.as_bytes()));
        if old == new {
            let hint = "They differ in line breaks only, and the lines of the file all end alike. Use write_file to change them.";
            return Err(ToolError::bad_args("old and new are the same").hint(hint).into());
        }
        let search = Search { named: &self.path, content: &content, old: &old, ends };
        let places = if self.all { search.apart(context.deadline)? } else { vec![search.only(context.deadline)?] };
        if places.is_empty() {
            return Err(search.nowhere(context.deadline)?.into());
        }
        let lines = lines_of(&content, &places);
        let size = size_after(content.len(), places.len(), old.len(), new.len());
        // Checked before allocating: replacing a few bytes in many places may need more memory than
        // there is.
        let Some(size) = size.filter(|size| *size as u64 <= platform::file_bytes()) else {
            return Err(ToolError::io(&self.path, &std::io::ErrorKind::FileTooLarge.into()).into());
        };
        let edited = replaced(&content, &places, old.len(), &new, size);
        platform::put_file(&path.real(), edited, None).map_err(|error| ToolError::io(&self.path, &error))?;

        let shown = path.shown();
        let mut text = match places.len() {
            1 => format!("Replaced 1 occurrence in {shown} (line {})\n", lines[0]),
            count => format!("Replaced {count} occurrences in {shown} (lines {})\n", named(&lines, count)),
        };
        let line_ends = ends.name().filter(|_| new.as_ref() != self.new.as_bytes());
        if let Some(name) = line_ends {
            text.push_str(&format!("The line breaks of new were written as {name}, as all lines of the file end.\n"));
        } else if ends == LineEnds::Mixed && self.new.contains('\n') {
            text.push_str("Some lines of the file end with LF and some with CRLF, so new was written as it is.\n");
        }
        Ok(Output::new::<EditFile>(text, Edited { path: shown, replacements: places.len(), lines, size, line_ends }))
    }
}

/// A text that is looked for in a file.
struct Search<'a> {
    /// The file as the caller named it.
    named: &'a str,
    content: &'a [u8],
    old: &'a [u8],
    ends: LineEnds,
}

impl Search<'_> {
    /// The only place where `old` occurs.
    fn only(&self, deadline: &Deadline) -> Result<usize, ToolError> {
        let Some(place) = self.content.find(self.old) else {
            return Err(self.nowhere(deadline)?);
        };
        // A second match that overlaps the first is just as ambiguous.
        let Some(second) = self.content[place + 1..].find(self.old) else {
            return Ok(place);
        };
        let mut places = self.apart(deadline)?;
        if places.len() == 1 {
            places.push(place + 1 + second);
        }
        let lines = lines_of(self.content, &places);
        let count = places.len();
        Err(ToolError::failed(format!("old occurs {count} times in {} (lines {})", self.named, named(&lines, count)))
            .hint("Add surrounding lines to old and new until old occurs only once, or set all to true."))
    }

    fn nowhere(&self, deadline: &Deadline) -> Result<ToolError, ToolError> {
        let hint = near_miss::hint(self.content, self.old, self.ends, deadline)?;
        Ok(ToolError::failed(format!("old does not occur in {}", self.named)).hint(hint))
    }

    /// The non-overlapping places where `old` occurs.
    fn apart(&self, deadline: &Deadline) -> Result<Vec<usize>, ToolError> {
        let mut places = Vec::new();
        for place in self.content.find_iter(self.old) {
            deadline.poll()?;
            places.push(place);
        }
        Ok(places)
    }
}

/// The line numbers of the first few places, counted from 1.
fn lines_of(content: &[u8], places: &[usize]) -> Vec<usize> {
    let (mut line, mut at) = (1, 0);
    let named = places.iter().take(NAMED_LINES);
    named
        .map(|&place| {
            line += content[at..place].iter().filter(|byte| **byte == b'\n').count();
            at = place;
            line
        })
        .collect()
}

fn named(lines: &[usize], count: usize) -> String {
    let mut named = lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    if count > lines.len() {
        named.push_str(", ...");
    }
    named
}

/// The size of the file after replacing `count` texts of `old` bytes by `new` bytes each. `None` if a file in memory cannot have that size.
fn size_after(content: usize, count: usize, old: usize, new: usize) -> Option<usize> {
    let kept = content - count * old;
    kept.checked_add(count.checked_mul(new)?)
}

/// `content` after the replacements, with `size` bytes.
fn replaced(content: &[u8], places: &[usize], old_len: usize, new: &[u8], size: usize) -> Vec<u8> {
    let mut edited = Vec::with_capacity(size);
    let mut at = 0;
    for &place in places {
        edited.extend_from_slice(&content[at..place]);
        edited.extend_from_slice(new);
        at = place + old_len;
    }
    edited.extend_from_slice(&content[at..]);
    edited
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::Sandbox;

    fn with_file(content: impl AsRef<[u8]>) -> Sandbox {
        let sandbox = Sandbox::new();
        sandbox.write("a.md", content);
        sandbox
    }

    #[test]
    fn t_edit_file_01_replaces_the_one_place() {
        let mut sandbox = with_file("one\ntwo\nthree\n");
        let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "two\n", "new": "2\n"}));
        assert_eq!(edited.text, "Replaced 1 occurrence in /workspace/a.md (line 2)\n");
        assert_eq!(
            edited.structured(),
            json!({"path": "/workspace/a.md", "replacements": 1, "lines": [2], "size": 12})
        );
        assert_eq!(sandbox.read("a.md"), b"one\n2\nthree\n");
    }

    #[test]
    fn t_edit_file_02_more_than_one_place_is_refused_and_all_are_named() {
        let mut sandbox = with_file("x\ny\nx\n");
        let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": "x", "new": "z"}));
        assert_eq!(
            (error.kind.name(), error.message.as_str()),
            ("execution-failed", "old occurs 2 times in a.md (lines 1, 3)")
        );
        assert_eq!(sandbox.read("a.md"), b"x\ny\nx\n");
    }

    #[test]
    fn t_edit_file_03_all_replaces_every_place() {
        let mut sandbox = with_file("x".repeat(3) + "\n" + &"x\n".repeat(9));
        let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "x", "new": "yy", "all": true}));
        assert_eq!(
            edited.text,
            "Replaced 12 occurrences in /workspace/a.md (lines 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, ...)\n"
        );
        assert_eq!(sandbox.read("a.md"), ("y".repeat(6) + "\n" + &"yy\n".repeat(9)).as_bytes());
    }

    #[test]
    fn t_edit_file_04_places_that_overlap_are_more_than_one() {
        let mut sandbox = with_file("aaa");
        let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": "aa", "new": "b"}));
        assert_eq!(error.message, "old occurs 2 times in a.md (lines 1, 1)");
        sandbox.ok("edit_file", json!({"path": "a.md", "old": "aa", "new": "b", "all": true}));
        assert_eq!(sandbox.read("a.md"), b"ba");
    }

    #[test]
    fn t_edit_file_05_a_text_that_is_not_there_comes_with_advice() {
        let mut sandbox = with_file("one\r\ntwo\r\nthree\n");
        for all in [false, true] {
            let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": "one\ntwo", "new": "x", "all": all}));
            assert_eq!((error.kind.name(), error.message.as_str()), ("execution-failed", "old does not occur in a.md"));
            assert_eq!(
                error.hint,
                "Some lines of the file end with CRLF. There, write \\r\\n for the line breaks in old and new."
            );
        }
        assert_eq!(sandbox.read("a.md"), b"one\r\ntwo\r\nthree\n");
    }

    #[test]
    fn t_edit_file_12_line_breaks_follow_a_file_whose_lines_all_end_alike() {
        let mut sandbox = with_file("\u{feff}one\r\ntwo\r\nthree");
        let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "two", "new": "2\n2.5"}));
        assert_eq!(edited.structured()["lineEnds"], "CRLF");
        assert!(
            edited.text.ends_with("\nThe line breaks of new were written as CRLF, as all lines of the file end.\n")
        );
        assert_eq!(sandbox.read("a.md"), "\u{feff}one\r\n2\r\n2.5\r\nthree".as_bytes());
        let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "one\n2\n", "new": "1\r\n2\r\n"}));
        assert_eq!(edited.structured()["lineEnds"], json!(null), "it is as it was given");
        assert_eq!(sandbox.read("a.md"), "\u{feff}1\r\n2\r\n2.5\r\nthree".as_bytes());
        let same = sandbox.fail("edit_file", json!({"path": "a.md", "old": "1\n2", "new": "1\r\n2"}));
        assert_eq!(same.message, "old and new are the same");
        sandbox.write("a.md", "one\ntwo\n");
        sandbox.ok("edit_file", json!({"path": "a.md", "old": "one\r\ntwo", "new": "1\r\n2"}));
        assert_eq!(sandbox.read("a.md"), b"1\n2\n");
    }

    #[test]
    fn t_edit_file_13_a_file_with_both_line_ends_is_edited_as_it_is() {
        let mut sandbox = with_file("one\r\ntwo\nthree");
        let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "three", "new": "3\n4\r\n"}));
        assert!(
            edited
                .text
                .ends_with("\nSome lines of the file end with LF and some with CRLF, so new was written as it is.\n")
        );
        assert_eq!(sandbox.read("a.md"), b"one\r\ntwo\n3\n4\r\n");
    }

    #[test]
    fn t_edit_file_06_arguments_that_change_nothing_are_refused() {
        let mut sandbox = with_file("a");
        for (old, new, message) in [("", "b", "old cannot be empty"), ("a", "a", "old and new are the same")] {
            let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": old, "new": new}));
            assert_eq!((error.kind.name(), error.message.as_str()), ("bad-args", message));
        }
    }

    #[test]
    fn t_edit_file_07_other_bytes_and_the_executable_bit_stay() {
        let mut sandbox = Sandbox::new();
        sandbox.write_executable("a.bin", b"\xff\r\nkey=1\x00\xfe");
        sandbox.ok("edit_file", json!({"path": "a.bin", "old": "key=1", "new": "key=é"}));
        assert_eq!(sandbox.read("a.bin"), [b"\xff\r\nkey=".as_slice(), "é".as_bytes(), b"\x00\xfe"].concat());
        assert!(sandbox.is_executable("a.bin"));
    }

    #[test]
    fn t_edit_file_08_through_a_link_the_target_is_edited() {
        let mut sandbox = with_file("a");
        sandbox.symlink("a.md", "link.md");
        let edited = sandbox.ok("edit_file", json!({"path": "link.md", "old": "a", "new": "b"}));
        assert_eq!((&edited.structured()["path"], sandbox.read("a.md")), (&json!("/workspace/a.md"), b"b".to_vec()));
    }

    #[test]
    fn t_edit_file_09_what_is_not_there_or_no_file_is_an_error() {
        let mut sandbox = with_file("a");
        sandbox.mkdir("folder");
        for (path, message) in [("none.md", "No such file or directory: none.md"), ("folder", "Is a directory: folder")]
        {
            let error = sandbox.fail("edit_file", json!({"path": path, "old": "a", "new": "b"}));
            assert_eq!(error.message, message);
        }
        assert!(!sandbox.exists("none.md"));
    }

    #[test]
    fn t_edit_file_11_what_would_become_too_large_is_refused_as_by_write_file() {
        let mut sandbox = with_file("x".repeat(40_000));
        for length in [40_000, 120_000] {
            let arguments = json!({"path": "a.md", "old": "x", "new": "y".repeat(length), "all": true});
            let error = sandbox.fail("edit_file", arguments);
            assert_eq!((error.kind.name(), error.message.as_str()), ("out-of-space", "File too large: a.md"));
        }
        assert_eq!(sandbox.read("a.md"), "x".repeat(40_000).as_bytes());
    }

    #[test]
    fn t_edit_file_10_an_edit_stops_in_time() {
        let mut sandbox = with_file("x".repeat(2000));
        let arguments = json!({"path": "a.md", "old": "x", "new": "y", "all": true});
        let error = sandbox.calling("edit_file", arguments).out_of_time().done().unwrap_err();
        assert_eq!(error.kind.name(), "timeout");
        assert_eq!(sandbox.read("a.md"), "x".repeat(2000).as_bytes());
    }
}
