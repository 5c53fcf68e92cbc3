//! How keys are compared. Every order is total, as sorting needs it.

use std::cmp::Ordering;

/// Whether a byte separates fields.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

fn unblanked(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| is_blank(**byte)).count();
    &text[blanks..]
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

/// A decimal number of any length: without zeros in front, and without zeros at its end behind the point.
struct Number<'t> {
    negative: bool,
    whole: &'t [u8],
    part: &'t [u8],
    rest: &'t [u8],
}

impl<'t> Number<'t> {
    fn read(text: &'t [u8]) -> Number<'t> {
        let text = unblanked(text);
        let (negative, text) = match text {
            [b'-', text @ ..] => (true, text),
            text => (false, text),
        };
        let (whole, mut rest) = digits(text);
        let zeros = whole.iter().take_while(|digit| **digit == b'0').count();
        let whole = &whole[zeros..];
        let mut part = &b""[..];
        if let [b'.', behind @ ..] = rest {
            (part, rest) = digits(behind);
        }
        let zeros = part.iter().rev().take_while(|digit| **digit == b'0').count();
        let part = &part[..part.len() - zeros];
        Number { negative: negative && !(whole.is_empty() && part.is_empty()), whole, part, rest }
    }

    fn order(&self, other: &Number<'_>) -> Ordering {
        let size = || {
            let whole = self.whole.len().cmp(&other.whole.len()).then_with(|| self.whole.cmp(other.whole));
            whole.then_with(|| self.part.cmp(other.part))
        };
        match (self.negative, other.negative) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => size(),
            (true, true) => size().reverse(),
        }
    }

    /// The power of the unit behind it, negative for a negative number.
    fn unit(&self) -> i32 {
        if self.whole.is_empty() && self.part.is_empty() {
            return 0;
        }
        let power = match self.rest.first() {
            Some(b'K' | b'k') => 1,
            Some(b'M') => 2,
            Some(b'G') => 3,
            Some(b'T') => 4,
            Some(b'P') => 5,
            Some(b'E') => 6,
            Some(b'Z') => 7,
            Some(b'Y') => 8,
            _ => 0,
        };
        if self.negative { -power } else { power }
    }
}

/// By the number at the beginning.
pub fn numeric(one: &[u8], other: &[u8]) -> Ordering {
    Number::read(one).order(&Number::read(other))
}

/// By the number at the beginning, with units as in `2K`.
pub fn human(one: &[u8], other: &[u8]) -> Ordering {
    let (one, other) = (Number::read(one), Number::read(other));
    one.unit().cmp(&other.unit()).then_with(|| one.order(&other))
}

/// By the floating point number at the beginning: what is none comes first, then what is no number.
pub fn general(one: &[u8], other: &[u8]) -> Ordering {
    let rank = |number: &Option<f64>| match number {
        None => 0,
        Some(number) if number.is_nan() => 1,
        Some(_) => 2,
    };
    let (one, other) = (float(one), float(other));
    rank(&one).cmp(&rank(&other)).then_with(|| one.partial_cmp(&other).unwrap_or(Ordering::Equal))
}

fn float(text: &[u8]) -> Option<f64> {
    let spaces = text.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 11).count();
    let text = &text[spaces..];
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let negative = text.first() == Some(&b'-');
    let behind = &text[sign..];
    let begins = |word: &[u8]| behind.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let signed = |number: f64| Some(if negative { -number } else { number });
    if begins(b"inf") {
        return signed(f64::INFINITY);
    }
    if begins(b"nan") {
        return Some(f64::NAN);
    }
    if begins(b"0x") && behind.get(2).is_some_and(u8::is_ascii_hexdigit) {
        return signed(hexadecimal(&behind[2..]));
    }
    let (whole, mut rest) = digits(behind);
    let mut length = whole.len();
    let mut count = whole.len();
    if let [b'.', part @ ..] = rest {
        let (part, behind) = digits(part);
        count += part.len();
        length += 1 + part.len();
        rest = behind;
    }
    if count == 0 {
        return None;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let sign = usize::from(matches!(exponent.first(), Some(b'+' | b'-')));
        let (power, _) = digits(&exponent[sign..]);
        if !power.is_empty() {
            length += 1 + sign + power.len();
        }
    }
    let number = std::str::from_utf8(&behind[..length]).ok()?.parse().ok()?;
    signed(number)
}

fn hexadecimal(text: &[u8]) -> f64 {
    let digits = text.iter().map_while(|byte| char::from(*byte).to_digit(16));
    digits.fold(0.0, |number, digit| number * 16.0 + f64::from(digit))
}

/// By the month at the beginning: what is none comes first.
pub fn month(one: &[u8], other: &[u8]) -> Ordering {
    let number = |text: &[u8]| {
        const NAMES: &[u8; 36] = b"JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
        let begin = unblanked(text).get(..3)?;
        NAMES.chunks(3).position(|name| name.eq_ignore_ascii_case(begin))
    };
    number(one).cmp(&number(other))
}

/// In no order, but what is equal stays together.
pub fn random(one: &[u8], other: &[u8]) -> Ordering {
    let hash = |text: &[u8]| {
        let mixed = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(29)
        });
        (mixed ^ (mixed >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    hash(one).cmp(&hash(other)).then_with(|| one.cmp(other))
}
