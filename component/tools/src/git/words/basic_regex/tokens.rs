//! What a pattern consists of, outside of brackets.

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Token {
    /// A byte that stands for itself.
    Byte(u8),
    /// `.`
    Any,
    /// `[`: a bracket begins.
    Bracket,
    /// A place, as the other side writes it.
    Place(&'static str),
    /// `\w`, `\W`, `\s`, `\S`, as the other side writes it.
    Class(&'static str),
    /// `\(`
    Open,
    /// `\)`
    Close,
    /// `\|`
    Or,
    /// `*`, which stands for itself where there is nothing to repeat.
    Star,
    /// `\+`, likewise.
    Plus,
    /// `\?`, likewise.
    Optional,
    /// `\{`
    OpenInterval,
    /// `\}`
    CloseInterval,
    /// `\1` to `\9`, as the number less one.
    Reference(u8),
    /// A backslash with nothing behind it.
    Backslash,
    /// Nothing is left.
    End,
}

/// A pattern that is being read.
pub struct Tokens<'a> {
    pattern: &'a [u8],
    /// Where the next token begins.
    pub at: usize,
}

impl<'a> Tokens<'a> {
    /// From its beginning.
    pub fn new(pattern: &'a [u8]) -> Tokens<'a> {
        Tokens { pattern, at: 0 }
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        &self.pattern[self.at..]
    }

    /// The next token. `after_opening` says whether a branch begins here: there `^` is a place.
    pub fn next(&mut self, after_opening: bool) -> Token {
        let token = match self.rest() {
            [] => return Token::End,
            [b'\\'] => Token::Backslash,
            [b'\\', escaped, ..] => {
                self.at += 1;
                self::escaped(*escaped)
            }
            [b'^', ..] if after_opening || self.at == 0 => Token::Place(r"\A"),
            // It is a place at the end of a branch only.
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
