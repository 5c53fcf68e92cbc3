//! Variables: texts and arrays, with their attributes.

use std::collections::BTreeMap;

use bstr::BString;

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(BString),
    /// An array by numbers.
    List(BTreeMap<i64, BString>),
    /// An array by texts.
    Map(Map),
}

/// An array by texts, in bash's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map(BTreeMap<(u32, u64, BString), BString>, u64);

/// The number of bash's buckets (`ASSOC_HASH_BUCKETS` in assoc.h).
const BUCKETS: u32 = 1024;

/// bash's `hash_string` in hashlib.c: FNV-1 with 32 bits.
fn hash(key: &[u8]) -> u32 {
    key.iter().fold(2_166_136_261_u32, |hash, byte| hash.wrapping_mul(16_777_619) ^ u32::from(*byte))
}

impl Map {
    /// The value under a key.
    pub fn get(&self, key: &[u8]) -> Option<&BString> {
        let bucket = hash(key) % BUCKETS;
        let in_bucket = self.0.range((bucket, 0, BString::default())..).take_while(|((of, ..), _)| *of == bucket);
        in_bucket.into_iter().find(|((.., name), _)| name == key).map(|(_, value)| value)
    }

    /// Sets the value under a key. A new one comes first in its bucket.
    pub fn insert(&mut self, key: BString, value: BString) {
        let place = self.place(&key).unwrap_or_else(|| {
            self.1 += 1;
            (hash(&key) % BUCKETS, u64::MAX - self.1, key)
        });
        self.0.insert(place, value);
    }

    /// Removes a key.
    pub fn remove(&mut self, key: &[u8]) {
        if let Some(place) = self.place(key) {
            self.0.remove(&place);
        }
    }

    fn place(&self, key: &[u8]) -> Option<(u32, u64, BString)> {
        let bucket = hash(key) % BUCKETS;
        let in_bucket = self.0.range((bucket, 0, BString::default())..).take_while(|((of, ..), _)| *of == bucket);
        in_bucket.into_iter().find(|((.., name), _)| name == key).map(|(place, _)| place.clone())
    }

    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&BString, &BString)> {
        self.0.iter().map(|((.., key), value)| (key, value))
    }
}

/// A variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// None if it was declared only.
    pub value: Option<Value>,
    /// Whether programs see it.
    pub exported: bool,
    /// Whether it stays as it is.
    pub readonly: bool,
    /// Whether what is assigned is arithmetic.
    pub integer: bool,
    /// Whether what is assigned becomes lower or upper case.
    pub case: Option<Case>,
    /// Whether it stands for the variable that it names.
    pub reference: bool,
}

/// What an attribute makes of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `declare -l`
    Lower,
    /// `declare -u`
    Upper,
}

impl From<BString> for Value {
    fn from(text: BString) -> Value {
        Value::Text(text)
    }
}

impl Value {
    /// The text of it: of an array, its element 0.
    pub fn text(&self) -> Option<&BString> {
        match self {
            Value::Text(text) => Some(text),
            Value::List(list) => list.get(&0),
            Value::Map(map) => map.get(b"0"),
        }
    }

    /// All elements, of a text itself.
    pub fn all(&self) -> Vec<BString> {
        match self {
            Value::Text(text) => vec![text.clone()],
            Value::List(list) => list.values().cloned().collect(),
            Value::Map(map) => map.iter().map(|(_, value)| value.clone()).collect(),
        }
    }

    /// All keys, of a text 0.
    pub fn keys(&self) -> Vec<BString> {
        match self {
            Value::Text(_) => vec!["0".into()],
            Value::List(list) => list.keys().map(|key| key.to_string().into()).collect(),
            Value::Map(map) => map.iter().map(|(key, _)| key.clone()).collect(),
        }
    }

    /// A list of these.
    pub fn list(elements: impl IntoIterator<Item = BString>) -> Value {
        Value::List((0..).zip(elements).collect())
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        match self {
            Value::Text(text) => text.len(),
            Value::List(list) => list.values().map(|value| value.len() + 32).sum(),
            Value::Map(map) => map.iter().map(|(key, value)| key.len() + value.len() + 64).sum(),
        }
    }
}

impl Variable {
    /// A text.
    pub fn of(text: impl Into<BString>) -> Variable {
        Variable { value: Some(Value::Text(text.into())), ..Variable::default() }
    }

    /// The text with the case that the attribute asks for.
    pub fn cased(&self, text: BString) -> BString {
        match self.case {
            None => text,
            Some(case) => crate::expand::cased(&text, case),
        }
    }
}
