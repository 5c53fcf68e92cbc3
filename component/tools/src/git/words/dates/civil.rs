//! Calendar dates and times of day without a zone, with the C library's arithmetic, which git uses.

/// Seconds in a day.
pub const DAY: i64 = 24 * 60 * 60;

/// The value of an unknown field. Any negative number means the same.
pub const UNKNOWN: i32 = -1;

/// A date and a time of day.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Civil {
    /// Years since 1900.
    pub year: i32,
    /// Counted from 0.
    pub month: i32,
    /// Counted from 1.
    pub day: i32,
    /// Counted from 0.
    pub hour: i32,
    /// Minutes of the hour.
    pub minute: i32,
    /// Seconds of the minute.
    pub second: i32,
    /// Counted from Sunday, which is 0.
    pub weekday: i32,
}

impl Civil {
    /// Knows no field.
    pub const EMPTY: Civil = Civil {
        year: UNKNOWN,
        month: UNKNOWN,
        day: UNKNOWN,
        hour: UNKNOWN,
        minute: UNKNOWN,
        second: UNKNOWN,
        weekday: 0,
    };

    /// The local date and time `seconds` after the beginning of 1970, `offset` seconds ahead of UTC. `None` if the year does not fit.
    pub fn of(seconds: i64, offset: i32) -> Option<Civil> {
        let mut civil = Civil::EMPTY;
        civil.set(seconds, offset).then_some(civil)
    }

    /// Like [`of`](Self::of). If the year does not fit, it is truncated, and month and day stay unchanged, as in the C library.
    pub fn set(&mut self, seconds: i64, offset: i32) -> bool {
        let of_day = seconds.rem_euclid(DAY) + i64::from(offset);
        let days = seconds.div_euclid(DAY) + of_day.div_euclid(DAY);
        let of_day = of_day.rem_euclid(DAY) as i32;
        (self.hour, self.minute, self.second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
        self.weekday = (days + 4).rem_euclid(7) as i32;
        let (year, month, day) = date(days);
        self.year = (year - 1900) as i32;
        if i64::from(self.year) != year - 1900 {
            return false;
        }
        (self.month, self.day) = (month, day);
        true
    }

    /// Converts from local time, `offset` seconds ahead of UTC, to seconds since the beginning of 1970. Fields may be out of range. `None`
    /// if the year does not fit.
    pub fn seconds(&self, offset: i32) -> Option<i64> {
        let months = (i64::from(self.year) + 1900) * 12 + i64::from(self.month);
        let days = days(months.div_euclid(12), months.rem_euclid(12)) + i64::from(self.day) - 1;
        let of_day = (i64::from(self.hour) * 60 + i64::from(self.minute)) * 60 + i64::from(self.second);
        let seconds = days * DAY + of_day - i64::from(offset);
        Civil::of(seconds, offset).map(|_| seconds)
    }

    /// Like [`seconds`](Self::seconds), with git's own arithmetic in UTC: only for years from 1970 to 2099 and a known month. An unknown
    /// day counts as its number, -1.
    pub fn utc_seconds(&self) -> Option<i64> {
        let known = (0..12).contains(&self.month) && self.hour >= 0 && self.minute >= 0 && self.second >= 0;
        let seconds = (70..200).contains(&self.year).then(|| self.seconds(0)).flatten().filter(|_| known);
        // git itself uses -1 for failure, so that second cannot be told from it.
        seconds.filter(|seconds| *seconds != -1)
    }

    /// Whether no field is known, except perhaps the weekday.
    pub fn is_empty(&self) -> bool {
        [self.year, self.month, self.day, self.hour, self.minute, self.second].iter().all(|field| *field < 0)
    }
}

/// Days in 400 years.
const ERA: i64 = 146_097;

/// Days from the beginning of 1970 to the first of `month`, counted from 0.
fn days(year: i64, month: i64) -> i64 {
    // Count years from March, so that the leap day is the last day of a year.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let of_era = year.rem_euclid(400);
    let before_month = (153 * month + 2) / 5;
    year.div_euclid(400) * ERA + of_era * 365 + of_era / 4 - of_era / 100 + before_month - 719_468
}

/// Converts `days` since the beginning of 1970 to a year, a month from 0 and a day from 1.
fn date(days: i64) -> (i64, i32, i32) {
    let since_march = days + 719_468;
    let of_era = since_march.rem_euclid(ERA);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (year * 365 + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 2, 0) } else { (month - 10, 1) };
    (since_march.div_euclid(ERA) * 400 + year + next, month as i32, day as i32)
}
