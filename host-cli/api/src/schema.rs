//! Holds JSON to its shape in the description: the part of JSON Schema that the file uses.

use serde_json::{Map, Value};

use crate::description::FILE;

/// What is held, and what only explains.
#[cfg(test)]
pub(crate) const KEYWORDS: [&str; 15] = [
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
    "properties",
    "required",
    "type",
];

/// Says where `value` is not of that shape, and why.
///
/// # Errors
/// The place, as a JSON Pointer, and what is wrong there.
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

/// What is wrong, and where.
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
        "integer" => value.is_i64() || value.is_u64(),
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

/// A value has the shape that fits the furthest, so that what is wrong with it is told by that.
fn one_of(value: &Value, some: &[Value]) -> Result<(), Wrong> {
    let mut best: Option<Wrong> = None;
    for schema in some {
        let Err(wrong) = check(value, schema) else { return Ok(()) };
        // An alternative with another word in its `say` is not the one that was meant.
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
    ensure(length as u64 >= least, || format!("has less than {least} characters"))
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
            (json!({ "name": "" }), "NewSandbox", "/name has less than 1 characters"),
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
}
