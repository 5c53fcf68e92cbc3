//! JavaScript values, read with suspicion: a wrong shape is an error of whoever made it, and
//! nothing is larger than a sandbox's largest call.

use std::borrow::Cow;
use std::fmt::Display;

use ::host::error::{ErrorKind, HostError, Result};
use ::host::limits;
use js_sys::{Array, JsString, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::words;
use crate::text::utf8;

/// Who has made a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// The component, which is never believed.
    Component,
    /// The storage of this body.
    Storage,
    /// The clock, the randomness or the progress of this body.
    Platform,
    /// Whoever uses this host.
    Caller,
}

impl Maker {
    /// The error for a value of a wrong shape.
    pub fn wrong(self, what: impl Display) -> HostError {
        let (kind, words, hint) = match self {
            Maker::Component => (
                ErrorKind::Component,
                "the component broke its interface: it gave",
                "reload gitgate, because the component is part of it",
            ),
            Maker::Storage => (ErrorKind::Storage, "the storage broke its interface: it gave", ""),
            Maker::Platform => (ErrorKind::Usage, "the surroundings broke their interface: they gave", ""),
            Maker::Caller => (ErrorKind::Usage, "gitgate was given", ""),
        };
        HostError::new(kind, format!("{words} {what}")).hint(hint)
    }
}

/// A value, with its maker and its name.
#[derive(Clone, Debug)]
pub struct Value {
    js: JsValue,
    maker: Maker,
    name: Cow<'static, str>,
}

impl Value {
    /// What `maker` gave as `name`.
    pub fn new(js: JsValue, maker: Maker, name: &'static str) -> Self {
        Value { js, maker, name: name.into() }
    }

    /// The error for this value, where it should have been `wanted`.
    pub fn wrong(&self, wanted: &str) -> HostError {
        self.maker.wrong(format!("no {wanted} as '{}'", self.name))
    }

    /// A field of an object. One that is not there is `undefined`.
    pub fn field(&self, name: impl Into<Cow<'static, str>>) -> Result<Value> {
        let name = name.into();
        if !self.js.is_object() {
            return Err(self.wrong("object"));
        }
        // A getter may throw.
        let js = Reflect::get(&self.js, &(&*name).into())
            .map_err(|error| self.maker.wrong(format!("an object that throws: {}", words(&error))))?;
        Ok(Value { js, maker: self.maker, name })
    }

    /// Fails for an object with other fields than these: one of them may be misspelt.
    pub fn only(&self, names: &[&str]) -> Result<()> {
        let object = self.js.dyn_ref::<Object>().ok_or_else(|| self.wrong("object"))?;
        for name in Object::keys(object).iter().filter_map(|name| name.as_string()) {
            if !names.contains(&name.as_str()) {
                return Err(self.maker.wrong(format!("the unknown field '{name}' in '{}'", self.name)));
            }
        }
        Ok(())
    }

    /// The value itself.
    pub fn js(&self) -> &JsValue {
        &self.js
    }

    /// `None` for `undefined` and `null`.
    pub fn option(self) -> Option<Value> {
        (!self.js.is_undefined() && !self.js.is_null()).then_some(self)
    }

    /// Text.
    pub fn text(&self) -> Result<String> {
        let text = self.js.dyn_ref::<JsString>().ok_or_else(|| self.wrong("text"))?;
        self.ensure_fits(text.length())?;
        Ok(utf8(text))
    }

    /// Text, or nothing.
    pub fn optional_text(self) -> Result<Option<String>> {
        self.option().map(|value| value.text()).transpose()
    }

    /// One of the `words`, with what it stands for.
    pub fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| self.wrong("word that is known"))
    }

    /// Bytes.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        self.at_most(u32::MAX)
    }

    /// At most so many bytes.
    pub fn at_most(&self, most: u32) -> Result<Vec<u8>> {
        let bytes = self.js.dyn_ref::<Uint8Array>().ok_or_else(|| self.wrong("Uint8Array"))?;
        self.ensure_fits(bytes.length())?;
        if bytes.length() > most {
            return Err(self.wrong("list that is as short as it was asked for"));
        }
        Ok(bytes.to_vec())
    }

    /// A `bigint` of 64 bits.
    pub fn u64(&self) -> Result<u64> {
        u64::try_from(self.js.clone()).map_err(|_| self.wrong("bigint of 64 bits"))
    }

    /// A whole number of 32 bits.
    pub fn u32(&self) -> Result<u32> {
        let number = self.js.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0);
        let number = number.filter(|number| *number <= f64::from(u32::MAX));
        // It is whole and within the range.
        number.map(|number| number as u32).ok_or_else(|| self.wrong("number of 32 bits"))
    }

    /// A whole number of 32 bits with a sign.
    pub fn i32(&self) -> Result<i32> {
        let number = self.js.as_f64().filter(|number| number.fract() == 0.0);
        let number = number.filter(|number| (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(number));
        // It is whole and within the range.
        number.map(|number| number as i32).ok_or_else(|| self.wrong("number of 32 bits"))
    }

    /// A number.
    pub fn number(&self) -> Result<f64> {
        self.js.as_f64().filter(|number| number.is_finite()).ok_or_else(|| self.wrong("number"))
    }

    /// `true` or `false`.
    pub fn flag(&self) -> Result<bool> {
        self.js.as_bool().ok_or_else(|| self.wrong("boolean"))
    }

    /// The items of an array, each converted.
    pub fn list<T>(&self, item: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
        let array = self.js.dyn_ref::<Array>().ok_or_else(|| self.wrong("array"))?;
        self.ensure_fits(array.length())?;
        (0..array.length())
            .map(|at| item(&Value { js: array.get(at), maker: self.maker, name: self.name.clone() }))
            .collect()
    }

    /// `{tag, val}`, as jco gives a variant.
    pub fn variant(&self) -> Result<(String, Value)> {
        Ok((self.field("tag")?.text()?, Value { name: self.name.clone(), ..self.field("val")? }))
    }

    fn ensure_fits(&self, length: u32) -> Result<()> {
        if u64::from(length) > limits::CALL_BYTES {
            return Err(self.wrong("value of a size that fits"));
        }
        Ok(())
    }
}

/// An object with these fields.
pub fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &name.into(), &value).expect("a new object can be extended");
    }
    object.into()
}

/// `{tag, val}`
pub fn variant(tag: &str, val: JsValue) -> JsValue {
    object([("tag", tag.into()), ("val", val)])
}

/// An array of the items, each converted.
pub fn array<T>(items: &[T], item: impl Fn(&T) -> JsValue) -> JsValue {
    items.iter().map(item).collect::<Array>().into()
}

/// `undefined` for `None`.
pub fn optional(text: Option<&String>) -> JsValue {
    text.map_or(JsValue::UNDEFINED, |text| text.as_str().into())
}

/// Bytes, copied.
pub fn bytes(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

/// What serde writes, as plain JavaScript values.
pub fn of_json(value: &serde_json::Value) -> JsValue {
    js_sys::JSON::parse(&value.to_string()).expect("it is JSON")
}
