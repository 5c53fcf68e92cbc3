//! The record, its fields, and the variables that go with them.

use std::rc::Rc;

use super::code::{FIELDWIDTHS, FPAT, FS, IGNORECASE, NF, OFS, RS};
use super::machine::{Machine, fatal};
use super::value::{Text, Value};
use crate::exec::Ended;
use crate::regexp::{Regex, escaped};

/// A field: a part of the record, or what was assigned to it.
enum Part {
    Range(usize, usize),
    Value(Value),
}

/// How records are split.
#[derive(Clone, Default)]
pub enum Splitter {
    /// At white space.
    #[default]
    Blank,
    /// At a byte.
    Byte(u8),
    /// Between all characters.
    Chars,
    /// At what matches.
    Regex(Rc<Regex>),
    /// What matches is a field.
    Pattern(Rc<Regex>),
    /// By widths.
    Widths(Vec<usize>),
}

/// The record and its fields.
#[derive(Default)]
pub struct Record {
    text: Text,
    /// What the parts are ranges of.
    source: Text,
    parts: Vec<Part>,
    is_split: bool,
    /// Whether a field has changed since the text was made.
    is_stale: bool,
    splitter: Splitter,
}

/// Where a text is split, and where each place to split at begins and ends.
pub type Ranges = Vec<(usize, usize)>;

impl Splitter {
    /// The parts of a text.
    pub fn split(&self, text: &[u8]) -> Ranges {
        let mut parts = Vec::new();
        if text.is_empty() {
            return parts;
        }
        match self {
            Splitter::Blank => {
                let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
                let mut at = 0;
                loop {
                    at += text[at..].iter().take_while(|byte| is_blank(byte)).count();
                    if at == text.len() {
                        break;
                    }
                    let length = text[at..].iter().take_while(|byte| !is_blank(byte)).count();
                    parts.push((at, at + length));
                    at += length;
                }
            }
            Splitter::Byte(byte) => {
                let mut begin = 0;
                for (at, _) in text.iter().enumerate().filter(|(_, found)| *found == byte) {
                    parts.push((begin, at));
                    begin = at + 1;
                }
                parts.push((begin, text.len()));
            }
            Splitter::Chars => {
                let mut at = 0;
                while at < text.len() {
                    let length = bstr::decode_utf8(&text[at..]).1.max(1);
                    parts.push((at, at + length));
                    at += length;
                }
            }
            Splitter::Regex(regex) => {
                let (mut begin, mut at) = (0, 0);
                while let Some((from, to)) = regex.find(text, at) {
                    if from == to {
                        // Nothing separates nothing.
                        at = to + bstr::decode_utf8(&text[to..]).1.max(1);
                        if at > text.len() {
                            break;
                        }
                        continue;
                    }
                    parts.push((begin, from));
                    (begin, at) = (to, to);
                }
                parts.push((begin, text.len()));
            }
            Splitter::Pattern(regex) => {
                let mut at = 0;
                let mut last = None;
                while let Some((from, to)) = (at <= text.len()).then(|| regex.find(text, at)).flatten() {
                    if from < to || last != Some(from) {
                        parts.push((from, to));
                    }
                    last = Some(to);
                    at = if from == to { to + 1 } else { to };
                }
            }
            Splitter::Widths(widths) => {
                let mut at = 0;
                for width in widths {
                    if at >= text.len() {
                        break;
                    }
                    let end = super::strings::offset(&text[at..], *width) + at;
                    parts.push((at, end));
                    at = end;
                }
            }
        }
        parts
    }
}

impl Machine {
    /// How a text is split by what separates its parts.
    pub fn splitter(&mut self, separator: &Value) -> Result<Splitter, Ended> {
        let text = self.text(separator);
        if let Value::Regex(_) = separator {
            return Ok(Splitter::Regex(self.regex(separator)?));
        }
        Ok(match text.as_slice() {
            b" " => Splitter::Blank,
            b"" => Splitter::Chars,
            [byte] if *byte != b'\\' && !(self.ignores_case() && byte.is_ascii_alphabetic()) => Splitter::Byte(*byte),
            b"\\" => Splitter::Byte(b'\\'),
            _ => Splitter::Regex(self.regex(separator)?),
        })
    }

    fn renew_splitter(&mut self) -> Result<(), Ended> {
        let separator = self.globals[FS].clone();
        let splitter = self.splitter(&separator)?;
        // Without a separator of its own a record has several lines, whose ends separate fields.
        let several = self.text(&self.globals[RS]).is_empty();
        self.record.splitter = match splitter {
            Splitter::Byte(byte) if several && byte != b'\n' => {
                let source = [&escaped(&[byte])[..], b"|\n"].concat();
                Splitter::Regex(self.regex(&Value::text(source))?)
            }
            Splitter::Regex(_) if several => {
                let source = [b"(".as_slice(), &self.text(&separator), b")|\n"].concat();
                Splitter::Regex(self.regex(&Value::text(source))?)
            }
            splitter => splitter,
        };
        Ok(())
    }

