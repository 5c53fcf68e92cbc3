//! The description of a tool for callers: the file `schemas/<tool>.json`. A test generates it from the types and compares.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The description of a tool for callers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Described {
    /// What the tool does, for a model.
    pub description: String,
    #[serde(borrow)]
    input_schema: &'static RawValue,
    output_schema: &'static RawValue,
}

/// The fields that a tool takes.
#[derive(Deserialize)]
pub struct Fields {
    /// The required ones, in the order of their declaration.
    #[serde(borrow, default)]
    pub required: Vec<Cow<'static, str>>,
    /// All of them.
    #[serde(default)]
    pub properties: BTreeMap<Cow<'static, str>, IgnoredAny>,
}

impl Described {
    /// Parses `file`.
    pub fn read(file: &'static str) -> Described {
        serde_json::from_str(file).expect("a test makes every file")
    }

    /// JSON Schema of the arguments.
    pub fn input_schema(&self) -> &'static str {
        self.input_schema.get()
    }

    /// JSON Schema of the structured result.
    pub fn output_schema(&self) -> &'static str {
        self.output_schema.get()
    }

    /// The fields that the tool takes.
    pub fn fields(&self) -> Fields {
        serde_json::from_str(self.input_schema()).expect("a schema is an object, its properties too")
    }
}

impl Fields {
    /// A hint that lists the fields, the required ones first.
    pub fn hint(&self) -> String {
        let is_required = |name: &str| self.required.iter().any(|required| required == name);
        let (required, optional): (Vec<&str>, Vec<&str>) =
            self.properties.keys().map(AsRef::as_ref).partition(|name| is_required(name));
        let required = required.into_iter().map(|name| format!("{name} (required)"));
        let fields: Vec<String> = required.chain(optional.into_iter().map(str::to_owned)).collect();
        if fields.is_empty() {
            "This tool takes no fields.".to_owned()
        } else {
            format!("Fields: {}.", fields.join(", "))
        }
    }
}

/// The file of a tool in `schemas`, without insignificant white space.
macro_rules! schema_file {
    ($tool:literal) => {{
        const READABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/", $tool, ".json"));
        const DENSE: [u8; $crate::tool::described::dense_len(READABLE)] = $crate::tool::described::dense(READABLE);
        match std::str::from_utf8(&DENSE) {
            Ok(dense) => dense,
            Err(_) => panic!("whole characters are left out"),
        }
    }};
}

pub(crate) use schema_file;

/// The length of `json` without white space between its tokens.
pub const fn dense_len(json: &str) -> usize {
    copy_dense(json, &mut [])
}

/// `json` without white space between its tokens.
pub const fn dense<const LEN: usize>(json: &str) -> [u8; LEN] {
    let mut dense = [0; LEN];
    copy_dense(json, &mut dense);
    dense
}

/// Writes as much as `to` has room for, and returns the total length.
const fn copy_dense(json: &str, to: &mut [u8]) -> usize {
    let json = json.as_bytes();
    let (mut at, mut len) = (0, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    while at < json.len() {
        let byte = json[at];
        if in_string || !byte.is_ascii_whitespace() {
            if len < to.len() {
                to[len] = byte;
            }
            len += 1;
        }
        in_string ^= byte == b'"' && !is_escaped;
        is_escaped = in_string && byte == b'\\' && !is_escaped;
        at += 1;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_between_tokens_is_left_out() {
        const READABLE: &str = "{\n  \"a b\": [ 1,\t\"\\\" \\\\\" , \"é \\n\" ]\r\n}\n";
        const LEN: usize = dense_len(READABLE);
        let dense = dense::<LEN>(READABLE);
        assert_eq!(str::from_utf8(&dense).unwrap(), "{\"a b\":[1,\"\\\" \\\\\",\"é \\n\"]}");
    }
}
