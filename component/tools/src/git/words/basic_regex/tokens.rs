//! Splits a pattern into tokens, outside of brackets.

/// A token of a pattern.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Token {
    /// A literal byte.
    Byte(u8),
    /// `.`
    Any,
    /// `[`: a bracket begins.
    Bracket,
    /// An anchor, in the syntax of the `regex` crate.
    Place(&'static str),
    /// `\w`, `\W`, `\s`, `\S`, in the syntax of the `regex` crate.
    Class(&'static str),
    /// `\(`
    Open,
    /// `\)`
    Close,
    /// `\|`
    Or,
    /// `*`, which is literal if there is nothing to repeat.
    Star,
    /// `\+`, with the same exception.
    Plus,
    /// `\?`, with the same exception.
    Optional,
    /// `\{`
    OpenInterval,
    /// `\}`
    CloseInterval,
    /// `\1` to `\9`, counted from 0.
    Reference(u8),
    /// A backslash at the end.
    Backslash,
    /// The end of the pattern.
    End,
}

/// A pattern during parsing.
pub struct Tokens<'a> {
    pattern: &'a [u8],
    /// The position of the next token.
    pub at: usize,
}

impl<'a> Tokens<'a> {
    /// Starts at the beginning of `pattern`.
    pub fn new(pattern: &'a [u8]) -> Tokens<'a> {
        Tokens { pattern, at: 0 }
    }

    /// The part not read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.pattern[self.at..]
    }

    /// The next token. `after_opening` says that a branch begins here, where `^` is an anchor.
    pub fn next(&mut self, after_opening: bool) -> Token {
        let token = match self.rest() {
            [] => return Token::End,
            [b'\\'] => Token::Backslash,
            [b'\\', escaped, ..] => {
                self.at += 1;
                self::escaped(*escaped)
            }
            [b'^', ..] if after_opening || self.at == 0 => Token::Place(r"\A"),
            // `$` is an anchor only at the end of a branch.
            [b'$'] | [b'$', b'\\', b'|' | b')', ..] => Token::Place(r"\z"),
            [b'.', ..] => Token::Any,
            [b'[', ..] => Token::Bracket,
            [b'*', ..] => Token::Star,
            [byte, ..] => Token::Byte(*byte),
        };
        self.at += 1;
        token
    }
}

fn escaped(byte: u8) -> Token {
    match byte {
        b'(' => Token::Open,
        b')' => Token::Close,
        b'|' => Token::Or,
        b'+' => Token::Plus,
        b'?' => Token::Optional,
        b'{' => Token::OpenInterval,
        b'}' => Token::CloseInterval,
        b'1'..=b'9' => Token::Reference(byte - b'1'),
        b'<' => Token::Place(r"\b{start}"),
        b'>' => Token::Place(r"\b{end}"),
        b'b' => Token::Place(r"\b"),
        b'B' => Token::Place(r"\B"),
        b'`' => Token::Place(r"\A"),
        b'\'' => Token::Place(r"\z"),
        b'w' => Token::Class("[0-9A-Za-z_]"),
        b'W' => Token::Class("[^0-9A-Za-z_]"),
        b's' => Token::Class(r"[\t-\r ]"),
        b'S' => Token::Class(r"[^\t-\r ]"),
        byte => Token::Byte(byte),
    }
}
