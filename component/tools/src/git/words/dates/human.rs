//! Shows a date for people: the nearer the date, the less of it is printed.

use super::civil::Civil;
use super::names::{MONTHS, WEEKDAYS, short};
use super::{Clock, Stamp, relative};
use crate::call::Moment;

/// Formats `date`, which is `stamp` in its own zone, for a reader at `now`.
pub fn show(date: &Civil, stamp: Stamp, now: Moment) -> String {
    let clock = Clock::of(now);
    let today = clock.civil();
    let same_year = date.year == today.year;
    let same_month = same_year && date.month == today.month;
    if same_month && date.day == today.day {
        return relative::show(stamp.seconds, now);
    }
    let weekday = short(WEEKDAYS[date.weekday as usize]);
    let month_and_day = format!("{} {}", short(MONTHS[date.month as usize]), date.day);
    let time = format!("{:02}:{:02}", date.hour, date.minute);
    if !same_year {
        return format!("{month_and_day} {}", date.year.wrapping_add(1900));
    }
    let few_days_ago = same_month && date.day < today.day && date.day + 5 > today.day;
    match (few_days_ago, stamp.zone == zone(&today, &clock)) {
        (false, _) => format!("{weekday} {month_and_day} {time}"),
        (true, true) => format!("{weekday} {time}"),
        (true, false) => format!("{weekday} {time} {:+05}", stamp.zone),
    }
}

/// The reader's zone in git's decimal form. It is UTC in years outside git's own arithmetic.
fn zone(today: &Civil, clock: &Clock) -> i32 {
    let Some(local) = today.utc_seconds() else { return 0 };
    let minutes = (local - clock.now) / 60;
    (minutes / 60 * 100 + minutes % 60) as i32
}
