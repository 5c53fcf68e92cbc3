//! The tokens of `bc`.

/// A piece of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Digits, with a point perhaps.
    Number(String),
    /// A variable, a function or a keyword.
    Name(String),
    /// A text between quotes.
    Text(Vec<u8>),
    /// A sign.
    Sign(&'static str),
    /// The end of a line.
    Line,
}

/// Why there are no tokens.
#[derive(Debug, PartialEq, Eq)]
pub enum Wrong {
    /// More lines are needed.
    Short,
    /// It is not the language.
    Syntax,
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    "&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "+", "-", "*", "/", "%", "^",
    "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ";", ",",
];

/// Splits a text.
pub fn tokens(text: &[u8]) -> Result<Vec<Token>, Wrong> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(byte) = text.get(at) {
        let rest = &text[at..];
        match byte {
            b'\n' => {
                out.push(Token::Line);
                at += 1;
            }
            b' ' | b'\t' | b'\r' => at += 1,
            b'\\' if rest.get(1) == Some(&b'\n') => {
                at += 2;
                if at == text.len() {
                    return Err(Wrong::Short);
                }
            }
            b'#' => at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with(b"/*") => match bstr::ByteSlice::find(&rest[2..], b"*/") {
                Some(end) => at += end + 4,
                None => return Err(Wrong::Short),
            },
            b'"' => match rest[1..].iter().position(|byte| *byte == b'"') {
                Some(end) => {
                    out.push(Token::Text(rest[1..=end].to_vec()));
                    at += end + 2;
                }
                None => return Err(Wrong::Short),
            },
            b'a'..=b'z' => {
                let end = rest.iter().position(|byte| !matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
                let name = &rest[..end.unwrap_or(rest.len())];
                out.push(Token::Name(String::from_utf8_lossy(name).into_owned()));
                at += name.len();
            }
            b'0'..=b'9' | b'A'..=b'F' | b'.' => at += number(rest, &mut out),
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())).ok_or(Wrong::Syntax)?;
                out.push(Token::Sign(sign));
                at += sign.len();
            }
        }
    }
    Ok(out)
}

/// Reads a number, which may go on in the next line behind a backslash, and says how long it is.
fn number(rest: &[u8], out: &mut Vec<Token>) -> usize {
    let (mut digits, mut at, mut points) = (String::new(), 0, 0);
    loop {
        match rest.get(at) {
            Some(b'\\') if rest.get(at + 1) == Some(&b'\n') => at += 2,
            Some(byte @ (b'0'..=b'9' | b'A'..=b'F')) => {
                digits.push(char::from(*byte));
                at += 1;
            }
            Some(b'.') if points == 0 => {
                digits.push('.');
                points += 1;
                at += 1;
            }
            _ => break,
        }
    }
    // A point alone is the last value that was printed.
    out.push(if digits == "." { Token::Name("last".to_owned()) } else { Token::Number(digits) });
    at
}

/// A text of `print`, whose escapes stand for something else.
pub fn escaped(text: &[u8]) -> Vec<u8> {
    let (mut out, mut bytes) = (Vec::new(), text.iter());
    while let Some(byte) = bytes.next() {
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        match bytes.next() {
            Some(b'a') => out.push(7),
            Some(b'b') => out.push(8),
            Some(b'f') => out.push(12),
            Some(b'n') => out.push(b'\n'),
            Some(b'q') => out.push(b'"'),
            Some(b'r') => out.push(b'\r'),
            Some(b't') => out.push(b'\t'),
            Some(b'\\') => out.push(b'\\'),
            // Others are left out.
            Some(_) | None => (),
        }
    }
    out
}
