//! Dates in a format of the caller (`--date=format:…`), as C's `strftime` expands it in the C locale.

use super::civil::Civil;
use super::line::Line;
use super::names::{MONTHS, WEEKDAYS, short};
use super::{DateForm, Stamp, in_zone};
use crate::error::ToolError;

/// Expands `format` with `time` in its own zone. What strftime does not know stays.
pub fn formatted(time: impl Into<Stamp>, format: &str) -> Result<String, ToolError> {
    let Stamp { seconds, zone } = time.into();
    let date = Civil::of(in_zone(seconds, zone)?, 0)
        .ok_or_else(|| ToolError::failed("fatal: Timestamp too large for this system"))?;
    let mut text = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some(flag @ ('-' | '_')) => match letters.next() {
                Some(letter) => text.push_str(&unpadded(flag, &one(letter, &date, Stamp { seconds, zone })?)),
                None => text.extend(['%', flag]),
            },
            Some(letter) => text.push_str(&one(letter, &date, Stamp { seconds, zone })?),
            None => text.push('%'),
        }
    }
    Ok(text)
}

fn one(letter: char, date: &Civil, stamp: Stamp) -> Result<String, ToolError> {
    let year = i64::from(date.year) + 1900;
    let day_of_year = day_of_year(year, date.month, date.day);
    let (month, weekday) = (MONTHS[date.month as usize], WEEKDAYS[date.weekday as usize]);
    let hour = match date.hour % 12 {
        0 => 12,
        hour => hour,
    };
    let number = |number: i64, width| Line::default().number(number, width).into_text();
    let blank = |number: i32| format!("{number:>2}");
    let all = |letters: &str| -> Result<String, ToolError> {
        let mut text = String::new();
        for letter in letters.chars() {
            match letter.is_ascii_alphabetic() {
                true => text.push_str(&one(letter, date, stamp)?),
                false => text.push(letter),
            }
        }
        Ok(text)
    };
    Ok(match letter {
        'a' => short(weekday).to_owned(),
        'A' => weekday.to_owned(),
        'b' | 'h' => short(month).to_owned(),
        'B' => month.to_owned(),
        'c' => all("a b e H:M:S Y")?,
        'C' => number(year.div_euclid(100), 2),
        'd' => number(date.day.into(), 2),
        'D' | 'x' => all("m/d/y")?,
        'e' => blank(date.day),
        'F' => all("Y-m-d")?,
        'H' => number(date.hour.into(), 2),
        'I' => number(hour.into(), 2),
        'j' => number(day_of_year, 3),
        'k' => blank(date.hour),
        'l' => blank(hour),
        'm' => number(i64::from(date.month) + 1, 2),
        'M' => number(date.minute.into(), 2),
        'n' => "\n".to_owned(),
        'p' => (if date.hour < 12 { "AM" } else { "PM" }).to_owned(),
        'r' => all("I:M:S p")?,
        'R' => all("H:M")?,
        's' => stamp.seconds.to_string(),
        'S' => number(date.second.into(), 2),
        't' => "\t".to_owned(),
        'T' | 'X' => all("H:M:S")?,
        'P' => (if date.hour < 12 { "am" } else { "pm" }).to_owned(),
        'U' => number((day_of_year + 6 - i64::from(date.weekday)) / 7, 2),
        'W' => number((day_of_year + 6 - i64::from((date.weekday + 6) % 7)) / 7, 2),
        'V' => number(iso_week(year, day_of_year, date.weekday.into()).1, 2),
        'G' => number(iso_week(year, day_of_year, date.weekday.into()).0, 1),
        'g' => number(iso_week(year, day_of_year, date.weekday.into()).0.rem_euclid(100), 2),
        'u' => number(if date.weekday == 0 { 7 } else { date.weekday.into() }, 1),
        'w' => number(date.weekday.into(), 1),
        'y' => number(year.rem_euclid(100), 2),
        'Y' => number(year, 1),
        'z' => Line::default().zone(stamp.zone).into_text(),
        // git knows no names of zones.
        'Z' => String::new(),
        '%' => "%".to_owned(),
        other => format!("%{other}"),
    })
}

/// A number without what fills it up in front, or with blanks in its place. Other texts stay.
fn unpadded(flag: char, text: &str) -> String {
    if !text.chars().all(|letter| letter.is_ascii_digit() || letter == ' ') {
        return text.to_owned();
    }
    let number = text.trim_start_matches(['0', ' ']);
    let number = if number.is_empty() { "0" } else { number };
    match flag {
        '_' => format!("{number:>0$}", text.len()),
        _ => number.to_owned(),
    }
}

/// The year and week of ISO 8601, in which a week belongs to the year of its Thursday.
fn iso_week(year: i64, day_of_year: i64, weekday: i64) -> (i64, i64) {
    let weeks = |year: i64| {
        let last = |year: i64| (year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400)).rem_euclid(7);
        if last(year) == 4 || last(year - 1) == 3 { 53 } else { 52 }
    };
    match (day_of_year - (weekday + 6) % 7 + 9) / 7 {
        0 => (year - 1, weeks(year - 1)),
        week if week > weeks(year) => (year + 1, 1),
        week => (year, week),
    }
}

/// Counted from 1.
fn day_of_year(year: i64, month: i32, day: i32) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    BEFORE[month as usize] + i64::from(day) + i64::from(is_leap && month > 1)
}

/// How a log shows its dates: in a form of git's, or in the caller's format.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Shown {
    Form(DateForm),
    Format(String),
}

impl Shown {
    /// The value of `--date`. `None` if it is not known.
    pub fn parse(text: &str) -> Option<Shown> {
        let form = match text {
            "default" => DateForm::Default,
            "relative" => DateForm::Relative,
            "human" => DateForm::Human,
            "iso" | "iso8601" => DateForm::Iso,
            "iso-strict" | "iso8601-strict" => DateForm::IsoStrict,
            "rfc" | "rfc2822" => DateForm::Rfc2822,
            "short" => DateForm::Short,
            "raw" => DateForm::Raw,
            "unix" => DateForm::Unix,
            _ => return text.strip_prefix("format:").map(|format| Shown::Format(format.to_owned())),
        };
        Some(Shown::Form(form))
    }
}
