//! Parses complete dates: ISO 8601, RFC 2822, seconds since 1970, and similar forms.

use super::Clock;
use super::civil::{Civil, UNKNOWN};
use super::names::{self, MONTHS, WEEKDAYS};
use super::numbers::{group, is_digit, number, set_date, set_time};
use crate::git::words::c_number::c_number;

/// The last second of 2099.
const LAST: u64 = 4_102_444_799;

/// The smallest number that means seconds since 1970 instead of an eight-digit date.
const FIRST_SECONDS: u64 = 100_000_000;

/// The state of parsing a date.
struct Reading<'a> {
    date: Civil,
    /// Minutes ahead of UTC. git's value for an unknown zone, -1, also stands for one minute behind UTC.
    zone: i32,
    /// Whether the text gave seconds since 1970. Then no zone applies.
    is_seconds: bool,
    clock: &'a Clock,
}

/// The time of `text` in seconds since 1970. `None` if the date is incomplete.
pub fn parse(text: &[u8], clock: &Clock) -> Option<u64> {
    if let Some(seconds) = text.strip_prefix(b"@").and_then(as_in_a_commit) {
        return Some(seconds);
    }
    let mut reading = Reading { date: Civil::EMPTY, zone: UNKNOWN, is_seconds: false, clock };
    let mut rest = text;
    while let Some(first) = rest.first().filter(|byte| !matches!(byte, 0 | b'\n')) {
        let length = match first {
            b'0'..=b'9' => reading.digits(rest),
            b'+' | b'-' if is_digit(rest, 1) => reading.zone(rest),
            byte if byte.is_ascii_alphabetic() => reading.word(rest),
            _ => 1,
        };
        rest = &rest[length..];
    }
    reading.seconds()
}

/// Parses `1767225600 +0000`, the form in a commit, and nothing else. The zone does not change the time.
fn as_in_a_commit(text: &[u8]) -> Option<u64> {
    let (seconds, length) = number(text);
    let zone = text[length..].strip_prefix(b" +").or(text[length..].strip_prefix(b" -"))?;
    let (_, digits) = c_number(zone)?;
    let is_whole = digits == 4 && matches!(zone.get(digits), None | Some(0 | b'\n'));
    (length > 0 && is_whole && seconds < u64::MAX).then_some(seconds)
}

