//! The patch of one change as a reviewer reads it, and the misleading parts of its added lines.

use bstr::ByteSlice;
use patch::{Abbrev, Change, LineCounts, Options};

use super::escaped;
use super::trace::{Trace, Tracer};
use crate::reveal::{self, Misleads, Part};

/// An escaped patch.
pub(crate) struct Unified {
    /// The text hides nothing, and a terminal obeys none of it.
    pub patch: String,
    /// The numbers of its lines.
    pub counts: LineCounts,
    /// The misleading parts of added lines.
    pub found: Found,
    /// What each hunk is, in their order.
    pub traces: Vec<Trace>,
}

/// The first misleading part of each kind, with its line in the new text, counted from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// Characters that are invisible, or reorder others.
    pub hidden: Option<usize>,
    /// A word or sign made of lookalikes, in its displayed form.
    pub alike: Option<(usize, String)>,
    /// This many blanks before more text.
    pub blanks: Option<(usize, usize)>,
    /// This many empty lines before more text.
    pub lines: Option<(usize, usize)>,
    /// Empty lines added just before.
    empty: usize,
}

/// The escaped patch of one change; `None` if it has more than `most` bytes. It ignores attributes, so that nothing can turn it off.
/// `as_text` shows binary content as lines.
pub(crate) fn unified(change: &Change<'_>, as_text: bool, most: u64) -> Option<Unified> {
    let options = Options { abbrev: Abbrev::Length(12), text: as_text, ..Options::default() };
    let mut out = Vec::new();
    let counts = patch::unified(change, &options, &mut out).expect("only a deadline interrupts, and none is set");
    let (mut shown, mut found, mut place) = (String::new(), Found::default(), Place::default());
    let mut tracer = Tracer::of(change);
    for line in out.split_inclusive(|byte| *byte == b'\n') {
        let is_inside = place.is_inside();
        let added = place.after(line);
        tracer.pass(line, is_inside, place.is_inside());
        let mut behind = line.len();
        for piece in pieces(line) {
            behind -= piece.len();
            let text = escaped(piece);
            let (body, end) = text.split_at(text.trim_end_matches(['\r', '\n']).len());
            let parts = reveal::parts_of(body, behind == 0);
            if let Some(number) = added {
                found.look(body, &parts, number);
            }
            reveal::reveal_line(body, &parts, &mut shown);
            // Lines that differ only in their ends would look the same.
            shown.push_str(if end.starts_with('\r') { "\\r\n" } else { end });
            if shown.len() as u64 > most {
                return None;
            }
        }
    }
    shown.shrink_to_fit();
    Some(Unified { patch: shown, counts, found, traces: tracer.end() })
}

impl Found {
    /// The misleading parts of a text that is not a patch.
    pub fn of(text: &str) -> Self {
        let mut found = Found::default();
        for (at, line) in text.lines().enumerate() {
            found.look(line, &reveal::parts(line), at + 1);
        }
        found
    }

    fn look(&mut self, line: &str, parts: &[Part], number: usize) {
        // Skip the line's sign.
        if line.get(1..).unwrap_or_default().trim().is_empty() {
            self.empty += 1;
        } else {
            if self.empty > reveal::BLANKS {
                self.lines.get_or_insert((number, self.empty));
            }
            self.empty = 0;
        }
        // A byte order mark starts a text, after the line's sign.
        let is_mark = |part: &&Part| number == 1 && part.at.start <= 1 && part.shown == "<U+FEFF>";
        for part in parts.iter().filter(|part| !is_mark(part)) {
            match part.misleads {
                Some(Misleads::Hidden) => _ = self.hidden.get_or_insert(number),
                Some(Misleads::Alike) => {
                    _ = self.alike.get_or_insert_with(|| (number, reveal::word(line, parts, part)))
                }
                Some(Misleads::Blanks(count)) => _ = self.blanks.get_or_insert((number, count)),
                None => {}
            }
        }
    }
}

/// The position of a line in a patch.
#[derive(Default)]
struct Place {
    /// The lines left in the hunk, of the old and the new text.
    left: [usize; 2],
    /// The next line of the new text.
    next: usize,
}

impl Place {
    /// Whether the next line belongs to a hunk. One that says that the file ends without a newline may follow nevertheless.
    fn is_inside(&self) -> bool {
        self.left != [0, 0]
    }

    /// Passes a line. Returns its number in the new text if it is an added one.
    fn after(&mut self, line: &[u8]) -> Option<usize> {
        if self.left == [0, 0] {
            if let Some((left, next)) = position(line) {
                (self.left, self.next) = (left, next);
            }
            return None;
        }
        let [old, new] = &mut self.left;
        let number = self.next;
        match line.first() {
            Some(b'-') => *old = old.saturating_sub(1),
            Some(b'+') => {
                (*new, self.next) = (new.saturating_sub(1), self.next + 1);
                return Some(number);
            }
            Some(b' ') => {
                (*old, *new, self.next) = (old.saturating_sub(1), new.saturating_sub(1), self.next + 1);
            }
            // The line says that the file ends without a newline.
            _ => {}
        }
        None
    }
}

/// The line counts in `@@ -1,2 +3,4 @@`, and the first new line.
fn position(line: &[u8]) -> Option<([usize; 2], usize)> {
    let line = line.strip_prefix(b"@@ -")?;
    let (old, new) = str::from_utf8(&line[..line.find(" @@")?]).ok()?.split_once(" +")?;
    let range = |range: &str| {
        let (first, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    let ((_, old), (first, new)): ((usize, usize), (usize, usize)) = (range(old)?, range(new)?);
    Some(([old, new], first))
}

/// Bytes escaped at a time: during escaping each may become several.
const PIECE: usize = 64 << 10;

/// `text` in parts that split neither a character nor a line end.
fn pieces(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let whole = |at: &usize| text[*at] & 0xc0 != 0x80 && !text[at - 1..].starts_with(b"\r\n");
        // Four continuation bytes in a row are not a character, so the split may be anywhere.
        let at = if text.len() > PIECE { (PIECE - 3..=PIECE).rev().find(whole).unwrap_or(PIECE) } else { text.len() };
        let (piece, rest) = text.split_at(at);
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::super::block;
    use super::*;

    #[test]
    fn text_in_pieces_is_shown_as_text_in_one() {
        for unit in [
            &b"abc\n"[..],
            b"\r\n",
            b"\r",
            "\u{e9}".as_bytes(),
            "\u{200b}".as_bytes(),
            b"\xf0\x9f\x98\x80",
            b"\x80",
            b"\xf0\x9f\x98",
        ] {
            for before in 0..5 {
                let text = [&b"xxxxx"[..before], &unit.repeat(2 * PIECE / unit.len() + 3)].concat();
                let parts: Vec<_> = pieces(&text).collect();
                assert!(parts.len() > 2 && parts.iter().all(|part| part.len() <= PIECE));
                assert_eq!(parts.into_iter().map(block).collect::<String>(), block(&text));
            }
        }
    }
}
