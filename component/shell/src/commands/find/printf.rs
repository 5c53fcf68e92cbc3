//! Formats of `-printf`

use bstr::{BString, ByteSlice};

use super::entry::{Around, Entry};
use super::fields::{self, Field};

/// The widest that a field can be made.
const WIDEST: usize = 60_000;

#[derive(Debug)]
enum Piece {
    /// What is printed as it is.
    Text(BString),
    /// What is printed of the entry.
    Field(Field),
}

/// A format.
#[derive(Debug)]
pub struct Format(Vec<Piece>);

impl Format {
    /// Reads one. What is odd but does no harm is added to the warnings.
    pub fn read(text: &[u8], warnings: &mut Vec<String>) -> Result<Format, String> {
        let mut pieces = Vec::new();
        let mut plain = BString::default();
        let mut rest = text;
        while let [byte, behind @ ..] = rest {
            rest = behind;
            match byte {
                b'\\' if rest.first() == Some(&b'c') => break,
                b'\\' => rest = &rest[escape(rest, &mut plain, warnings)..],
                b'%' if rest.first() == Some(&b'%') => {
                    plain.push(b'%');
                    rest = &rest[1..];
                }
                b'%' => match directive(rest, warnings)? {
                    (Some(field), length) => {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                        pieces.push(Piece::Field(field));
                        rest = &rest[length..];
                    }
                    (None, length) => {
                        plain.push(b'%');
                        plain.extend_from_slice(&rest[..length]);
                        rest = &rest[length..];
                    }
                },
                byte => plain.push(*byte),
            }
        }
        pieces.push(Piece::Text(plain));
        Ok(Format(pieces))
    }

    /// Whether it prints more than the name and the kind.
    pub fn needs_stat(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Field(field) if field.needs_stat()))
    }

    /// What it prints of an entry.
    pub fn written(&self, entry: &Entry, around: &Around) -> BString {
        let mut out = BString::default();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text),
                Piece::Field(field) => field.write(entry, around, &mut out),
            }
        }
        out
    }
}

/// Adds what stands behind a backslash, and gives its length.
fn escape(rest: &[u8], out: &mut BString, warnings: &mut Vec<String>) -> usize {
    let Some(letter) = rest.first() else {
        warnings.push("escape `\\' followed by nothing at all".to_owned());
        out.push(b'\\');
        return 0;
    };
    let byte = match letter {
        b'a' => 0x07,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0x0b,
        b'\\' => b'\\',
        b'0'..=b'7' => {
            let digits = rest.iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit));
            let number = digits.clone().fold(0_u32, |sum, digit| sum * 8 + u32::from(digit - b'0'));
            out.push(u8::try_from(number & 0xff).expect("it is a byte"));
            return digits.count();
        }
        letter => {
            warnings.push(format!("unrecognized escape `\\{}'", char::from(*letter)));
            out.push(b'\\');
            *letter
        }
    };
    out.push(byte);
    1
}

/// Reads what stands behind a percent sign, and gives its length. None if it is nothing that is known.
fn directive(rest: &[u8], warnings: &mut Vec<String>) -> Result<(Option<Field>, usize), String> {
    let mut at = rest.iter().take_while(|byte| b"-+ #0".contains(byte)).count();
    let flags = rest[..at].to_vec();
    let number = |at: &mut usize| -> Option<usize> {
        let digits = rest[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = rest[*at..*at + digits].to_str().expect("they are digits");
        *at += digits;
        (digits > 0).then(|| text.parse().unwrap_or(WIDEST).min(WIDEST))
    };
    let width = number(&mut at);
    let mut precision = None;
    if rest.get(at) == Some(&b'.') {
        at += 1;
        precision = Some(number(&mut at).unwrap_or(0));
    }
    let Some(letter) = rest.get(at).copied() else {
        return Err("error: % at end of format string".to_owned());
    };
    at += 1;
    let mut part = 0;
    match letter {
        b'{' | b'[' | b'(' => {
            let letter = char::from(letter);
            return Err(format!("error: the format directive `%{letter}' is reserved for future use"));
        }
        b'A' | b'C' | b'T' => match rest.get(at) {
            Some(letter) => {
                part = *letter;
                at += 1;
            }
            None => {
                let letter = char::from(letter);
                let what = "should be followed by another character";
                warnings.push(format!("format directive `%{letter}' {what}"));
                return Ok((None, at));
            }
        },
        letter if fields::LETTERS.contains(&letter) => (),
        letter => {
            warnings.push(format!("unrecognized format directive `%{}'", char::from(letter)));
            return Ok((None, at));
        }
    }
    Ok((Some(Field { flags, width, precision, letter, part }), at))
}
