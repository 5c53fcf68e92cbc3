//! Reads bundles from files.

use std::path::Path;

use bytes::Bytes;
use host::target::bundle;

use super::supply::Supplied;
use super::{Progress, TargetError, TargetErrorKind, error};

/// Reads a whole bundle and verifies its pack.
pub fn read_bundle(file: &Path, progress: &dyn Progress) -> Result<Supplied, TargetError> {
    let place = file.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            TargetError::new(TargetErrorKind::NotARepository, format!("there is no bundle {}", file.display()))
                .hint("create one with `git bundle create FILE --all`")
        }
        _ => error::io("open", file, error),
    })?;
    let bytes = Bytes::from(std::fs::read(&place).map_err(|error| error::io("read", &place, error))?);
    let text = place.to_str().ok_or_else(|| {
        TargetError::new(TargetErrorKind::Unsupported, format!("the path {} is not UTF-8", place.display()))
    })?;
    bundle::read_bundle(&bytes, text, progress)
}
