//! stub
use crate::error::ToolError;
pub fn compile(p: &str) -> Result<regex::bytes::Regex, ToolError> { regex::bytes::Regex::new(p).map_err(|e| ToolError::bad_args(e.to_string())) }
