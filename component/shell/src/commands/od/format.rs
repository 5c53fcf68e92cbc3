//! The types of `od`: how one field is printed.

/// How a field is printed.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    kind: u8,
    /// Bytes of a field.
    pub size: usize,
    /// Columns of a field, without the blank in front.
    pub width: usize,
    /// Whether the characters are shown at the end of the line.
    pub shows: bool,
}

const NAMES: [&str; 33] = [
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr", "so", "si", "dle",
    "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "fs", "gs", "rs", "us", "sp",
];

/// The formats of a type string, as `x1z` or `dL`.
pub fn formats(text: &[u8]) -> Option<Vec<Format>> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(kind) = text.get(at) {
        at += 1;
        let mut size: usize = match kind {
            b'a' | b'c' => 1,
            b'd' | b'o' | b'u' | b'x' => 4,
            b'f' => 8,
            _ => return None,
        };
        if !matches!(kind, b'a' | b'c') {
            let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let letter = match (*kind, text.get(at)) {
                (b'f', Some(b'F')) => Some(4),
                (b'f', Some(b'D')) => Some(8),
                (b'f', _) => None,
                (_, Some(b'C')) => Some(1),
                (_, Some(b'S')) => Some(2),
                (_, Some(b'I')) => Some(4),
                (_, Some(b'L')) => Some(8),
                _ => None,
            };
            if digits > 0 {
                size = std::str::from_utf8(&text[at..at + digits]).ok()?.parse().ok()?;
                at += digits;
            } else if let Some(letter) = letter {
                size = letter;
                at += 1;
            }
        }
        let shows = text.get(at) == Some(&b'z');
        at += usize::from(shows);
        let width = match (kind, size) {
            (b'a' | b'c', _) => 3,
            (b'f', 4) => 15,
            (b'f', 8) => 24,
            (b'f', _) => return None,
            (_, 1 | 2 | 4 | 8) => {
                let place = size.ilog2() as usize;
                match kind {
                    b'o' => [3, 6, 11, 22][place],
                    b'd' => [4, 6, 11, 20][place],
                    b'u' => [3, 5, 10, 20][place],
                    _ => [2, 4, 8, 16][place],
                }
            }
            _ => return None,
        };
        all.push(Format { kind: *kind, size, width, shows });
    }
    Some(all)
}

impl Format {
    /// The text of a field.
    pub fn written(self, field: &[u8], big: bool) -> String {
        let ordered = |place: usize| field[if big { field.len() - 1 - place } else { place }];
        let value = (0..field.len()).rev().fold(0_u64, |value, place| value << 8 | u64::from(ordered(place)));
        let width = self.width;
        match self.kind {
            b'a' => name(field[0] & 127),
            b'c' => character(field[0]),
            b'o' => format!("{value:0width$o}"),
            b'x' => format!("{value:0width$x}"),
            b'u' => value.to_string(),
            b'd' => {
                let shift = 64 - 8 * self.size as u32;
                (((value << shift) as i64) >> shift).to_string()
            }
            _ if self.size == 4 => {
                let value = f32::from_bits(value as u32);
                general(f64::from(value), &format!("{value:e}"))
            }
            _ => {
                let value = f64::from_bits(value);
                general(value, &format!("{value:e}"))
            }
        }
    }
}

fn name(byte: u8) -> String {
    match byte {
        127 => "del".to_owned(),
        byte => NAMES.get(usize::from(byte)).map_or_else(|| char::from(byte).to_string(), |name| (*name).to_owned()),
    }
}

fn character(byte: u8) -> String {
    let escape = match byte {
        0 => "\\0",
        7 => "\\a",
        8 => "\\b",
        9 => "\\t",
        10 => "\\n",
        11 => "\\v",
        12 => "\\f",
        13 => "\\r",
        b' '..=b'~' => return char::from(byte).to_string(),
        byte => return format!("{byte:03o}"),
    };
    escape.to_owned()
}

/// A number with the digits of its shortest form, as `%g` lays them out.
fn general(value: f64, shortest: &str) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() { "-nan" } else { "nan" }.to_owned();
    }
    let Some((mantissa, exponent)) = shortest.split_once('e') else { return shortest.to_owned() };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count() as i32;
    if exponent < -4 || exponent >= digits.max(1) && value != 0.0 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let after = usize::try_from(digits - 1 - exponent).unwrap_or(0);
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let plain: String = mantissa.bytes().filter(u8::is_ascii_digit).map(char::from).collect();
    match exponent {
        0.. => {
            let split = plain.len().min(exponent as usize + 1);
            let point = if after > 0 { "." } else { "" };
            format!("{sign}{}{point}{}", &plain[..split], &plain[split..])
        }
        _ => format!("{sign}0.{}{plain}", "0".repeat(exponent.unsigned_abs() as usize - 1)),
    }
}
