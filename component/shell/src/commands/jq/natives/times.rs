//! Functions of points in time.

use jaq_core::Native;
use jaq_core::box_iter::box_once;
use jaq_core::native::{Fun, bome, v};

use super::values;
use crate::commands::date;
use crate::commands::jq::kind::Kind;
use crate::commands::jq::number::{real, whole};
use crate::commands::jq::value::{Fail, Val, fail};

const DAY: i64 = 86_400;
const SECOND: i128 = 1_000_000_000;

/// All of them.
pub fn all() -> Vec<Fun<Kind>> {
    let mut all = values! {
        "mktime" => |value, ()| mktime(&value),
        "gmtime" => |value, ()| broken(&value, 0, "gmtime"),
        "strftime"(format) => |value, format: Val| formatted(&value, &format, 0, "strftime"),
        "strptime"(format) => |value, format: Val| parsed(&value, &format),
    };
    let now = Native::<Kind>::new(|cv| {
        let nanos = cv.0.data().world.files.now().nanos;
        let micros = i64::try_from(nanos / 1_000).unwrap_or(i64::MAX);
        box_once(Ok(Val::Num(real(micros) / 1e6)))
    });
    let local = Native::<Kind>::new(|cv| bome(broken(&cv.1, cv.0.data().world.offset, "localtime")));
    let format = Native::<Kind>::new(|mut cv| {
        let format = cv.0.pop_var();
        bome(formatted(&cv.1, &format, cv.0.data().world.offset, "strflocaltime"))
    });
    all.extend([("now", v(0), now), ("localtime", v(0), local), ("strflocaltime", v(1), format)]);
    all
}

/// Seconds since the epoch as a calendar has them: with months from 0, and days of the week and of the year.
fn broken(value: &Val, offset: i32, name: &str) -> Result<Val, Fail> {
    let seconds = value.as_num().ok_or_else(|| fail(format!("{name}() requires a number")))?;
    let fraction = seconds - seconds.floor();
    let local = whole(seconds.floor()).saturating_add(i64::from(offset));
    if local.abs() > 1 << 50 {
        return Err(fail(format!("error converting number of seconds since epoch to datetime: {}", value.shown())));
    }
    let fields = calendar(local);
    let fields = fields.into_iter().enumerate();
    Ok(Val::list(fields.map(|(at, field)| Val::Num(if at == 5 { real(field) + fraction } else { real(field) }))))
}

fn calendar(seconds: i64) -> [i64; 8] {
    let (day, in_day) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let (year, month, of_month) = date::date(day);
    [
        year,
        i64::from(month) - 1,
        i64::from(of_month),
        in_day / 3600,
        in_day / 60 % 60,
        in_day % 60,
        (day + 4).rem_euclid(7),
        day - date::days(year, 1, 1),
    ]
}

/// The seconds of a calendar's numbers. Months and what is smaller may be out of range.
fn seconds(value: &Val, name: &str) -> Result<i64, Fail> {
    let fields = value.as_list().ok_or_else(|| fail(format!("{name} requires array inputs")))?;
    let wrong = || fail(format!("{name} requires parsed datetime inputs"));
    let numbers: Vec<i64> = fields.iter().map_while(Val::as_num).map(|field| whole(field.floor())).collect();
    let [year, month, day, hour, minute, second, ..] = numbers[..] else { return Err(wrong()) };
    if numbers.iter().any(|number| number.abs() > 1 << 32) {
        return Err(wrong());
    }
    let months = year * 12 + month;
    let month = u32::try_from(months.rem_euclid(12) + 1).expect("there are twelve");
    let days = date::days(months.div_euclid(12), month, 1) + day - 1;
    Ok(days * DAY + hour * 3600 + minute * 60 + second)
}

fn mktime(value: &Val) -> Result<Val, Fail> {
    seconds(value, "mktime").map(|seconds| Val::Num(real(seconds)))
}

fn formatted(value: &Val, format: &Val, offset: i32, name: &str) -> Result<Val, Fail> {
    let format = format.as_text().ok_or_else(|| fail(format!("{name}/1 requires a string format")))?;
    let at = match value {
        Val::Num(number) => whole(number.floor()),
        // It is local already.
        Val::List(_) => seconds(value, &format!("{name}/1"))?.saturating_sub(i64::from(offset)),
        _ => return Err(fail(format!("{name}/1 requires parsed datetime inputs"))),
    };
    if at.abs() > 1 << 50 || format.len() > 4096 {
        return Err(fail(format!("{name}/1: unknown system failure")));
    }
    let text = date::format(format.as_bytes(), i128::from(at) * SECOND, offset);
    Ok(Val::text(String::from_utf8_lossy(&text)))
}

