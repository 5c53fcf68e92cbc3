//! What can be read in binary content: its runs of printable characters, also of those that NUL bytes stand between.

use bstr::ByteSlice;

use crate::reveal::shows_nothing;

/// The shortest run that is ever shown: nearly nothing can be said to a program in fewer characters.
pub(super) const SHORTEST: usize = 4;
/// So many printable characters in a row stand in a MiB of noise a few times.
pub(super) const RARE: usize = 12;
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

/// Appends what can be read in the bytes of an encoded text themselves: to some programs they are the text.
pub(super) fn append(content: &[u8], text: &mut Vec<u8>) {
    let mut lines = Vec::new();
    narrow(content, RARE, &mut |run| {
        lines.extend_from_slice(run);
        lines.push(b'\n');
    });
    if lines.is_empty() {
        return;
    }
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(b"<read byte by byte:>\n");
    text.extend_from_slice(&lines);
}

/// Gives each run, those with NUL bytes between their characters as well, without these.
fn each(content: &[u8], shortest: usize, give: &mut dyn FnMut(&[u8])) {
    let mut rest = content;
    while !rest.is_empty() {
        let Some(nul) = rest.find_byte(0) else { return narrow(rest, shortest, give) };
        // A wide character begins before its NUL bytes or with them.
        let wide = [2, 4].into_iter().flat_map(|width| [(width, nul.saturating_sub(1)), (width, nul)]);
        let found =
            wide.filter_map(|(width, from)| wide_run(&rest[from..], width).map(|(run, taken)| (from, run, taken)));
        match found.filter(|(_, run, _)| run.len() >= shortest).max_by_key(|(_, run, _)| run.len()) {
            Some((from, run, taken)) => {
                narrow(&rest[..from], shortest, give);
                give(&run);
                rest = &rest[from + taken..];
            }
            None => {
                narrow(&rest[..nul], shortest, give);
                rest = &rest[nul + 1..];
            }
        }
    }
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

/// Gives each run of characters of UTF-8 in a row.
fn narrow(content: &[u8], shortest: usize, give: &mut dyn FnMut(&[u8])) {
    for chunk in content.utf8_chunks() {
        let is_odd = |char: char| char.is_control() && char != '\t' || shows_nothing(char);
        for run in chunk.valid().split(is_odd) {
            // White space alone says nothing.
            if run.len() >= shortest && run.chars().count() >= shortest && !run.trim().is_empty() {
                give(run.as_bytes());
            }
        }
    }
}
