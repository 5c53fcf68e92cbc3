//! Moments as git writes them in ISO style, in the zone of the author.

use crate::error::ToolError;

/// A moment on the calendar of its zone.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Date {
    year: i64,
    month: i64,
    day: i64,
    /// Seconds since midnight.
    second: i64,
    /// As it is written: `-130` is an hour and a half west of UTC.
    zone: i32,
}

const DAY: i64 = 24 * 60 * 60;

impl Date {
    /// `seconds` after the epoch in `zone`; an error in git's words where the calendar begins later.
    pub fn of(seconds: u64, zone: i32) -> Result<Date, ToolError> {
        let written = i64::from(zone);
        let offset = written / 100 * 3600 + written % 100 * 60;
        let local = seconds.checked_add_signed(offset).ok_or_else(|| {
            ToolError::failed(match offset > 0 {
                true => format!("fatal: Timestamp+tz too large: {seconds} +{zone:04}"),
                false => format!("fatal: Timestamp before Unix epoch: {seconds} {zone:04}"),
            })
        })?;
        let local = i64::try_from(local)
            .map_err(|_| ToolError::failed(format!("fatal: Timestamp too large for this system: {local}")))?;
        let date = Date::at(local, zone);
        // Where the year is too large for the system, git writes the epoch.
        Ok(if i32::try_from(date.year - 1900).is_ok() { date } else { Date::at(0, 0) })
    }

    fn at(seconds: i64, zone: i32) -> Date {
        // Days since 0000-03-01: counted from March, a leap day is the last day of its year, and 400 years are a whole number of days.
        let days = seconds.div_euclid(DAY) + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
        let year = era * 400 + year + i64::from(month <= 2);
        Date { year, month, day, second: seconds.rem_euclid(DAY), zone }
    }

    /// `2026-01-01 00:00:00 +0000`
    pub fn iso(&self) -> String {
        let Date { year, month, day, zone, .. } = self;
        format!("{year:04}-{month:02}-{day:02} {} {zone:+05}", self.clock())
    }

    /// `2026-01-01T00:00:00+00:00`
    pub fn rfc3339(&self) -> String {
        let Date { year, month, day, zone, .. } = self;
        let (sign, zone) = (if *zone < 0 { '-' } else { '+' }, zone.unsigned_abs());
        format!("{year:04}-{month:02}-{day:02}T{}{sign}{:02}:{:02}", self.clock(), zone / 100, zone % 100)
    }

    fn clock(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.second / 3600, self.second / 60 % 60, self.second % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_its_zone() {
        for (seconds, zone, iso) in [
            (0, 0, "1970-01-01 00:00:00 +0000"),
            (951_782_400, 0, "2000-02-29 00:00:00 +0000"),
            (1_795_165_200, 100, "2026-11-20 10:00:00 +0100"),
            (1_767_225_600, -130, "2025-12-31 22:30:00 -0130"),
            (4_107_542_400, 0, "2100-03-01 00:00:00 +0000"),
            (u64::from(u32::MAX) * 100_000_000, 1400, "1970-01-01 00:00:00 +0000"),
        ] {
            assert_eq!(Date::of(seconds, zone).unwrap().iso(), iso);
        }
        assert_eq!(Date::of(1_767_225_600, -130).unwrap().rfc3339(), "2025-12-31T22:30:00-01:30");
    }

    #[test]
    fn what_no_calendar_has_is_refused() {
        let message = |seconds, zone| Date::of(seconds, zone).unwrap_err().message;
        assert_eq!(message(0, -100), "fatal: Timestamp before Unix epoch: 0 -100");
        assert_eq!(message(u64::MAX, 0), format!("fatal: Timestamp too large for this system: {}", u64::MAX));
        assert_eq!(message(u64::MAX, 30), format!("fatal: Timestamp+tz too large: {} +0030", u64::MAX));
    }
}
