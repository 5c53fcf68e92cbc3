//! Colours, as GNU's grep has them.

use super::Style;

/// A match.
pub const MATCH: &str = "01;31";
/// The name of a file.
pub const NAME: &str = "35";
/// A number.
pub const NUMBER: &str = "32";
/// What stands between them.
pub const MARK: &str = "36";

/// Puts a text there in a colour, if there are to be colours. An empty one stays as it is.
pub fn put(out: &mut Vec<u8>, style: &Style, color: &str, text: &[u8]) {
    if !style.colors || text.is_empty() {
        out.extend_from_slice(text);
        return;
    }
    out.extend_from_slice(format!("\x1b[{color}m\x1b[K").as_bytes());
    out.extend_from_slice(text);
    out.extend_from_slice(b"\x1b[m\x1b[K");
}
