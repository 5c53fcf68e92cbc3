//! Texts by their characters.

use std::rc::Rc;

use super::code::{RLENGTH, RSTART, SUBSEP};
use super::machine::Machine;
use super::value::{TableRef, Value};
use crate::exec::Ended;

/// Where the character of this number is, or the end.
pub fn offset(text: &[u8], count: usize) -> usize {
    if text.is_ascii() {
        return count.min(text.len());
    }
    let mut at = 0;
    for _ in 0..count {
        if at >= text.len() {
            break;
        }
        at += bstr::decode_utf8(&text[at..]).1.max(1);
    }
    at
}

/// How many characters a text has. A byte that is none counts as one.
pub fn length(text: &[u8]) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        at += bstr::decode_utf8(&text[at..]).1.max(1);
        count += 1;
    }
    count
}

/// A count as a number.
#[expect(clippy::cast_precision_loss, reason = "nothing has so many")]
pub fn number(count: usize) -> Value {
    Value::Num(count as f64)
}

/// `substr`
pub fn substr(text: &[u8], from: f64, count: Option<f64>) -> Vec<u8> {
    // What would stand before the first character does not count, as Debian's gawk has it.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what is too small is 0")]
    let (skip, count) = ((from as usize).saturating_sub(1), count.map_or(usize::MAX, |count| count as usize));
    let rest = &text[offset(text, skip)..];
    rest[..offset(rest, count)].to_vec()
}

/// `index`
pub fn index(text: &[u8], part: &[u8]) -> usize {
    bstr::ByteSlice::find(text, part).map_or(0, |at| length(&text[..at]) + 1)
}

/// `tolower` and `toupper`
pub fn cased(text: &[u8], upper: bool) -> Vec<u8> {
    if text.is_ascii() {
        return if upper { text.to_ascii_uppercase() } else { text.to_ascii_lowercase() };
    }
    let mut out = Vec::with_capacity(text.len());
    for part in bstr::ByteSlice::utf8_chunks(text) {
        for char in part.valid().chars() {
            // A character becomes one other, or stays.
            let mut lower_chars = char.to_lowercase();
            let mut upper_chars = char.to_uppercase();
            let other = match upper {
                true if upper_chars.len() == 1 => upper_chars.next(),
                false if lower_chars.len() == 1 => lower_chars.next(),
                _ => None,
            };
            out.extend_from_slice(other.unwrap_or(char).encode_utf8(&mut [0; 4]).as_bytes());
        }
        out.extend_from_slice(part.invalid());
    }
    out
}

impl Machine {
    /// `match`
    pub fn find_match(&mut self, args: &[Value]) -> Result<Value, Ended> {
        let text = self.text(&args[0]);
        let regex = self.regex(&args[1])?;
        let found = match args.get(2) {
            Some(_) => regex.captures(&text, 0),
            None => regex.find(&text, 0).map(|found| vec![Some(found)]),
        };
        if let Some(Value::Array(table)) = args.get(2) {
            table.borrow_mut().clear();
            for (at, group) in found.iter().flatten().enumerate() {
                let Some((from, to)) = group else { continue };
                self.put_group(table, at, &text, (*from, *to))?;
            }
        }
        let (start, count) = match found.as_ref().and_then(|groups| groups[0]) {
            Some((from, to)) => (number(length(&text[..from]) + 1), number(length(&text[from..to]))),
            None => (Value::Num(0.0), Value::Num(-1.0)),
        };
        self.globals[RSTART] = start.clone();
        self.globals[RLENGTH] = count;
        Ok(start)
    }

    fn put_group(&mut self, table: &TableRef, at: usize, text: &[u8], place: (usize, usize)) -> Result<(), Ended> {
        let (from, to) = place;
        let between = self.text(&self.globals[SUBSEP]);
        let key = |name: &[u8]| Rc::new([at.to_string().as_bytes(), &between, name].concat());
        self.hold(to - from + 256)?;
        let mut table = table.borrow_mut();
        table.insert(Rc::new(at.to_string().into_bytes()), Value::input(&text[from..to]));
        table.insert(key(b"start"), number(length(&text[..from]) + 1));
        table.insert(key(b"length"), number(length(&text[from..to])));
        Ok(())
    }

    /// `split` and `patsplit`
    pub fn split(&mut self, args: &[Value], by_pattern: bool) -> Result<Value, Ended> {
        let text = self.text(&args[0]);
        let Value::Array(table) = &args[1] else { unreachable!("it is read as an array") };
        let splitter = match args.get(2) {
            Some(pattern) if by_pattern => super::fields::Splitter::Pattern(self.regex(pattern)?),
            None if by_pattern => {
                let pattern = self.globals[super::code::FPAT].clone();
                super::fields::Splitter::Pattern(self.regex(&pattern)?)
            }
            Some(separator) => self.splitter(separator)?,
            None => {
                let separator = self.globals[super::code::FS].clone();
                self.splitter(&separator)?
            }
        };
        let parts = splitter.split(&text);
        self.hold(parts.len() * 128 + text.len())?;
        let mut entries = table.borrow_mut();
        entries.clear();
        for (at, (from, to)) in parts.iter().enumerate() {
            entries.insert(Rc::new((at + 1).to_string().into_bytes()), Value::input(&text[*from..*to]));
        }
        drop(entries);
        if let Some(Value::Array(between)) = args.get(3) {
            let mut between = between.borrow_mut();
            between.clear();
            let ends = parts.iter().map(|part| part.1);
            let begins = parts.iter().skip(1).map(|part| part.0).chain([text.len()]);
            let first = parts.first().map_or(0, |part| part.0);
            let gaps = std::iter::once((0, first)).chain(ends.zip(begins));
            for (at, (from, to)) in gaps.enumerate() {
                // Only white space can stand before the first and behind the last.
                if from < to || (at > 0 && at < parts.len()) {
                    between.insert(Rc::new(at.to_string().into_bytes()), Value::text(&text[from..to]));
                }
            }
        }
        Ok(number(parts.len()))
    }
}
