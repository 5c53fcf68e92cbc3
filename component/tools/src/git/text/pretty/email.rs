//! Formats commits as mails: `email` and `mboxrd`.

use gix::bstr::{BStr, ByteSlice};

use super::layout::Layout;
use super::text::Text;
use super::wrap::Wrap;
use super::{Printer, body, subject};
use crate::error::ToolError;
use crate::git::history::graph::{Commit, Ident};
use crate::git::words::columns;
use crate::git::words::dates::{self, DateForm};

/// The maximum length of a header line (RFC 2822), and of one with encoded words (RFC 2047).
const LONGEST: usize = 78;
const LONGEST_ENCODED: usize = 76;

/// Appends `commit` in the format of a mail.
pub fn append(printer: &Printer<'_>, layout: Layout, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
    out.extend_from_slice(format!("From {} Mon Sep 17 00:00:00 2001\n", commit.id).as_bytes());
    from(printer, commit, out)?;
    let (title, rest) = subject::subject(subject::skip_blank_lines(commit.message()));
    let before = out.len();
    out.extend_from_slice(b"Subject: [PATCH] ");
    let used = out.len() - before;
    match needs_encoding(&title) {
        true => encode(&title, used, Place::Subject, out),
        false => folded(printer, &title, used, out)?,
    }
    out.push(b'\n');
    // git checks only the message, without the header.
    let is_plain = commit.message().iter().all(|byte| is_ascii(*byte));
    if !is_plain {
        out.extend_from_slice(
            b"MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n",
        );
    }
    out.push(b'\n');
    let start = out.len();
    body::append(layout, rest, out);
    body::end_line(out);
    // An empty body still has one line.
    if out.len() <= start {
        out.push(b'\n');
    }
    Ok(())
}

fn from(printer: &Printer<'_>, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
    let Some(ident) = Ident::parse(commit.author_line()) else {
        return Ok(());
    };
    let (name, mail) = printer.mailmap().map(ident.name, ident.mail);
    person(printer, &name, &mail, &ident, out)
}

/// Appends the tagger of a tag, without the mailmap.
pub fn tagger(printer: &Printer<'_>, line: &BStr, out: &mut Vec<u8>) -> Result<(), ToolError> {
    let Some(ident) = Ident::parse(line) else {
        return Ok(());
    };
    person(printer, ident.name, ident.mail, &ident, out)
}

fn person(
    printer: &Printer<'_>,
    name: &BStr,
    mail: &BStr,
    ident: &Ident<'_>,
    out: &mut Vec<u8>,
) -> Result<(), ToolError> {
    let start = out.len();
    out.extend_from_slice(b"From: ");
    let used = out.len() - start;
    let mut longest = LONGEST;
    if needs_encoding(name) {
        encode(name, used, Place::Address, out);
        longest = LONGEST_ENCODED;
    } else if name.iter().any(|byte| b"()<>[]:;@,.\"\\".contains(byte)) {
        folded(printer, &quoted(name), used, out)?;
    } else {
        folded(printer, name, used, out)?;
    }
    let line = out.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    if longest < out.len() - line + mail.len() + " <>".len() {
        out.push(b'\n');
    }
    for part in [b" <", mail.as_bytes(), b">\n"] {
        out.extend_from_slice(part);
    }
    let date = dates::show(ident.date.unwrap_or_default(), DateForm::Rfc2822, printer.now)?;
    out.extend_from_slice(format!("Date: {date}\n").as_bytes());
    Ok(())
}

/// Appends `text`, folded to fit on a line with `used` columns taken.
fn folded(printer: &Printer<'_>, text: &[u8], used: usize, out: &mut Vec<u8>) -> Result<(), ToolError> {
    let mut folded = Text::new(printer.deadline);
    Wrap { width: LONGEST, first: 0, others: 1 }.rest_of_line(used, text, &mut folded)?;
    out.extend_from_slice(&folded);
    Ok(())
}

fn quoted(name: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for byte in name {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(*byte);
    }
    quoted.push(b'"');
    quoted
}

/// Whether `byte` is ASCII for a mail. An escape is not: it could start another encoding (ISO-2022).
fn is_ascii(byte: u8) -> bool {
    byte.is_ascii() && byte != 0x1b
}

fn needs_encoding(text: &[u8]) -> bool {
    text.iter().any(|byte| !is_ascii(*byte) || *byte == b'\n') || text.contains_str("=?")
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    Subject,
    /// Next to an address, more characters need encoding.
    Address,
}

/// Appends `text` as encoded words (RFC 2047) to a line with `used` bytes taken.
fn encode(text: &[u8], used: usize, place: Place, out: &mut Vec<u8>) {
    const START: &[u8] = b"=?UTF-8?q?";
    out.extend_from_slice(START);
    let mut length = used + START.len();
    let mut rest = text;
    while let Some(first) = rest.first() {
        let (character, after) = rest.split_at(columns::first(rest).map_or(1, |(_, length)| length));
        let is_special = character.len() > 1 || is_special(*first, place);
        let needed = if is_special { 3 * character.len() } else { 1 };
        if length + needed + 2 > LONGEST_ENCODED {
            out.extend_from_slice(b"?=\n ");
            out.extend_from_slice(START);
            length = START.len() + 1;
        }
        match is_special {
            true => character.iter().for_each(|byte| out.extend_from_slice(format!("={byte:02X}").as_bytes())),
            false => out.extend_from_slice(character),
        }
        length += needed;
        rest = after;
    }
    out.extend_from_slice(b"?=");
}

fn is_special(byte: u8, place: Place) -> bool {
    match place {
        Place::Subject => !byte.is_ascii_graphic() || matches!(byte, b'=' | b'?' | b'_'),
        Place::Address => !(byte.is_ascii_alphanumeric() || b"!*+-/".contains(&byte)),
    }
}
