//! Generates the content of `schemas/<tool>.json` from the types.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::{Call, Tool};
use crate::approval::Mode;

/// Tools whose results never carry the note about the undo limit: the first undoes calls, the second can never be undone.
const NEVER_BEYOND_UNDO: &[&str] = &["sandbox_undo", "sandbox_import"];

/// The schemas of a tool, generated from its types.
pub struct Made {
    description: String,
    input: Value,
    output: Value,
}

impl Made {
    /// Generates the schemas of `C`.
    pub fn of<C: Call>() -> Made {
        let mut input = root::<C>(SchemaSettings::draft2020_12(), |schema| {
            is_not_null(schema);
            plain(schema);
        });
        let description = match input.remove("description") {
            Some(Value::String(description)) => description,
            other => panic!("{} has no doc comment: {other:?}", C::NAME),
        };
        let mut output = root::<C::Result>(SchemaSettings::draft2020_12().for_serialize(), |schema| {
            closed(schema);
            plain(schema);
        });
        output.remove("description");
        let mut output = object(output.to_value());
        if !C::ANNOTATIONS.read_only && !NEVER_BEYOND_UNDO.contains(&C::NAME) {
            forms(&mut output).into_iter().for_each(may_be_beyond_undo);
        }
        Made { description, input: input.to_value(), output }
    }
}

impl Tool {
    /// The expected content of the tool's file.
    pub fn file_to_be(&self) -> Value {
        let annotations = &self.annotations;
        let Made { description, input, output } = (self.made)();
        json!({
            "name": self.name,
            "description": description,
            "toolsets": self.toolsets.iter().map(|toolset| toolset.name()).collect::<Vec<_>>(),
            "manual": annotations.mode != Mode::Both,
            "readOnly": annotations.read_only,
            "destructive": annotations.destructive,
            "idempotent": annotations.idempotent,
            "openWorld": annotations.open_world,
            "inputSchema": input,
            "outputSchema": output,
        })
    }
}

fn root<T: JsonSchema>(settings: SchemaSettings, simplify: fn(&mut Schema)) -> Schema {
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("$schema");
    schema.remove("title");
    RecursiveTransform(simplify).transform(&mut schema);
    schema
}

/// Removes integer widths, which JSON does not have, and line breaks of comments.
fn plain(schema: &mut Schema) {
    schema.remove("format");
    if let Some(Value::String(description)) = schema.get_mut("description") {
        let paragraphs: Vec<String> = description.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
        *description = paragraphs.join("\n\n");
    }
}

/// Makes an optional field not nullable.
fn is_not_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            schema.remove("anyOf");
            for (keyword, value) in only {
                // The field's own description takes precedence over its type's.
                if schema.get(&keyword).is_none() {
                    schema.insert(keyword, value);
                }
            }
        }
    }
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
}

/// Closes a result to other fields, and makes optional fields not nullable.
fn closed(schema: &mut Schema) {
    let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(fields)) = schema.get_mut("properties") else { return };
    for (name, field) in fields {
        if !required.contains(&Value::from(name.as_str())) {
            let field: &mut Schema = field.try_into().expect("a field has a schema");
            is_not_null(field);
        }
    }
    schema.insert("additionalProperties".to_owned(), false.into());
}

/// The schema as an object's. Of several forms, exactly one applies.
fn object(mut schema: Value) -> Value {
    if let Some(forms) = schema.as_object_mut().expect("a struct has fields").remove("anyOf") {
        schema["oneOf"] = forms;
        schema["type"] = "object".into();
    }
    schema
}

/// The forms that an object of `schema` can have.
pub fn forms(schema: &mut Value) -> Vec<&mut Map<String, Value>> {
    let schema = schema.as_object_mut().expect("it is an object's");
    if schema.contains_key("oneOf") {
        let forms = schema["oneOf"].as_array_mut().expect("it is a list");
        return forms.iter_mut().map(|form| form.as_object_mut().expect("it is an object's")).collect();
    }
    vec![schema]
}

/// Adds the field of [`Finished::beyond_undo`](crate::dispatch::Finished::beyond_undo).
fn may_be_beyond_undo(form: &mut Map<String, Value>) {
    form["properties"]["undoable"] = json!({
        "const": false,
        "description": "The call changed more than the undo limit allows. You cannot undo it or any earlier call.",
        "type": "boolean",
    });
}
