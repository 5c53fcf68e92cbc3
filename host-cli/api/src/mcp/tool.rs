//! Describes a tool to a client.

use std::sync::Arc;

use dialect::Dialect;
use host::error::{ErrorKind, HostError, Result};
use host::wit::ToolSpec;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// How a client is told of tools and results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Form {
    /// The names that it is shown.
    pub dialect: Option<Dialect>,
    /// Whether it gets results as structures too, and their schemas. Some clients show a model the structure in place of the text, which says
    /// the same in fewer words.
    pub structured: bool,
}

/// A tool in the protocol's terms.
///
/// # Errors
/// If one of its schemas is not a JSON object.
pub fn tool(spec: ToolSpec, form: Form) -> Result<Tool> {
    let schema = |text: &str| -> Result<JsonObject> {
        serde_json::from_str(text).map_err(|error| {
            HostError::new(ErrorKind::Component, format!("the schema of {} is no JSON object: {error}", spec.name))
        })
    };
    let mut input = schema(&spec.schema)?;
    dialect::schema(form.dialect, &spec.name, &mut input);
    brief(&mut input);
    let description = dialect::words(form.dialect, &spec.name, &spec.description).into_owned();
    let annotations = annotations(&spec);
    let tool = Tool::new(spec.name.clone(), description, Arc::new(input)).with_annotations(annotations);
    Ok(match form.structured {
        true => tool.with_raw_output_schema(Arc::new(schema(&spec.output_schema)?)),
        false => tool,
    })
}

/// What a client may assume of a tool. What is the protocol's default is not said: a tool changes something, may destroy, is not idempotent,
/// and reaches beyond the sandbox (revision 2025-06-18, ToolAnnotations).
fn annotations(spec: &ToolSpec) -> ToolAnnotations {
    let mut annotations = ToolAnnotations::new();
    if spec.read_only {
        annotations = annotations.read_only(true);
    } else {
        if !spec.destructive {
            annotations = annotations.destructive(false);
        }
        if spec.idempotent {
            annotations = annotations.idempotent(true);
        }
    }
    if spec.open_world { annotations } else { annotations.open_world(false) }
}

/// What many tools take, and few calls need. The instructions name it once.
const EVERYWHERE: [&str; 3] = ["timeout_ms", "max_bytes", "working_dir"];
/// Limits and defaults that a tool tells when they matter, and that it refuses other arguments. A client that checks calls by the schema lets
/// the names of other dialects pass.
const TOLD_LATER: [&str; 8] =
    ["additionalProperties", "minimum", "maximum", "minLength", "minItems", "maxItems", "default", "pattern"];

/// Takes out of a schema what a model does not need to make a call.
fn brief(schema: &mut JsonObject) {
    TOLD_LATER.iter().for_each(|keyword| drop(schema.remove(*keyword)));
    if let Some(Value::Array(forms)) = schema.remove("oneOf") {
        schema.extend(merged(forms));
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        EVERYWHERE.iter().for_each(|name| drop(properties.remove(*name)));
        properties.values_mut().filter_map(Value::as_object_mut).for_each(brief);
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        brief(items);
    }
}

/// Several forms as one: constants as a list of values, objects as one with the fields of all.
fn merged(forms: Vec<Value>) -> JsonObject {
    let mut all = JsonObject::new();
    let constants: Vec<Value> = forms.iter().filter_map(|form| form.get("const").cloned()).collect();
    if constants.len() == forms.len() {
        all.insert("type".to_owned(), "string".into());
        all.insert("enum".to_owned(), constants.into());
        return all;
    }
    let mut fields = JsonObject::new();
    let mut required: Option<Vec<Value>> = None;
    for form in forms {
        let Value::Object(mut form) = form else { continue };
        let own = form.remove("required").and_then(|own| own.as_array().cloned()).unwrap_or_default();
        required = Some(match required {
            None => own,
            Some(before) => before.into_iter().filter(|name| own.contains(name)).collect(),
        });
        let Some(Value::Object(properties)) = form.remove("properties") else { continue };
        for (name, mut property) in properties {
            let Value::Object(field) = &mut property else { continue };
            field.remove("description");
            match field.remove("const") {
                None => drop(fields.entry(name).or_insert(property)),
                Some(value) => {
                    let known = fields.entry(name).or_insert_with(|| json!({ "type": "string", "enum": [] }));
                    if let Some(Value::Array(values)) = known.get_mut("enum") {
                        values.push(value);
                    }
                }
            }
        }
    }
    all.insert("type".to_owned(), "object".into());
    all.insert("properties".to_owned(), fields.into());
    if let Some(required) = required.filter(|required| !required.is_empty()) {
        all.insert("required".to_owned(), required.into());
    }
    all
}
