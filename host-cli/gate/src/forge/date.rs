//! Dates as servers write them: of HTTP headers, and ISO 8601.

use crate::time::Civil;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Seconds of `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(crate) fn of_http(text: &str) -> Option<i64> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = words[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    let (hour, minute, second) = clock(time)?;
    Civil { year: number(year)?, month, day: number(day)?, hour, minute, second }.seconds()
}

/// Seconds and the offset in minutes of `2011-04-14T16:00:49Z` or `2011-04-14T18:00:49+02:00`. The
/// seconds are those of UTC.
pub(crate) fn of_iso(text: &str) -> Option<(i64, i64)> {
    let (day, time) = text.split_once('T')?;
    let (time, offset) = if let Some(time) = time.strip_suffix('Z') {
        (time, 0)
    } else {
        let at = time.rfind(['+', '-'])?;
        let (hours, minutes) = time[at + 1..].split_once(':')?;
        let minutes = number(hours)? * 60 + number(minutes)?;
        (&time[..at], if time[at..].starts_with('-') { -minutes } else { minutes })
    };
    // Git has no parts of a second.
    let time = time.split_once('.').map_or(time, |(whole, _)| whole);
    let (hour, minute, second) = clock(time)?;
    let mut parts = day.splitn(3, '-');
    let (year, month, day) = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    let seconds = Civil { year, month, day, hour, minute, second }.seconds()?;
    Some((seconds.checked_sub(offset * 60)?, offset))
}

/// A moment with an offset of `zone` (`+0200`), as ISO 8601 says it; `None` if it cannot.
pub(crate) fn to_iso(seconds: i64, zone: &str) -> Option<String> {
    let (hours, minutes) = zone.get(1..)?.split_at_checked(2)?;
    let (of_hours, of_minutes) = (number(hours)?, number(minutes)?);
    // The zone -0000 means something to git, and ISO 8601 has no such thing.
    if of_hours > 23 || of_minutes > 59 || zone.len() != 5 || zone == "-0000" {
        return None;
    }
    let offset = (of_hours * 60 + of_minutes) * 60;
    let local = match zone.as_bytes()[0] {
        b'+' => seconds.checked_add(offset)?,
        b'-' => seconds.checked_sub(offset)?,
        _ => return None,
    };
    let Civil { year, month, day, hour, minute, second } = Civil::of(local)?;
    let sign = &zone[..1];
    (0..=9999)
        .contains(&year)
        .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{sign}{hours}:{minutes}"))
}

fn clock(text: &str) -> Option<(i64, i64, i64)> {
    let mut parts = text.splitn(3, ':');
    Some((number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?))
}

/// Up to five digits.
fn number(digits: &str) -> Option<i64> {
    let is_number = (1..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        assert_eq!(of_http("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(of_iso("1994-11-06T08:49:37Z"), Some((784_111_777, 0)));
        assert_eq!(of_iso("1994-11-06T08:49:37.123Z"), Some((784_111_777, 0)));
        assert_eq!(of_iso("1994-11-06T03:19:37-05:30"), Some((784_111_777, -330)));
        assert_eq!(to_iso(784_111_777, "-0530").unwrap(), "1994-11-06T03:19:37-05:30");
        assert_eq!(to_iso(0, "+0000").unwrap(), "1970-01-01T00:00:00+00:00");
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "T",
            "1994-11-06",
            "1994-11-06T08:49Z",
            "1994-13-06T08:49:37Z",
            "1994-11-06T25:49:37Z",
            "1994-11-06T08:49:37",
            "99999999-11-06T08:49:37Z",
            "-1-1-1T0:0:0Z",
        ] {
            assert_eq!(of_iso(text), None, "{text}");
            assert_eq!(of_http(text), None, "{text}");
        }
        for (seconds, zone) in
            [(0, "-0000"), (0, "+0060"), (0, "+2400"), (0, "0100"), (i64::MAX, "+0000"), (1 << 50, "+0000")]
        {
            assert_eq!(to_iso(seconds, zone), None, "{zone}");
        }
    }
}