    /// Assigns a variable that awk knows.
    pub fn set_special(&mut self, number: usize, value: Value) -> Result<(), Ended> {
        match number {
            NF => {
                self.split_record()?;
                let count = value.number();
                self.resize(count)?;
                self.record.is_stale = true;
                self.globals[NF] = Value::Num(count.trunc());
                return Ok(());
            }
            OFS => self.rebuild(),
            FS | FPAT | FIELDWIDTHS | RS | IGNORECASE => self.split_record()?,
            _ => (),
        }
        self.globals[number] = value;
        match number {
            FS | RS | IGNORECASE => self.renew_splitter()?,
            FPAT => {
                let pattern = self.globals[FPAT].clone();
                self.record.splitter = Splitter::Pattern(self.regex(&pattern)?);
            }
            FIELDWIDTHS => {
                let text = self.text(&self.globals[FIELDWIDTHS]);
                let words = String::from_utf8_lossy(&text).into_owned();
                let width = |word: &str| if word == "*" { Some(usize::MAX >> 1) } else { word.parse().ok() };
                let widths: Option<Vec<usize>> = words.split_whitespace().map(width).collect();
                let Some(widths) = widths else { return fatal("invalid FIELDWIDTHS value") };
                self.record.splitter = Splitter::Widths(widths);
            }
            _ => (),
        }
        Ok(())
    }

    /// Begins with another record.
    pub fn set_record(&mut self, text: Text) {
        self.record.text = text;
        self.record.is_split = false;
        self.record.is_stale = false;
    }

    /// `$0`
    pub fn whole_record(&mut self) -> Value {
        self.rebuild();
        Value::Input(Rc::clone(&self.record.text))
    }

    fn rebuild(&mut self) {
        if !self.record.is_stale {
            return;
        }
        self.record.is_stale = false;
        let between = self.text(&self.globals[OFS]);
        let mut text = Vec::new();
        for (at, part) in self.record.parts.iter().enumerate() {
            if at > 0 {
                text.extend_from_slice(&between);
            }
            match part {
                Part::Range(from, to) => text.extend_from_slice(&self.record.source[*from..*to]),
                Part::Value(value) => text.extend_from_slice(&self.text(value)),
            }
        }
        self.made += text.len();
        self.record.text = Rc::new(text);
    }

    /// Finds the fields, if that was not done.
    pub fn split_record(&mut self) -> Result<(), Ended> {
        if self.record.is_split {
            return Ok(());
        }
        let record = &mut self.record;
        record.is_split = true;
        record.source = Rc::clone(&record.text);
        record.parts.clear();
        let parts = record.splitter.split(&record.source);
        let count = parts.len();
        record.parts.extend(parts.into_iter().map(|(from, to)| Part::Range(from, to)));
        #[expect(clippy::cast_precision_loss, reason = "there are not so many")]
        let number = count as f64;
        self.globals[NF] = Value::Num(number);
        self.hold(count * 24)
    }

    fn index(number: f64) -> Result<usize, Ended> {
        if number < 0.0 || number.is_nan() {
            return fatal(format!("attempt to access field {number}"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is not negative")]
        Ok(number as usize)
    }

    /// A field, or the whole record.
    pub fn field(&mut self, number: f64) -> Result<Value, Ended> {
        let index = Machine::index(number)?;
        if index == 0 {
            return Ok(self.whole_record());
        }
        self.split_record()?;
        Ok(match self.record.parts.get(index - 1) {
            Some(Part::Range(from, to)) => {
                let text = self.record.source[*from..*to].to_vec();
                self.made += text.len();
                Value::input(text)
            }
            Some(Part::Value(value)) => value.clone(),
            None => Value::Input(Text::default()),
        })
    }

    /// Assigns a field, or the whole record.
    pub fn set_field(&mut self, number: f64, value: Value) -> Result<(), Ended> {
        let index = Machine::index(number)?;
        if index == 0 {
            let text = self.text(&value);
            self.set_record(text);
            return Ok(());
        }
        self.split_record()?;
        if index > self.record.parts.len() {
            self.resize(number)?;
            self.globals[NF] = Value::Num(number.trunc());
        }
        self.record.parts[index - 1] = Part::Value(value);
        self.record.is_stale = true;
        Ok(())
    }

    fn resize(&mut self, count: f64) -> Result<(), Ended> {
        if count < 0.0 {
            return fatal("NF set to negative value");
        }
        let count = Machine::index(count)?;
        self.hold(count.saturating_sub(self.record.parts.len()).saturating_mul(64))?;
        self.record.parts.resize_with(count, || Part::Value(Value::Text(Text::default())));
        Ok(())
    }
}
