//! Refuses names that no checkout may write.

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry;

use crate::error::ToolError;
use crate::paths::unsafe_name;

/// Refuses a path that no checkout may write.
pub fn check_path(path: &BStr, mode: entry::Mode) -> Result<(), ToolError> {
    let is_unsafe = |name: &[u8]| {
        name.is_empty()
            || name.contains(&0)
            || unsafe_name::alias(name).is_some()
            || (mode == entry::Mode::SYMLINK && unsafe_name::is_gitmodules(name))
    };
    if path.split(|byte| *byte == b'/').any(is_unsafe) {
        return Err(ToolError::invalid_path(&path.to_str_lossy())
            .hint("A commit contains this unsafe path, so the sandbox cannot bring it in."));
    }
    Ok(())
}
