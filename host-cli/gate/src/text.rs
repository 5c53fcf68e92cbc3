//! The only access to the crate `patch`: line diffs, escaping and quoting of names.

mod trace;
mod unified;

use std::{borrow::Cow, fmt::Write};

use crate::{look, reveal};
use bstr::{BStr, ByteSlice};

pub(crate) use trace::Trace;
pub(crate) use unified::{Found, Unified, unified};

/// Text of several lines for a review screen: it contains nothing that a terminal obeys or hides. Even a carriage return before a line feed
/// is visible, because lines that differ only in their ends would look the same.
pub(crate) fn block(text: &[u8]) -> String {
    let escaped = escaped(text);
    let shown = reveal::reveal(&escaped);
    if shown.contains('\r') { shown.replace('\r', "\\r") } else { shown.into_owned() }
}

/// Text that a terminal shows but does not obey, with `\xNN` for every byte that is not UTF-8.
fn escaped(text: &[u8]) -> Cow<'_, str> {
    match utf8(text) {
        Cow::Borrowed(text) => patch::escape::escape(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(patch::escape::into_escaped(text.into_bytes())),
    }
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

/// A name or other single-line text for a review screen. Line ends and tabs are visible too.
pub(crate) fn name(text: &[u8]) -> String {
    block(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// A path or branch name for a review screen. Also shows by code point anything that looks like a slash, a blank other than the space, a
/// name of blanks only, marks over a letter, and lookalikes in a word of Latin letters.
pub(crate) fn path(path: &[u8]) -> String {
    // Nearly every path: nothing in it is taken for anything else.
    if path.iter().all(u8::is_ascii_graphic) {
        return String::from_utf8_lossy(path).into_owned();
    }
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

/// Whether [`path`] shows some characters of a path or branch name by code point because they look like something else.
pub(crate) fn misleads(path: &[u8]) -> bool {
    let shown = path.to_str_lossy();
    let is_odd = |part: &str| is_blank(part) || reveal::parts(part).iter().any(|part| part.misleads.is_some());
    shown.chars().any(is_misleading) || shown.split('/').any(is_odd) || words(&shown).any(look::is_mixed)
}

/// The words, each with the text after it.
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

/// Whether `text`, a name, holds characters that a screen hides or that reorder others. No name needs them.
pub(crate) fn has_hidden(text: &[u8]) -> bool {
    !text.is_ascii() && text.to_str_lossy().chars().any(reveal::shows_nothing)
}

/// Whether this content has the markers of an unfinished merge.
pub(crate) fn is_conflict(content: &[u8]) -> bool {
    patch::conflict::is_marked(content)
}

/// Whether git would call this content binary.
pub(crate) fn is_binary(content: &[u8]) -> bool {
    patch::binary::is_binary(content)
}

/// A path, in git's C-style quotes if it needs them.
pub(crate) fn quoted(path: &BStr) -> Cow<'_, BStr> {
    patch::quote::quote_path(path)
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
        // Words of one script each, and letters of languages in the Latin script.
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
}
