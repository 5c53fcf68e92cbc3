//! Wall time as a value: this crate has no clock.

use serde::{Deserialize, Serialize};

/// Seconds since 1970-01-01T00:00:00Z, from the host's clock.
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
    /// The moment `seconds` after 1970-01-01T00:00:00. `None` if it is too far away.
    pub fn of(seconds: i64) -> Option<Self> {
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // If years start on 1 March of year 0, the leap day comes last, and one formula fits all
        // months.
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

    /// The inverse of [`Civil::of`]. `None` if the date does not exist.
    pub fn seconds(self) -> Option<i64> {
        let Civil { year, month, day, hour, minute, second } = self;
        let in_range = (1..=12).contains(&month) && (1..=31).contains(&day);
        if !in_range || year.abs() > 1_000_000_000 {
            return None;
        }
        // As in `of`: the year starts in March.
        let (from, month_from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let (era, of_era) = (from.div_euclid(400), from.rem_euclid(400));
        let of_year = (153 * month_from_march + 2) / 5 + day - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
        let seconds =
            days * 86_400 + hour.checked_mul(3600)?.checked_add(minute.checked_mul(60)?)?.checked_add(second)?;
        // For example the 30th of February, or a 61st minute.
        (Civil::of(seconds) == Some(self)).then_some(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_goes_there_and_back() {
        for day in -800_000..800_000 {
            let seconds = day * 86_400 + 12_345;
            assert_eq!(Civil::of(seconds).unwrap().seconds(), Some(seconds));
        }
    }

    #[test]
    fn days_that_do_not_exist_have_no_seconds() {
        let civil = |month, day, hour| Civil { year: 2023, month, day, hour, minute: 0, second: 0 };
        for (month, day, hour) in [(2, 29, 0), (2, 30, 0), (4, 31, 0), (13, 1, 0), (0, 1, 0), (1, 0, 0), (1, 1, 24)] {
            assert_eq!(civil(month, day, hour).seconds(), None);
        }
        assert_eq!(Civil { hour: i64::MAX, ..civil(1, 1, 0) }.seconds(), None);
    }
}