impl Reading<'_> {
    /// Reads a month, a weekday, a zone, or AM or PM. Returns the length read, as the next two do.
    fn word(&mut self, text: &[u8]) -> usize {
        if let Some((month, length)) = names::abbreviated(text, &MONTHS) {
            self.date.month = month;
            return length;
        }
        if let Some((weekday, length)) = names::abbreviated(text, &WEEKDAYS) {
            self.date.weekday = weekday;
            return length;
        }
        if let Some((minutes, length)) = names::zone(text) {
            if self.zone == UNKNOWN {
                self.zone = minutes;
            }
            return length;
        }
        for (half, hours) in [("PM", 12), ("AM", 0)] {
            if names::is(text, half) {
                self.date.hour = self.date.hour % 12 + hours;
                return 2;
            }
        }
        // After this `T` between date and time, minutes or seconds may be missing.
        if text[0] == b'T' && is_digit(text, 1) && self.date.hour == UNKNOWN {
            (self.date.minute, self.date.second) = (0, 0);
            return 1;
        }
        names::letters(text)
    }

    fn digits(&mut self, text: &[u8]) -> usize {
        let (value, length) = number(text);
        if value >= FIRST_SECONDS && self.date.is_empty() && self.date.set(value as i64, 0) {
            self.is_seconds = true;
            return length;
        }
        if let Some(length) = group(&mut self.date, text, (value, length), self.clock.wall) {
            return length;
        }
        // The number of digits decides how a single number is read.
        let small = value.min(FIRST_SECONDS) as i32;
        match length {
            8 => {
                set_date(&mut self.date, small / 10_000, small / 100 % 100, small % 100);
                return length;
            }
            6 => return self.whole_time(text, i64::from(small)),
            _ => {}
        }
        if self.hour_follows() {
            let time = match length {
                4 => Some((small / 100, small % 100)),
                2 => Some((small, 0)),
                _ => None,
            };
            let is_time = time
                .filter(|_| !self.date.is_empty())
                .is_some_and(|(hour, minute)| set_time(&mut self.date, i64::from(hour), i64::from(minute), 0));
            if is_time {
                return length;
            }
            (self.date.minute, self.date.second) = (UNKNOWN, UNKNOWN);
        }
        match length {
            4 => self.year_or_zone(small),
            1 | 2 => self.day_month_or_year(small, length),
            _ => {}
        }
        length
    }

    /// Reads `hhmmss` and an optional fraction of a second.
    fn whole_time(&mut self, text: &[u8], time: i64) -> usize {
        let is_time = set_time(&mut self.date, time / 10_000, time / 100 % 100, time % 100);
        match is_time && text.get(6) == Some(&b'.') && is_digit(text, 7) {
            true => 7 + number(&text[7..]).1,
            false => 6,
        }
    }

    /// Whether a `T` was read, and no time after it.
    fn hour_follows(&self) -> bool {
        self.date.hour == UNKNOWN && self.date.minute == 0 && self.date.second == 0
    }

    fn year_or_zone(&mut self, number: i32) {
        if number <= 1400 && self.zone == UNKNOWN {
            self.zone = number / 100 * 60 + number % 100;
        } else if (1901..2100).contains(&number) {
            self.date.year = number - 1900;
        }
    }

    /// Takes a number as the day if the day is unknown, before it tries year and month.
    fn day_month_or_year(&mut self, number: i32, length: usize) {
        let Civil { year, month, day, .. } = &mut self.date;
        if (1..32).contains(&number) && *day < 0 {
            *day = number;
        } else if length == 2 && *year < 0 && number < 10 && *day >= 0 {
            *year = number + 100;
        } else if length == 2 && *year < 0 && number >= 70 {
            *year = number;
        } else if (1..13).contains(&number) && *month < 0 {
            *month = number - 1;
        }
    }

    /// Reads `+0530`, `+05:30` or `+05`.
    fn zone(&mut self, text: &[u8]) -> usize {
        let (value, length) = number(&text[1..]);
        let mut end = 1 + length;
        let hours_and_minutes = match length {
            4 => Some(((value / 100) as i32, (value % 100) as i32)),
            2 if text.get(end) == Some(&b':') => {
                end += 1;
                let minutes = c_number(&text[end..]);
                end += minutes.map_or(0, |(_, length)| length);
                minutes.filter(|_| end == 6).map(|(minutes, _)| (value as i32, minutes as i32))
            }
            2 => Some((value as i32, 0)),
            _ => None,
        };
        if let Some((hours, minutes)) = hours_and_minutes.filter(|(hours, minutes)| *hours < 24 && *minutes < 60) {
            let ahead = hours * 60 + minutes;
            self.zone = if text[0] == b'-' { -ahead } else { ahead };
        }
        end
    }

    fn seconds(&self) -> Option<u64> {
        // A time before 1970 wraps to a value greater than any other in the comparisons below.
        let seconds = self.date.utc_seconds()? as u64;
        if self.is_seconds {
            return Some(seconds);
        }
        let zone = match self.zone {
            UNKNOWN => {
                let here = self.date.seconds(self.clock.offset).unwrap_or(-1);
                ((seconds as i64).wrapping_sub(here) / 60) as i32
            }
            zone => zone,
        };
        let ahead = i64::from(zone) * 60;
        let out_of_range = match ahead > 0 {
            true => ahead as u64 > seconds,
            false => ahead.unsigned_abs() > LAST.wrapping_sub(seconds),
        };
        (!out_of_range).then(|| seconds.wrapping_sub(ahead as u64))
    }
}
