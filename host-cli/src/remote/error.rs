//! Errors of the operating system, in the words of a target.

use std::io;
use std::path::Path;

use super::{TargetError, TargetErrorKind};

/// The filesystem refused to `what` the file or folder at `path`.
pub(super) fn io(what: &str, path: &Path, source: io::Error) -> TargetError {
    system(format!("cannot {what} {}", path.display()), source)
}

/// A failure of the filesystem. `what` says what was being done.
pub(super) fn system(what: String, source: io::Error) -> TargetError {
    use io::ErrorKind;
    let (kind, hint) = match source.kind() {
        ErrorKind::PermissionDenied => {
            (TargetErrorKind::ReadOnly, Some("check who owns the repository and may write there"))
        }
        ErrorKind::ReadOnlyFilesystem => (TargetErrorKind::ReadOnly, Some("use a repository on a writable disk")),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            (TargetErrorKind::Io, Some("free some space, then try again"))
        }
        _ => (TargetErrorKind::Io, None),
    };
    let error = TargetError::new(kind, format!("{what}: {source}")).caused_by(source);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}
