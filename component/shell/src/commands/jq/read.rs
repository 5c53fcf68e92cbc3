//! Reads JSON as it comes: bytes go in, values come out, and nothing goes down the native stack.

use std::rc::Rc;

use super::ledger;
use super::map::{Key, Map};
use super::number;
use super::value::{DEEPEST, List, Val};

/// What is open.
#[derive(Debug)]
enum Open {
    List(List),
    /// A map, and the name of the field whose value comes next.
    Map(Map, Option<Key>),
}

/// Where the reader is within a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Nothing,
    Text,
    Escape,
}

/// A reader of JSON texts.
#[derive(Debug)]
pub struct Reader {
    open: Vec<Open>,
    /// A value that is complete, but nothing says yet what comes behind it.
    next: Option<Val>,
    token: Vec<u8>,
    within: Within,
    line: usize,
    column: usize,
    begun: bool,
    /// Whether a value is needed next: behind a comma.
    comma: bool,
}

/// What is wrong with a text.
pub type Wrong = String;

impl Default for Reader {
    fn default() -> Reader {
        Reader {
            open: Vec::new(),
            next: None,
            token: Vec::new(),
            within: Within::Nothing,
            line: 1,
            column: 0,
            begun: false,
            comma: false,
        }
    }
}

impl Reader {
    /// Reads on from a place in a text to the end of the next value. None if the text ends before.
    pub fn feed(&mut self, text: &[u8], at: &mut usize) -> Option<Result<Val, Wrong>> {
        if !self.begun && text[*at..].starts_with(b"\xef\xbb\xbf") {
            *at += 3;
        }
        let begin = *at;
        while let Some(byte) = text.get(*at) {
            *at += 1;
            self.begun = true;
            if *byte == b'\n' {
                self.line += 1;
                self.column = 0;
            } else {
                self.column += 1;
            }
            let done = match self.byte(*byte) {
                Ok(()) if self.open.is_empty() => self.next.take().map(Ok),
                Ok(()) => None,
                Err(wrong) => Some(Err(format!("{wrong} at line {}, column {}", self.line, self.column))),
            };
            if done.is_some() {
                ledger::bytes(*at - begin + 255);
                return done;
            }
            if (*at - begin).is_multiple_of(4096) && !ledger::work(16) {
                return None;
            }
        }
        ledger::bytes(*at - begin);
        None
    }

    /// The value that the end of the text completes, if there is one.
    pub fn finish(&mut self) -> Option<Result<Val, Wrong>> {
        let ended = match self.within {
            Within::Nothing => self.literal(),
            _ => Err("Unfinished string"),
        };
        let wrong = match ended {
            Err(wrong) => wrong,
            Ok(()) if !self.open.is_empty() => "Unfinished JSON term",
            Ok(()) => return self.next.take().map(Ok),
        };
        let wrong = format!("{wrong} at EOF at line {}, column {}", self.line, self.column);
        *self = Reader::default();
        Some(Err(wrong))
    }

