//! Errors of a sandbox's limits. Each message names its limit.

use super::{ErrorKind, ToolError};
use crate::platform;

/// The sandbox is full.
pub fn full() -> ToolError {
    let Some(room) = platform::room() else {
        return ToolError::new(ErrorKind::OutOfSpace, "The disk is full")
            .hint("Nothing has changed. Free some space and try again.");
    };
    ToolError::new(ErrorKind::OutOfSpace, "The sandbox is full").hint(format!(
        "Nothing has changed. The sandbox and its repository hold at most {} in {} files and folders. Delete what you \
         do not need, or ask the user for a sandbox with fewer paths or less history.",
        size(room.bytes),
        room.files
    ))
}

/// The file at `path` would exceed the size limit.
pub fn file_too_large(path: &str) -> ToolError {
    ToolError::new(ErrorKind::OutOfSpace, format!("File too large: {path}")).hint(format!(
        "Nothing has changed. A file can hold at most {}. Split it, or leave it out.",
        size(platform::file_bytes())
    ))
}

/// `path` or one of its names is too long.
pub fn name_too_long(path: &str) -> ToolError {
    ToolError::bad_args(format!("File name too long: {path}")).hint(format!(
        "Nothing has changed. A name can have at most 255 bytes, and a path, including its zone, at most {}.",
        platform::path_bytes()
    ))
}

/// Formats `bytes` in the largest unit that needs no fraction.
fn size(bytes: u64) -> String {
    match [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        .into_iter()
        .find(|(bits, _)| bytes > 0 && bytes.is_multiple_of(1 << bits))
    {
        Some((bits, unit)) => format!("{} {unit}", bytes >> bits),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_size_is_told_in_the_largest_unit_that_fits() {
        let sizes = [1 << 30, 256 << 20, 3 << 10, 1000, 0].map(size);
        assert_eq!(sizes, ["1 GiB", "256 MiB", "3 KiB", "1000 bytes", "0 bytes"]);
    }

    #[test]
    fn no_room_is_found_below_whatever_a_library_says_of_it() {
        let causes = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::FileTooLarge];
        for kind in causes {
            let below: [Box<dyn std::error::Error>; 2] =
                [Box::new(io::Error::from(kind)), Box::new(gix::Error::from_error(io::Error::from(kind)))];
            for error in below {
                let found = crate::git::store::repo::damaged(&*error);
                assert_eq!(found.kind, ErrorKind::OutOfSpace, "{found:?}");
                assert!(found.hint.starts_with("Nothing has changed. "), "{found:?}");
            }
        }
        let found = crate::git::store::repo::damaged(&io::Error::from(io::ErrorKind::PermissionDenied));
        assert_eq!(found.kind, ErrorKind::ExecutionFailed);
    }
}
