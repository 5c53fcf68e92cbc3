//! `split`

mod names;

use bstr::ByteSlice;

use self::names::Names;
use super::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use super::feed::{all, fail, misuse, number, numbered, out_of_range, quoted, size};
use crate::exec::{Call, Ended};
use crate::io::reason;

const NUMERIC: char = '\u{e000}';
const HEX: char = '\u{e001}';
const ENDING: char = '\u{e002}';
const VERBOSE: char = '\u{e003}';

const FLAGS: &[Flag] = &[
    valued('a', "suffix-length"),
    valued('b', "bytes"),
    valued('C', "line-bytes"),
    flag('d', ""),
    flag('e', "elide-empty-files"),
    valued('l', "lines"),
    valued('n', "number"),
    valued('t', "separator"),
    flag('u', "unbuffered"),
    flag('x', ""),
    maybe(NUMERIC, "numeric-suffixes"),
    maybe(HEX, "hex-suffixes"),
    valued(ENDING, "additional-suffix"),
    flag(VERBOSE, "verbose"),
];

/// How the pieces are made.
#[derive(Clone, Copy)]
enum How {
    Lines(usize),
    Bytes(usize),
    LineBytes(usize),
    /// So many pieces, of which perhaps only one is wanted.
    Pieces(Kind, usize, Option<usize>),
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Bytes,
    Lines,
    RoundRobin,
}

/// Splits a file into pieces.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    numbered(&mut call.args, 'l');
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if let [_, _, extra, ..] = &*given.operands {
        return Err(misuse(call, format!("extra operand {}", quoted(extra)), 1).await);
    }
    let end = match given.value('t').map(|value| value.as_slice()) {
        None => b'\n',
        Some(b"\\0") => 0,
        Some([byte]) => *byte,
        Some([]) => return Err(fail(call, "empty record separator", 1).await),
        Some(value) => {
            return Err(fail(call, format!("multi-character separator {}", quoted(value)), 1).await);
        }
    };
    if given.flags.iter().filter(|(letter, _)| matches!(letter, 'b' | 'C' | 'l' | 'n')).count() > 1 {
        return Err(misuse(call, "cannot split in more than one way", 1).await);
    }
    let settled = how(&given).and_then(|how| Ok((how, names(&given, how)?)));
    let (how, mut names) = match settled {
        Ok(settled) => settled,
        Err(message) => return Err(fail(call, message, 1).await),
    };
    let name = given.operands.first().cloned().unwrap_or_else(|| "-".into());
    let text = match call.open(&name) {
        Ok(source) => all(call, &source).await?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let message = format!("cannot open '{name}' for reading: {}", reason(&error));
            return Err(fail(call, message, 1).await);
        }
        Err(error) => return Err(fail(call, format!("{name}: {}", reason(&error)), 1).await),
    };
    if let How::Pieces(kind, count, Some(wanted)) = how {
        call.shell.hold(count.saturating_mul(32))?;
        let pieces = pieces(&text, kind, count, end);
        call.print(pieces.get(wanted - 1).map_or(&b""[..], |piece| piece)).await?;
        return Ok(0);
    }
    let parts: Vec<std::borrow::Cow<'_, [u8]>> = match how {
        How::Bytes(size) => text.chunks(size).map(Into::into).collect(),
        How::Lines(count) => by_lines(&text, count, end).into_iter().map(Into::into).collect(),
        How::LineBytes(size) => by_line_bytes(&text, size, end).into_iter().map(Into::into).collect(),
        How::Pieces(kind, count, _) => {
            call.shell.hold(count.saturating_mul(32))?;
            pieces(&text, kind, count, end).into_iter().map(Into::into).collect()
        }
    };
    for part in parts.iter().filter(|part| !(part.is_empty() && given.has('e'))) {
        call.work(10)?;
        let Some(name) = names.next() else {
            return Err(fail(call, "output file suffixes exhausted", 1).await);
        };
        if given.has(VERBOSE) {
            call.line(format!("creating file '{name}'")).await?;
        }
        let sink = call.create(&name, false)?;
        sink.write(part).await?;
        call.shell.hold(call.shell.base.files.held())?;
    }
    Ok(0)
}

fn how(given: &Given) -> Result<How, String> {
    let counted = |letter: char, what: &str| {
        given.value(letter).map(|text| {
            let count = size(text).filter(|count| *count > 0);
            count.ok_or_else(|| format!("invalid number of {what}: {}{}", quoted(text), out_of_range(text)))
        })
    };
    if let Some(count) = counted('b', "bytes") {
        return Ok(How::Bytes(count?));
    }
    if let Some(count) = counted('C', "bytes") {
        return Ok(How::LineBytes(count?));
    }
    match given.value('n') {
        Some(text) => chunks(text),
        None => Ok(How::Lines(counted('l', "lines").unwrap_or(Ok(1000))?)),
    }
}

