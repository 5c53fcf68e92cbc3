//! Reads settings in TOML with one small deserializer.
//!
//! The crate `toml` parses them. The compiler instantiates that crate's own deserializers for every
//! type, which makes up a tenth of a page's download. This deserializer avoids that, and reports
//! the same errors at the same places.

use std::{fmt, ops::Range, slice};

use ::toml::Spanned;
use ::toml::de::{DeInteger, DeString, DeTable, DeValue};
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_spanned::de::{SpannedDeserializer, is_spanned};

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    message: String,
    span: Option<Range<usize>>,
}

impl Error {
    /// The problem, in one or more lines.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Its line in `text`, counted from 1, if known.
    pub fn line(&self, text: &str) -> Option<usize> {
        self.span.as_ref().map(|span| line(text, span))
    }

    /// The same error at `span`, unless it already has a place.
    fn at(mut self, span: &Range<usize>) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }
}

/// The line of `text` at the start of `span`, counted from 1.
pub fn line(text: &str, span: &Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error { message: message.to_string(), span: None }
    }
}

/// Reads a whole text.
///
/// # Errors
/// If it is not TOML, or not a `T`. A date is read as its text.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let parsed = DeTable::parse(text);
    let table = parsed.map_err(|error| Error { message: error.message().to_owned(), span: error.span() })?;
    let span = table.span();
    T::deserialize(Node { value: &DeValue::Table(table.into_inner()), span })
}

/// A value and its place.
struct Node<'a> {
    value: &'a DeValue<'a>,
    span: Range<usize>,
}

impl<'a> Node<'a> {
    fn of(value: &'a Spanned<DeValue<'a>>) -> Self {
        Node { value: value.as_ref(), span: value.span() }
    }

    /// If a type refuses a value, the error's place is that value's.
    fn read<'de, S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        let span = self.span.clone();
        seed.deserialize(self).map_err(|error| error.at(&span))
    }

    fn visit<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Integer(number) => visitor.visit_i64(integer(number)?),
            DeValue::Float(number) => visitor.visit_f64(number.as_str().parse().map_err(de::Error::custom)?),
            DeValue::Boolean(flag) => visitor.visit_bool(*flag),
            DeValue::Datetime(date) => visitor.visit_str(&date.to_string()),
            DeValue::Array(items) => visitor.visit_seq(Items(items.iter())),
            DeValue::Table(table) => visitor.visit_map(Entries { entries: Box::new(table.iter()), value: None }),
        }
    }
}

fn integer(number: &DeInteger<'_>) -> Result<i64, Error> {
    i64::from_str_radix(number.as_str(), number.radix()).map_err(|_| de::Error::custom("the number is too large"))
}

impl<'de> Deserializer<'de> for Node<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(visitor).map_err(|error| error.at(&self.span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if is_spanned(name) {
            let span = self.span.clone();
            return visitor.visit_map(SpannedDeserializer::new(self, span));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let word = match self.value {
            DeValue::String(word) => visitor.visit_enum(StrDeserializer::new(word)),
            other => Err(de::Error::custom(format!("invalid type: {}, expected a word", other.type_str()))),
        };
        word.map_err(|error: Error| error.at(&self.span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Node<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

struct Items<'a>(slice::Iter<'a, Spanned<DeValue<'a>>>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.0.next().map(|value| Node::of(value).read(seed)).transpose()
    }
}

type Entry<'a> = (&'a Spanned<DeString<'a>>, &'a Spanned<DeValue<'a>>);

struct Entries<'a> {
    entries: Box<dyn Iterator<Item = Entry<'a>> + 'a>,
    /// The place of the key read last.
    value: Option<&'a Spanned<DeValue<'a>>>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        let read = seed.deserialize(StrDeserializer::<Error>::new(key.as_ref()));
        read.map(Some).map_err(|error| error.at(&key.span()))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let value = self.value.take().expect("a key is read before its value");
        Node::of(value).read(seed)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Word {
        One,
        TwoThree,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct All {
        text: String,
        number: Option<u64>,
        #[serde(default)]
        word: Option<Word>,
        #[serde(default)]
        list: Vec<Spanned<String>>,
        #[serde(default)]
        table: BTreeMap<String, f64>,
    }

    /// `toml`'s own message for it.
    fn theirs(text: &str) -> Result<All, (String, Option<usize>)> {
        let told = |error: ::toml::de::Error| (error.message().to_owned(), error.span().map(|span| line(text, &span)));
        ::toml::from_str(text).map_err(told)
    }

    #[test]
    fn it_reads_what_toml_reads_and_says_what_toml_says() {
        for text in [
            "text = \"a\"",
            "text = 'a'\nnumber = 0x1f\nword = \"two-three\"\nlist = [\"a\", \"b\"]\n[table]\nx = 1.5\ny = 2.5\n",
            "text = \"a\"\n\nnumber = -1",
            "text = \"a\"\nnumber = true",
            "text = 7",
            "number = 7",
            "",
            "text = \"a\"\nodd = 1",
            "text = \"a\"\nword = \"three\"",
            "text = \"a\"\nlist = [\n\"a\",\n7]",
            "text = \"a\"\ntext = \"b\"",
            "text = ",
            "text = \"a\"\n[table]\nx = \"y\"",
            "text = \"a\"\n[[list]]\nx = 1",
            "text = \"a\"\ntable = { x = 1.0, y = [] }",
        ] {
            assert_eq!(
                from_str::<All>(text).map_err(|error| (error.message().to_owned(), error.line(text))),
                theirs(text),
                "{text}"
            );
        }
    }

    #[test]
    fn a_span_is_where_the_value_stands_and_a_date_is_its_text() {
        let all: All = from_str("text = \"a\"\nlist = [\"b\"]").unwrap();
        assert_eq!(all.list[0].span(), 19..22);
        let dates: BTreeMap<String, String> = from_str("day = 2026-11-25").unwrap();
        assert_eq!(dates["day"], "2026-11-25");
        let error = from_str::<BTreeMap<String, i64>>("n = 99999999999999999999").unwrap_err();
        assert_eq!(error.message(), "the number is too large");
    }
}
