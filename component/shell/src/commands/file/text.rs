//! What kind of text a file is.

use bstr::ByteSlice;

use super::Guess;

/// A guess, if it is text.
pub fn guess(bytes: &[u8]) -> Option<Guess> {
    let (encoding, name, text) = encoding(bytes)?;
    let trimmed = text.trim_ascii_start();
    if is_json(trimmed) {
        return Some(Guess { words: "JSON text data".to_owned(), mime: "application/json", encoding });
    }
    let (kind, mime, executable) = kind(text, trimmed);
    if kind == Some("CSV") {
        return Some(Guess { words: "CSV text".to_owned(), mime, encoding });
    }
    let mut words = match kind {
        Some(kind) => format!("{kind}, {name} text"),
        None => format!("{name} text"),
    };
    if executable {
        words.push_str(" executable");
    }
    words.push_str(&lines(text));
    Some(Guess { words, mime, encoding })
}

/// The encoding of a text, its name, and the text without a byte order mark.
fn encoding(bytes: &[u8]) -> Option<(&'static str, &'static str, &[u8])> {
    if bytes.starts_with(b"\xff\xfe") {
        return Some(("utf-16le", "Unicode text, UTF-16, little-endian", bytes));
    }
    if bytes.starts_with(b"\xfe\xff") {
        return Some(("utf-16be", "Unicode text, UTF-16, big-endian", bytes));
    }
    let is_text = |byte: &u8| matches!(byte, 7..=13 | 27 | 32..=126 | 128..);
    if !bytes.iter().all(is_text) {
        return None;
    }
    if bytes.is_ascii() {
        return Some(("us-ascii", "ASCII", bytes));
    }
    let is_whole = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        // The end was cut off.
        Err(error) => error.error_len().is_none(),
    };
    if let (true, Some(text)) = (is_whole, bytes.strip_prefix(b"\xef\xbb\xbf")) {
        return Some(("utf-8", "Unicode text, UTF-8 (with BOM)", text));
    }
    if is_whole {
        return Some(("utf-8", "Unicode text, UTF-8", bytes));
    }
    match bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) {
        true => Some(("unknown-8bit", "Non-ISO extended-ASCII", bytes)),
        false => Some(("iso-8859-1", "ISO-8859", bytes)),
    }
}

/// What a text is in, its type, and whether it can be executed.
fn kind(text: &[u8], trimmed: &[u8]) -> (Option<&'static str>, &'static str, bool) {
    if let Some(line) = text.strip_prefix(b"#!") {
        return script(line.lines().next().unwrap_or_default());
    }
    let begin = trimmed[..trimmed.len().min(4096)].to_ascii_lowercase();
    if begin.starts_with(b"<?php") {
        return (Some("PHP script"), "text/x-php", false);
    }
    if begin.starts_with(b"<!doctype html") || begin.starts_with(b"<html") || begin.starts_with(b"<head") {
        return (Some("HTML document"), "text/html", false);
    }
    if begin.contains_str("<svg") && (begin.starts_with(b"<svg") || begin.starts_with(b"<?xml")) {
        return (Some("SVG Scalable Vector Graphics image"), "image/svg+xml", false);
    }
    if begin.starts_with(b"<?xml") {
        return (Some("XML 1.0 document"), "text/xml", false);
    }
    if begin.starts_with(b"diff ") || begin.starts_with(b"--- ") && begin.contains_str("\n+++ ") {
        return (Some("unified diff output"), "text/x-diff", false);
    }
    if begin.lines().any(|line| line.starts_with(b"#include")) {
        return (Some("C source"), "text/x-c", false);
    }
    if is_csv(text) {
        return (Some("CSV"), "text/csv", false);
    }
    (None, "text/plain", false)
}

fn script(line: &[u8]) -> (Option<&'static str>, &'static str, bool) {
    let line = line.to_str_lossy();
    let mut words = line.split_whitespace();
    let mut name = words.next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    if name == "env" {
        name = words.find(|word| !word.starts_with('-')).unwrap_or_default();
    }
    let name = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    let (kind, mime) = match name {
        "sh" => ("POSIX shell script", "text/x-shellscript"),
        "bash" => ("Bourne-Again shell script", "text/x-shellscript"),
        "zsh" => ("Paul Falstad's zsh script", "text/x-shellscript"),
        "python" => ("Python script", "text/x-script.python"),
        "perl" => ("Perl script", "text/x-perl"),
        "ruby" => ("Ruby script", "text/x-ruby"),
        "node" => ("Node.js script", "application/javascript"),
        "php" => ("PHP script", "text/x-php"),
        "awk" | "gawk" => ("awk script", "text/x-awk"),
        _ => ("script", "text/plain"),
    };
    (Some(kind), mime, true)
}

/// Whether there are three lines, and the first ones have the same number of commas.
fn is_csv(text: &[u8]) -> bool {
    let whole = text.lines_with_terminator().filter(|line| line.ends_with(b"\n"));
    let mut counts = whole.take(10).map(|line| {
        let mut quoted = false;
        let counted = line.iter().filter(|byte| {
            quoted ^= **byte == b'"';
            **byte == b',' && !quoted
        });
        counted.count()
    });
    let Some(first) = counts.next() else { return false };
    let rest: Vec<usize> = counts.collect();
    first > 0 && rest.len() >= 2 && rest.iter().all(|count| *count == first)
}

/// How the lines are, if that is unusual.
fn lines(text: &[u8]) -> String {
    let mut out = String::new();
    let longest =
        text.lines_with_terminator().map(|line| line.trim_end_with(|char| char == '\n').len()).max().unwrap_or(0);
    if longest > 300 {
        out.push_str(&format!(", with very long lines ({longest})"));
    }
    let breaks = text.iter().filter(|byte| **byte == b'\n').count();
    let windows = text.find_iter("\r\n").count();
    let returns = text.iter().filter(|byte| **byte == b'\r').count() - windows;
    let kinds: Vec<&str> = [(windows, "CRLF"), (returns, "CR"), (breaks - windows, "LF")]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(_, name)| *name)
        .collect();
    match &*kinds {
        [] => out.push_str(", with no line terminators"),
        ["LF"] => (),
        kinds => out.push_str(&format!(", with {} line terminators", kinds.join(", "))),
    }
    if text.contains(&27) {
        out.push_str(", with escape sequences");
    }
    out
}

/// Whether it is an object or a list in JSON, as far as its beginning and its brackets show.
fn is_json(text: &[u8]) -> bool {
    let mut open = Vec::new();
    let (mut quoted, mut escaped, mut begins) = (false, false, true);
    for (at, byte) in text.iter().enumerate() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                b'\n' => return false,
                _ => (),
            }
            continue;
        }
        match byte {
            b'{' | b'[' => open.push(*byte),
            b'}' | b']' => {
                let wanted = if *byte == b'}' { b'{' } else { b'[' };
                if open.pop() != Some(wanted) {
                    return false;
                }
                if open.is_empty() {
                    return text[at + 1..].trim_ascii().is_empty();
                }
            }
            b'"' => quoted = true,
            b'a'..=b'z' | b'A'..=b'Z' => {
                // Every letter of a word gets here, so the word is looked at from its first one.
                let begins = at == 0 || !text[at - 1].is_ascii_alphanumeric();
                let ends = text[at..].iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(0);
                if begins && !matches!(&text[at..at + ends], b"true" | b"false" | b"null") {
                    return false;
                }
            }
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'-' | b'+' | b'.' | b'0'..=b'9' => (),
            _ => return false,
        }
        if begins && open.is_empty() {
            return false;
        }
        begins = false;
    }
    false
}
