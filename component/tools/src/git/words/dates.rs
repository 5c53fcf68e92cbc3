//! Shows and parses dates as git does.
//!
//! [`show`] prints dates for `--date` and for the placeholders of a format. [`approxidate`] parses `--since` and `--until`. Both take the
//! clock and the time zone from the call, never from the system.
//!
//! gix-date differs: it shows the zone `+0060` of a commit as `+0100`, git as `+0060`; `noon` is an error to it, to git the last noon.

mod approximate;
mod civil;
mod exact;
mod human;
mod line;
mod names;
mod numbers;
mod relative;
mod stamp;
mod strftime;
#[cfg(test)]
mod tests;

use self::civil::Civil;
use self::line::Line;
use self::names::{MONTHS, WEEKDAYS, short};
pub(crate) use self::stamp::Stamp;
pub use self::strftime::{Shown, formatted};
use crate::call::Moment;
use crate::error::ToolError;

/// The form in which git shows a date (git-log, `--date`).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DateForm {
    /// `Thu Jan 1 00:00:00 2026 +0000`
    Default,
    /// `3 weeks ago`
    Relative,
    /// Leaves out the parts that the reader can infer from the time now.
    Human,
    /// `2026-01-01 00:00:00 +0000`
    Iso,
    /// `2026-01-01T00:00:00Z`
    IsoStrict,
    /// `Thu, 1 Jan 2026 00:00:00 +0000`
    Rfc2822,
    /// `2026-01-01`
    Short,
    /// `1767225600 +0000`
    Raw,
    /// `1767225600`
    Unix,
}

/// Formats `time` in its own zone. Only the relative and the human form use `now`.
///
/// # Errors
///
/// In git's words where git dies: the zone moves the time beyond git's range or before 1970.
pub fn show(time: impl Into<Stamp>, form: DateForm, now: Moment) -> Result<String, ToolError> {
    let Stamp { seconds, mut zone } = time.into();
    if form == DateForm::Relative {
        return Ok(relative::show(seconds, now));
    }
    if let DateForm::Raw | DateForm::Unix = form {
        let line = Line::default().text(&seconds.to_string());
        return Ok(if form == DateForm::Raw { line.text(" ").zone(zone) } else { line }.into_text());
    }
    let date = Civil::of(in_zone(seconds, zone)?, 0).unwrap_or_else(|| {
        // The year does not fit into git's integer.
        zone = 0;
        Civil::of(0, 0).expect("1970 is a year")
    });
    let year = date.year.wrapping_add(1900);
    let Civil { month, day, hour, minute, second, .. } = date;
    let weekday = short(WEEKDAYS[date.weekday as usize]);
    let month_name = short(MONTHS[month as usize]);
    let month = month + 1;
    let days = |line: Line| line.number(year, 4).text("-").number(month, 2).text("-").number(day, 2);
    let clock = |line: Line| line.number(hour, 2).text(":").number(minute, 2).text(":").number(second, 2);
    let line = Line::default();
    let line = match form {
        DateForm::Short => days(line),
        DateForm::Iso => clock(days(line).text(" ")).text(" ").zone(zone),
        DateForm::IsoStrict => {
            let line = clock(days(line).text("T"));
            let size = zone.unsigned_abs();
            match zone {
                0 => line.text("Z"),
                _ => line.sign(zone).number(size / 100, 2).text(":").number(size % 100, 2),
            }
        }
        DateForm::Rfc2822 => {
            let line = line.text(weekday).text(", ").number(day, 1).text(" ").text(month_name);
            clock(line.text(" ").number(year, 1).text(" ")).text(" ").zone(zone)
        }
        DateForm::Human => return Ok(human::show(&date, Stamp { seconds, zone }, now)),
        _ => {
            let line = line.text(weekday).text(" ").text(month_name).text(" ").number(day, 1).text(" ");
            let line = clock(line).text(" ").number(year, 1);
            // git marks a hidden zone with this same value.
            if zone == -1 { line } else { line.text(" ").zone(zone) }
        }
    };
    Ok(line.into_text())
}

/// The local time in `zone`, as seconds since 1970.
fn in_zone(seconds: u64, zone: i32) -> Result<i64, ToolError> {
    let minutes = zone / 100 * 60 + zone % 100;
    // git's 32-bit offset overflows and wraps around, and a negative offset then becomes a huge unsigned number.
    let ahead = i64::from(minutes.wrapping_mul(60));
    let local = match minutes > 0 {
        true => seconds
            .checked_add(ahead as u64)
            .ok_or_else(|| format!("fatal: Timestamp+tz too large: {seconds} +{zone:04}")),
        false => seconds
            .checked_sub(ahead.wrapping_neg() as u64)
            .ok_or_else(|| format!("fatal: Timestamp before Unix epoch: {seconds} {zone:04}")),
    };
    let local = local.map_err(ToolError::failed)?;
    let too_large = |_| ToolError::failed(format!("fatal: Timestamp too large for this system: {local}"));
    i64::try_from(local).map_err(too_large)
}

/// The time that `--since` and `--until` read from `text`, in seconds since 1970. git compares it as an unsigned number, so a time before
/// 1970 is greater than any other.
///
/// Parsing never fails: text that git does not understand means now.
pub fn approxidate(text: &str, now: Moment) -> u64 {
    approximate::parse(text.as_bytes(), &Clock::of(now))
}

/// The clock that git's date code reads.
struct Clock {
    /// The start of relative dates, in seconds since 1970.
    now: i64,
    /// The time that tells past from future in ambiguous dates. `GIT_TEST_DATE_NOW` changes only `now`, so this is separate.
    wall: i64,
    /// Seconds east of UTC.
    offset: i32,
}

impl Clock {
    fn of(now: Moment) -> Clock {
        let seconds = (now.nanos / 1_000_000_000) as i64;
        Clock { now: seconds, wall: seconds, offset: now.utc_offset }
    }

    fn civil(&self) -> Civil {
        Civil::of(self.now, self.offset).expect("a moment is in a year that can be written")
    }
}
