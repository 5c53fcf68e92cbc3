//! Wraps text: `%w(…)`.

use gix::bstr::ByteSlice;

use super::text::Text;
use crate::error::ToolError;
use crate::git::words::columns;
use crate::git::words::space::is_space;

/// The width and the indentations of a wrap.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Wrap {
    /// In columns. With 0, lines are only indented.
    pub width: usize,
    /// Indentation of the first line.
    pub first: usize,
    /// Indentation of the other lines.
    pub others: usize,
}

impl Wrap {
    /// Appends wrapped `text` to a line with `used` columns taken. The first word may already go on the next line.
    ///
    /// # Errors
    ///
    /// If `out` becomes too large, or time runs out.
    pub fn rest_of_line(&self, used: usize, text: &[u8], out: &mut Text<'_>) -> Result<(), ToolError> {
        Page { wrap: *self, text, by_character: is_utf8(text), out }.filled(Some(used))
    }

    /// Appends `text`, wrapped.
    ///
    /// # Errors
    ///
    /// If `out` becomes too large, or the deadline has passed.
    pub fn apply(&self, text: &[u8], out: &mut Text<'_>) -> Result<(), ToolError> {
        // git treats the text as a C string, so its first NUL ends it.
        let text = &text[..text.find_byte(0).unwrap_or(text.len())];
        out.work(text.len())?;
        if self.width == 0 {
            return self.indented(text, out);
        }
        Page { wrap: *self, text, by_character: is_utf8(text), out }.filled(None)
    }

    fn indented(&self, text: &[u8], out: &mut Text<'_>) -> Result<(), ToolError> {
        let indents = std::iter::once(self.first).chain(std::iter::repeat(self.others));
        for (line, indent) in text.split_inclusive(|byte| *byte == b'\n').zip(indents) {
            out.add_spaces(indent)?;
            out.add(line)?;
        }
        Ok(())
    }
}

/// A text during wrapping.
struct Page<'t, 'o, 'd> {
    wrap: Wrap,
    text: &'t [u8],
    /// Whether the width counts characters. For text that is not UTF-8, it counts bytes.
    by_character: bool,
    out: &'o mut Text<'d>,
}

fn is_utf8(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some((_, length)) = columns::first(rest) {
        rest = &rest[length..];
    }
    rest.is_empty()
}

impl Page<'_, '_, '_> {
    /// Fills lines with as many words as fit. A word that is too long gets its own line. A line feed before a letter or digit counts as a
    /// space; any other stays.
    fn filled(self, used: Option<usize>) -> Result<(), ToolError> {
        let text = self.text;
        let at = |position: usize| text.get(position).copied();
        // The start of the line's text, and of the white space before the current word.
        let (mut line, mut space) = (0, used.map(|_| 0));
        let (mut column, mut indent) = (used.unwrap_or(self.wrap.first) as i64, self.wrap.first);
        let mut here = 0;
        loop {
            here += columns::colour_sequences(&text[here..]);
            let byte = at(here);
            if byte.is_some_and(|byte| !is_space(byte)) {
                let (width, length) = self.step(here);
                self.out.work(length)?;
                column += width;
                here += length;
                continue;
            }
            let mut breaks = column > self.wrap.width as i64 && space.is_some();
            if !breaks {
                if byte.is_none() && here == line {
                    return Ok(());
                }
                if space.is_none() {
                    self.out.add_spaces(indent)?;
                }
                self.out.add(&text[space.unwrap_or(line)..here])?;
                let Some(byte) = byte else {
                    return Ok(());
                };
                space = Some(here);
                match byte {
                    b'\t' => column |= 7,
                    b'\n' => {
                        space = Some(here + 1);
                        match at(here + 1) {
                            Some(b'\n') => {
                                self.out.add(b"\n")?;
                                breaks = true;
                            }
                            Some(next) if next.is_ascii_alphanumeric() => self.out.add(b" ")?,
                            _ => breaks = true,
                        }
                    }
                    _ => {}
                }
                if !breaks {
                    column += 1;
                    here += 1;
                    continue;
                }
            }
            self.out.add(b"\n")?;
            let start = space.expect("a line breaks behind a word");
            here = start + usize::from(at(start).is_some_and(is_space));
            line = here;
            space = None;
            (column, indent) = (self.wrap.others as i64, self.wrap.others);
        }
    }

    /// The width and length of the character at `position`.
    fn step(&self, position: usize) -> (i64, usize) {
        match columns::first(&self.text[position..]) {
            // git subtracts one column for a control character.
            Some((c, length)) if self.by_character => (columns::of(c).map_or(-1, |width| width as i64), length),
            _ => (1, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::Deadline;

    fn wrapped(wrap: Wrap, text: &[u8]) -> Result<Vec<u8>, ToolError> {
        let deadline = Deadline::after(|| 0, u64::MAX / 2);
        let mut out = Text::new(&deadline);
        wrap.apply(text, &mut out)?;
        Ok(out.to_vec())
    }

    #[test]
    fn words_fill_lines() {
        let wrap = Wrap { width: 10, first: 2, others: 4 };
        assert_eq!(wrapped(wrap, b"one two three four").unwrap(), b"  one two\n    three\n    four");
        assert_eq!(wrapped(wrap, b"one\ntwo").unwrap(), b"  one two");
        assert_eq!(wrapped(wrap, b"one\n\ntwo").unwrap(), b"  one\n\n    two");
        assert_eq!(wrapped(wrap, b"").unwrap(), b"");
        let indent = Wrap { width: 0, first: 1, others: 2 };
        assert_eq!(wrapped(indent, b"a\nb\n").unwrap(), b" a\n  b\n");
    }

    #[test]
    fn colours_take_no_columns_however_many_follow_each_other() {
        let wrap = Wrap { width: 5, first: 0, others: 0 };
        assert_eq!(wrapped(wrap, b"\x1b[1m\x1b[31m\x1b[mab cd").unwrap(), b"\x1b[1m\x1b[31m\x1b[mab cd");
    }

    #[test]
    fn many_lines_with_much_before_them_are_refused() {
        for width in [0, 1] {
            let error = wrapped(Wrap { width, first: 0, others: 16_000 }, &b"a\n\n".repeat(5000)).unwrap_err();
            assert!(error.message.starts_with("format expands one commit to more than"), "{error:?}");
        }
    }
}
