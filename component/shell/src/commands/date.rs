//! `date`, and how times are written.

pub mod read;
mod zone;

pub use self::zone::offset;

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, maybe, read, valued};
use crate::exec::{Call, Ended};
use crate::io::reason;

const FLAGS: &[Flag] = &[
    valued('d', "date"),
    maybe('I', "iso-8601"),
    valued('r', "reference"),
    flag('R', "rfc-email"),
    valued('\x01', "rfc-3339"),
    flag('u', "utc"),
    flag('u', "universal"),
];

const SECOND: i128 = 1_000_000_000;

/// Prints a time.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let now = call.shell.base.files.now();
    let wanted = call.shell.vars.text("TZ").filter(|_| !given.has('u')).cloned();
    let (zone, offset) = match &wanted {
        Some(wanted) => match zone::fixed(&wanted.to_str_lossy()) {
            Some(zone) => zone,
            None => {
                let why = "only UTC and fixed zones such as EST5 are known here, without summer time";
                call.complain(format!("TZ={wanted}: {why}")).await?;
                return Ok(1);
            }
        },
        None => (String::new(), if given.has('u') { 0 } else { now.utc_offset }),
    };
    let nanos = match (given.value('d'), given.value('r')) {
        (Some(text), _) => match read::time(&text.to_str_lossy(), now.nanos, offset) {
            Some(nanos) => nanos,
            None => {
                call.complain(format!("invalid date ‘{text}’")).await?;
                return Ok(1);
            }
        },
        (None, Some(name)) => match call.shell.base.files.stat(call.shell.path(name).as_bstr(), true) {
            Ok(stat) => stat.modified,
            Err(error) => {
                call.complain(format!("{name}: {}", reason(&error))).await?;
                return Ok(1);
            }
        },
        (None, None) => now.nanos,
    };
    let format: Vec<u8> = match given.operands.first() {
        Some(operand) => match operand.strip_prefix(b"+") {
            Some(format) => format.to_vec(),
            None => {
                call.complain(format!("invalid date ‘{operand}’")).await?;
                return Ok(1);
            }
        },
        None if given.has('R') => b"%a, %d %b %Y %H:%M:%S %z".to_vec(),
        None => match (given.value('I'), given.value('\x01')) {
            (Some(precision), _) => iso(precision, "T"),
            (None, Some(precision)) => iso(precision, " "),
            (None, None) => b"%a %b %e %H:%M:%S %Z %Y".to_vec(),
        },
    };
    let text = named(&format, nanos, offset, &zone);
    call.line(text).await?;
    Ok(0)
}

fn iso(precision: &[u8], between: &str) -> Vec<u8> {
    let time = match precision {
        b"hours" => "%H%:z",
        b"minutes" => "%H:%M%:z",
        b"seconds" => "%H:%M:%S%:z",
        b"ns" if between == " " => "%H:%M:%S.%N%:z",
        b"ns" => "%H:%M:%S,%N%:z",
        _ => return b"%Y-%m-%d".to_vec(),
    };
    format!("%Y-%m-%d{between}{time}").into_bytes()
}

/// A point in time in a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    pub year: i64,
    /// From 1.
    pub month: u32,
    /// From 1.
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
}

