//! Parses colours in a format. The output is no terminal, so only `always` gives colours.

use crate::error::ToolError;

/// Parses the text after `%C`. Returns the escape sequence, and the length of its name. `None` if it is not a colour.
///
/// # Errors
///
/// In git's words, if an `always` colour is unknown.
pub fn parse(text: &str) -> Result<Option<(Vec<u8>, usize)>, ToolError> {
    let Some(bracket) = text.strip_prefix('(') else {
        let named = ["red", "green", "blue", "reset"].into_iter().find(|name| text.starts_with(name));
        return Ok(named.map(|name| (Vec::new(), name.len())));
    };
    let Some(length) = bracket.find(')') else {
        return Ok(None);
    };
    let sequence = match bracket[..length].strip_prefix("always,") {
        Some(value) => sequence(value).ok_or_else(|| {
            ToolError::bad_args(format!("error: invalid color value: {value}\nfatal: unable to parse --pretty format"))
        })?,
        None => Vec::new(),
    };
    Ok(Some((sequence, length + 2)))
}

/// The escape sequence for `value`: foreground, background and attributes, in words (git-config, "color").
fn sequence(value: &str) -> Option<Vec<u8>> {
    let (mut reset, mut attributes) = (false, 0u32);
    let mut colours: Vec<Colour> = Vec::new();
    for word in value.split_ascii_whitespace() {
        if word.eq_ignore_ascii_case("reset") {
            reset = true;
        } else if let Some(colour) = Colour::parse(word) {
            if colours.len() == 2 {
                return None;
            }
            colours.push(colour);
        } else {
            attributes |= 1 << attribute(word)?;
        }
    }
    let mut codes: Vec<String> =
        (0..u32::BITS).filter(|bit| attributes & 1 << bit != 0).map(|bit| bit.to_string()).collect();
    if reset {
        codes.insert(0, String::new());
    }
    for (colour, ground) in colours.iter().zip([0, 10]) {
        codes.extend(colour.code(ground));
    }
    let is_empty = codes.is_empty();
    Some(if is_empty { Vec::new() } else { format!("\x1b[{}m", codes.join(";")).into_bytes() })
}

#[derive(Clone, Copy, Debug)]
enum Colour {
    Normal,
    Ansi(u8),
    Numbered(u8),
    Mixed([u8; 3]),
}

impl Colour {
    fn parse(word: &str) -> Option<Colour> {
        const NAMES: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
        let word = word.to_ascii_lowercase();
        if word == "normal" || word == "-1" {
            return Some(Colour::Normal);
        }
        if word == "default" {
            return Some(Colour::Ansi(39));
        }
        if let Some(digits) = word.strip_prefix('#') {
            return mixed(digits).map(Colour::Mixed);
        }
        let (name, first) = word.strip_prefix("bright").map_or((word.as_str(), 30), |name| (name, 90));
        if let Some(at) = NAMES.iter().position(|known| *known == name) {
            return Some(Colour::Ansi(first + at as u8));
        }
        Some(match word.parse::<u8>().ok()? {
            number @ 0..8 => Colour::Ansi(30 + number),
            number @ 8..16 => Colour::Ansi(90 + number - 8),
            number => Colour::Numbered(number),
        })
    }

    fn code(self, ground: u8) -> Option<String> {
        match self {
            Colour::Normal => None,
            Colour::Ansi(code) => Some((code + ground).to_string()),
            Colour::Numbered(number) => Some(format!("{};5;{number}", 38 + ground)),
            Colour::Mixed([red, green, blue]) => Some(format!("{};2;{red};{green};{blue}", 38 + ground)),
        }
    }
}

/// Parses `rrggbb` or `rgb`.
fn mixed(digits: &str) -> Option<[u8; 3]> {
    let digit = |at: usize| char::from(*digits.as_bytes().get(at)?).to_digit(16).map(|digit| digit as u8);
    let value = |at: usize| match digits.len() {
        3 => digit(at).map(|digit| digit * 17),
        6 => Some(digit(2 * at)? << 4 | digit(2 * at + 1)?),
        _ => None,
    };
    Some([value(0)?, value(1)?, value(2)?])
}

fn attribute(word: &str) -> Option<u32> {
    const ATTRIBUTES: [(&str, u32, u32); 7] = [
        ("bold", 1, 22),
        ("dim", 2, 22),
        ("italic", 3, 23),
        ("ul", 4, 24),
        ("blink", 5, 25),
        ("reverse", 7, 27),
        ("strike", 9, 29),
    ];
    let (word, negated) = match word.strip_prefix("no") {
        Some(word) => (word.strip_prefix('-').unwrap_or(word), true),
        None => (word, false),
    };
    let found = ATTRIBUTES.iter().find(|(name, ..)| *name == word);
    found.map(|(_, on, off)| if negated { *off } else { *on })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_always_coloured_is() {
        let shown =
            |text: &str| parse(text).unwrap().map(|(sequence, length)| (String::from_utf8(sequence).unwrap(), length));
        assert_eq!(shown("(red)x"), Some((String::new(), 5)));
        assert_eq!(shown("redx"), Some((String::new(), 3)));
        assert_eq!(shown("yellow"), None);
        assert_eq!(shown("(red"), None);
        assert_eq!(shown("(always,bold red blue)"), Some(("\x1b[1;31;44m".to_owned(), 22)));
        assert_eq!(shown("(always,reset)"), Some(("\x1b[m".to_owned(), 14)));
        assert_eq!(shown("(always,#ff0010 normal no-ul)").unwrap().0, "\x1b[24;38;2;255;0;16m");
        assert_eq!(shown("(always,12 200)").unwrap().0, "\x1b[94;48;5;200m");
        assert!(parse("(always,nocolour)").is_err());
    }
}
