//! The only access to the crate `patch`: line diffs, escaping and quoting of names.

use std::{borrow::Cow, fmt::Write};

use crate::look;
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

/// A path or the name of a branch for a review screen: also shown by code point is what looks like a
/// slash, a blank that is no space, a name that is only blank, what is drawn over a letter, and in a word
/// of Latin letters what only looks like one.
pub(crate) fn path(path: &[u8]) -> String {
    let mut out = String::with_capacity(path.len());
    for (number, part) in path.split(|byte| *byte == b'/').enumerate() {
        out.push_str(if number > 0 { "/" } else { "" });
        let shown = name(part);
        for word in words(&shown) {
            let is_mixed = look::is_mixed(word);
            for char in word.chars() {
                if is_misleading(char) || is_blank(&shown) || is_mixed && look::is_like_a_letter(char) {
                    write!(out, "<U+{:04X}>", u32::from(char)).expect("writing to a string does not fail");
                } else {
                    out.push(char);
                }
            }
        }
    }
    out
}

/// Whether a path or the name of a branch has characters that [`path`] shows by code point because
/// they look like something else.
pub(crate) fn misleads(path: &[u8]) -> bool {
    let shown = path.to_str_lossy();
    shown.chars().any(is_misleading) || shown.split('/').any(is_blank) || words(&shown).any(look::is_mixed)
}

/// The words, each with what stands behind it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(|char: char| !char.is_alphabetic())
}

fn is_blank(name: &str) -> bool {
    !name.is_empty() && name.chars().all(char::is_whitespace)
}

fn is_misleading(char: char) -> bool {
    if char.is_ascii() {
        return false;
    }
    let overlay = matches!(char, '\u{334}'..='\u{338}' | '\u{20d2}' | '\u{20d3}' | '\u{20d8}'..='\u{20da}'
        | '\u{20e5}' | '\u{20e6}' | '\u{20ea}' | '\u{20eb}');
    overlay || char.is_whitespace() || look::is_like_a_slash(char)
}

/// Whether `text` holds characters that a screen hides or that change the order of others.
pub(crate) fn has_hidden(text: &[u8]) -> bool {
    if text.is_ascii() {
        return false;
    }
    let shown = text.to_str_lossy();
    patch::escape::reveal(&shown) != shown
}

/// Whether this content has the markers of an unsolved merge.
pub(crate) fn is_conflict(content: &[u8]) -> bool {
    patch::conflict::is_marked(content)
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
    fn attack_18_what_misleads_in_a_name_is_shown_by_code_point() {
        for (name, shown) in [
            ("docs\u{2215}a.md", "docs<U+2215>a.md"),
            ("a\u{2044}b/c", "a<U+2044>b/c"),
            (" /x", "<U+0020>/x"),
            ("\u{3000}", "<U+3000>"),
            ("a\u{338}", "a<U+0338>"),
            ("a\u{a0}b", "a<U+00A0>b"),
            ("p\u{430}ypal.md", "p<U+0430>ypal.md"),
            ("\u{441}onfig/\u{43e}n\u{435}.md", "<U+0441>onfig/<U+043E>n<U+0435>.md"),
            ("\u{3b1}bc", "<U+03B1>bc"),
        ] {
            assert_eq!(path(name.as_bytes()), shown);
            assert!(misleads(name.as_bytes()), "{shown}");
        }
        for plain in ["a b/c d", "\u{e9}", "cafe\u{301}", "\u{65e5}\u{672c}abc.txt", "a\\b"] {
            assert_eq!(path(plain.as_bytes()), plain);
            assert!(!misleads(plain.as_bytes()), "{plain}");
        }
        // Words of one script each, and letters of languages that are written in Latin ones.
        for plain in [
            "\u{43e}\u{442}\u{447}\u{435}\u{442}-v2.md",
            "\u{3b1}-test",
            "s\u{131}n\u{131}f",
            "stra\u{df}e",
            "\u{b5}m",
            "\u{394}x",
        ] {
            assert_eq!(path(plain.as_bytes()), plain);
            assert!(!misleads(plain.as_bytes()), "{plain}");
        }
    }

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