/// The number of a day since the Unix epoch.
pub fn days(year: i64, month: u32, day: u32) -> i64 {
    // The year begins in March, so that the leap day is its last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * i64::from((month + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The day of a number since the Unix epoch: year, month and day.
pub fn date(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = u32::try_from(of_year - (153 * month + 2) / 5 + 1).expect("a month has few days");
    let month = u32::try_from(if month < 10 { month + 3 } else { month - 9 }).expect("a year has few months");
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// The names of days.
pub const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// The names of months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A time in this format of strftime.
pub fn format(format: &[u8], nanos: i128, offset: i32) -> BString {
    named(format, nanos, offset, "")
}

/// The same, in a zone that has a name, unless it is empty.
fn named(format: &[u8], nanos: i128, offset: i32, name: &str) -> BString {
    let mut out = BString::default();
    let local = nanos.div_euclid(SECOND) + i128::from(offset);
    let seconds = i64::try_from(local).unwrap_or(0);
    let number = seconds.div_euclid(86_400);
    let in_day = u32::try_from(seconds.rem_euclid(86_400)).expect("a day has few seconds");
    let (year, month, day) = date(number);
    let weekday = usize::try_from((number + 4).rem_euclid(7)).expect("a week has seven days");
    let of_year = number - days(year, 1, 1) + 1;
    let (hour, minute, second) = (in_day / 3600, in_day / 60 % 60, in_day % 60);
    let fraction = u32::try_from(nanos.rem_euclid(SECOND)).expect("it is less than a second");
    let mut rest = format;
    while let Some(at) = rest.find_byte(b'%') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let mut pad = None;
        let mut colons = 0;
        let mut upper = false;
        let mut width = String::new();
        loop {
            match rest.first() {
                Some(flag @ (b'-' | b'_')) => pad = Some(*flag),
                Some(b'0') if width.is_empty() => pad = Some(b'0'),
                Some(b'^') => upper = true,
                Some(b':') => colons += 1,
                Some(b'E' | b'O') => (),
                Some(digit) if digit.is_ascii_digit() => width.push(char::from(*digit)),
                _ => break,
            }
            rest = &rest[1..];
        }
        let Some(letter) = rest.first().copied() else {
            out.push(b'%');
            break;
        };
        rest = &rest[1..];
        let padded = |number: i64, usual: usize, fill: char| -> String {
            let fill = match pad {
                Some(b'-') => return number.to_string(),
                Some(b'_') => ' ',
                Some(_) => '0',
                None => fill,
            };
            let usual = width.parse().unwrap_or(usual).min(1_000);
            match fill {
                '0' => format!("{number:0>usual$}"),
                _ => format!("{number:>usual$}"),
            }
        };
        let nested = |inner: &str| named(inner.as_bytes(), nanos, offset, name).to_string();
        let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
        let (iso_year, iso_week) = iso_week(year, of_year, weekday);
        let text = match letter {
            b'%' => "%".to_owned(),
            b'a' => DAYS[weekday][..3].to_owned(),
            b'A' => DAYS[weekday].to_owned(),
            b'b' | b'h' => MONTHS[month as usize - 1][..3].to_owned(),
            b'B' => MONTHS[month as usize - 1].to_owned(),
            b'c' => nested("%a %b %e %H:%M:%S %Y"),
            b'C' => padded(year.div_euclid(100), 2, '0'),
            b'd' => padded(day.into(), 2, '0'),
            b'D' | b'x' => nested("%m/%d/%y"),
            b'e' => padded(day.into(), 2, ' '),
            b'F' => nested("%Y-%m-%d"),
            b'g' => padded(iso_year.rem_euclid(100), 2, '0'),
            b'G' => padded(iso_year, 4, '0'),
            b'H' => padded(hour.into(), 2, '0'),
            b'I' => padded(twelve.into(), 2, '0'),
            b'j' => padded(of_year, 3, '0'),
            b'k' => padded(hour.into(), 2, ' '),
            b'l' => padded(twelve.into(), 2, ' '),
            b'm' => padded(month.into(), 2, '0'),
            b'M' => padded(minute.into(), 2, '0'),
            b'n' => "\n".to_owned(),
            b'N' => {
                let digits = format!("{fraction:09}");
                match width.parse::<usize>() {
                    Ok(width) => digits[..width.min(9)].to_owned(),
                    Err(_) => digits,
                }
            }
            b'p' => if hour < 12 { "AM" } else { "PM" }.to_owned(),
            b'P' => if hour < 12 { "am" } else { "pm" }.to_owned(),
            b'q' => (month.div_ceil(3)).to_string(),
            b'r' => nested("%I:%M:%S %p"),
            b'R' => nested("%H:%M"),
            b's' => nanos.div_euclid(SECOND).to_string(),
            b'S' => padded(second.into(), 2, '0'),
            b't' => "\t".to_owned(),
            b'T' | b'X' => nested("%H:%M:%S"),
            b'u' => (if weekday == 0 { 7 } else { weekday }).to_string(),
            b'U' => padded((of_year + 6 - i64::try_from(weekday).unwrap_or(0)) / 7, 2, '0'),
            b'V' => padded(iso_week, 2, '0'),
            b'w' => weekday.to_string(),
            b'W' => padded((of_year + 6 - i64::try_from((weekday + 6) % 7).unwrap_or(0)) / 7, 2, '0'),
            b'y' => padded(year.rem_euclid(100), 2, '0'),
            b'Y' => padded(year, 1, '0'),
            b'z' => zone(offset, colons),
            b'Z' if !name.is_empty() => name.to_owned(),
            b'Z' if offset == 0 => "UTC".to_owned(),
            b'Z' => zone(offset, 0).chars().take(3).collect(),
            other => format!("%{}", char::from(other)),
        };
        let text = if upper { text.to_uppercase() } else { text };
        out.extend_from_slice(text.as_bytes());
    }
    out.extend_from_slice(rest);
    out
}

fn zone(offset: i32, colons: usize) -> String {
    let (sign, seconds) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match colons {
        0 => format!("{sign}{hours:02}{minutes:02}"),
        1 => format!("{sign}{hours:02}:{minutes:02}"),
        2 => format!("{sign}{hours:02}:{minutes:02}:{:02}", seconds % 60),
        _ => format!("{sign}{hours:02}"),
    }
}

/// The year and week of ISO 8601.
fn iso_week(year: i64, of_year: i64, weekday: usize) -> (i64, i64) {
    let from_monday = i64::try_from((weekday + 6) % 7).expect("a week has seven days");
    let week = (of_year - from_monday + 9) / 7;
    let weeks = |year: i64| {
        let first = (days(year, 1, 1) + 4).rem_euclid(7);
        let leap = days(year + 1, 1, 1) - days(year, 1, 1) == 366;
        if first == 4 || (leap && first == 3) { 53 } else { 52 }
    };
    match week {
        0 => (year - 1, weeks(year - 1)),
        53 if weeks(year) == 52 => (year + 1, 1),
        week => (year, week),
    }
}
