//! Validates JSON against its shape in the description, with the part of JSON Schema that the file
//! uses.

use regex::Regex;
use serde_json::{Map, Value};

use crate::description::FILE;

/// The keywords that are enforced, and those that only explain.
#[cfg(test)]
pub(crate) const KEYWORDS: [&str; 16] = [
    "$ref",
    "additionalProperties",
    "const",
    "description",
    "enum",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minLength",
    "minimum",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "type",
];

/// Writes each whole number as an integer. JSON does not distinguish 1.0 from 1, but the readers
/// here do.
pub(crate) fn with_integers(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()).and_then(exact) {
            Some(whole) => whole.into(),
            None => number.into(),
        },
        Value::Array(items) => items.into_iter().map(with_integers).collect(),
        Value::Object(object) => object.into_iter().map(|(name, value)| (name, with_integers(value))).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

/// The integer equal to this number, within the range where 64-bit floats represent all integers.
fn exact(number: f64) -> Option<i64> {
    const MOST: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is whole, and small enough")]
    (number.fract() == 0.0 && number.abs() <= MOST).then_some(number as i64)
}

/// Returns where `value` does not match the shape, and why.
///
/// # Errors
/// The place, as a JSON Pointer, and the problem there.
pub(crate) fn check(value: &Value, schema: &Value) -> Result<(), Wrong> {
    let schema = match schema["$ref"].as_str() {
        Some(reference) => FILE.pointer(reference.trim_start_matches('#')).expect("a test follows all of them"),
        None => schema,
    };
    of_type(value, &schema["type"])?;
    if let Some(one) = schema.get("const") {
        ensure(value == one, || format!("is not {one}"))?;
    }
    if let Some(words) = schema["enum"].as_array() {
        ensure(words.contains(value), || format!("is none of {}", Value::from(words.clone())))?;
    }
    if let Some(some) = schema["oneOf"].as_array() {
        one_of(value, some)?;
    }
    match value {
        Value::Object(object) => of_object(object, schema),
        Value::Array(items) => of_array(items, schema),
        Value::String(text) => of_text(text, schema),
        Value::Number(_) => of_number(value, schema),
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

/// The problem and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// A JSON Pointer.
    pub at: String,
    /// A clause: "is not a string".
    pub what: String,
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), Wrong> {
    if holds { Ok(()) } else { Err(Wrong { at: String::new(), what: what() }) }
}

fn below(name: &str, checked: Result<(), Wrong>) -> Result<(), Wrong> {
    let name = name.replace('~', "~0").replace('/', "~1");
    checked.map_err(|wrong| Wrong { at: format!("/{name}{}", wrong.at), ..wrong })
}

fn of_type(value: &Value, types: &Value) -> Result<(), Wrong> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => value.is_number(),
    };
    match types {
        Value::String(name) => ensure(is(name), || format!("is not of type {name}")),
        Value::Array(names) => {
            ensure(names.iter().filter_map(Value::as_str).any(is), || format!("is of none of the types {types}"))
        }
        _ => Ok(()),
    }
}

/// A value is compared with the shape that fits furthest, and the error comes from there.
fn one_of(value: &Value, some: &[Value]) -> Result<(), Wrong> {
    let mut best: Option<Wrong> = None;
    for schema in some {
        let Err(wrong) = check(value, schema) else { return Ok(()) };
        // An alternative with another word in `say` was not meant.
        let is_meant = tag_fits(value, schema);
        if best.is_none() || is_meant {
            best = Some(wrong);
        }
    }
    best.map_or(Ok(()), Err)
}

fn tag_fits(value: &Value, schema: &Value) -> bool {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let tags: Vec<_> = properties.filter_map(|(name, one)| Some((name, one.get("const")?))).collect();
    !tags.is_empty() && tags.into_iter().all(|(name, tag)| value.get(name) == Some(tag))
}

fn of_object(object: &Map<String, Value>, schema: &Value) -> Result<(), Wrong> {
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        ensure(object.contains_key(name), || format!("lacks {name}"))?;
    }
    for (name, value) in object {
        match schema["properties"].get(name) {
            Some(one) => below(name, check(value, one))?,
            None => below(name, ensure(schema["additionalProperties"] != false, || "is unknown".to_owned()))?,
        }
    }
    Ok(())
}

fn of_array(items: &[Value], schema: &Value) -> Result<(), Wrong> {
    at_most(items.len(), &schema["maxItems"], "items")?;
    let Some(one) = schema.get("items") else { return Ok(()) };
    items.iter().enumerate().try_for_each(|(at, item)| below(&at.to_string(), check(item, one)))
}

fn of_text(text: &str, schema: &Value) -> Result<(), Wrong> {
    let length = text.chars().count();
    at_most(length, &schema["maxLength"], "characters")?;
    let least = schema["minLength"].as_u64().unwrap_or(0);
    ensure(length as u64 >= least, || format!("has less than {least} characters"))?;
    let Some(pattern) = schema["pattern"].as_str() else { return Ok(()) };
    let matches = Regex::new(pattern).expect("a test reads all of them").is_match(text);
    ensure(matches, || format!("does not match {pattern}"))
}

fn of_number(value: &Value, schema: &Value) -> Result<(), Wrong> {
    let number = value.as_f64().unwrap_or(f64::NAN);
    if let Some(least) = schema["minimum"].as_f64() {
        ensure(number >= least, || format!("is less than {least}"))?;
    }
    if let Some(most) = schema["maximum"].as_f64() {
        ensure(number <= most, || format!("is more than {most}"))?;
    }
    Ok(())
}

