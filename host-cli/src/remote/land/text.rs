//! How ids, paths and names are written in a plan's JSON. Names are bytes: what is not UTF-8 is written `\xNN`, and a
//! backslash twice.

use gix::bstr::{BStr, BString, ByteVec as _};

fn escape(bytes: &BStr) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', "\\\\"));
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

fn unescape(text: &str) -> Option<BString> {
    let mut bytes = BString::default();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('\\') {
            bytes.push_byte(b'\\');
            rest = after;
        } else {
            let digits = rest.strip_prefix('x')?.get(..2)?;
            bytes.push_byte(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[3..];
        }
    }
    bytes.push_str(rest);
    Some(bytes)
}

pub(super) mod bytes {
    use super::{BString, escape, unescape};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(in super::super) fn serialize<S: Serializer>(bytes: &BString, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&escape(bytes.as_ref()))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BString, D::Error> {
        unescape(&String::deserialize(from)?).ok_or_else(|| D::Error::custom("a path with a broken escape"))
    }
}

pub(super) mod path {
    use super::{escape, unescape};
    use serde::{Deserialize, Deserializer, Serializer, de::Error, ser::Error as _};
    use std::path::{Path, PathBuf};

    pub(in super::super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        let bytes = gix::path::into_bstr(path).map_err(S::Error::custom)?;
        to.serialize_str(&escape(bytes.as_ref()))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        let bytes =
            unescape(&String::deserialize(from)?).ok_or_else(|| D::Error::custom("a path with a broken escape"))?;
        gix::path::from_bstring(bytes).map_err(D::Error::custom)
    }
}

pub(super) mod id {
    use gix::ObjectId;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(in super::super) fn serialize<S: Serializer>(id: &ObjectId, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(id)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ObjectId, D::Error> {
        ObjectId::from_hex(String::deserialize(from)?.as_bytes()).map_err(D::Error::custom)
    }
}

pub(super) mod optional_id {
    use gix::ObjectId;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(in super::super) fn serialize<S: Serializer>(id: &Option<ObjectId>, to: S) -> Result<S::Ok, S::Error> {
        id.map(|id| id.to_string()).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ObjectId>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| ObjectId::from_hex(text.as_bytes()).map_err(D::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::bstr::ByteSlice as _;

    #[test]
    fn any_bytes_survive_the_text_form() {
        for bytes in [&b"a/b"[..], b"\\x41", b"\xff\\\xc3\xa9\xc3", "pl\u{e4}n\n".as_bytes(), b""] {
            assert_eq!(unescape(&escape(bytes.as_bstr())).unwrap(), bytes.as_bstr());
        }
        assert_eq!(escape(b"a\xffb".as_bstr()), "a\\xffb");
        assert!(unescape("\\q").is_none() && unescape("\\x4").is_none());
    }
}
