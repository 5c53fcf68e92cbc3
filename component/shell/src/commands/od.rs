//! `od`

mod format;

use bstr::BString;

use self::format::{Format, formats};
use super::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use super::input::{Input, number};
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    valued('A', "address-radix"),
    valued('j', "skip-bytes"),
    valued('N', "read-bytes"),
    valued('t', "format"),
    flag('v', "output-duplicates"),
    maybe('w', "width"),
    valued('E', "endian"),
    flag('a', ""),
    flag('b', ""),
    flag('c', ""),
    flag('d', ""),
    flag('f', ""),
    flag('i', ""),
    flag('l', ""),
    flag('o', ""),
    flag('s', ""),
    flag('x', ""),
];

/// How lines begin.
#[derive(Clone, Copy)]
enum Address {
    None,
    Decimal,
    Octal,
    Hex,
}

impl Address {
    fn written(self, at: u64) -> String {
        match self {
            Address::None => String::new(),
            Address::Decimal => format!("{at:07}"),
            Address::Octal => format!("{at:07o}"),
            Address::Hex => format!("{at:06x}"),
        }
    }
}

/// How everything is printed.
struct Layout {
    address: Address,
    formats: Vec<Format>,
    /// Bytes of a line.
    width: usize,
    /// Columns of a line.
    columns: usize,
    big: bool,
}

/// Prints bytes as numbers or characters.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let layout = layout(&given).map_err(Ended::Failed)?;
    let count = |letter: char| match given.value(letter) {
        None => Ok(None),
        Some(text) => match octal(text) {
            Some(count) => Ok(Some(count)),
            None => Err(Ended::Failed(format!("invalid -{letter} argument '{text}'"))),
        },
    };
    let (skipped, most) = (count('j')?.unwrap_or(0), count('N')?);
    let mut input = Input::new(given.operands.clone());
    if input.skip(call, skipped).await? < skipped && input.opened {
        return Err(Ended::Failed("cannot skip past end of combined input".to_owned()));
    }
    let (mut at, mut left) = (skipped, most.unwrap_or(u64::MAX));
    let (mut before, mut starred) = (None, false);
    loop {
        let wanted = layout.width.min(usize::try_from(left).unwrap_or(usize::MAX));
        let part = input.take(call, wanted).await?;
        if part.is_empty() {
            break;
        }
        call.work(1)?;
        let whole = part.len() == layout.width;
        if whole && !given.has('v') && before.as_ref() == Some(&part) {
            if !starred {
                call.line("*").await?;
            }
            starred = true;
        } else {
            starred = false;
            call.print(layout.line(at, &part)).await?;
        }
        at += part.len() as u64;
        left -= part.len() as u64;
        before = Some(part);
        if !whole {
            break;
        }
    }
    if input.opened && !matches!(layout.address, Address::None) {
        call.line(layout.address.written(at)).await?;
    }
    Ok(input.status)
}

/// A number that may be octal.
fn octal(text: &[u8]) -> Option<u64> {
    match text {
        [b'0', b'0'..=b'7', ..] => u64::from_str_radix(std::str::from_utf8(text).ok()?, 8).ok(),
        text => number(text),
    }
}

fn layout(given: &Given) -> Result<Layout, String> {
    let address = match given.value('A').and_then(|text| text.first()) {
        None | Some(b'o') => Address::Octal,
        Some(b'd') => Address::Decimal,
        Some(b'x') => Address::Hex,
        Some(b'n') => Address::None,
        Some(other) => {
            return Err(format!(
                "invalid output address radix '{}'; it must be one character from [doxn]",
                char::from(*other)
            ));
        }
    };
    let mut all = Vec::new();
    for (letter, value) in &given.flags {
        let text: &[u8] = match letter {
            't' => value,
            'a' => b"a",
            'b' => b"o1",
            'c' => b"c",
            'd' => b"u2",
            'f' => b"fF",
            'i' => b"dI",
            'l' => b"dL",
            'o' => b"o2",
            's' => b"d2",
            'x' => b"x2",
            _ => continue,
        };
        let read = formats(text).ok_or_else(|| format!("invalid type string ‘{}’", BString::from(text)))?;
        all.extend(read);
    }
    if all.is_empty() {
        all = formats(b"o2").expect("it is a format");
    }
    // Every size is a power of two, so the largest is a multiple of all.
    let unit = all.iter().map(|format| format.size).max().unwrap_or(1);
    let width = match given.value('w').map(|text| &text[..]) {
        None => 16,
        Some(b"") => 32,
        Some(text) => {
            let width = number(text)
                .and_then(|width| usize::try_from(width).ok())
                .filter(|width| (1..=1 << 16).contains(width));
            let width = width.ok_or_else(|| format!("invalid -w argument '{}'", BString::from(text)))?;
            // GNU warns about others, and takes the unit.
            if width.is_multiple_of(unit) { width } else { unit }
        }
    };
    let columns = all.iter().map(|format| (format.width + 1) * (width / format.size)).max().unwrap_or(0);
    let big = given.value('E').is_some_and(|text| text == "big");
    Ok(Layout { address, formats: all, width, columns, big })
}

impl Layout {
    fn line(&self, at: u64, part: &[u8]) -> Vec<u8> {
        let mut out = self.address.written(at).into_bytes();
        let indent = out.len();
        let mut padded = part.to_vec();
        padded.resize(self.width, 0);
        for (number, format) in self.formats.iter().enumerate() {
            if number > 0 {
                out.resize(out.len() + indent, b' ');
            }
            let fields = self.width / format.size;
            let padding = self.columns - (format.width + 1) * fields;
            let used = part.len().div_ceil(format.size);
            let mut left = padding;
            for (place, field) in padded.chunks(format.size).take(used).enumerate() {
                let next = padding * (fields - 1 - place) / fields;
                let text = format.written(field, self.big);
                let width = format.width + 1 + left - next;
                left = next;
                out.resize(out.len() + width.saturating_sub(text.chars().count()), b' ');
                out.extend_from_slice(text.as_bytes());
            }
            if format.shows {
                out.resize(out.len() + left + (format.width + 1) * (fields - used), b' ');
                out.extend_from_slice(b"  >");
                out.extend(part.iter().map(|byte| if matches!(byte, b' '..=b'~') { *byte } else { b'.' }));
                out.push(b'<');
            }
            out.push(b'\n');
        }
        out
    }
}