fn at_most(count: usize, most: &Value, what: &str) -> Result<(), Wrong> {
    let Some(most) = most.as_u64() else { return Ok(()) };
    ensure(count as u64 <= most, || format!("has more than {most} {what}"))
}

#[cfg(test)]
mod tests {
    use gate::id::SandboxId;
    use host::settings::Identity;
    use host::target::TargetSpec;
    use serde_json::json;

    use super::*;

    fn wrong(value: &Value, name: &str) -> String {
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        match check(value, &schema) {
            Ok(()) => String::new(),
            Err(Wrong { at, what }) => format!("{at} {what}"),
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (value, name, expected) in [
            (json!({ "name": "a" }), "NewSandbox", ""),
            (json!({}), "NewSandbox", " lacks name"),
            (json!({ "name": 1 }), "NewSandbox", "/name is not of type string"),
            (json!({ "name": "" }), "NewSandbox", "/name does not match ^[A-Za-z0-9][A-Za-z0-9._-]*$"),
            (json!({ "name": "a".repeat(65) }), "NewSandbox", "/name has more than 64 characters"),
            (json!({ "name": "a", "nmae": "b" }), "NewSandbox", "/nmae is unknown"),
            (json!({ "name": "a", "policy": "none" }), "NewSandbox", "/policy is none of [\"gate\",\"strict\"]"),
            (
                json!({ "name": "a", "from": { "github": "a/b", "depth": -1 } }),
                "NewSandbox",
                "/from/depth is less than 0",
            ),
            (
                json!({ "name": "a", "from": { "github": "a/b", "depth": 1.5 } }),
                "NewSandbox",
                "/from/depth is not of type integer",
            ),
            (
                json!({ "name": "a", "from": { "github": "a/b", "depth": 1e20 } }),
                "NewSandbox",
                "/from/depth is more than 4294967295",
            ),
            (
                json!({ "name": "a", "from": { "github": "a/b", "paths": ["a", 2] } }),
                "NewSandbox",
                "/from/paths/1 is not of type string",
            ),
            (json!([]), "Push", " is not of type object"),
            (json!({ "say": "approve", "digest": "d" }), "Decision", ""),
            (json!({ "say": "reject" }), "Decision", " lacks reason"),
            (json!({ "say": "later" }), "Decision", "/say is not \"approve\""),
            (
                json!({ "say": "revise", "revision": { "leaveOut": [{ "path": "a", "hunks": [0] }] } }),
                "Decision",
                "/revision/leaveOut/0/hunks/0 is less than 1",
            ),
        ] {
            assert_eq!(wrong(&value, name), expected, "{value}");
        }
    }

    /// Clients can check this before they send a request.
    #[test]
    fn a_pattern_takes_what_its_reader_takes() {
        let holds = |name: &str, reads: fn(&str) -> bool, good: &[&str], bad: &[&str]| {
            for text in good {
                assert_eq!((wrong(&json!(text), name).as_str(), reads(text)), ("", true), "{name} {text:?}");
            }
            for text in bad {
                let wrong = wrong(&json!(text), name);
                assert!(wrong.starts_with(" does not match ^") && !reads(text), "{name} {text:?}: {wrong}");
            }
        };
        holds(
            "Name",
            |text| text.parse::<SandboxId>().is_ok(),
            &["0", "a.b_c-D", "a..b"],
            &["", "-a", ".a", "a b", "a/b", "\u{f5}", "a\n"],
        );
        holds(
            "Identity",
            |text| text.parse::<Identity>().is_ok(),
            &["Ada <ada@example.org>", "\u{141}ucja L. <l>", "a<b>", "a  <b >"],
            &[
                "",
                "Ada",
                "<a>",
                "Ada <>",
                "\u{3000}<a>",
                "a <\u{2003}>",
                "a\tb<c>",
                "a <b>c",
                "a <b<c>",
                "a <b\u{85}c>",
            ],
        );
        holds(
            "Repository",
            |text| TargetSpec::parse(&format!("github:{text}")).is_ok(),
            &["ada/engine", "a_/b.git", "0/0-."],
            &["", "ada", "a/b/c", "-a/b", "a/.git", "a/..", "\u{f5}/b", "a/b\n"],
        );
    }

    #[test]
    fn each_pattern_is_one() {
        let schemas = FILE["components"]["schemas"].as_object().unwrap();
        let patterns: Vec<&str> = schemas.values().filter_map(|schema| schema["pattern"].as_str()).collect();
        assert_eq!(patterns.len(), FILE.to_string().matches(r#""pattern":"#).count(), "they have schemas of their own");
        patterns.iter().for_each(|pattern| assert!(Regex::new(pattern).is_ok(), "{pattern}"));
    }

    #[test]
    fn a_whole_number_is_an_integer_however_it_is_written() {
        for (written, expected) in [
            ("1.0", "1"),
            ("-2e3", "-2000"),
            ("-0.0", "0"),
            ("9007199254740992.0", "9007199254740992"),
            (r#"{"a": [1.0, {"b": 2.50}], "c": "1.0"}"#, r#"{"a":[1,{"b":2.5}],"c":"1.0"}"#),
            // A number beyond every integer type stays unchanged.
            ("1e300", "1e+300"),
            ("18446744073709551615", "18446744073709551615"),
        ] {
            assert_eq!(with_integers(serde_json::from_str(written).unwrap()).to_string(), expected);
        }
    }
}
