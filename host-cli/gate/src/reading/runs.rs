//! What can be read in binary content: its runs of printable characters, also of those that NUL bytes stand between. Shells leave NUL bytes
//! out, so these do not end a run.

use std::ops::Range;

use bstr::ByteSlice;

use super::encoding::Encoding;
use crate::reveal::shows_nothing;

/// The shortest run that is ever shown: nearly nothing can be said to a program in fewer characters.
pub(super) const SHORTEST: usize = 4;
/// So many printable characters in a row stand in a MiB of noise a few times.
pub(super) const RARE: usize = 12;
/// So many NUL bytes in a row do not end a run.
const GAP: usize = 3;
/// So many characters in a row are a word.
const WORD: usize = 3;
/// Bytes of the lines of a file of which nobody says that it is text. A program has tens of thousands.
const MOST: usize = 64 << 10;

/// The runs of at least `shortest` characters, a line each, in order. If `is_bounded`, those that are too many are counted.
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

/// Appends what can be read in the bytes of an encoded text themselves and not in the text: to a shell the bytes are the text. Says whether
/// there is anything.
pub(super) fn append(content: &[u8], encoding: Encoding, text: &mut Vec<u8>) -> bool {
    // Characters of ASCII stand in the text. What is left are bytes of other characters, and with them what stands alone between these.
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

/// Gives each run. Of one whose characters are two or four bytes each, the NUL bytes are left out.
fn each(content: &[u8], shortest: usize, give: &mut dyn FnMut(&[u8])) {
    let mut rest = content;
    let mut from = 0;
    while let Some(nul) = rest[from..].find_byte(0).map(|at| from + at) {
        // A wide character begins before its NUL bytes or with them.
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

/// The characters of ASCII at the start that are `width` bytes each, and how many bytes they take. The byte that is none may be first or last.
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

/// Gives each run of characters of UTF-8 in a row, with a few NUL bytes between them.
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
