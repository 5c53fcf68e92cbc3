//! What a tool is to the registry: a name, a schema, and a function from JSON.

use patch::sort::sort;
use schemars::JsonSchema;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{ErrorKind, Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;

/// A tool as its file declares it: a struct of arguments with a `run` function. The struct's doc
/// comment is the tool's description, and the fields' comments are the schema's. The struct refuses
/// unknown fields.
pub trait Call: DeserializeOwned + JsonSchema {
    /// The tool's name.
    const NAME: &'static str;
    /// The toolsets that contain it.
    const TOOLSETS: &'static [Toolset];
    /// Whether the time limit of git tools applies. Otherwise only the host's limit does.
    const HURRIED: bool = true;

    /// Runs the tool.
    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop>;
}

/// A tool in the registry.
pub struct Tool {
    /// The name that callers use.
    pub name: &'static str,
    /// The toolsets that contain it.
    pub toolsets: &'static [Toolset],
    /// See [`Call::HURRIED`].
    pub hurried: bool,
    schema: fn() -> Schema,
    run: fn(Value, &mut Context<'_>) -> Result<Output, Stop>,
}

impl Tool {
    /// The registry's form of `C`.
    pub const fn of<C: Call>() -> Tool {
        Tool {
            name: C::NAME,
            toolsets: C::TOOLSETS,
            hurried: C::HURRIED,
            schema: schema::<C>,
            run: |arguments, context| parse::<C>(arguments)?.run(context),
        }
    }

    /// JSON Schema of the arguments, without the description of the tool.
    pub fn schema(&self) -> Value {
        let mut schema = (self.schema)();
        schema.remove("description");
        schema.to_value()
    }

    /// Whether the tool takes an argument of that name.
    pub fn has_field(&self, name: &str) -> bool {
        let schema = (self.schema)();
        schema.get("properties").and_then(Value::as_object).is_some_and(|fields| fields.contains_key(name))
    }

    /// What the tool does, for a model.
    pub fn description(&self) -> String {
        (self.schema)()
            .get("description")
            .and_then(Value::as_str)
            .expect("the arguments struct has a doc comment")
            .to_owned()
    }

    /// Runs the tool with JSON arguments. An argument error without a hint gets one that lists the
    /// fields.
    pub fn run(&self, arguments: Value, context: &mut Context<'_>) -> Result<Output, Stop> {
        (self.run)(arguments, context).map_err(|stop| match stop {
            Stop::Failed(error) if error.kind == ErrorKind::BadArgs && error.hint.is_empty() => {
                Stop::Failed(error.hint(fields_hint(&(self.schema)())))
            }
            stop => stop,
        })
    }
}

fn schema<C: Call>() -> Schema {
    let mut schema = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<C>();
    schema.remove("$schema");
    schema.remove("title");
    RecursiveTransform(plain_types).transform(&mut schema);
    schema
}

/// Simplifies a schema: an optional field is not nullable, JSON has no integer widths, and line
/// breaks in comments mean nothing.
fn plain_types(schema: &mut Schema) {
    schema.remove("format");
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
    if let Some(Value::String(description)) = schema.get_mut("description") {
        let paragraphs: Vec<String> = description.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
        *description = paragraphs.join("\n\n");
    }
}

fn parse<C: Call>(arguments: Value) -> Result<C, ToolError> {
    let Value::Object(fields) = &arguments else {
        return Err(ToolError::bad_args("Invalid arguments: not a JSON object"));
    };
    let schema = schema::<C>();
    for required in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(required) {
            return Err(ToolError::bad_args(format!("{required} is required")));
        }
    }
    serde_json::from_value(arguments).map_err(|error| ToolError::bad_args(format!("Invalid arguments: {error}")))
}

/// The fields that a tool takes, the required ones first.
fn fields_hint(schema: &Schema) -> String {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut fields: Vec<(bool, &str)> =
        properties.into_iter().flatten().map(|(name, _)| (!required.contains(&name.as_str()), name.as_str())).collect();
    sort(&mut fields);
    let fields: Vec<String> = fields
        .into_iter()
        .map(|(optional, name)| if optional { name.to_owned() } else { format!("{name} (required)") })
        .collect();
    if fields.is_empty() { "This tool takes no fields.".to_owned() } else { format!("Fields: {}.", fields.join(", ")) }
}
