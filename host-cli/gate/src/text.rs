//! The only access to the crate `patch`: line diffs, escaping and quoting of names.

use std::{borrow::Cow, fmt::Write};

use bstr::{BStr, ByteSlice};
use patch::{Abbrev, Change, LineCounts, Options};

/// Text of several lines for a review screen: nothing a terminal obeys, nothing it hides. A
/// carriage return is shown before a line feed, too: lines that differ in their ends alone would
/// look the same.
pub(crate) fn block(text: &[u8]) -> String {
    let shown = patch::escape::reveal(&patch::escape::escape(utf8(text).as_bytes()));
    if shown.contains('\r') { shown.replace('\r', "\\r") } else { shown }
}

/// Text with `\xNN` for every byte that is not UTF-8, so that different bytes stay distinguishable.
pub(crate) fn utf8(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}").expect("writing to a string does not fail");
        }
    }
    Cow::Owned(out)
}

/// A name or another text of one line for a review screen; line ends and tabs are shown, too.
pub(crate) fn name(text: &[u8]) -> String {
    block(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Whether `text` holds characters that a screen hides or that change the order of others.
pub(crate) fn has_hidden(text: &[u8]) -> bool {
    if text.is_ascii() {
        return false;
    }
    let shown = text.to_str_lossy();
    patch::escape::reveal(&shown) != shown
}

/// Whether git would call this content binary.
pub(crate) fn is_binary(content: &[u8]) -> bool {
    patch::binary::is_binary(content)
}

/// A path in git's C-style quotes where it needs them.
pub(crate) fn quoted(path: &BStr) -> Cow<'_, BStr> {
    patch::quote::quote_path(path)
}

/// The patch of one change, escaped, and its counts; `None` if it has more than `most` bytes.
/// Attributes play no part: nothing can turn it off. `as_text` shows binary content as lines.
pub(crate) fn unified(change: &Change<'_>, as_text: bool, most: u64) -> Option<(String, LineCounts)> {
    let options = Options { abbrev: Abbrev::Length(12), text: as_text, ..Options::default() };
    let mut out = Vec::new();
    let counts = patch::unified(change, &options, &mut out).expect("only a deadline interrupts, and none is set");
    let mut shown = String::new();
    for piece in pieces(&out) {
        shown.push_str(&block(piece));
        if shown.len() as u64 > most {
            return None;
        }
    }
    shown.shrink_to_fit();
    Some((shown, counts))
}

/// Bytes that are escaped at once: on the way each may become several.
const PIECE: usize = 64 << 10;

/// `text` in parts, between which neither a character nor a line end is torn.
fn pieces(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let whole = |at: &usize| text[*at] & 0xc0 != 0x80 && !text[at - 1..].starts_with(b"\r\n");
        // Four bytes in a row that only go on with a character are none, wherever they are torn.
        let at = if text.len() > PIECE { (PIECE - 3..=PIECE).rev().find(whole).unwrap_or(PIECE) } else { text.len() };
        let (piece, rest) = text.split_at(at);
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
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
