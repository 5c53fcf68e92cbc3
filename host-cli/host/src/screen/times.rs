//! How times are told: to a person how long ago, and otherwise exactly.

use gate::time::{Civil, Timestamp};
use patch::ago::ago;

use super::line;

/// How times are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The time now, if it is told how long ago something was.
    now: Option<Timestamp>,
}

impl Times {
    /// In RFC 3339: for programs and files, whose readers do not read at once.
    pub const EXACT: Times = Times { now: None };

    /// As git tells it with `--date=relative`: for a person who reads it `now`.
    pub fn ago(now: Timestamp) -> Self {
        Times { now: Some(now) }
    }

    /// A time.
    pub fn of(self, at: Timestamp) -> String {
        let Some(now) = self.now else { return exact(at) };
        now.0.checked_sub(at.0).map_or_else(|| "in the future".to_owned(), ago)
    }

    /// A time in RFC 3339. What is none is shown as it is: a sandbox may say anything.
    pub fn of_text(self, text: &str) -> String {
        match read(text).filter(|_| self.now.is_some()) {
            Some(at) => self.of(at),
            None => line(text),
        }
    }

    /// A line that may begin with a time in RFC 3339.
    pub fn of_line(self, text: &str) -> String {
        match text.split_once(' ') {
            Some((at, rest)) => format!("{} {}", self.of_text(at), line(rest)),
            None => line(text),
        }
    }
}

/// Formats a time in RFC 3339 in UTC, or in seconds if it is out of range.
pub fn exact(at: Timestamp) -> String {
    let known = i64::try_from(at.0).ok().and_then(Civil::of).filter(|civil| civil.year <= 9999);
    known.map_or_else(
        || format!("{} s", at.0),
        |Civil { year, month, day, hour, minute, second }| {
            format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
        },
    )
}

/// Reads a time in RFC 3339, in whole seconds.
fn read(text: &str) -> Option<Timestamp> {
    let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i64>().ok())?;
    let (date, rest) = text.split_once('T')?;
    let mut date = date.splitn(3, '-').map(number);
    let (clock, zone) = rest.split_at_checked("10:00:00".len())?;
    let mut clock = clock.splitn(3, ':').map(number);
    let mut next = |from_clock: bool| if from_clock { clock.next()? } else { date.next()? };
    let civil = Civil {
        year: next(false)?,
        month: next(false)?,
        day: next(false)?,
        hour: next(true)?,
        minute: next(true)?,
        second: next(true)?,
    };
    let zone = zone.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let east = match zone {
        "Z" => 0,
        _ => {
            let sign = if zone.strip_prefix('-').is_some() { -1 } else { 1 };
            let (hours, minutes) = zone.strip_prefix(['+', '-'])?.split_once(':')?;
            sign * (number(hours)? * 3600 + number(minutes)? * 60)
        }
    };
    u64::try_from(civil.seconds()?.checked_sub(east)?).ok().map(Timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp(1_795_168_800);

    #[test]
    fn a_person_is_told_how_long_ago_and_a_program_when() {
        let later = |seconds| Times::ago(AT.plus(seconds));
        assert_eq!(later(180).of(AT), "3 minutes ago");
        assert_eq!(later(86_400 * 3).of(AT), "3 days ago");
        assert_eq!(Times::ago(Timestamp(0)).of(AT), "in the future", "whatever clocks do");
        assert_eq!(Times::EXACT.of(AT), "2026-11-20T10:00:00Z");
        assert_eq!(Times::EXACT.of(Timestamp(u64::MAX)), "18446744073709551615 s");
    }

    #[test]
    fn a_written_time_is_told_as_one_that_is_known() {
        let later = Times::ago(AT.plus(60 * 5));
        for text in
            ["2026-11-20T10:00:00Z", "2026-11-20T11:00:00+01:00", "2026-11-20T06:30:00-03:30", "2026-11-20T10:00:00.5Z"]
        {
            assert_eq!(later.of_text(text), "5 minutes ago", "{text}");
            assert_eq!(Times::EXACT.of_text(text), text);
        }
    }

    #[test]
    fn attack_15_what_is_no_time_is_shown_and_not_obeyed() {
        let later = Times::ago(AT);
        for (odd, shown) in [
            ("", ""),
            ("never", "never"),
            ("2026-02-30T10:00:00Z", "2026-02-30T10:00:00Z"),
            ("2026-11-20T10:00:00", "2026-11-20T10:00:00"),
            ("2026-11-20T1\u{e9}:00:00Z", "2026-11-20T1\u{e9}:00:00Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
            ("a\x1b[2J", "a\\x1b[2J"),
        ] {
            assert_eq!(later.of_text(odd), shown);
        }
        assert_eq!(later.of_line("2026-11-20T10:00:00Z agent \x1b[2J"), "0 seconds ago agent \\x1b[2J");
        assert_eq!(later.of_line("x"), "x");
    }
}
