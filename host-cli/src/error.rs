//! Errors of the operating system, in the host's words.

use std::path::Path;

pub use host::error::{ErrorKind, HostError, Result};

/// The filesystem refused to `what` the file or folder at `path`.
pub fn io(what: &str, path: &Path, error: &std::io::Error) -> HostError {
    let hint = match error.kind() {
        std::io::ErrorKind::PermissionDenied => "check who owns the folder, or name another with --home",
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => "free some space, then try again",
        std::io::ErrorKind::ReadOnlyFilesystem => "name a folder on a writable disk with --home",
        _ => "",
    };
    HostError::new(ErrorKind::Storage, format!("cannot {what} {}: {error}", path.display())).hint(hint)
}

/// Adds to a filesystem error what was being done.
pub(crate) trait Doing<T> {
    /// Turns the error into "cannot `what` `path`: …".
    fn doing(self, what: &str, path: &Path) -> Result<T>;
}

impl<T> Doing<T> for std::io::Result<T> {
    fn doing(self, what: &str, path: &Path) -> Result<T> {
        self.map_err(|error| io(what, path, &error))
    }
}
