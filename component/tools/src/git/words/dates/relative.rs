//! Shows how long ago a time was.

use crate::call::Moment;

/// Formats a time in seconds since 1970 as `3 weeks ago`.
pub fn show(seconds: u64, now: Moment) -> String {
    let Some(ago) = (now.nanos / 1_000_000_000).checked_sub(seconds) else {
        return "in the future".to_owned();
    };
    format!("{} ago", length(ago))
}

/// Formats a duration in git's choice of units.
fn length(seconds: u64) -> String {
    if seconds < 90 {
        return count(seconds, "second");
    }
    let minutes = (seconds + 30) / 60;
    if minutes < 90 {
        return count(minutes, "minute");
    }
    let hours = (minutes + 30) / 60;
    if hours < 36 {
        return count(hours, "hour");
    }
    let days = (hours + 12) / 24;
    match days {
        ..14 => count(days, "day"),
        14..70 => count((days + 3) / 7, "week"),
        70..365 => count((days + 15) / 30, "month"),
        365..1825 => {
            // Round half a month up.
            let months = (days * 24 + 365) / 730;
            match months % 12 {
                0 => count(months / 12, "year"),
                rest => format!("{}, {}", count(months / 12, "year"), count(rest, "month")),
            }
        }
        1825.. => count((days + 183) / 365, "year"),
    }
}

fn count(number: u64, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}
