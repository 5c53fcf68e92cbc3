//! Values: numbers, texts, texts that may be numbers, and arrays.

use std::cell::{Ref, RefCell, RefMut};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::rc::Rc;

use super::expression::Literal;
use super::format;

/// A text that values share.
pub type Text = Rc<Vec<u8>>;

/// What an array has. The hashes are the same each time, so that nothing depends on chance.
pub type Table = HashMap<Text, Value, BuildHasherDefault<DefaultHasher>>;

/// An array, and how deeply it lies in others.
#[derive(Debug, Default)]
pub struct Array {
    entries: RefCell<Table>,
    depth: u32,
}

/// An array that variables share.
pub type TableRef = Rc<Array>;

/// How deeply arrays may lie in each other.
const DEEPEST: u32 = 100;

impl Array {
    /// One that lies in no other.
    pub fn of(entries: Table) -> TableRef {
        Rc::new(Array { entries: entries.into(), depth: 0 })
    }

    /// A new one that is to lie in this one. None if that is too deep.
    pub fn inner(&self) -> Option<TableRef> {
        (self.depth < DEEPEST).then(|| Rc::new(Array { entries: RefCell::default(), depth: self.depth + 1 }))
    }

    /// What it has.
    pub fn borrow(&self) -> Ref<'_, Table> {
        self.entries.borrow()
    }

    /// What it has, to change it.
    pub fn borrow_mut(&self) -> RefMut<'_, Table> {
        self.entries.borrow_mut()
    }
}

/// A value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// Nothing was assigned.
    #[default]
    Unset,
    Num(f64),
    Text(Text),
    /// A text from outside, which is a number if it looks like one.
    Input(Text),
    /// An expression as it stands in the program.
    Regex(Rc<Literal>),
    Array(TableRef),
    /// Nothing was assigned, but a function that got it may have made it this array.
    Maybe(TableRef),
    /// Keys to go through.
    Keys(Rc<RefCell<std::vec::IntoIter<Text>>>),
}

impl Value {
    /// A text.
    pub fn text(text: impl Into<Vec<u8>>) -> Value {
        Value::Text(Rc::new(text.into()))
    }

    /// A text from outside.
    pub fn input(text: impl Into<Vec<u8>>) -> Value {
        Value::Input(Rc::new(text.into()))
    }

    /// A truth.
    pub fn truth(is: bool) -> Value {
        Value::Num(f64::from(u8::from(is)))
    }

    /// As a number.
    pub fn number(&self) -> f64 {
        match self {
            Value::Num(number) => *number,
            Value::Text(text) | Value::Input(text) => prefix(text).0,
            Value::Regex(literal) => prefix(&literal.source).0,
            _ => 0.0,
        }
    }

    /// As a text, with this format for what is no whole number.
    pub fn shown(&self, format: &[u8]) -> Text {
        match self {
            Value::Num(number) => Rc::new(written(*number, format)),
            Value::Text(text) | Value::Input(text) => Rc::clone(text),
            Value::Regex(literal) => Rc::clone(&literal.source),
            _ => Rc::default(),
        }
    }

    /// Whether it counts as true.
    pub fn is_true(&self) -> bool {
        match self {
            Value::Num(number) => *number != 0.0,
            Value::Text(text) => !text.is_empty(),
            Value::Input(text) => whole(text).map_or(!text.is_empty(), |number| number != 0.0),
            Value::Regex(literal) => !literal.source.is_empty(),
            _ => false,
        }
    }

    /// The number that it is compared as, if it is not compared as a text.
    fn compared(&self) -> Option<f64> {
        match self {
            Value::Num(number) => Some(*number),
            Value::Input(text) => whole(text),
            Value::Text(_) | Value::Regex(_) => None,
            _ => Some(0.0),
        }
    }

