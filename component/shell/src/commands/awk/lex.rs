//! The words of a program.

use super::expression::escape;
use super::value::prefix;

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Number(f64),
    Text(Vec<u8>),
    Regex(Vec<u8>),
    Name(String),
    /// A name with a bracket directly behind it.
    Called(String),
    /// A word of the language, or a function that awk has.
    Word(&'static str),
    /// An operator, or a mark.
    Sign(&'static str),
    Newline,
    End,
}

const WORDS: &[&str] = &[
    "BEGIN", "END", "and", "asort", "asorti", "atan2", "break", "case", "close", "compl", "continue", "cos", "default",
    "delete", "do", "else", "exit", "exp", "fflush", "for", "func", "function", "gensub", "getline", "gsub", "if",
    "in", "index", "int", "isarray", "length", "log", "lshift", "match", "mktime", "next", "nextfile", "or",
    "patsplit", "print", "printf", "rand", "return", "rshift", "sin", "split", "sprintf", "sqrt", "srand", "strftime",
    "strtonum", "sub", "substr", "switch", "system", "systime", "tolower", "toupper", "typeof", "while", "xor",
];

/// Longer ones first.
const SIGNS: &[&str] = &[
    "**=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "==", "<=", ">=", "!=", "!~", ">>", "|&",
    "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^", "!", "<", ">", "|", "?", ":", "~", "$", "=",
];

/// The words of a text, with their lines. The error has the line as well.
pub fn tokens(text: &[u8]) -> Result<Vec<(Token, usize)>, (usize, String)> {
    let mut lexer = Lexer { text, at: 0, line: 1, tokens: Vec::new() };
    while lexer.one()? {}
    let line = lexer.line;
    lexer.tokens.push((Token::Newline, line));
    lexer.tokens.push((Token::End, line));
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    tokens: Vec<(Token, usize)>,
}

impl Lexer<'_> {
    fn push(&mut self, token: Token) {
        self.tokens.push((token, self.line));
    }

    fn one(&mut self) -> Result<bool, (usize, String)> {
        let rest = &self.text[self.at..];
        let Some(byte) = rest.first() else { return Ok(false) };
        match byte {
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'\n' => {
                self.push(Token::Newline);
                self.at += 1;
                self.line += 1;
            }
            b'\\' if rest.starts_with(b"\\\n") || rest.starts_with(b"\\\r\n") => {
                self.at += if rest[1] == b'\n' { 2 } else { 3 };
                self.line += 1;
            }
            b'#' => self.at += rest.iter().take_while(|byte| **byte != b'\n').count(),
            b'"' => self.quoted()?,
            b'@' if rest.starts_with(b"@/") => {
                self.at += 1;
                self.regex()?;
                // It is a value, which is only used as an expression where one is wanted.
                if let Some((Token::Regex(source), line)) = self.tokens.pop() {
                    self.tokens.push((Token::Text(source), line));
                }
            }
            b'/' if self.wants_value() => self.regex()?,
            b'0'..=b'9' => self.number(),
            b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => self.number(),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.name(),
            _ => {
                let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) else {
                    return Err((self.line, format!("invalid char '{}' in expression", char::from(*byte))));
                };
                self.at += sign.len();
                // Both ways of writing a power are one.
                self.push(Token::Sign(match *sign {
                    "**" => "^",
                    "**=" => "^=",
                    sign => sign,
                }));
            }
        }
        Ok(true)
    }

    /// Whether a slash here begins an expression: nothing stands before it that could be divided.
    fn wants_value(&self) -> bool {
        match self.tokens.last() {
            Some((Token::Number(_) | Token::Text(_) | Token::Name(_) | Token::Regex(_), _)) => false,
            Some((Token::Word(word), _)) => *word != "length",
            Some((Token::Sign(sign), _)) => !matches!(*sign, ")" | "]" | "$" | "++" | "--"),
            _ => true,
        }
    }

    fn regex(&mut self) -> Result<(), (usize, String)> {
        let unended = (self.line, "unterminated regexp".to_owned());
        let begin = self.at + 1;
        let mut at = begin;
        let mut class = None;
        loop {
            match (self.text.get(at), class) {
                (None | Some(b'\n'), _) => return Err(unended),
                (Some(b'\\'), _) => at += 1,
                (Some(b'/'), None) => break,
                (Some(b'['), None) => {
                    let negated = usize::from(self.text.get(at + 1) == Some(&b'^'));
                    class = Some(at + 1 + negated);
                }
                (Some(b'['), Some(_)) if self.text.get(at + 1) == Some(&b':') => {
                    let rest = &self.text[at + 2..];
                    at += rest.windows(2).position(|pair| pair == b":]").map_or(0, |found| found + 3);
                }
                // Directly behind the bracket it stands for itself.
                (Some(b']'), Some(first)) if at > first => class = None,
                _ => (),
            }
            at += 1;
        }
        self.push(Token::Regex(self.text[begin..at].to_vec()));
        self.at = at + 1;
        Ok(())
    }

    fn quoted(&mut self) -> Result<(), (usize, String)> {
        let line = self.line;
        let begin = self.at + 1;
        let mut at = begin;
        loop {
            match self.text.get(at) {
                None | Some(b'\n') => return Err((line, "unterminated string".to_owned())),
                Some(b'"') => break,
                Some(b'\\') => {
                    self.line += usize::from(self.text.get(at + 1) == Some(&b'\n'));
                    at += 2;
                }
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        self.push(Token::Text(unescaped(&self.text[begin..at])));
        Ok(())
    }

    fn number(&mut self) {
        let rest = &self.text[self.at..];
        let digits =
            |skip: usize, radix: u32| rest[skip..].iter().take_while(|byte| char::from(**byte).is_digit(radix)).count();
        let (number, length) = if matches!(rest, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit()) {
            let count = digits(2, 16);
            (folded(&rest[2..2 + count], 16), 2 + count)
        } else if rest[0] == b'0'
            && digits(0, 10) > 1
            && digits(0, 10) == digits(0, 8)
            && rest.get(digits(0, 8)) != Some(&b'.')
        {
            let count = digits(0, 8);
            (folded(&rest[..count], 8), count)
        } else {
            prefix(rest)
        };
        self.at += length;
        self.push(Token::Number(number));
    }

    fn name(&mut self) {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let name = std::str::from_utf8(&rest[..length]).expect("it is made of letters");
        self.at += length;
        let token = match WORDS.iter().find(|word| **word == name) {
            Some(&"func") => Token::Word("function"),
            Some(word) => Token::Word(word),
            None if rest.get(length) == Some(&b'(') => Token::Called(name.to_owned()),
            None => Token::Name(name.to_owned()),
        };
        self.push(token);
    }
}

fn folded(digits: &[u8], radix: u32) -> f64 {
    digits
        .iter()
        .fold(0.0, |sum, byte| sum * f64::from(radix) + char::from(*byte).to_digit(radix).map_or(0.0, f64::from))
}

/// A text without its escapes.
pub fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += 1;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        match (escape(&text[at..]), text.get(at)) {
            (Some((byte, length)), _) => {
                out.push(byte);
                at += length;
            }
            (None, Some(b'\n')) => at += 1,
            (None, Some(other)) => {
                out.push(*other);
                at += 1;
            }
            (None, None) => out.push(b'\\'),
        }
    }
    out
}
