//! Shows how long ago a time was.

use patch::ago::ago;

use crate::call::Moment;

/// Formats a time in seconds since 1970 as `3 weeks ago`.
pub fn show(seconds: u64, now: Moment) -> String {
    (now.nanos / 1_000_000_000).checked_sub(seconds).map_or_else(|| "in the future".to_owned(), ago)
}
