//! `sub`, `gsub` and `gensub`

use std::rc::Rc;

use super::code::Target;
use super::machine::Machine;
use super::value::Value;
use crate::exec::Ended;
use crate::regexp::Groups;

/// A piece of what is put in the place of a match.
enum Piece {
    Bytes(Vec<u8>),
    /// A group. 0 is the whole match.
    Group(usize),
}

/// The pieces of a replacement: `&` is the match, and `\&` is `&`.
fn simple(text: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let slashes = text[at..].iter().take_while(|byte| **byte == b'\\').count();
        if slashes > 0 && text.get(at + slashes) == Some(&b'&') {
            bytes.extend(std::iter::repeat_n(b'\\', slashes / 2));
            if slashes % 2 == 1 {
                bytes.push(b'&');
                at += 1;
            }
            at += slashes;
        } else if slashes > 0 {
            bytes.extend_from_slice(&text[at..at + slashes]);
            at += slashes;
        } else if *byte == b'&' {
            pieces.push(Piece::Bytes(std::mem::take(&mut bytes)));
            pieces.push(Piece::Group(0));
            at += 1;
        } else {
            bytes.push(*byte);
            at += 1;
        }
    }
    pieces.push(Piece::Bytes(bytes));
    pieces
}

/// The same with groups: `\1` and so on.
fn general(text: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let group = match (byte, text.get(at + 1)) {
            (b'&', _) => Some((0, 1)),
            (b'\\', Some(digit)) if digit.is_ascii_digit() => Some((usize::from(digit - b'0'), 2)),
            (b'\\', Some(other)) => {
                bytes.push(*other);
                at += 2;
                continue;
            }
            _ => None,
        };
        match group {
            Some((group, length)) => {
                pieces.push(Piece::Bytes(std::mem::take(&mut bytes)));
                pieces.push(Piece::Group(group));
                at += length;
            }
            None => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    pieces.push(Piece::Bytes(bytes));
    pieces
}

/// Which matches are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    /// One, from 1.
    Number(usize),
}

impl Machine {
    /// `sub` and `gsub`. Gives how many were replaced.
    pub fn replace(&mut self, all: bool, target: Target) -> Result<f64, Ended> {
        let place = self.place(target)?;
        let replacement = self.pop_text();
        let pattern = self.pop();
        let text = self.get(&place)?;
        let text = self.text(&text);
        let which = if all { Which::All } else { Which::Number(1) };
        let (out, count) = self.replaced(&pattern, &simple(&replacement), &text, which)?;
        if count > 0.0 {
            self.set(&place, Value::text(out))?;
        }
        Ok(count)
    }

    /// `gensub`
    pub fn gensub(&mut self, args: &[Value]) -> Result<Value, Ended> {
        let replacement = self.text(&args[1]);
        let how = self.text(&args[2]);
        let number = args[2].number();
        let which = match how.first() {
            Some(b'g' | b'G') => Which::All,
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at least 1")]
            _ => Which::Number(number.max(1.0) as usize),
        };
        let text = self.text(&args[3]);
        let (out, count) = self.replaced(&args[0], &general(&replacement), &text, which)?;
        Ok(if count > 0.0 { Value::text(out) } else { Value::Text(Rc::clone(&text)) })
    }

    fn replaced(
        &mut self,
        pattern: &Value,
        pieces: &[Piece],
        text: &[u8],
        which: Which,
    ) -> Result<(Vec<u8>, f64), Ended> {
        let regex = self.regex(pattern)?;
        let has_groups = pieces.iter().any(|piece| matches!(piece, Piece::Group(1..)));
        let mut out = Vec::new();
        let (mut at, mut seen, mut count) = (0, 0, 0.0);
        // Where the last match ended: nothing is no match there.
        let mut last = None;
        while at <= text.len() {
            let groups: Option<Groups> = match has_groups {
                true => regex.captures(text, at),
                false => regex.find(text, at).map(|found| vec![Some(found)]),
            };
            let Some(groups) = groups else { break };
            let (from, to) = groups[0].expect("the whole has matched");
            let is_again = from == to && last == Some(from);
            out.extend_from_slice(&text[at..from]);
            if !is_again {
                seen += 1;
                if which == Which::All || which == Which::Number(seen) {
                    count += 1.0;
                    put(&mut out, pieces, &groups, text);
                } else {
                    out.extend_from_slice(&text[from..to]);
                }
            }
            at = to;
            last = Some(to);
            if from == to {
                // As gawk does, which goes on by bytes here.
                out.extend(text.get(at));
                at += 1;
            }
            if out.len() > self.most {
                self.hold(out.len())?;
            }
            if matches!(which, Which::Number(number) if seen >= number) {
                break;
            }
        }
        if at < text.len() {
            out.extend_from_slice(&text[at..]);
        }
        self.hold(out.len())?;
        Ok((out, count))
    }
}

fn put(out: &mut Vec<u8>, pieces: &[Piece], groups: &Groups, text: &[u8]) {
    for piece in pieces {
        match piece {
            Piece::Bytes(bytes) => out.extend_from_slice(bytes),
            Piece::Group(number) => {
                if let Some(Some((from, to))) = groups.get(*number) {
                    out.extend_from_slice(&text[*from..*to]);
                }
            }
        }
    }
}
