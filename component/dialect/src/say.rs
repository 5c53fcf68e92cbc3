//! Says the sandbox's own names in a dialect.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::Dialect;
use crate::table::Argument;

/// `text` with the arguments of `tool` as `dialect` calls them. Descriptions and hints have an argument's name in backticks.
pub fn words<'a>(dialect: Option<Dialect>, tool: &str, text: &'a str) -> Cow<'a, str> {
    let Some(dialect) = dialect else { return Cow::Borrowed(text) };
    let mut said = Cow::Borrowed(text);
    for argument in Argument::of(tool) {
        if let Some(theirs) = argument.name_in(dialect) {
            let own = format!("`{}`", argument.ours);
            if said.contains(&own) {
                said = Cow::Owned(said.replace(&own, &format!("`{theirs}`")));
            }
        }
    }
    said
}

/// What `dialect` calls the argument `own` of `tool`.
pub fn argument<'a>(dialect: Option<Dialect>, tool: &str, own: &'a str) -> &'a str {
    let known = Argument::of(tool).find(|argument| argument.ours == own);
    known.and_then(|argument| argument.name_in(dialect?)).unwrap_or(own)
}

/// What dialects call the argument `own` of `tool`.
pub fn names<'a>(tool: &'a str, own: &'a str) -> impl Iterator<Item = &'static str> + 'a {
    let known = Argument::of(tool).filter(move |argument| argument.ours == own);
    known.flat_map(|argument| argument.theirs).map(|(name, _)| *name)
}

/// The schema of the arguments of `tool`, with the names of `dialect`.
pub fn schema(dialect: Option<Dialect>, tool: &str, schema: &mut Map<String, Value>) {
    if let Some(known) = dialect {
        renamed(known, tool, schema);
    }
}

fn renamed(dialect: Dialect, tool: &str, schema: &mut Map<String, Value>) {
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = words(Some(dialect), tool, description).into_owned();
    }
    let theirs = |own: &str| {
        Argument::of(tool).find(|argument| argument.ours == own).and_then(|argument| argument.name_in(dialect))
    };
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        for name in required {
            if let Some(theirs) = name.as_str().and_then(theirs) {
                *name = theirs.into();
            }
        }
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let own = std::mem::take(properties);
        properties.extend(own.into_iter().map(|(name, mut property)| {
            if let Value::Object(property) = &mut property {
                renamed(dialect, tool, property);
            }
            (theirs(&name).map_or(name, str::to_owned), property)
        }));
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        renamed(dialect, tool, items);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_and_a_hint_have_the_clients_names() {
        let mut said = json!({
            "properties": {
                "path": {"type": "string"},
                "new": {"description": "An empty text deletes `old`."},
                "edits": {"items": {"properties": {"old": {}}, "required": ["old"]}},
            },
            "required": ["path", "new"],
        });
        schema(Some(Dialect::Opencode), "edit_file", said.as_object_mut().unwrap());
        assert_eq!(
            said,
            json!({
                "properties": {
                    "filePath": {"type": "string"},
                    "newString": {"description": "An empty text deletes `oldString`."},
                    "edits": {"items": {"properties": {"oldString": {}}, "required": ["oldString"]}},
                },
                "required": ["filePath", "newString"],
            })
        );
        assert_eq!(words(Some(Dialect::Gemini), "edit_file", "Set `all`, not all."), "Set `allow_multiple`, not all.");
        assert_eq!(words(None, "edit_file", "Set `all`."), "Set `all`.");
    }
}
