//! Reads numbers as the C library does (`strtol`): skips white space and a sign first, and ignores the text after the digits.

/// The whole number at the beginning of `text`, and the length of all that was read. `None` if there is no digit. A number out of range
/// becomes the largest or smallest.
pub fn c_number(text: &[u8]) -> Option<(i64, usize)> {
    let (is_negative, start) = sign(text);
    digits(&text[start..], 10, is_negative).map(|(number, length)| (number, start + length))
}

/// Like [`c_number`], but the number may also be octal (`017`) or hexadecimal (`0x1f`).
pub fn c_number_of_any_base(text: &[u8]) -> Option<(i64, usize)> {
    let (is_negative, start) = sign(text);
    let text = &text[start..];
    if let [b'0', b'x' | b'X', hexadecimal @ ..] = text
        && let Some((number, length)) = digits(hexadecimal, 16, is_negative)
    {
        return Some((number, start + 2 + length));
    }
    let base = if text.first() == Some(&b'0') { 8 } else { 10 };
    digits(text, base, is_negative).map(|(number, length)| (number, start + length))
}

/// Whether a minus sign follows the white space, and where the digits begin.
fn sign(text: &[u8]) -> (bool, usize) {
    let spaces = text.iter().take_while(|byte| matches!(byte, b'\t'..=b'\r' | b' ')).count();
    match text.get(spaces) {
        Some(b'-') => (true, spaces + 1),
        Some(b'+') => (false, spaces + 1),
        _ => (false, spaces),
    }
}

fn digits(text: &[u8], base: u32, is_negative: bool) -> Option<(i64, usize)> {
    let digits = text.iter().map_while(|byte| char::from(*byte).to_digit(base));
    let (number, length) = digits.fold((0_i64, 0), |(number, length), digit| {
        let digit = i64::from(digit);
        let number = number.saturating_mul(i64::from(base));
        (if is_negative { number.saturating_sub(digit) } else { number.saturating_add(digit) }, length + 1)
    });
    (length > 0).then_some((number, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_behind_white_space_and_a_sign() {
        assert_eq!(c_number(b" \t\n\x0b\x0c\r+5)"), Some((5, 8)));
        assert_eq!(c_number(b"-12x"), Some((-12, 3)));
        assert_eq!(c_number(b"0x10"), Some((0, 1)));
        for text in [&b""[..], b" ", b"+", b"+ 5", b"--5", b"x", b"\xc2\xa09"] {
            assert_eq!(c_number(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_is_too_large_is_the_largest_number() {
        assert_eq!(c_number(b"9223372036854775808"), Some((i64::MAX, 19)));
        assert_eq!(c_number(b"-99999999999999999999"), Some((i64::MIN, 21)));
    }

    #[test]
    fn the_base_stands_before_the_digits() {
        for (text, number) in [("017", 15), ("0x1F", 31), ("-0X1f", -31), (" 19", 19), ("0", 0)] {
            assert_eq!(c_number_of_any_base(text.as_bytes()), Some((number, text.len())), "{text}");
        }
        assert_eq!(c_number_of_any_base(b"08"), Some((0, 1)));
        assert_eq!(c_number_of_any_base(b"0xg"), Some((0, 1)));
    }
}
