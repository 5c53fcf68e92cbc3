//! The types of the component's interface, as jco has them: records are objects with names in camel
//! case, variants `{tag, val}`, options `undefined`, lists of bytes `Uint8Array`, and numbers of 64
//! bits `bigint`.

use ::host::error::Result;
use ::host::wit;
use wasm_bindgen::JsValue;

use crate::value::{Value, array, bytes, object, variant};

/// A type that the component takes and gives.
pub trait Js: Sized {
    /// The value as jco takes it.
    fn to_js(&self) -> JsValue;

    /// The value that jco gave.
    fn read(value: &Value) -> Result<Self>;

    /// A list as jco takes it.
    fn list_to_js(items: &[Self]) -> JsValue {
        array(items, Self::to_js)
    }

    /// The list that jco gave.
    fn read_list(value: &Value) -> Result<Vec<Self>> {
        value.list(Self::read)
    }
}

macro_rules! js {
    (_ $(#[$attribute:meta])* record $Name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        impl Js for wit::$Name {
            fn to_js(&self) -> JsValue {
                object([$((&*camel(stringify!($field)), self.$field.to_js())),*])
            }

            fn read(value: &Value) -> Result<Self> {
                Ok(wit::$Name { $($field: Js::read(&value.field(camel(stringify!($field)))?)?),* })
            }
        }
    };
    (_ enum $Name:ident { $($Case:ident),* $(,)? }) => {
        impl Js for wit::$Name {
            fn to_js(&self) -> JsValue {
                match self {
                    $(wit::$Name::$Case => kebab(stringify!($Case)).into(),)*
                }
            }

            fn read(value: &Value) -> Result<Self> {
                let word = value.text()?;
                $(if word == kebab(stringify!($Case)) {
                    return Ok(wit::$Name::$Case);
                })*
                Err(value.wrong("word that is known"))
            }
        }
    };
    (_ variant $Name:ident { $($Case:ident $(($value:ident: $type:ty))?),* $(,)? }) => {
        impl Js for wit::$Name {
            fn to_js(&self) -> JsValue {
                match self {
                    $(wit::$Name::$Case $(($value))? => {
                        let val = None $(.or(Some($value.to_js())))?;
                        variant(&kebab(stringify!($Case)), val.unwrap_or(JsValue::UNDEFINED))
                    })*
                }
            }

            fn read(value: &Value) -> Result<Self> {
                let (tag, val) = value.variant()?;
                $(if tag == kebab(stringify!($Case)) {
                    $(let $value = Js::read(&val)?;)?
                    return Ok(wit::$Name::$Case $(($value))?);
                })*
                Err(val.wrong(&kebab(stringify!($Name)).replace('-', " ")))
            }
        }
    };
}

wit::interface!(js, _);

/// `file_bytes` as `fileBytes`.
fn camel(field: &str) -> String {
    let mut words = field.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(1);
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}

/// `BadArgs` as `bad-args`.
fn kebab(case: &str) -> String {
    let mut name = String::new();
    for c in case.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

/// Plain values, each with its reader.
macro_rules! plain {
    ($($type:ty: $read:path),*) => {
        $(impl Js for $type {
            fn to_js(&self) -> JsValue {
                self.clone().into()
            }

            fn read(value: &Value) -> Result<Self> {
                $read(value)
            }
        })*
    };
}

plain!(bool: Value::flag, u32: Value::u32, i32: Value::i32, u64: Value::u64, String: Value::text);

/// Only lists of bytes cross, and whole.
impl Js for u8 {
    fn to_js(&self) -> JsValue {
        (*self).into()
    }

    fn read(value: &Value) -> Result<Self> {
        u8::try_from(value.u32()?).map_err(|_| value.wrong("number of 8 bits"))
    }

    fn list_to_js(items: &[u8]) -> JsValue {
        bytes(items)
    }

    fn read_list(value: &Value) -> Result<Vec<u8>> {
        value.bytes()
    }
}

impl<T: Js> Js for Vec<T> {
    fn to_js(&self) -> JsValue {
        T::list_to_js(self)
    }

    fn read(value: &Value) -> Result<Self> {
        T::read_list(value)
    }
}

impl<T: Js> Js for Option<T> {
    fn to_js(&self) -> JsValue {
        self.as_ref().map_or(JsValue::UNDEFINED, T::to_js)
    }

    fn read(value: &Value) -> Result<Self> {
        value.clone().option().map(|value| T::read(&value)).transpose()
    }
}

impl<T: Js, E: Js> Js for std::result::Result<T, E> {
    fn to_js(&self) -> JsValue {
        match self {
            Ok(value) => variant("ok", value.to_js()),
            Err(error) => variant("err", error.to_js()),
        }
    }

    fn read(value: &Value) -> Result<Self> {
        let (tag, val) = value.variant()?;
        match tag.as_str() {
            "ok" => T::read(&val).map(Ok),
            "err" => E::read(&val).map(Err),
            _ => Err(val.wrong("result")),
        }
    }
}
