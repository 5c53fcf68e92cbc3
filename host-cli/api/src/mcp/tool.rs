//! Describes a tool to a client.

use std::sync::Arc;

use host::error::{ErrorKind, HostError, Result};
use host::wit::ToolSpec;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

/// A tool in the protocol's terms.
///
/// # Errors
/// If one of its schemas is not a JSON object.
pub fn tool(spec: ToolSpec) -> Result<Tool> {
    let schema = |text: &str| -> Result<Arc<JsonObject>> {
        let object = serde_json::from_str(text).map_err(|error| {
            HostError::new(ErrorKind::Component, format!("the schema of {} is no JSON object: {error}", spec.name))
        })?;
        Ok(Arc::new(object))
    };
    let annotations = ToolAnnotations::new()
        .read_only(spec.read_only)
        .destructive(spec.destructive)
        .idempotent(spec.idempotent)
        .open_world(spec.open_world);
    let (input, output) = (schema(&spec.schema)?, schema(&spec.output_schema)?);
    Ok(Tool::new(spec.name, spec.description, input).with_raw_output_schema(output).with_annotations(annotations))
}
