//! The description of a tool for callers: the file `schemas/<tool>.json`. A test generates it from the types and compares.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dialect::Dialect;
use serde::Deserialize;
use serde_json::Value;
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
    pub properties: BTreeMap<Cow<'static, str>, Field>,
}

/// What a field takes.
#[derive(Debug, Deserialize)]
pub struct Field {
    /// JSON Schema's name of its type. `None` if it takes several forms.
    #[serde(borrow, default, rename = "type")]
    pub kind: Option<Cow<'static, str>>,
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
    /// The field of `tool` that has the name nearest to `name`, if any is near.
    pub fn nearest(&self, tool: &str, name: &str) -> Option<&str> {
        let name = name.to_ascii_lowercase();
        let likeness = |known: &str| strsim::jaro_winkler(&name, &known.to_ascii_lowercase());
        let nearest = |own: &str| dialect::names(tool, own).map(likeness).fold(likeness(own), f64::max);
        let known = self.properties.keys().map(|known| (nearest(known), known));
        let (likeness, known) = known.max_by(|a, b| a.0.total_cmp(&b.0))?;
        (likeness >= NEAR).then_some(known)
    }

    /// A whole number or a switch in a text is one: many models write them so.
    pub fn read(&self, arguments: &mut serde_json::Map<String, Value>) {
        for (name, value) in arguments {
            let Some(kind) = self.properties.get(name.as_str()).and_then(|field| field.kind.as_deref()) else {
                continue;
            };
            let read = match (kind, &*value) {
                ("integer", Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
                ("integer", Value::Number(number)) if number.is_f64() => whole(number).map(Value::from),
                ("boolean", Value::String(text)) => text.trim().parse::<bool>().ok().map(Value::from),
                _ => None,
            };
            if let Some(read) = read {
                *value = read;
            }
        }
    }

    /// A hint that lists the fields, the required ones first.
    pub fn hint(&self, tool: &str, dialect: Option<Dialect>) -> String {
        let is_required = |name: &str| self.required.iter().any(|required| required == name);
        let names = self.properties.keys().map(AsRef::as_ref);
        let (required, optional): (Vec<&str>, Vec<&str>) = names.partition(|name| is_required(name));
        let said = |name: &str| dialect::argument(dialect, tool, name).to_owned();
        let required = required.into_iter().map(|name| format!("{} (required)", said(name)));
        let fields: Vec<String> = required.chain(optional.into_iter().map(said)).collect();
        if fields.is_empty() {
            "This tool takes no fields.".to_owned()
        } else {
            format!("Fields: {}.", fields.join(", "))
        }
    }
}

/// From which likeness on a name is taken for a slip of another.
const NEAR: f64 = 0.75;

/// The whole number that `number` is. JavaScript and Python write some as `2.0`.
fn whole(number: &serde_json::Number) -> Option<i64> {
    let number = number.as_f64()?;
    // Every whole number up to here is a double of its own.
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
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
