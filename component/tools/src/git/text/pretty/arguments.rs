//! Parses the arguments of `%(trailers:…)`, `%(decorate:…)` and `%(describe:…)`.

use gix::bstr::ByteSlice;

use crate::git::words::c_number::c_number_of_any_base;

/// An argument, and the rest of the text: after its comma, or from the closing bracket on.
pub struct Argument<'t> {
    /// `None` without a `=`.
    pub value: Option<&'t str>,
    /// The rest of the text.
    pub rest: &'t str,
}

/// Parses the argument `name` at the beginning of `text`.
pub fn argument<'t>(text: &'t str, name: &str) -> Option<Argument<'t>> {
    let text = text.strip_prefix(name)?;
    let (value, rest) = match text.strip_prefix('=') {
        Some(text) => {
            let (value, rest) = text.split_at(text.as_bytes().find_byteset(b",)")?);
            (Some(value), rest)
        }
        None => (None, text),
    };
    let rest = match rest.strip_prefix(',') {
        Some(after) => after,
        None if rest.starts_with(')') => rest,
        None => return None,
    };
    Some(Argument { value, rest })
}

/// Parses a switch, which is on without a value. git accepts `true`, `yes`, `on`, `false`, `no`, `off`, an empty value and numbers.
pub fn switch<'t>(text: &'t str, name: &str) -> Option<(bool, &'t str)> {
    let found = argument(text, name)?;
    let on = match found.value {
        None => true,
        Some(value) => is_yes(value)?,
    };
    Some((on, found.rest))
}

fn is_yes(value: &str) -> Option<bool> {
    let is = |word: &str| value.eq_ignore_ascii_case(word);
    if is("true") || is("yes") || is("on") {
        return Some(true);
    }
    if value.is_empty() || is("false") || is("no") || is("off") {
        return Some(false);
    }
    number(value).map(|number| number != 0)
}

/// Parses a number as git's configuration does: decimal, octal or hexadecimal, with an optional `k`, `m` or `g`.
fn number(value: &str) -> Option<i64> {
    let (number, length) = c_number_of_any_base(value.as_bytes())?;
    let factor = match &value[length..] {
        "" => 1,
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        _ => return None,
    };
    // git's range is symmetric around zero.
    number.checked_mul(factor).filter(|number| number.unsigned_abs() <= i32::MAX.unsigned_abs().into())
}

/// Expands `%n`, `%%` and `%xNN` in a value.
pub fn expanded(value: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = value;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            bytes.push(b'%');
            rest = after;
        } else if let Some((byte, length)) = literal(rest) {
            bytes.push(byte);
            rest = &rest[length..];
        } else {
            bytes.push(b'%');
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Parses `n`, or `x` with two hexadecimal digits.
pub fn literal(text: &str) -> Option<(u8, usize)> {
    if text.starts_with('n') {
        return Some((b'\n', 1));
    }
    let byte = hex_digits(text.strip_prefix('x')?.as_bytes())?;
    Some((byte, 3))
}

/// The texts around and between the names of `%d`.
#[derive(Clone, Debug)]
pub struct Marks {
    /// Before the first name.
    pub prefix: Vec<u8>,
    /// After the last name.
    pub suffix: Vec<u8>,
    /// Between two names.
    pub separator: Vec<u8>,
    /// Between HEAD and its branch.
    pub pointer: Vec<u8>,
    /// Before a tag.
    pub tag: Vec<u8>,
}

impl Default for Marks {
    fn default() -> Marks {
        let bytes = |text: &str| text.as_bytes().to_vec();
        Marks {
            prefix: bytes(" ("),
            suffix: bytes(")"),
            separator: bytes(", "),
            pointer: bytes(" -> "),
            tag: bytes("tag: "),
        }
    }
}

impl Marks {
    /// The marks of `%D`, which has nothing around the names.
    pub fn bare() -> Marks {
        Marks { prefix: Vec::new(), suffix: Vec::new(), ..Marks::default() }
    }

    /// Parses the marks in `text`, and returns the rest.
    pub fn parse(mut text: &str) -> (Marks, &str) {
        let mut marks = Marks::default();
        'all: loop {
            for (name, mark) in [
                ("prefix", &mut marks.prefix),
                ("suffix", &mut marks.suffix),
                ("separator", &mut marks.separator),
                ("pointer", &mut marks.pointer),
                ("tag", &mut marks.tag),
            ] {
                if let Some(found) = argument(text, name) {
                    *mark = expanded(found.value.unwrap_or_default());
                    text = found.rest;
                    continue 'all;
                }
            }
            return (marks, text);
        }
    }
}

/// Parses two hexadecimal digits.
fn hex_digits(text: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(text.get(..2)?).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_ends_at_a_comma_or_at_the_bracket() {
        let found = argument("key=a,only)", "key").unwrap();
        assert_eq!((found.value, found.rest), (Some("a"), "only)"));
        assert_eq!(argument("only)", "only").unwrap().rest, ")");
        assert!(argument("onlyx)", "only").is_none());
        assert_eq!(switch("only=no)", "only"), Some((false, ")")));
        assert_eq!(switch("only=1k)", "only"), Some((true, ")")));
        assert_eq!(switch("only=maybe)", "only"), None);
        for (value, on) in [("0x1", true), (" 1", true), ("010", true), ("0x0", false), ("\x0b-0g", false)] {
            assert_eq!(switch(&format!("only={value})"), "only"), Some((on, ")")), "{value}");
        }
        for value in ["1 ", "1kk", "08", "99999999999", "2147483648", "9223372036854775807k"] {
            assert_eq!(switch(&format!("only={value})"), "only"), None, "{value}");
        }
    }

    #[test]
    fn characters_that_end_an_argument_are_written_as_numbers() {
        assert_eq!(expanded("a%x2Cb%n%%%q"), b"a,b\n%%q");
    }
}
