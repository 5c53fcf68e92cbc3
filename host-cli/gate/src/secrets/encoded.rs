//! Finds text in Base64 and in hex, and keys in Base64.

use std::ops::Range;

use super::{Finding, Fingerprint, check, container, made::Made, rules};

/// The least length of a run of Base64, and of a run of hex, in characters.
const BASE64: usize = 24;
/// Every run of Base64 covers a whole block of this many bytes, wherever the blocks start.
const BLOCK: usize = BASE64 / 2;
const HEX: usize = 40;
/// The number of leading characters that decide whether a run is text: a multiple of 4.
const HEAD: usize = 20;
/// Base64 continues on the next line if this one is at least this long.
const WIDTH: usize = 40;
/// The most blanks before a line of it.
const INDENT: usize = 64;
/// In this many bytes of a text, at most one is outside ASCII.
const PRINTABLE: usize = 10;

/// The bytes that are Base64 digits of either alphabet. The search looks most bytes of all texts up here.
const DIGITS: [bool; 256] = {
    let (mut digits, mut byte) = ([false; 256], 0);
    while byte < 256 {
        let at = byte as u8;
        digits[byte] = at.is_ascii_alphanumeric() || matches!(at, b'+' | b'/' | b'-' | b'_');
        byte += 1;
    }
    digits
};

fn is_digit(byte: u8) -> bool {
    DIGITS[usize::from(byte)]
}

/// Adds the decoded runs of `text` to `made`, and reports the keys in them.
pub(super) fn each(text: &[u8], made: &mut Made) {
    let mut at = 0;
    while let Some(run) = next(text, at) {
        let mut wrapped = Wrapped { digits: Vec::new(), end: run.end };
        wrapped.follow(text, run.clone());
        at = wrapped.end;
        let place = run.start..wrapped.end;
        let digits = if wrapped.digits.is_empty() { &text[run] } else { &wrapped.digits[..] };
        made.looked(3 * place.len());
        base64(text, digits, place.clone(), made);
        hex(digits, &place, made);
    }
}

/// The next run that is long enough: a block of [`BLOCK`] bytes, from `from` on, lies in the middle of it. Most blocks fail on the few
/// bytes checked first.
fn next(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    while let Some(block) = text[at..].first_chunk::<BLOCK>() {
        let some = (0..BLOCK).step_by(2).fold(true, |all, at| all & is_digit(block[at]));
        if some && block.iter().all(|byte| is_digit(*byte)) {
            let before = text[from..at].iter().rev().take_while(|byte| is_digit(**byte)).count();
            let end = at + digits(&text[at..]);
            if end - (at - before) >= BASE64 {
                return Some(at - before..end);
            }
            at = end;
        } else {
            at += BLOCK;
        }
    }
    None
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_digit(**byte)).count()
}

/// A run of Base64 over one or more lines.
struct Wrapped {
    /// The digits of all lines, if there are several.
    digits: Vec<u8>,
    end: usize,
}

impl Wrapped {
    /// Continues over lines of the same length, and a shorter last one.
    fn follow(&mut self, text: &[u8], first: Range<usize>) {
        let width = first.len();
        let mut length = width;
        while length == width && width >= WIDTH && width.is_multiple_of(4) {
            let Some(start) = next_line(text, self.end) else { return };
            length = digits(&text[start..text.len().min(start + width + 1)]);
            let end = start + length;
            let rest = &text[end..text.len().min(end + 2)];
            let padding = rest.iter().take_while(|byte| **byte == b'=').count();
            let ends = text.get(end + padding).is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'`<".contains(byte));
            if length == 0 || length > width || !ends {
                return;
            }
            if self.digits.is_empty() {
                self.digits.extend_from_slice(&text[first.clone()]);
            }
            self.digits.extend_from_slice(&text[start..end]);
            self.end = end;
        }
    }
}

/// The start of the text of the next line, if this one ends at `at`.
fn next_line(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    let line = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n"))?;
    let indent = line.iter().take(INDENT).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    Some(text.len() - line.len() + indent)
}

