//! Objects, as the host names them in a call.

use gix::ObjectId;

use crate::error::ToolError;

/// The id of an object.
pub fn id(hex: &str) -> Result<ObjectId, ToolError> {
    ObjectId::from_hex(hex.as_bytes()).map_err(|_| ToolError::bad_args(format!("Not an object id: {hex}")))
}