/// Reads `N`, `K/N`, `l/N`, `l/K/N`, `r/N` or `r/K/N`.
fn chunks(text: &[u8]) -> Result<How, String> {
    let (kind, rest) = match text {
        [b'l', b'/', rest @ ..] => (Kind::Lines, rest),
        [b'r', b'/', rest @ ..] => (Kind::RoundRobin, rest),
        rest => (Kind::Bytes, rest),
    };
    let (wanted, count) = match rest.split_once_str("/") {
        Some((wanted, count)) => (Some(wanted), count),
        None => (None, rest),
    };
    let invalid = |text: &[u8]| format!("invalid number of chunks: {}{}", quoted(text), out_of_range(text));
    let count = size(count).filter(|count| *count > 0).ok_or_else(|| invalid(count))?;
    let wanted = wanted.map(|text| {
        let wanted = number(text).filter(|wanted| (1..=count).contains(wanted));
        wanted.ok_or_else(|| format!("invalid chunk number: {}{}", quoted(text), out_of_range(text)))
    });
    Ok(How::Pieces(kind, count, wanted.transpose()?))
}

fn names(given: &Given, how: How) -> Result<Names, String> {
    let digits: &[u8] = match given.last(&['d', 'x', NUMERIC, HEX]) {
        Some('d' | NUMERIC) => b"0123456789",
        Some(_) => b"0123456789abcdef",
        None => b"abcdefghijklmnopqrstuvwxyz",
    };
    let start = match given.value(NUMERIC).or(given.value(HEX)).filter(|start| !start.is_empty()) {
        None => None,
        Some(start) => {
            let base = if digits.len() == 10 { 10 } else { 16 };
            let number = start.to_str().ok().and_then(|start| usize::from_str_radix(start, base).ok());
            Some(number.ok_or_else(|| format!("{start}: invalid start value"))?)
        }
    };
    let mut needed = 0;
    if let How::Pieces(_, count, _) = how {
        let mut last = count - 1 + start.filter(|start| *start < count).unwrap_or(0);
        needed = 1;
        while last >= digits.len() {
            last /= digits.len();
            needed += 1;
        }
    }
    let length = match given.value('a') {
        None => 0,
        Some(text) => number(text).ok_or_else(|| format!("invalid suffix length: {}", quoted(text)))?,
    };
    if length > 0 && length < needed {
        return Err(format!("the suffix length needs to be at least {needed}"));
    }
    let ending = given.value(ENDING).cloned().unwrap_or_default();
    if ending.contains(&b'/') {
        return Err(format!("invalid suffix {}, contains directory separator", quoted(&ending)));
    }
    Ok(Names {
        prefix: given.operands.get(1).cloned().unwrap_or_else(|| "x".into()),
        ending,
        digits,
        length: if length > 0 { length.min(255) } else { needed.max(2) },
        grows: length == 0 && needed == 0 && start.is_none(),
        next: start.unwrap_or(0),
    })
}

fn by_lines(text: &[u8], count: usize, end: u8) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let (mut begin, mut at, mut lines) = (0, 0, 0);
    for line in text.split_inclusive(|byte| *byte == end) {
        at += line.len();
        lines += 1;
        if lines == count {
            parts.push(&text[begin..at]);
            (begin, lines) = (at, 0);
        }
    }
    if begin < text.len() {
        parts.push(&text[begin..]);
    }
    parts
}

/// As many whole lines as go into a piece. A line that goes into none is split.
fn by_line_bytes(text: &[u8], size: usize, end: u8) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let (mut begin, mut at) = (0, 0);
    for line in text.split_inclusive(|byte| *byte == end) {
        if at > begin && at - begin + line.len() > size {
            parts.push(&text[begin..at]);
            begin = at;
        }
        at += line.len();
        while at - begin > size {
            parts.push(&text[begin..begin + size]);
            begin += size;
        }
    }
    if begin < text.len() {
        parts.push(&text[begin..]);
    }
    parts
}

/// So many pieces. A line belongs to the piece in which it begins; the last piece has what is left.
fn pieces(text: &[u8], kind: Kind, count: usize, end: u8) -> Vec<Vec<u8>> {
    let mut pieces = vec![Vec::new(); count];
    let each = (text.len() / count).max(1);
    if kind == Kind::Bytes {
        for (at, piece) in pieces.iter_mut().enumerate() {
            let begin = at.saturating_mul(each).min(text.len());
            let end = if at + 1 == count { text.len() } else { (begin + each).min(text.len()) };
            piece.extend_from_slice(&text[begin..end]);
        }
        return pieces;
    }
    let mut begin = 0;
    for (number, line) in text.split_inclusive(|byte| *byte == end).enumerate() {
        let at = if kind == Kind::Lines { (begin / each).min(count - 1) } else { number % count };
        pieces[at].extend_from_slice(line);
        begin += line.len();
    }
    pieces
}