/// What a text says in a format of `strptime`.
fn parsed(value: &Val, format: &Val) -> Result<Val, Fail> {
    let text = value.as_text().ok_or_else(|| fail("strptime/1 requires string inputs and arguments"))?;
    let format = format.as_text().ok_or_else(|| fail("strptime/1 requires string inputs and arguments"))?;
    let mut found = Found { year: 1900, day: 0, ..Found::default() };
    let wrong = || fail(format!("date \"{text}\" does not match format \"{format}\""));
    let rest = found.read(text, format, 0).ok_or_else(wrong)?;
    if !rest.is_empty() {
        return Err(wrong());
    }
    let known = match (found.epoch, found.of_year) {
        (Some(seconds), _) => calendar(seconds),
        (None, Some(day)) if found.day == 0 => {
            let mut known = calendar((date::days(found.year, 1, 1) + day - 1) * DAY);
            (known[3], known[4], known[5]) = (found.hour(), found.minute, found.second);
            known
        }
        _ => {
            let day = date::days(found.year, u32::try_from(found.month + 1).unwrap_or(1), 1) + found.day - 1;
            let (weekday, of_year) = ((day + 4).rem_euclid(7), day - date::days(found.year, 1, 1));
            [found.year, found.month, found.day, found.hour(), found.minute, found.second, weekday, of_year]
        }
    };
    Ok(Val::list(known.into_iter().map(|field| Val::Num(real(field)))))
}

#[derive(Debug, Default)]
struct Found {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    of_year: Option<i64>,
    epoch: Option<i64>,
    afternoon: Option<bool>,
}

impl Found {
    fn hour(&self) -> i64 {
        match self.afternoon {
            Some(afternoon) => self.hour % 12 + if afternoon { 12 } else { 0 },
            None => self.hour,
        }
    }

    /// Reads a text by a format, and returns what is left of it.
    fn read<'t>(&mut self, text: &'t str, format: &str, depth: u32) -> Option<&'t str> {
        let mut rest = text;
        let mut letters = format.chars();
        while let Some(letter) = letters.next() {
            if letter.is_whitespace() {
                rest = rest.trim_start();
                continue;
            }
            if letter != '%' {
                rest = rest.strip_prefix(letter)?;
                continue;
            }
            let mut kind = letters.next()?;
            while "EO-_0^#".contains(kind) {
                kind = letters.next()?;
            }
            let whole = match kind {
                'c' => "%a %b %e %H:%M:%S %Y",
                'D' | 'x' => "%m/%d/%y",
                'F' => "%Y-%m-%d",
                'R' => "%H:%M",
                'r' => "%I:%M:%S %p",
                'T' | 'X' => "%H:%M:%S",
                kind => {
                    rest = self.field(kind, rest)?;
                    continue;
                }
            };
            rest = if depth == 0 { self.read(rest, whole, 1)? } else { return None };
        }
        Some(rest)
    }

    fn field<'t>(&mut self, kind: char, text: &'t str) -> Option<&'t str> {
        let mut rest = if "%nt".contains(kind) { text } else { text.trim_start() };
        let mut number = |digits: usize, least: i64, most: i64| -> Option<i64> {
            let count = rest.bytes().take(digits).take_while(u8::is_ascii_digit).count();
            let number = rest[..count].parse().ok().filter(|number| (least..=most).contains(number))?;
            rest = &rest[count..];
            Some(number)
        };
        match kind {
            '%' => return text.strip_prefix('%'),
            'n' | 't' => return Some(text.trim_start()),
            'Y' => self.year = number(4, 0, 9999)?,
            'C' => self.year = number(2, 0, 99)? * 100 + self.year % 100,
            'y' => {
                let year = number(2, 0, 99)?;
                self.year = if year < 69 { 2000 + year } else { 1900 + year };
            }
            'm' => self.month = number(2, 1, 12)? - 1,
            'd' | 'e' => self.day = number(2, 1, 31)?,
            'H' | 'k' => self.hour = number(2, 0, 23)?,
            'I' | 'l' => self.hour = number(2, 1, 12)?,
            'M' => self.minute = number(2, 0, 59)?,
            'S' => self.second = number(2, 0, 61)?,
            'j' => self.of_year = Some(number(3, 1, 366)?),
            's' => self.epoch = Some(number(19, 0, 1 << 50)?),
            'u' => _ = number(1, 1, 7)?,
            'w' => _ = number(1, 0, 6)?,
            'U' | 'V' | 'W' => _ = number(2, 0, 53)?,
            'a' | 'A' => rest = word(rest, &date::DAYS)?.1,
            'b' | 'B' | 'h' => {
                let (at, behind) = word(rest, &date::MONTHS)?;
                self.month = i64::try_from(at).ok()?;
                rest = behind;
            }
            'p' | 'P' => {
                let half = rest.get(..2)?;
                self.afternoon = Some(half.eq_ignore_ascii_case("pm"));
                rest = if half.to_ascii_lowercase().ends_with('m') { &rest[2..] } else { return None };
            }
            'z' if rest.starts_with('Z') => rest = &rest[1..],
            'z' => {
                let digits = rest.strip_prefix(['+', '-'])?;
                rest = digits.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ':');
            }
            'Z' => rest = rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()),
            _ => return None,
        }
        Some(rest)
    }
}

/// A name or its first three letters, and what is behind it.
fn word<'t>(text: &'t str, names: &[&str]) -> Option<(usize, &'t str)> {
    let begins = |name: &str| text.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    let at = names.iter().position(|name| begins(&name[..3]))?;
    let length = if begins(names[at]) { names[at].len() } else { 3 };
    Some((at, &text[length..]))
}
