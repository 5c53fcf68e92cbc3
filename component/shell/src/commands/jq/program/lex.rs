//! The words and signs of a program.

use std::fmt;

/// A word or sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'s> {
    End,
    /// A name or a keyword.
    Word(&'s str),
    /// A field behind a point, without the point.
    Field(&'s str),
    /// A format, with its `@`.
    Format(&'s str),
    /// A variable, with its `$`.
    Variable(&'s str),
    Number(&'s str),
    /// The quote that begins a string.
    Quote,
    Sign(&'s str),
    Odd(char),
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::End => formatter.write_str("$end"),
            Token::Word(word) if KEYWORDS.contains(word) => formatter.write_str(word),
            Token::Word(_) => formatter.write_str("IDENT"),
            Token::Field(_) => formatter.write_str("FIELD"),
            Token::Format(_) => formatter.write_str("FORMAT"),
            Token::Variable(_) => formatter.write_str("'$'"),
            Token::Number(_) => formatter.write_str("LITERAL"),
            Token::Quote => formatter.write_str("QQSTRING_START"),
            Token::Sign(sign) if sign.len() > 1 => formatter.write_str(sign),
            Token::Sign(sign) => write!(formatter, "'{sign}'"),
            Token::Odd(_) => formatter.write_str("INVALID_CHARACTER"),
        }
    }
}

/// Words that are no functions.
pub const KEYWORDS: &[&str] = &[
    "def", "if", "then", "elif", "else", "end", "as", "reduce", "foreach", "try", "catch", "label", "import",
    "include", "and", "or", "__loc__", "module",
];

const SIGNS: &[&str] = &[
    "?//", "//=", "!=", "==", "|=", "+=", "-=", "*=", "/=", "%=", "<=", ">=", "//", "..", ".", "[", "]", "(", ")", "{",
    "}", "|", ",", ":", ";", "=", "<", ">", "+", "-", "*", "/", "%", "?",
];

/// Where a reader is in a program.
pub struct Lexer<'s> {
    text: &'s str,
    /// Where the next token begins, or blanks before it.
    pub at: usize,
    /// Whether names may begin with `!`, which programs cannot call.
    library: bool,
}

impl<'s> Lexer<'s> {
    /// At the beginning of a text.
    pub fn new(text: &'s str, library: bool) -> Lexer<'s> {
        Lexer { text, at: 0, library }
    }

    /// What is left.
    pub fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    /// The number of the line.
    pub fn line(&self) -> usize {
        self.text[..self.at].bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    /// The next token, which is not taken.
    pub fn peek(&mut self) -> Token<'s> {
        self.blanks();
        token(self.rest(), self.library).0
    }

    /// Takes the next token.
    pub fn next(&mut self) -> Token<'s> {
        self.blanks();
        let (token, length) = token(self.rest(), self.library);
        self.at += length;
        token
    }

    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }
}

/// How long a name is at the beginning of a text.
fn name(text: &str) -> usize {
    let begins = |text: &str| text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let mut length = 0;
    while begins(&text[length..]) {
        let rest = &text[length..];
        length += rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        if !text[length..].starts_with("::") || !begins(&text[length + 2..]) {
            break;
        }
        length += 2;
    }
    length
}

fn number(text: &str) -> usize {
    let digits = |text: &str| text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let mut length = digits(text);
    if text[length..].starts_with('.') {
        length += 1 + digits(&text[length + 1..]);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        match digits(&text[length + 1 + sign..]) {
            0 => (),
            count => length += 1 + sign + count,
        }
    }
    length
}

fn token(text: &str, library: bool) -> (Token<'_>, usize) {
    let Some(first) = text.chars().next() else { return (Token::End, 0) };
    let behind = &text[first.len_utf8()..];
    match first {
        '"' => return (Token::Quote, 1),
        '.' if behind.starts_with(|letter: char| letter.is_ascii_digit()) => {
            let length = number(text);
            return (Token::Number(&text[..length]), length);
        }
        '.' => {
            let length = behind.find("::").map_or(usize::MAX, |at| at).min(name(behind));
            if length > 0 {
                return (Token::Field(&behind[..length]), 1 + length);
            }
        }
        '$' if name(behind) > 0 => {
            let length = 1 + name(behind);
            return (Token::Variable(&text[..length]), length);
        }
        '@' => {
            let rest = behind.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            let length = 1 + rest.unwrap_or(behind.len());
            return (Token::Format(&text[..length]), length);
        }
        '!' if library && name(behind) > 0 => {
            let length = 1 + name(behind);
            return (Token::Word(&text[..length]), length);
        }
        '0'..='9' => {
            let length = number(text);
            return (Token::Number(&text[..length]), length);
        }
        _ => (),
    }
    if name(text) > 0 {
        return (Token::Word(&text[..name(text)]), name(text));
    }
    match SIGNS.iter().find(|sign| text.starts_with(**sign)) {
        Some(sign) => (Token::Sign(sign), sign.len()),
        None => (Token::Odd(first), first.len_utf8()),
    }
}
