//! Wall time as a value: this crate has no clock.

use serde::{Deserialize, Serialize};

/// Seconds since 1970-01-01T00:00:00Z, as the host's clock says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The moment `seconds` later.
    #[must_use]
    pub fn plus(self, seconds: u64) -> Self {
        Timestamp(self.0.saturating_add(seconds))
    }
}
