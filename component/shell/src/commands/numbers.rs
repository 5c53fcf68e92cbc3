//! Numbers with suffixes and durations, as options of GNU's commands have them.

use crate::script::clock::NEVER;
use bstr::ByteSlice;

/// What a suffix of a size multiplies by. None if there is no such suffix.
fn factor(suffix: &[u8]) -> Option<u64> {
    let exponent = |letter: u8| b"KMGTPE".find_byte(letter.to_ascii_uppercase()).map(|at| at as u32 + 1);
    match suffix {
        b"" => Some(1),
        b"b" => Some(512),
        [letter] | [letter, b'i', b'B'] => Some(1024_u64.pow(exponent(*letter)?)),
        [letter, b'B'] => Some(1000_u64.pow(exponent(*letter)?)),
        _ => None,
    }
}

/// A size such as `10`, `4K` or `1MB`. What is too large is the largest.
pub fn size(text: &[u8]) -> Option<u64> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let factor = factor(&text[length..])?;
    if length == 0 {
        return None;
    }
    Some(whole(&text[..length])?.saturating_mul(factor))
}

/// Digits as a number. What is too large is the largest.
pub fn whole(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |sum: u64, digit: &u8| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    Some(digits.iter().fold(0, add))
}

/// The same as a number of things in memory.
pub fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// How long a duration is in nanoseconds, such as `1.5` or `2m`. None if it is none.
pub fn duration(text: &[u8]) -> Option<u64> {
    let text = text.to_str().ok()?.trim_start();
    if text == "inf" || text == "infinity" {
        return Some(NEVER);
    }
    let unit = match text.bytes().last() {
        Some(b'm') => 60,
        Some(b'h') => 3_600,
        Some(b'd') => 86_400,
        _ => 1,
    };
    let number = text.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(text);
    if !number.ends_with(|char: char| char.is_ascii_digit() || char == '.') {
        return None;
    }
    let number: f64 = number.parse().ok().filter(|number| *number >= 0.0)?;
    let long = std::time::Duration::try_from_secs_f64(number * f64::from(unit)).unwrap_or(std::time::Duration::MAX);
    Some(u64::try_from(long.as_nanos()).unwrap_or(NEVER))
}
