//! Parses dates as people say them: `2 weeks ago`, `last friday`, `yesterday noon`.

use super::civil::{Civil, DAY, UNKNOWN};
use super::names::{self, MONTHS, NUMBERS, WEEKDAYS};
use super::numbers::{group, number};
use super::{Clock, exact};

/// Units of time, in seconds.
const UNITS: [(&str, i32); 5] =
    [("seconds", 1), ("minutes", 60), ("hours", 60 * 60), ("days", 24 * 60 * 60), ("weeks", 7 * 24 * 60 * 60)];

/// The hour that git means by `tea`.
const TEA: i32 = 17;

/// The state of parsing a text.
struct Reading<'a> {
    /// The time of day starts as the present one; the date starts unknown.
    date: Civil,
    now: Civil,
    /// A number whose unit has not been read yet; 0 if there is none.
    number: i32,
    clock: &'a Clock,
}

/// The time that `text` means; now if it means nothing.
pub fn parse(text: &[u8], clock: &Clock) -> u64 {
    if let Some(seconds) = exact::parse(text, clock) {
        return seconds;
    }
    let now = clock.civil();
    let date = Civil { year: UNKNOWN, month: UNKNOWN, day: UNKNOWN, ..now };
    let mut reading = Reading { date, now, number: 0, clock };
    let mut rest = text;
    while let Some(first) = rest.first().filter(|byte| **byte != 0) {
        let length = match first {
            b'0'..=b'9' => reading.digits(rest),
            byte if byte.is_ascii_alphabetic() => reading.word(rest),
            _ => 1,
        };
        rest = &rest[length..];
    }
    reading.place_number();
    reading.back(0) as u64
}

impl Reading<'_> {
    /// Goes back `seconds`, from today if no date is known yet. Returns the new time.
    fn back(&mut self, seconds: i64) -> i64 {
        let (date, now) = (&mut self.date, &self.now);
        if date.day < 0 {
            date.day = now.day;
        }
        if date.month < 0 {
            date.month = now.month;
        }
        if date.year < 0 {
            // A month later than this one belongs to last year.
            date.year = now.year - i32::from(date.month > now.month);
        }
        // The C library returns -1 on failure, which git takes as a time.
        let then = date.seconds(self.clock.offset).unwrap_or(-1).wrapping_sub(seconds);
        date.set(then, self.clock.offset);
        then
    }

    /// Stores a number without a unit as the day, month or year: the first of them that is unknown and that it fits.
    fn place_number(&mut self) {
        let number = std::mem::take(&mut self.number);
        let Civil { year, month, day, .. } = &mut self.date;
        if number == 0 {
        } else if *day < 0 && number < 32 {
            *day = number;
        } else if *month < 0 && number < 13 {
            *month = number.wrapping_sub(1);
        } else if *year < 0 {
            match number {
                1970..2100 => *year = number - 1900,
                70..100 => *year = number,
                ..38 => *year = number.wrapping_add(100),
                _ => {}
            }
        }
    }

    /// Reads a number, a time or a date. Returns the length read, as [`word`](Self::word) does.
    fn digits(&mut self, text: &[u8]) -> usize {
        self.place_number();
        let (value, length) = number(text);
        if let Some(length) = group(&mut self.date, text, (value, length), self.clock.now) {
            return length;
        }
        // git ignores a longer number with leading zeros: it reads `Dec 02`, but not `Dec 0002`.
        if text[0] != b'0' || length <= 2 {
            self.number = value as i32;
        }
        length
    }

    fn word(&mut self, text: &[u8]) -> usize {
        let length = names::letters(text);
        if let Some((month, _)) = names::abbreviated(text, &MONTHS) {
            self.date.month = month;
        } else if !self.special(text) {
            match self.number {
                0 => self.count(text),
                number => self.unit(text, number),
            }
        }
        length
    }

    /// Reads a word that names a time by itself.
    fn special(&mut self, text: &[u8]) -> bool {
        let is = |name| names::is(text, name);
        if is("yesterday") {
            self.number = 0;
            self.back(DAY);
        } else if is("noon") {
            self.last(12);
        } else if is("midnight") {
            self.last(0);
        } else if is("tea") {
            self.last(TEA);
        } else if is("PM") {
            self.half_day(12);
        } else if is("AM") {
            self.half_day(0);
        } else if is("never") {
            self.number = 0;
            self.date.set(0, self.clock.offset);
        } else if is("now") {
            self.number = 0;
            self.back(0);
        } else {
            return false;
        }
        true
    }

    /// Goes back to the last time that it was `hour`.
    fn last(&mut self, hour: i32) {
        self.place_number();
        if self.date.hour < hour {
            self.back(DAY);
        }
        (self.date.hour, self.date.minute, self.date.second) = (hour, 0, 0);
    }

    /// Moves the hour just read, or else the present hour, into the half of the day that begins at `first`.
    fn half_day(&mut self, first: i32) {
        let number = std::mem::take(&mut self.number);
        if number != 0 {
            (self.date.hour, self.date.minute, self.date.second) = (number, 0, 0);
        }
        self.date.hour = self.date.hour % 12 + first;
    }

    fn count(&mut self, text: &[u8]) {
        if let Some((number, _)) = (1..).zip(NUMBERS).find(|(_, name)| names::is(text, name)) {
            self.number = number;
        } else if names::is(text, "last") {
            self.number = 1;
        }
    }

    /// Goes back `number` of the unit that `text` names.
    fn unit(&mut self, text: &[u8], number: i32) {
        if let Some((_, seconds)) = UNITS.iter().find(|(name, _)| names::common(text, name) >= name.len() - 1) {
            self.number = 0;
            self.back(i64::from(seconds.wrapping_mul(number)));
        } else if let Some((weekday, _)) = names::abbreviated(text, &WEEKDAYS) {
            self.number = 0;
            let days = self.date.weekday - weekday;
            let weeks = number.wrapping_sub(i32::from(days > 0));
            let days = weeks.wrapping_mul(7).wrapping_add(days);
            self.back(i64::from(days.wrapping_mul(DAY as i32)));
        } else if names::common(text, "months") >= 5 {
            self.number = 0;
            self.back(0);
            let month = self.date.month.wrapping_sub(number);
            self.date.month = if month < 0 { month.rem_euclid(12) } else { month };
            self.date.year = self.date.year.wrapping_add(month.div_euclid(12).min(0));
        } else if names::common(text, "years") >= 4 {
            self.number = 0;
            self.back(0);
            self.date.year = self.date.year.wrapping_sub(number);
        }
    }
}
