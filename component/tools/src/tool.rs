//! The registry's view of a tool: its name, its description for callers, and a function from JSON.

pub(crate) mod described;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod tests;

use dialect::Dialect;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::described::Described;
pub(crate) use self::described::schema_file;
use crate::approval::Annotations;
use crate::error::{ErrorKind, Stop, ToolError};
use crate::options::Toolset;
use crate::output::{Effect, Output, Structured};
use crate::session::Context;

/// A tool, declared in its own file as a struct of arguments with a `run` function. The struct's doc comment is the tool's description. The
/// fields' comments go into the schema. The struct refuses unknown fields.
pub trait Call: DeserializeOwned + HasSchema {
    /// The tool's name.
    const NAME: &'static str;
    /// The toolsets that contain it.
    const TOOLSETS: &'static [Toolset];
    /// Who may call it, and what it does.
    const ANNOTATIONS: Annotations;
    /// Whether the time limit of git tools applies. Otherwise only the host's limit does.
    const HURRIED: bool = true;

    /// Its file in `schemas`, read by `schema_file!`.
    const FILE: &'static str;

    /// The structured result. The comments of its fields go into the schema.
    type Result: Serialize + HasSchema;

    /// Runs the tool.
    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop>;
}

impl Output {
    /// A result of the tool `C`. The structured form becomes a JSON object.
    pub fn new<C: Call>(text: impl Into<Vec<u8>>, structured: C::Result) -> Output {
        Output {
            text: text.into(),
            structured: Structured::of(structured),
            truncated: false,
            max_bytes: usize::MAX,
            effect: Effect::Keep,
            pack: Vec::new(),
        }
    }
}

/// Types with a schema. Only tests generate schemas; the tools embed them as text.
#[cfg(test)]
pub trait HasSchema: schemars::JsonSchema {}
#[cfg(test)]
impl<T: schemars::JsonSchema> HasSchema for T {}

/// Types with a schema, which only tests generate.
#[cfg(not(test))]
pub trait HasSchema {}
#[cfg(not(test))]
impl<T> HasSchema for T {}

/// A tool in the registry.
pub struct Tool {
    /// The name that callers use.
    pub name: &'static str,
    /// The toolsets that contain it.
    pub toolsets: &'static [Toolset],
    /// Who may call it, and what it does.
    pub annotations: Annotations,
    /// See [`Call::HURRIED`].
    pub hurried: bool,
    file: &'static str,
    run: fn(Value, &mut Context<'_>) -> Result<Output, Stop>,
    #[cfg(test)]
    made: fn() -> schema::Made,
}

impl Tool {
    /// The registry's form of `C`.
    pub const fn of<C: Call>() -> Tool {
        Tool {
            name: C::NAME,
            toolsets: C::TOOLSETS,
            annotations: C::ANNOTATIONS,
            hurried: C::HURRIED,
            file: C::FILE,
            run: |arguments, context| parse::<C>(arguments, context.dialect)?.run(context),
            #[cfg(test)]
            made: schema::Made::of::<C>,
        }
    }

    /// The tool's description for callers.
    pub fn described(&self) -> Described {
        Described::read(self.file)
    }

    /// Whether the tool takes an argument named `name`.
    pub fn has_field(&self, name: &str) -> bool {
        self.described().fields().properties.contains_key(name)
    }

    /// The arguments with numbers and switches as such, where they are written in texts.
    pub fn read(&self, mut arguments: Value) -> Value {
        if let Value::Object(given) = &mut arguments {
            self.described().fields().read(given);
        }
        arguments
    }

    /// Runs the tool with JSON arguments. An argument error without a hint gets a hint that lists the fields.
    pub fn run(&self, arguments: Value, context: &mut Context<'_>) -> Result<Output, Stop> {
        let dialect = context.dialect;
        (self.run)(arguments, context).map_err(|stop| match stop {
            Stop::Failed(error) if error.kind == ErrorKind::BadArgs && error.hint.is_empty() => {
                Stop::Failed(error.hint(self.described().fields().hint(self.name, dialect)))
            }
            stop => stop,
        })
    }
}

fn parse<C: Call>(arguments: Value, dialect: Option<Dialect>) -> Result<C, ToolError> {
    let Value::Object(fields) = &arguments else {
        return Err(ToolError::bad_args("Invalid arguments: not a JSON object"));
    };
    let given: Vec<String> = fields.keys().cloned().collect();
    serde_json::from_value(arguments).map_err(|error| refusal::<C>(&given, dialect, &error))
}

/// Why the arguments, which have the fields `given`, cannot be parsed. A missing field is reported first, whatever else is wrong.
fn refusal<C: Call>(given: &[String], dialect: Option<Dialect>, error: &serde_json::Error) -> ToolError {
    let known = Described::read(C::FILE).fields();
    let is_unknown = |name: &&String| !known.properties.contains_key(name.as_str());
    let slip = given.iter().find(is_unknown).and_then(|name| Some((name, known.nearest(C::NAME, name)?)));
    let refused = match known.required.iter().find(|required| !given.iter().any(|name| name == *required)) {
        Some(required) => ToolError::bad_args(format!("{} is required", dialect::argument(dialect, C::NAME, required))),
        None => ToolError::bad_args(format!("Invalid arguments: {error}")),
    };
    match slip {
        Some((name, nearest)) => {
            let (nearest, fields) = (dialect::argument(dialect, C::NAME, nearest), known.hint(C::NAME, dialect));
            refused.hint(format!("Is {name} meant to be {nearest}? {fields}"))
        }
        None => refused,
    }
}
