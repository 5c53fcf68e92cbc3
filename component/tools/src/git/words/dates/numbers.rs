//! Parses numbers in dates, and groups of numbers such as `10:20:30`.

use super::civil::{Civil, DAY, UNKNOWN};

/// The number at the beginning of `text`, and its count of digits. A number too large becomes the largest one.
pub fn number(text: &[u8]) -> (u64, usize) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    let add = |(number, length): (u64, usize), byte: &u8| {
        (number.saturating_mul(10).saturating_add(u64::from(byte - b'0')), length + 1)
    };
    digits.fold((0, 0), add)
}

/// Whether `text` has a digit at `at`.
pub fn is_digit(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(u8::is_ascii_digit)
}

/// Reads a time such as `10:20:30` or a date such as `1/2/2026` into `date`; `first` and `length` describe its first number. Returns the
/// length read, or `None` if it is neither. An ambiguous date is not read as one long after `now`.
pub fn group(date: &mut Civil, text: &[u8], (first, length): (u64, usize), now: i64) -> Option<usize> {
    let separator = *text.get(length).filter(|byte| b":./-".contains(byte))?;
    if !is_digit(text, length + 1) {
        return None;
    }
    let mut end = length + 1;
    let next = |end: &mut usize| {
        let (number, length) = number(&text[*end..]);
        *end += length;
        i64::try_from(number).unwrap_or(i64::MAX)
    };
    let second = next(&mut end);
    let third = (text.get(end) == Some(&separator) && is_digit(text, end + 1)).then(|| {
        end += 1;
        next(&mut end)
    });
    if separator != b':' {
        return set_any_date(date, separator, first, second, third, now).then_some(end);
    }
    if !set_time(date, first as i64, second, third.unwrap_or(0)) {
        return None;
    }
    // Skip a fraction of a second if it cannot be anything else.
    let known = date.year != UNKNOWN && date.month != UNKNOWN && date.day != UNKNOWN;
    if known && text.get(end) == Some(&b'.') && is_digit(text, end + 1) {
        end += 1 + number(&text[end + 1..]).1;
    }
    Some(end)
}

/// Tries orders of year, month and day, and takes the first that gives a valid date. The third number may be missing.
fn set_any_date(date: &mut Civil, separator: u8, first: u64, second: i64, third: Option<i64>, now: i64) -> bool {
    // The conversion truncates as git's does.
    let is_year = first > 70;
    let (first, second, third) = (first as i32, second as i32, third.map_or(UNKNOWN, |number| number as i32));
    if is_year && (set_date(date, first, second, third) || set_date(date, first, third, second)) {
        return true;
    }
    // With dots, the day comes first.
    let month_first = |date: &mut Civil| set_past_date(date, third, first, second, now);
    let dotted = separator == b'.';
    (!dotted && month_first(date)) || set_past_date(date, third, second, first, now) || (dotted && month_first(date))
}

/// Sets the date to a `month` and a `day`, both counted from 1, of a year with two or four digits. Month and day stay set even if only the
/// year is invalid.
pub fn set_date(date: &mut Civil, year: i32, month: i32, day: i32) -> bool {
    if !is_day(month, day) {
        return false;
    }
    (date.month, date.day) = (month - 1, day);
    let year = full_year(year);
    date.year = year.unwrap_or(date.year);
    year.is_some()
}

/// Like [`set_date`], but an unknown year means this year, and a date more than ten days after `now` is refused.
fn set_past_date(date: &mut Civil, year: i32, month: i32, day: i32, now: i64) -> bool {
    if !is_day(month, day) {
        return false;
    }
    let Some(known) = (if year == UNKNOWN { Some(date.year) } else { full_year(year) }) else { return false };
    let this_year = Civil::of(now, 0).map_or(known, |now| now.year);
    let year = if year == UNKNOWN { this_year } else { known };
    let there = Civil { year, month: month - 1, day, ..*date };
    if there.utc_seconds().is_some_and(|seconds| seconds > now + 10 * DAY) {
        return false;
    }
    *date = Civil { year: known, ..there };
    true
}

fn is_day(month: i32, day: i32) -> bool {
    (1..13).contains(&month) && (1..32).contains(&day)
}

/// The year since 1900. `year` may have two digits.
fn full_year(year: i32) -> Option<i32> {
    match year {
        UNKNOWN => None,
        1970..2100 => Some(year - 1900),
        71..100 => Some(year),
        ..38 => year.checked_add(100),
        _ => None,
    }
}

/// Sets the time of day. The hour may be 24.
pub fn set_time(date: &mut Civil, hour: i64, minute: i64, second: i64) -> bool {
    // A minute may have 61 seconds, for leap seconds.
    let is_time = (0..=24).contains(&hour) && (0..60).contains(&minute) && (0..=60).contains(&second);
    if is_time {
        (date.hour, date.minute, date.second) = (hour as i32, minute as i32, second as i32);
    }
    is_time
}
