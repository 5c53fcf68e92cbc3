//! Times as people write them, as far as scripts do: ISO 8601, `@` and a number, and words such as `2 days ago`.

use super::{Civil, SECOND, date, days};

/// The time that a text names, in nanoseconds since the Unix epoch.
pub fn time(text: &str, now: i128, offset: i32) -> Option<i128> {
    let text = text.trim();
    if let Some(number) = text.strip_prefix('@') {
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let part = format!("{part:0<9}");
        return Some(whole.parse::<i128>().ok()? * SECOND + part.get(..9)?.parse::<i128>().ok()?);
    }
    let mut reader = Reader::new(now, offset);
    let lower = text.to_lowercase().replace(',', " ");
    let mut words: Vec<String> = lower.split_whitespace().map(str::to_owned).collect();
    // A sign may stand by itself.
    for at in (1..words.len()).rev() {
        if matches!(words[at - 1].as_str(), "-" | "+") && words[at].starts_with(|char: char| char.is_ascii_digit()) {
            let number = words.remove(at);
            words[at - 1].push_str(&number);
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut at = 0;
    while at < words.len() {
        at += reader.take(&words[at..])?;
    }
    reader.done()
}

struct Reader {
    civil: Civil,
    nanos: i128,
    offset: i32,
    /// Months and seconds to be added.
    months: i64,
    seconds: i128,
    sets_time: bool,
    sets_date: bool,
    /// Whether a time stands right before.
    takes_zone: bool,
    /// A day of the week, and which one of them: 1 is the next one, -1 the last.
    weekday: Option<(i64, i64)>,
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

impl Reader {
    fn new(now: i128, offset: i32) -> Reader {
        let local = i64::try_from(now.div_euclid(SECOND)).unwrap_or(0) + i64::from(offset);
        let (year, month, day) = date(local.div_euclid(86_400));
        let second = u32::try_from(local.rem_euclid(86_400)).expect("a day has few seconds");
        let civil = Civil { year, month, day, hour: second / 3600, minute: second / 60 % 60, second: second % 60 };
        let nanos = now.rem_euclid(SECOND);
        Reader {
            civil,
            nanos,
            offset,
            months: 0,
            seconds: 0,
            sets_time: false,
            sets_date: false,
            takes_zone: false,
            weekday: None,
        }
    }

    /// Takes the first of these words, or several. Gives how many.
    fn take(&mut self, words: &[&str]) -> Option<usize> {
        let word = words[0];
        let is_offset = word.strip_prefix(['+', '-']).is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
        });
        // As GNU's: what looks like an offset behind a time is one, even if a unit follows.
        if std::mem::take(&mut self.takes_zone) && is_offset {
            self.offset = zone(word)?;
            return Some(1);
        }
        match word {
            "now" | "today" => return Some(1),
            "midnight" => {
                self.clock(0, 0, 0);
                return Some(1);
            }
            "noon" => {
                self.clock(12, 0, 0);
                return Some(1);
            }
            "tomorrow" => {
                self.seconds += 86_400;
                return Some(1);
            }
            "yesterday" => {
                self.seconds -= 86_400;
                return Some(1);
            }
            "utc" | "gmt" | "z" => {
                self.offset = 0;
                return Some(1);
            }
            _ => (),
        }
        if let Some(taken) = self.relative(words) {
            return Some(taken);
        }
        if let Some(month) = MONTHS.iter().position(|month| word.starts_with(month)) {
            let day = words.get(1)?.trim_end_matches(char::is_alphabetic).parse().ok()?;
            let year = words.get(2).and_then(|year| (year.len() == 4).then(|| year.parse().ok())?);
            self.day(year.unwrap_or(self.civil.year), u32::try_from(month).ok()? + 1, day)?;
            return Some(2 + usize::from(year.is_some()));
        }
        if let (Ok(day), Some(month)) =
            (word.parse::<u32>(), words.get(1).and_then(|name| MONTHS.iter().position(|month| name.starts_with(month))))
        {
            let year = words.get(2).and_then(|year| (year.len() == 4).then(|| year.parse().ok())?);
            self.day(year.unwrap_or(self.civil.year), u32::try_from(month).ok()? + 1, day)?;
            return Some(2 + usize::from(year.is_some()));
        }
        if let Some(day) = weekday(word) {
            self.on(day, 0);
            return Some(1);
        }
        let (date, time) = match word.split_once('t') {
            Some((date, time)) if date.len() >= 8 => (Some(date), Some(time)),
            _ if word.contains(':') => (None, Some(word)),
            _ if word.starts_with(['+', '-']) && self.sets_time => {
                self.offset = zone(word)?;
                return Some(1);
            }
            _ => (Some(word), None),
        };
        if let Some(date) = date {
            self.iso(date)?;
        }
        if let Some(time) = time {
            self.time(time)?;
        }
        Some(1)
    }

    fn relative(&mut self, words: &[&str]) -> Option<usize> {
        let which = match words[0] {
            "next" => Some(1),
            "this" => Some(0),
            "last" => Some(-1),
            _ => None,
        };
        if let (Some(which), Some(day)) = (which, words.get(1).and_then(|word| weekday(word))) {
            self.on(day, which);
            return Some(2);
        }
        let (number, unit, mut taken) = match (which, words[0]) {
            (Some(which), _) => (which, *words.get(1)?, 2),
            (None, word) if word.chars().all(char::is_alphabetic) => (1, word, 1),
            (None, word) => {
                let digits = word.trim_start_matches(['+', '-']);
                let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
                let number: i64 = digits[..end].parse().ok()?;
                let number = if word.starts_with('-') { -number } else { number };
                match end < digits.len() {
                    true => (number, &digits[end..], 1),
                    false => (number, *words.get(1)?, 2),
                }
            }
        };
        let unit = unit.strip_suffix('s').unwrap_or(unit);
        let seconds = match unit {
            "sec" | "second" => 1,
            "min" | "minute" => 60,
            "hour" => 3_600,
            "day" => 86_400,
            "week" => 604_800,
            "fortnight" => 1_209_600,
            "month" | "year" => 0,
            _ => return None,
        };
        let back = words.get(taken) == Some(&"ago");
        taken += usize::from(back);
        let number = if back { -number } else { number };
        self.seconds += i128::from(number) * seconds;
        match unit {
            "month" => self.months += number,
            "year" => self.months += 12 * number,
            _ => (),
        }
        Some(taken)
    }

    fn on(&mut self, day: i64, which: i64) {
        self.weekday = Some((day, which));
        if !self.sets_time {
            self.clock(0, 0, 0);
            self.sets_time = false;
        }
    }

    fn iso(&mut self, text: &str) -> Option<()> {
        let parts: Vec<&str> = text.split(['-', '/']).collect();
        match *parts {
            [year, month, day] if year.len() == 4 => {
                self.day(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
            }
            [month, day, year] if text.contains('/') => {
                self.day(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
            }
            [one] if one.len() == 8 && one.is_ascii() => {
                self.day(one[..4].parse().ok()?, one[4..6].parse().ok()?, one[6..].parse().ok()?)
            }
            _ => None,
        }
    }

    fn day(&mut self, year: i64, month: u32, day: u32) -> Option<()> {
        let most = match month {
            4 | 6 | 9 | 11 => 30,
            2 => u32::try_from(days(year, 3, 1) - days(year, 2, 1)).ok()?,
            1..=12 => 31,
            _ => return None,
        };
        if !(1..=most).contains(&day) {
            return None;
        }
        (self.civil.year, self.civil.month, self.civil.day) = (year, month, day);
        self.sets_date = true;
        if !self.sets_time {
            self.clock(0, 0, 0);
            self.sets_time = false;
        }
        Some(())
    }

    fn clock(&mut self, hour: u32, minute: u32, second: u32) {
        (self.civil.hour, self.civil.minute, self.civil.second) = (hour, minute, second);
        self.nanos = 0;
        self.sets_time = true;
    }

    fn time(&mut self, text: &str) -> Option<()> {
        let end = text.find(['z', '+', '-']).unwrap_or(text.len());
        let (clock, zone) = text.split_at(end);
        let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
        let parts: Vec<u32> = clock.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let (hour, minute, second) =
            (*parts.first()?, parts.get(1).copied().unwrap_or(0), parts.get(2).copied().unwrap_or(0));
        if hour > 24 || minute > 59 || second > 60 {
            return None;
        }
        self.clock(hour, minute, second);
        self.nanos = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
        self.takes_zone = zone.is_empty();
        if !zone.is_empty() {
            self.offset = if zone == "z" { 0 } else { self::zone(zone)? };
        }
        Some(())
    }

    fn done(self) -> Option<i128> {
        let months = self.civil.year * 12 + i64::from(self.civil.month) - 1 + self.months;
        let (year, month) = (months.div_euclid(12), u32::try_from(months.rem_euclid(12)).ok()? + 1);
        let mut day = days(year, month, 1) + i64::from(self.civil.day) - 1;
        if let Some((wanted, which)) = self.weekday.filter(|_| !self.sets_date) {
            // The first of January 1970 was a Thursday.
            let today = (day + 4).rem_euclid(7);
            day += (wanted - today).rem_euclid(7) + 7 * (which - i64::from(which > 0 && today != wanted));
        }
        let in_day =
            i64::from(self.civil.hour) * 3600 + i64::from(self.civil.minute) * 60 + i64::from(self.civil.second);
        let seconds = i128::from(day * 86_400 + in_day - i64::from(self.offset)) + self.seconds;
        Some(seconds * SECOND + self.nanos)
    }
}

/// The day of the week that a word names, from Sunday on.
fn weekday(word: &str) -> Option<i64> {
    const REST: [&str; 7] = ["day", "day", "sday", "nesday", "rsday", "day", "urday"];
    let at = DAYS.iter().position(|day| word.starts_with(day))?;
    let rest = &word[3..];
    let known = rest.is_empty() || rest == REST[at] || matches!(word, "tues" | "wednes" | "thur" | "thurs");
    known.then(|| i64::try_from(at).ok())?
}

/// Seconds east of UTC, of at most a day.
fn zone(text: &str) -> Option<i32> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = if digits.len() <= 2 { (&*digits, "0") } else { digits.split_at(digits.len() - 2) };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let is_zone = hours <= 24 && minutes < 60 && hours * 60 + minutes <= 24 * 60;
    is_zone.then(|| sign * (hours * 3_600 + minutes * 60))
}
