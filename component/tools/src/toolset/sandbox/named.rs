//! Objects and attachments, as the host names them in a call.

use gix::ObjectId;

use crate::error::ToolError;

/// The id of an object.
pub fn id(hex: &str) -> Result<ObjectId, ToolError> {
    ObjectId::from_hex(hex.as_bytes()).map_err(|_| ToolError::bad_args(format!("Not an object id: {hex}")))
}

/// The SHA-256 of an attachment.
pub fn attachment(hex: &str) -> Result<[u8; 32], ToolError> {
    let wrong = || ToolError::bad_args(format!("Not the SHA-256 of an attachment: {hex}"));
    let digits = |at: usize| hex.get(2 * at..2 * at + 2).and_then(|byte| u8::from_str_radix(byte, 16).ok());
    if hex.len() != 64 {
        return Err(wrong());
    }
    let mut id = [0; 32];
    for (at, byte) in id.iter_mut().enumerate() {
        *byte = digits(at).ok_or_else(wrong)?;
    }
    Ok(id)
}
