//! Errors of the operating system, in the words of a landing.

use std::io;

use crate::remote::LandError;
use crate::remote::error::system;

/// The filesystem refused to `what`.
pub(super) fn refused(what: &str, error: io::Error) -> LandError {
    LandError::Failed(system(format!("cannot {what}"), error))
}

/// Adds to a filesystem error what was being done.
pub(super) trait Doing<T> {
    fn doing(self, what: &str) -> Result<T, LandError>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: &str) -> Result<T, LandError> {
        self.map_err(|error| refused(what, error))
    }
}
