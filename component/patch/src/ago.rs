//! How long ago something was, in git's words: `git log --date=relative`.

/// A time of so many seconds ago, as `3 weeks ago`.
pub fn ago(seconds: u64) -> String {
    format!("{} ago", length(seconds))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_in_the_unit_that_git_chooses() {
        const HOUR: u64 = 3600;
        const DAY: u64 = 24 * HOUR;
        for (seconds, told) in [
            (0, "0 seconds ago"),
            (1, "1 second ago"),
            (89, "89 seconds ago"),
            (90, "2 minutes ago"),
            (90 * 60 - 31, "89 minutes ago"),
            (90 * 60 - 30, "2 hours ago"),
            (DAY, "24 hours ago"),
            (36 * HOUR, "2 days ago"),
            (13 * DAY, "13 days ago"),
            (14 * DAY, "2 weeks ago"),
            (70 * DAY, "2 months ago"),
            (365 * DAY, "1 year ago"),
            (400 * DAY, "1 year, 1 month ago"),
            (5 * 365 * DAY, "5 years ago"),
        ] {
            assert_eq!(ago(seconds), told);
        }
    }
}
