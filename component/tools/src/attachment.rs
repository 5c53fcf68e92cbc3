//! The names of attachments: the SHA-256 of their bytes.

use crate::error::ToolError;

/// The attachment that the host names in a call, in hex.
pub fn named(hex: &str) -> Result<[u8; 32], ToolError> {
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

/// The name of an attachment, or the beginning of it, in hex.
pub fn name(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}