    /// Whether it looks like a number, or is one.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Value::Num(_)) || matches!(self, Value::Input(text) if whole(text).is_some())
    }

    /// Which of both comes first. None if one is not a number at all.
    pub fn order(&self, other: &Value, format: &[u8]) -> Option<Ordering> {
        match (self.compared(), other.compared()) {
            (Some(one), Some(other)) => one.partial_cmp(&other),
            _ => Some(self.shown(format).cmp(&other.shown(format))),
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let share = |text: &Text| text.capacity() / Rc::strong_count(text);
        32 + match self {
            Value::Text(text) | Value::Input(text) => share(text),
            Value::Array(table) | Value::Maybe(table) => {
                let count = Rc::strong_count(table);
                let entries = table.borrow();
                let all: usize = entries.iter().map(|(key, value)| 64 + share(key) + value.bytes()).sum();
                all / count
            }
            _ => 0,
        }
    }
}

/// A number as `print` and texts have it.
pub fn written(number: f64, format: &[u8]) -> Vec<u8> {
    if number.is_nan() || number.is_infinite() {
        return odd(number).into();
    }
    if number.fract() == 0.0 {
        return match number.abs() < 1e15 {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole, and small enough")]
            true => (number as i64).to_string().into_bytes(),
            false => format!("{number:.0}").into_bytes(),
        };
    }
    if format == b"%.6g" {
        let text = crate::builtins::printf::float(b'g', Some(6), false, number.abs());
        return if number < 0.0 { format!("-{text}") } else { text }.into_bytes();
    }
    format::sprintf(format, &[Value::Num(number)], b"%.6g").unwrap_or_default()
}

/// What is no finite number, as gawk writes it.
pub fn odd(number: f64) -> &'static str {
    match (number.is_nan(), number.is_sign_negative()) {
        (true, true) => "-nan",
        (true, false) => "+nan",
        (false, true) => "-inf",
        (false, false) => "+inf",
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The number that a text is, if it is one.
pub fn whole(text: &[u8]) -> Option<f64> {
    let first = text.iter().find(|byte| !is_space(**byte))?;
    if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.') {
        return None;
    }
    let (number, length) = prefix(text);
    (length > 0 && text[length..].iter().all(|byte| is_space(*byte))).then_some(number)
}

/// The number that a text begins with, and where it ends. The end is 0 if there is none.
pub fn prefix(text: &[u8]) -> (f64, usize) {
    let begin = text.iter().take_while(|byte| is_space(**byte)).count();
    let mut at = begin;
    let signed = matches!(text.get(at), Some(b'+' | b'-'));
    at += usize::from(signed);
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let before = digits(at);
    at += before;
    if before > 0 && before <= 15 && !matches!(text.get(at), Some(b'.' | b'e' | b'E')) {
        let number = text[at - before..at].iter().fold(0_u64, |sum, byte| sum * 10 + u64::from(byte - b'0'));
        #[expect(clippy::cast_precision_loss, reason = "15 digits are exact")]
        let number = number as f64;
        return (if text[begin] == b'-' { -number } else { number }, at);
    }
    let mut after = 0;
    if text.get(at) == Some(&b'.') {
        after = digits(at + 1);
        if before + after > 0 {
            at += 1 + after;
        }
    }
    if before + after == 0 {
        return special(&text[begin..], signed).map_or((0.0, 0), |number| (number, begin + 4));
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = if at + 1 + sign <= text.len() { digits(at + 1 + sign) } else { 0 };
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    let number = std::str::from_utf8(&text[begin..at]).ok().and_then(|text| text.parse().ok());
    (number.unwrap_or(0.0), at)
}

/// Infinities and what is no number need a sign, and nothing behind.
fn special(text: &[u8], signed: bool) -> Option<f64> {
    let rest = text[4.min(text.len())..].iter();
    if !signed || text.len() < 4 || !rest.copied().all(is_space) {
        return None;
    }
    let number = match text[1..4].to_ascii_lowercase().as_slice() {
        b"inf" => f64::INFINITY,
        b"nan" => f64::NAN,
        _ => return None,
    };
    Some(if text[0] == b'-' { -number } else { number })
}