    fn byte(&mut self, byte: u8) -> Result<(), &'static str> {
        match self.within {
            Within::Escape => self.within = Within::Text,
            Within::Text => match byte {
                b'"' => {
                    self.within = Within::Nothing;
                    let token = std::mem::take(&mut self.token);
                    return self.value(Val::text(unescaped(&token)?));
                }
                b'\\' => self.within = Within::Escape,
                _ => (),
            },
            Within::Nothing => {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' => return self.literal(),
                    b'"' => {
                        self.literal()?;
                        self.within = Within::Text;
                        return Ok(());
                    }
                    b'[' | b'{' | b':' | b',' | b']' | b'}' => {
                        self.literal()?;
                        return self.sign(byte);
                    }
                    _ => (),
                };
            }
        }
        self.token.push(byte);
        if self.token.len().is_multiple_of(4096) {
            ledger::room(self.token.len());
        }
        Ok(())
    }

    fn value(&mut self, value: Val) -> Result<(), &'static str> {
        let expects_name = matches!(self.open.last(), Some(Open::Map(_, None)));
        if self.next.is_some() {
            return Err(if expects_name {
                "Objects must consist of key:value pairs"
            } else {
                "Expected separator between values"
            });
        }
        self.comma = false;
        self.next = Some(value);
        Ok(())
    }

    fn literal(&mut self) -> Result<(), &'static str> {
        if self.token.is_empty() {
            return Ok(());
        }
        let token = std::mem::take(&mut self.token);
        let value = match &*token {
            b"null" => Val::Null,
            b"true" => Val::Bool(true),
            b"false" => Val::Bool(false),
            b"nan" | b"NaN" => Val::Num(f64::NAN),
            [b't' | b'f' | b'n', ..] if token.len() < 6 => return Err("Invalid literal"),
            token => {
                let text = std::str::from_utf8(token).map_err(|_| "Invalid numeric literal")?;
                Val::Num(number::read(text).ok_or("Invalid numeric literal")?)
            }
        };
        self.value(value)
    }

    fn sign(&mut self, sign: u8) -> Result<(), &'static str> {
        match sign {
            b'[' | b'{' => {
                if self.next.is_some() {
                    return Err("Expected separator between values");
                }
                if self.open.len() >= DEEPEST as usize {
                    return Err("Exceeds depth limit for parsing");
                }
                self.comma = false;
                let open = if sign == b'[' { Open::List(List::default()) } else { Open::Map(Map::default(), None) };
                self.open.push(open);
                Ok(())
            }
            b':' => match (self.open.last_mut(), self.next.take()) {
                (Some(Open::Map(_, name @ None)), Some(Val::Text(text))) => {
                    *name = Some(Key(text));
                    self.comma = true;
                    Ok(())
                }
                (Some(Open::Map(_, None)), Some(_)) => Err("Object keys must be strings"),
                (Some(Open::Map(_, None)), None) => Err("Expected string key before ':'"),
                (Some(Open::Map(..)), _) => Err("':' should follow a key"),
                _ => Err("':' not as part of an object"),
            },
            b',' => {
                let Some(value) = self.next.take() else { return Err("Expected value before ','") };
                self.put(value, "',' should separate values")?;
                self.comma = true;
                Ok(())
            }
            _ => self.close(sign),
        }
    }

    /// Puts a value into what is open.
    fn put(&mut self, value: Val, outside: &'static str) -> Result<(), &'static str> {
        match self.open.last_mut() {
            Some(Open::List(list)) => list.push(value),
            Some(Open::Map(map, name)) => match name.take() {
                Some(name) => map.insert(name, value),
                None => return Err("Objects must consist of key:value pairs"),
            },
            None => return Err(outside),
        }
        Ok(())
    }

    fn close(&mut self, sign: u8) -> Result<(), &'static str> {
        match (self.open.last(), sign) {
            (Some(Open::List(_)), b']') | (Some(Open::Map(..)), b'}') => (),
            (_, b']') => return Err("Unmatched ']'"),
            _ => return Err("Unmatched '}'"),
        }
        match self.next.take() {
            Some(value) => self.put(value, "Unmatched")?,
            None if self.comma && sign == b']' => return Err("Expected another array element"),
            None if self.comma => return Err("Expected another key-value pair"),
            None => (),
        }
        self.comma = false;
        let value = match self.open.pop().expect("it was there") {
            Open::List(list) => Val::List(Rc::new(list)),
            Open::Map(map, _) => Val::Map(Rc::new(map)),
        };
        self.value(value)
    }
}

/// The text of a string without its quotes.
fn unescaped(token: &[u8]) -> Result<String, &'static str> {
    let text = String::from_utf8_lossy(token);
    if !text.contains('\\') {
        return Ok(text.into_owned());
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        rest = behind;
        out.push(escape(&mut rest)?);
    }
    out.push_str(rest);
    Ok(out)
}

/// Reads what follows a backslash.
pub fn escape(rest: &mut &str) -> Result<char, &'static str> {
    let letter = rest.chars().next().ok_or("Expected escape character at end of string")?;
    *rest = &rest[letter.len_utf8()..];
    Ok(match letter {
        '"' | '\\' | '/' => letter,
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let first = unit(rest)?;
            if (0xd800..0xdc00).contains(&first) && rest.starts_with("\\u") {
                let mut behind = &rest[2..];
                let second = unit(&mut behind)?;
                if (0xdc00..0xe000).contains(&second) {
                    *rest = behind;
                    let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                    return Ok(char::from_u32(code).expect("surrogates are a character"));
                }
            }
            // A half of a pair is no character.
            char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ => return Err("Invalid escape"),
    })
}

fn unit(rest: &mut &str) -> Result<u32, &'static str> {
    let digits = rest.get(..4).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let digits = digits.ok_or("Invalid escape")?;
    *rest = &rest[4..];
    u32::from_str_radix(digits, 16).map_err(|_| "Invalid escape")
}

/// The one value that a text is.
pub fn single(text: &str) -> Result<Val, Wrong> {
    let mut reader = Reader::default();
    let mut at = 0;
    let tell = |wrong: Wrong| format!("{wrong} (while parsing '{text}')");
    let mut first = None;
    loop {
        let next = match reader.feed(text.as_bytes(), &mut at) {
            Some(next) => next,
            None if ledger::over() => return Ok(Val::Null),
            None => match reader.finish() {
                Some(next) => next,
                None => return first.ok_or_else(|| tell("Expected JSON value".to_owned())),
            },
        };
        let value = next.map_err(tell)?;
        if first.replace(value).is_some() {
            return Err(tell("Unexpected extra JSON values".to_owned()));
        }
    }
}

/// All values that a text has.
pub fn many(text: &[u8]) -> Result<List, Wrong> {
    let mut reader = Reader::default();
    let mut at = 0;
    let mut list = List::default();
    while let Some(next) = reader.feed(text, &mut at).or_else(|| reader.finish()) {
        list.push(next?);
    }
    Ok(list)
}
