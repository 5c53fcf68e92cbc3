//! Texts as lines, and which of them are equal.

use std::collections::HashMap;

use bstr::ByteSlice;
use bytes::Bytes;

/// What does not make lines differ.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignored {
    /// Upper and lower case.
    pub case: bool,
    /// All blanks.
    pub all_blanks: bool,
    /// How many blanks there are, but not whether there are any.
    pub blanks: bool,
    /// Blanks at the end of a line.
    pub end_blanks: bool,
    /// Tabs instead of blanks.
    pub tabs: bool,
    /// A carriage return at the end of a line.
    pub returns: bool,
}

impl Ignored {
    fn nothing(self) -> bool {
        !(self.case || self.all_blanks || self.blanks || self.end_blanks || self.tabs)
    }
}

/// A text.
#[derive(Debug, Default)]
pub struct Text {
    /// Its lines, without what ends them.
    pub lines: Vec<Bytes>,
    /// Whether the last line lacks its end.
    pub open: bool,
}

impl Text {
    /// Takes lines apart.
    pub fn of(content: &Bytes, ignored: Ignored) -> Text {
        let open = content.last().is_some_and(|last| *last != b'\n');
        let mut lines: Vec<Bytes> = content.split_str("\n").map(|line| content.slice_ref(line)).collect();
        if !open {
            lines.pop();
        }
        if ignored.returns {
            let ended = lines.len() - usize::from(open);
            for line in &mut lines[..ended] {
                if line.last() == Some(&b'\r') {
                    line.truncate(line.len() - 1);
                }
            }
        }
        Text { lines, open }
    }
}

/// Numbers the lines of texts: equal lines have equal numbers.
pub fn numbered(texts: [&Text; 2], ignored: Ignored) -> [Vec<u32>; 2] {
    let mut known: HashMap<(Bytes, bool), u32> = HashMap::new();
    texts.map(|text| {
        let last = text.lines.len().wrapping_sub(1);
        let mut number = |(at, line): (usize, &Bytes)| {
            // A line without an end differs from one with an end, unless blanks at the end do not count.
            let open = at == last && text.open && !(ignored.all_blanks || ignored.blanks || ignored.end_blanks);
            let next = u32::try_from(known.len()).expect("texts fit in memory");
            *known.entry((plain(line, ignored), open)).or_insert(next)
        };
        text.lines.iter().enumerate().map(&mut number).collect()
    })
}

/// A line without what does not count.
fn plain(line: &Bytes, ignored: Ignored) -> Bytes {
    if ignored.nothing() {
        return line.clone();
    }
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\x0b';
    let mut out: Vec<u8> = Vec::with_capacity(line.len());
    let mut column = 0;
    for byte in line {
        match byte {
            byte if is_blank(byte) && ignored.all_blanks => (),
            byte if is_blank(byte) && ignored.blanks => {
                if out.last() != Some(&b' ') {
                    out.push(b' ');
                }
            }
            b'\t' if ignored.tabs => {
                let width = 8 - column % 8;
                out.resize(out.len() + width, b' ');
                column += width;
            }
            byte => {
                out.push(if ignored.case { byte.to_ascii_lowercase() } else { *byte });
                column += 1;
            }
        }
    }
    if ignored.blanks || ignored.end_blanks {
        while out.last().is_some_and(is_blank) {
            out.pop();
        }
    }
    out.into()
}