fn base64(text: &[u8], digits: &[u8], place: Range<usize>, made: &mut Made) {
    let first = said(&digits[..4]);
    if first.iter().all(u8::is_ascii_digit)
        && let Some(finding) = discord(text, digits, &place)
    {
        let place = finding.place.clone();
        return made.found(finding, place);
    }
    if container::begins(first) {
        let content = check::decode(digits).expect("only digits are in a run");
        if let Some(container) = container::of(&content) {
            return made.found(Finding::whole(container.id, container.words, &content), place);
        }
    }
    // The characters before it could be a part of it.
    let after_sign = digits.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_alphanumeric()).map(|(at, _)| at + 1);
    let mut starts = std::iter::once(0).chain(after_sign);
    let Some(start) = starts.find(|start| is_text(digits, *start)) else { return };
    let mut plain = check::decode(&digits[start..]).expect("only digits are in a run");
    // Every other byte of UTF-16.
    plain.retain(|byte| *byte != 0);
    let printable = plain.iter().filter(|byte| is_printable(**byte)).count();
    if (plain.len() - printable) * PRINTABLE <= plain.len() {
        made.alone(&plain, place);
    }
}

fn is_printable(byte: u8) -> bool {
    byte.is_ascii_graphic() || matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Whether the Base64 from `start` on decodes to the beginning of a text, in UTF-8 or UTF-16.
fn is_text(digits: &[u8], start: usize) -> bool {
    let head = digits[start..].get(..HEAD).unwrap_or_default();
    let (groups, _) = head.as_chunks::<4>();
    !groups.is_empty() && groups.iter().all(|group| said(group).iter().all(begins_text))
}

/// The bytes that four digits encode.
fn said(group: &[u8]) -> [u8; 3] {
    let sextet = |digit: u8| check::sextet(digit).expect("only digits are in a run");
    let [_, said @ ..] = group.iter().fold(0, |bits, digit| bits << 6 | sextet(*digit)).to_be_bytes();
    said
}

fn begins_text(byte: &u8) -> bool {
    is_printable(*byte) || *byte == 0
}

/// Adds the decoded hex digits of `digits`, from the first long enough run on.
fn hex(digits: &[u8], place: &Range<usize>, made: &mut Made) {
    if digits.len() < HEX {
        return;
    }
    let mut runs = digits.split(|byte| !byte.is_ascii_hexdigit()).filter(|run| run.len() >= HEX);
    let Some(run) = runs.find(|run| unhexed(&run[..HEAD]).iter().all(begins_text)) else { return };
    made.alone(&unhexed(run), place.clone());
}

fn unhexed(digits: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).expect("only hex digits are in the run") as u8;
    let (pairs, _) = digits.as_chunks::<2>();
    pairs.iter().map(|[high, low]| digit(*high) << 4 | digit(*low)).collect()
}

/// A token of Discord. It contains no keyword, but its first part is its owner's number in Base64.
/// <https://discord.com/developers/docs/reference#authentication>
fn discord(text: &[u8], digits: &[u8], place: &Range<usize>) -> Option<Finding> {
    const NUMBER: std::ops::RangeInclusive<usize> = 18..=20;
    const TIME: usize = 6;
    const SUM: std::ops::RangeInclusive<usize> = 27..=48;
    let number = check::decode(digits).filter(|_| digits.len() <= 28)?;
    let rest = text[place.end..].strip_prefix(b".")?;
    let (time, rest) = rest.split_at_checked(TIME)?;
    let sum = rest.strip_prefix(b".")?.iter().take(SUM.end() + 1).take_while(|byte| is_digit(**byte)).count();
    let is_token = NUMBER.contains(&number.len())
        && number.iter().all(u8::is_ascii_digit)
        && time.iter().all(|byte| is_digit(*byte))
        && SUM.contains(&sum);
    let place = place.start..place.end + TIME + 2 + sum;
    let token = &text[place.clone()];
    let rule = rules::all().find(|rule| rule.id == "discord-token")?;
    (is_token && check::random(&token[digits.len()..], 3.0)).then(|| Finding {
        rule: rule.id,
        words: rule.words,
        line: 0,
        shown: format!("{}…", &String::from_utf8_lossy(&token[..4])),
        fingerprint: Fingerprint::of(token),
        entry: None,
        place,
    })
}
