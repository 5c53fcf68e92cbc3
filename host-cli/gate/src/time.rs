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

/// A moment in the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Civil {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
}

impl Civil {
    /// The moment so many `seconds` after 1970-01-01T00:00:00. `None` if it is too far away.
    pub fn of(seconds: i64) -> Option<Self> {
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Counted from 1 March of year 0, a year's leap day is its last, and months follow one formula.
        let days = days.checked_add(719_468)?;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let year = era * 400 + year + carry;
        Some(Civil { year, month, day, hour: second / 3600, minute: second / 60 % 60, second: second % 60 })
    }
}
