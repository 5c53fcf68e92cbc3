//! The `author` and `committer` lines of a commit, read as leniently as git reads them.

use gix::bstr::{BStr, ByteSlice};

use crate::git::dates::Stamp;

/// Who, and when.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ident<'a> {
    /// Without the blanks before the address.
    pub name: &'a BStr,
    /// Without the angle brackets.
    pub email: &'a BStr,
    /// None, if a part of it is missing.
    pub time: Option<Stamp>,
}

/// The parts of a line after its first word; none if it has no address.
pub fn split(line: &[u8]) -> Option<Ident<'_>> {
    let open = line.find_byte(b'<')?;
    let close = open + line[open..].find_byte(b'>')?;
    let name = line[..open].trim_end_with(is_space);
    Some(Ident { name: name.as_bstr(), email: line[open + 1..close].as_bstr(), time: time(line) })
}

/// The seconds of a line, whether it has a zone or not; 0 if it has none.
pub fn seconds(line: &[u8]) -> u64 {
    after_address(line).map_or(0, |date| digits(date).0)
}

fn time(line: &[u8]) -> Option<Stamp> {
    let date = after_address(line)?;
    let (seconds, length) = digits(date);
    let zone = date[length..].trim_start_with(is_space);
    let (sign, zone) = match zone.split_first()? {
        (b'+', zone) => (1, zone),
        (b'-', zone) => (-1, zone),
        _ => return None,
    };
    let (zone, zone_length) = digits(zone);
    let is_date = length > 0 && zone_length > 0;
    is_date.then(|| Stamp { seconds, zone: sign * i32::try_from(zone).unwrap_or(i32::MAX) })
}

/// What comes after the last closing bracket: an address may have some in it.
fn after_address(line: &[u8]) -> Option<&[u8]> {
    let close = line.rfind_byte(b'>')?;
    Some(line[close + 1..].trim_start_with(is_space))
}

/// The number that `text` begins with, or the largest if it is larger, and how many digits it has.
fn digits(text: &[u8]) -> (u64, usize) {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let add = |number: u64, digit: &u8| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    (text[..length].iter().fold(0, add), length)
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person<'a>(name: &'a str, email: &'a str, time: Option<Stamp>) -> Option<Ident<'a>> {
        Some(Ident { name: name.into(), email: email.into(), time })
    }

    fn at(seconds: u64, zone: i32) -> Option<Stamp> {
        Some(Stamp { seconds, zone })
    }

    #[test]
    fn a_line_has_a_name_an_address_and_a_time() {
        assert_eq!(split(b"A B <a@b> 12 +0130"), person("A B", "a@b", at(12, 130)));
        assert_eq!(split(b"<a@b> 12 -0030"), person("", "a@b", at(12, -30)));
        assert_eq!(split(b"A <a<b>c> 12 +0000"), person("A", "a<b", at(12, 0)));
    }

    #[test]
    fn what_is_missing_or_nonsense_is_not_there() {
        assert_eq!(split(b"A B a@b 12 +0000"), None);
        for line in ["A <a>", "A <a> x", "A <a> 12", "A <a> 12 0000", "A <a> 12 +", "A <a> +0000"] {
            assert_eq!(split(line.as_bytes()), person("A", "a", None), "{line}");
        }
        let large = b"A <a> 99999999999999999999 +0000";
        assert_eq!((seconds(b"A <a> 12"), seconds(large), seconds(b"A")), (12, u64::MAX, 0));
    }
}
