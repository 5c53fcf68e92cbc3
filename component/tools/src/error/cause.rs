//! The errors below an error.

use std::error::Error;
use std::fmt;

/// An error below another one, and the errors below it: what they said, and not the errors themselves, which a library lends only.
///
/// The message of a [`ToolError`](super::ToolError) is for callers. A cause is for a developer: it goes to the host's log and into `fsck`.
#[derive(Clone, Debug)]
pub struct Cause {
    text: String,
    source: Option<Box<Cause>>,
}

impl Cause {
    /// The texts of `error` and of those below it.
    pub fn of(error: &(dyn Error + 'static)) -> Cause {
        Cause { text: error.to_string(), source: error.source().map(|source| Box::new(Cause::of(source))) }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}
