//! Finds the readable parts of binary content: its runs of printable characters. Shells ignore NUL bytes, so NUL bytes between characters
//! do not end a run.

use std::ops::Range;

use bstr::ByteSlice;

use super::encoding::Encoding;
use crate::reveal::shows_nothing;

/// The shortest run ever shown. Fewer characters hardly make a command.
pub(super) const SHORTEST: usize = 4;
/// Runs of this many printable characters occur a few times in a MiB of noise.
pub(super) const RARE: usize = 12;
/// This many NUL bytes in a row do not end a run.
const GAP: usize = 3;
/// This many characters in a row are a word.
const WORD: usize = 3;
/// The most bytes of lines shown for a file that nothing calls text. A program has tens of thousands.
const MOST: usize = 64 << 10;

/// The runs of at least `shortest` characters in order, one on each line. If `is_bounded`, runs beyond the limit are only counted.
pub(super) fn of(content: &[u8], shortest: usize, is_bounded: bool) -> Vec<u8> {
    let (mut lines, mut more) = (Vec::new(), 0_usize);
    each(content, shortest, &mut |run| {
        if is_bounded && lines.len() + run.len() > MOST {
            more += 1;
        } else {
            lines.extend_from_slice(run);
            lines.push(b'\n');
        }
    });
    if more > 0 {
        lines.extend_from_slice(format!("<{more} more>\n").as_bytes());
    }
    lines
}

/// Appends the text that the bytes of an encoded text spell themselves and that `text` lacks: a shell reads the bytes. Returns whether
/// there is any.
pub(super) fn append(content: &[u8], encoding: Encoding, text: &mut Vec<u8>) -> bool {
    // `text` shows the ASCII characters already. The rest is bytes of other characters, and single characters between them.
    let (mut rest, mut row) = (content.to_vec(), Vec::<Range<usize>>::new());
    let mut end_row = |row: &mut Vec<Range<usize>>| {
        if row.len() >= WORD {
            row.iter().for_each(|unit| rest[unit.clone()].fill(1));
        }
        row.clear();
    };
    encoding.each_ascii(content, &mut |unit| {
        if row.last().is_some_and(|last| last.end != unit.start) {
            end_row(&mut row);
        }
        row.push(unit);
    });
    end_row(&mut row);
    let mut lines = Vec::new();
    narrow(&rest, SHORTEST, &mut |run| {
        lines.extend_from_slice(run);
        lines.push(b'\n');
    });
    if lines.is_empty() {
        return false;
    }
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(b"<read byte by byte:>\n");
    text.extend_from_slice(&lines);
    true
}

/// Reports each run. For a run of two-byte or four-byte characters, leaves out the NUL bytes.
fn each(content: &[u8], shortest: usize, give: &mut dyn FnMut(&[u8])) {
    let mut rest = content;
    let mut from = 0;
    while let Some(nul) = rest[from..].find_byte(0).map(|at| from + at) {
        // A wide character starts before its NUL bytes or with them.
        let wide = [2, 4].into_iter().flat_map(|width| [(width, nul.saturating_sub(1)), (width, nul)]);
        let found = wide.filter(|(_, start)| *start >= from);
        let found =
            found.filter_map(|(width, start)| wide_run(&rest[start..], width).map(|(run, taken)| (start, run, taken)));
        match found.filter(|(_, run, _)| run.len() >= shortest.max(SHORTEST)).max_by_key(|(_, run, _)| run.len()) {
            Some((start, run, taken)) => {
                narrow(&rest[..start], shortest, give);
                give(&run);
                rest = &rest[start + taken..];
                from = 0;
            }
            None => from = nul + 1,
        }
    }
    narrow(rest, shortest, give);
}

/// The ASCII characters at the start that are `width` bytes each, and the bytes they take. The byte that is not NUL may be first or last.
fn wide_run(bytes: &[u8], width: usize) -> Option<(Vec<u8>, usize)> {
    let place = if bytes.first()? == &0 { width - 1 } else { 0 };
    let is_unit = |unit: &&[u8]| {
        let others = unit.iter().enumerate().filter(|(at, _)| *at != place);
        is_printable(unit[place]) && others.fold(true, |all, (_, byte)| all & (*byte == 0))
    };
    let run: Vec<u8> = bytes.chunks_exact(width).take_while(is_unit).map(|unit| unit[place]).collect();
    let taken = run.len() * width;
    (taken > 0).then_some((run, taken))
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t')
}

/// Reports each run of UTF-8 characters, with a few NUL bytes between them.
fn narrow(content: &[u8], shortest: usize, give: &mut dyn FnMut(&[u8])) {
    let mut run = Run { text: Vec::new(), characters: 0, gap: 0 };
    for chunk in content.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '\0' if run.gap < GAP => run.gap += 1,
                char if char == '\t' || !char.is_control() && !shows_nothing(char) => run.take(char),
                _ => run.end(shortest, give),
            }
        }
        if !chunk.invalid().is_empty() {
            run.end(shortest, give);
        }
    }
    run.end(shortest, give);
}

struct Run {
    text: Vec<u8>,
    characters: usize,
    /// NUL bytes since the last character.
    gap: usize,
}

impl Run {
    fn take(&mut self, char: char) {
        if self.characters > 0 {
            self.text.extend(std::iter::repeat_n(0, self.gap));
        }
        self.gap = 0;
        self.characters += 1;
        self.text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn end(&mut self, shortest: usize, give: &mut dyn FnMut(&[u8])) {
        // White space alone says nothing.
        if self.characters >= shortest && !self.text.trim().is_empty() {
            give(&self.text);
        }
        self.text.clear();
        (self.characters, self.gap) = (0, 0);
    }
}
