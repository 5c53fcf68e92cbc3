//! What `-printf` can print of an entry.

use bstr::{BString, ByteSlice};

use super::entry::{Around, Entry};
use super::mode;
use super::number::SECOND;
use crate::commands::date;
use crate::world::Kind;

/// Whom everything belongs to.
pub const OWNER: &str = "root";

/// The letters of fields, but for times.
pub const LETTERS: &[u8] = b"abcdfgGhHiklmMnpPstuUyY";

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Those of C's `printf`.
    pub flags: Vec<u8>,
    pub width: Option<usize>,
    pub precision: Option<usize>,
    /// What it is.
    pub letter: u8,
    /// Which part of a time it is.
    pub part: u8,
}

impl Field {
    /// Whether it is more than the name and the kind.
    pub fn needs_stat(&self) -> bool {
        !b"dfhHlpPyY".contains(&self.letter)
    }

    /// Adds it to what is printed.
    pub fn write(&self, entry: &Entry, around: &Around, out: &mut BString) {
        let stat = entry.stat();
        let text: BString = match self.letter {
            b'd' => return self.number(entry.depth.to_string(), b"+ ", "", out),
            b'm' => return self.number(format!("{:o}", mode::mode(stat)), b"", "0", out),
            b'a' | b'c' | b't' => time(b"%a %b %e %H:%M:%S", b" %Y", stat.modified, around),
            b'A' | b'C' | b'T' => part(self.part, stat.modified, around),
            b'b' => (entry.blocks() * 2).to_string().into(),
            b'k' => entry.blocks().to_string().into(),
            b'f' => entry.name_as_written().into(),
            b'g' | b'u' => OWNER.into(),
            b'G' | b'U' => "0".into(),
            b'h' => entry.folder().into(),
            b'H' => entry.root.shown.clone(),
            b'i' => stat.inode.to_string().into(),
            b'l' => entry.link(around).unwrap_or_default(),
            b'M' => mode::shown(stat).into(),
            b'n' => entry.names(around).to_string().into(),
            b'p' => entry.path.clone(),
            b'P' => entry.below().into(),
            b's' => stat.size.to_string().into(),
            b'y' => mode::letter(stat.kind).to_string().into(),
            _ => other_kind(entry, around).to_string().into(),
        };
        let shown = self.precision.map_or(&text[..], |most| &text[..most.min(text.len())]);
        self.pad(shown, out);
    }

    /// A number, as C's `printf` has it.
    fn number(&self, digits: String, signs: &[u8], alternate: &str, out: &mut BString) {
        let has = |flag: &u8| self.flags.contains(flag);
        let sign = match signs.iter().find(|sign| has(sign)) {
            Some(sign) => char::from(*sign).to_string(),
            None => String::new(),
        };
        let begin = if has(&b'#') && !digits.starts_with('0') { alternate } else { "" };
        let digits = format!("{begin}{digits}");
        let least = match (self.precision, self.width) {
            (Some(precision), _) => precision,
            (None, Some(width)) if has(&b'0') && !has(&b'-') => width.saturating_sub(sign.len()),
            (None, _) => 0,
        };
        self.pad(format!("{sign}{digits:0>least$}").as_bytes(), out);
    }

    fn pad(&self, text: &[u8], out: &mut BString) {
        let missing = self.width.unwrap_or(0).saturating_sub(text.len());
        let blanks = std::iter::repeat_n(b' ', missing);
        if self.flags.contains(&b'-') {
            out.extend_from_slice(text);
            out.extend(blanks);
        } else {
            out.extend(blanks);
            out.extend_from_slice(text);
        }
    }
}

fn other_kind(entry: &Entry, around: &Around) -> char {
    match entry.led_to(around) {
        Some(stat) => mode::letter(stat.kind),
        None => match around.files.stat(entry.full().as_bstr(), true) {
            Err(error) if !matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                if entry.own.kind == Kind::Link {
                    'L'
                } else {
                    '?'
                }
            }
            _ => 'N',
        },
    }
}

/// A time in two parts with the fraction of the second between: nine digits, and a zero.
fn time(before: &[u8], behind: &[u8], nanos: i128, around: &Around) -> BString {
    let fraction = format!(".{:09}0", nanos.rem_euclid(SECOND));
    let before = date::format(before, nanos, around.offset);
    let behind = date::format(behind, nanos, around.offset);
    [&before[..], fraction.as_bytes(), &behind].concat().into()
}

/// A part of a time.
fn part(letter: u8, nanos: i128, around: &Around) -> BString {
    let fractional = |format: &[u8]| time(format, b"", nanos, around);
    match letter {
        b'@' => fractional(b"%s"),
        b'+' => fractional(b"%Y-%m-%d+%H:%M:%S"),
        b'S' => fractional(b"%S"),
        b'T' | b'X' => fractional(b"%H:%M:%S"),
        letter if letter.is_ascii_alphabetic() && !b"ENOQq".contains(&letter) => {
            date::format(&[b'%', letter], nanos, around.offset)
        }
        letter => [b'%', letter].into(),
    }
}
