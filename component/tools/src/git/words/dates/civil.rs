//! Years, days and hours without a zone, as the C library counts them, with whose arithmetic git's dates come about.

/// Seconds of a day.
pub const DAY: i64 = 24 * 60 * 60;

/// What stands in a field of which nothing is known. Any number below zero means the same.
pub const UNKNOWN: i32 = -1;

/// A date and a time of day.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Civil {
    /// Since 1900.
    pub year: i32,
    /// From 0 on.
    pub month: i32,
    /// From 1 on.
    pub day: i32,
    /// From 0 on, as what follows.
    pub hour: i32,
    /// Of the hour.
    pub minute: i32,
    /// Of the minute.
    pub second: i32,
    /// From Sunday, 0, on.
    pub weekday: i32,
}

impl Civil {
    /// Nothing known.
    pub const EMPTY: Civil = Civil {
        year: UNKNOWN,
        month: UNKNOWN,
        day: UNKNOWN,
        hour: UNKNOWN,
        minute: UNKNOWN,
        second: UNKNOWN,
        weekday: 0,
    };

    /// What a clock that is `offset` seconds ahead of UTC says `seconds` after the beginning of 1970. None if the year is too far away.
    pub fn of(seconds: i64, offset: i32) -> Option<Civil> {
        let mut civil = Civil::EMPTY;
        civil.set(seconds, offset).then_some(civil)
    }

    /// As [`of`](Self::of). Where the year is too far away, month and day stay as they are and the year is cut off, as the C library leaves them.
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

    /// When a clock that is `offset` seconds ahead of UTC says so, in seconds since the beginning of 1970; fields may be out of their range. None
    /// if the year is too far away.
    pub fn seconds(&self, offset: i32) -> Option<i64> {
        let months = (i64::from(self.year) + 1900) * 12 + i64::from(self.month);
        let days = days(months.div_euclid(12), months.rem_euclid(12)) + i64::from(self.day) - 1;
        let of_day = (i64::from(self.hour) * 60 + i64::from(self.minute)) * 60 + i64::from(self.second);
        let seconds = days * DAY + of_day - i64::from(offset);
        Civil::of(seconds, offset).map(|_| seconds)
    }

    /// As [`seconds`](Self::seconds) in UTC, where git counts for itself: from 1970 to 2099, in months that are known. What is not known of the
    /// day counts as the number that stands for it.
    pub fn utc_seconds(&self) -> Option<i64> {
        let known = (0..12).contains(&self.month) && self.hour >= 0 && self.minute >= 0 && self.second >= 0;
        let seconds = (70..200).contains(&self.year).then(|| self.seconds(0)).flatten().filter(|_| known);
        // git's own mark for a failure is a time, too.
        seconds.filter(|seconds| *seconds != -1)
    }

    /// Whether nothing is known but, perhaps, the weekday.
    pub fn is_empty(&self) -> bool {
        [self.year, self.month, self.day, self.hour, self.minute, self.second].iter().all(|field| *field < 0)
    }
}

/// Days of 400 years.
const ERA: i64 = 146_097;

/// Days from the beginning of 1970 to the first of `month`, counted from 0.
fn days(year: i64, month: i64) -> i64 {
    // Years that begin in March have the day that comes and goes at their end.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let of_era = year.rem_euclid(400);
    let before_month = (153 * month + 2) / 5;
    year.div_euclid(400) * ERA + of_era * 365 + of_era / 4 - of_era / 100 + before_month - 719_468
}

/// Year, month from 0 and day from 1, `days` from the beginning of 1970.
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
