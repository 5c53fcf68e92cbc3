//! `--name-only`: one path on each line.

use crate::change::Change;
use crate::quote::quote_path;

/// Appends the path after the change, or the one that is gone, and ends the line.
pub fn name_only(change: &Change<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(&quote_path(change.path()));
    out.push(b'\n');
}
