//! Text wrapped at a width: `%w(…)`.

use gix::bstr::ByteSlice;

use crate::git::columns;
use crate::git::space::is_space;

/// How text is wrapped.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Wrap {
    /// Columns; with 0, lines are only indented.
    pub width: usize,
    /// Columns before the first line.
    pub first: usize,
    /// Columns before the others.
    pub others: usize,
}

impl Wrap {
    /// `text` as the rest of a line of which `used` columns are taken, wrapped: its first word may stand on the next line already.
    pub fn rest_of_line(&self, used: usize, text: &[u8]) -> Vec<u8> {
        Page { wrap: *self, text, by_character: is_utf8(text), out: Vec::new() }.filled(Some(used))
    }

    /// `text`, wrapped.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        // git takes the text for one that ends at its first NUL.
        let text = &text[..text.find_byte(0).unwrap_or(text.len())];
        if self.width == 0 {
            return self.indented(text);
        }
        Page { wrap: *self, text, by_character: is_utf8(text), out: Vec::new() }.filled(None)
    }

    fn indented(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        let indents = std::iter::once(self.first).chain(std::iter::repeat(self.others));
        for (line, indent) in text.split_inclusive(|byte| *byte == b'\n').zip(indents) {
            out.resize(out.len() + indent, b' ');
            out.extend_from_slice(line);
        }
        out
    }
}

/// A text that is being filled into lines.
struct Page<'t> {
    wrap: Wrap,
    text: &'t [u8],
    /// Whether columns are counted by characters, or by bytes where the text is not UTF-8.
    by_character: bool,
    out: Vec<u8>,
}

fn is_utf8(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some((_, length)) = columns::first(rest) {
        rest = &rest[length..];
    }
    rest.is_empty()
}

impl Page<'_> {
    /// Words go on a line as long as they fit; where a word is too long, it stands alone. A line feed before a letter or digit is as
    /// good as a space; before anything else it stays.
    fn filled(mut self, used: Option<usize>) -> Vec<u8> {
        let text = self.text;
        let at = |position: usize| text.get(position).copied();
        // The start of the line's text, and of the white space before the word that is looked at.
        let (mut line, mut space) = (0, used.map(|_| 0));
        let (mut column, mut indent) = (used.unwrap_or(self.wrap.first) as i64, self.wrap.first);
        let mut here = 0;
        loop {
            here += columns::colour_sequence(&text[here..]);
            let byte = at(here);
            if byte.is_some_and(|byte| !is_space(byte)) {
                let (width, length) = self.step(here);
                column += width;
                here += length;
                continue;
            }
            let mut breaks = column > self.wrap.width as i64 && space.is_some();
            if !breaks {
                if byte.is_none() && here == line {
                    return self.out;
                }
                let from = space.unwrap_or_else(|| {
                    self.out.resize(self.out.len() + indent, b' ');
                    line
                });
                self.out.extend_from_slice(&text[from..here]);
                let Some(byte) = byte else {
                    return self.out;
                };
                space = Some(here);
                match byte {
                    b'\t' => column |= 7,
                    b'\n' => {
                        space = Some(here + 1);
                        match at(here + 1) {
                            Some(b'\n') => {
                                self.out.push(b'\n');
                                breaks = true;
                            }
                            Some(next) if next.is_ascii_alphanumeric() => self.out.push(b' '),
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
            self.out.push(b'\n');
            let start = space.expect("a line breaks behind a word");
            here = start + usize::from(at(start).is_some_and(is_space));
            line = here;
            space = None;
            (column, indent) = (self.wrap.others as i64, self.wrap.others);
        }
    }

    /// The columns and bytes of what stands at `position`.
    fn step(&self, position: usize) -> (i64, usize) {
        match columns::first(&self.text[position..]) {
            // git counts a control character as one column less.
            Some((c, length)) if self.by_character => (columns::of(c).map_or(-1, |width| width as i64), length),
            _ => (1, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_lines() {
        let wrap = Wrap { width: 10, first: 2, others: 4 };
        assert_eq!(wrap.apply(b"one two three four"), b"  one two\n    three\n    four");
        assert_eq!(wrap.apply(b"one\ntwo"), b"  one two");
        assert_eq!(wrap.apply(b"one\n\ntwo"), b"  one\n\n    two");
        assert_eq!(wrap.apply(b""), b"");
        let indent = Wrap { width: 0, first: 1, others: 2 };
        assert_eq!(indent.apply(b"a\nb\n"), b" a\n  b\n");
    }
}
