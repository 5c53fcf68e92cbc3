//! Wall time with its zone, as a value: this crate has no clock.

use gate::time::{Civil, Timestamp};

/// The wall time and its zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Nanoseconds since the Unix epoch.
    pub nanos: u64,
    /// Seconds east of UTC.
    pub utc_offset: i32,
}

impl Moment {
    /// In whole seconds.
    pub fn timestamp(self) -> Timestamp {
        Timestamp(self.nanos / 1_000_000_000)
    }

    /// In whole seconds, as a signed number.
    pub fn seconds(self) -> i64 {
        i64::try_from(self.timestamp().0).expect("nanoseconds in 64 bits are few seconds")
    }

    /// In ISO 8601's basic format, in UTC. Valid in a branch name.
    pub fn compact(self) -> String {
        let Civil { year, month, day, hour, minute, second } = civil(self.seconds());
        format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
    }

    /// In RFC 3339, in its zone.
    pub fn rfc3339(self) -> String {
        let Civil { year, month, day, hour, minute, second } = civil(self.seconds() + i64::from(self.utc_offset));
        let (sign, minutes) =
            if self.utc_offset < 0 { ('-', -self.utc_offset / 60) } else { ('+', self.utc_offset / 60) };
        let (east, rest) = (minutes / 60, minutes % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{sign}{east:02}:{rest:02}")
    }
}

fn civil(seconds: i64) -> Civil {
    Civil::of(seconds).expect("nanoseconds in 64 bits end before the year 3000")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_form_is_in_utc_wherever_the_clock_hangs() {
        for utc_offset in [0, 3600, -43_200] {
            let compact = |nanos| Moment { nanos, utc_offset }.compact();
            assert_eq!(compact(1_795_168_800_999_999_999), "20261120T100000Z");
            assert_eq!((compact(0).as_str(), compact(u64::MAX).as_str()), ("19700101T000000Z", "25540721T233433Z"));
        }
    }

    #[test]
    fn the_long_form_is_in_its_zone() {
        let long = |utc_offset| Moment { nanos: 1_795_168_800_999_999_999, utc_offset }.rfc3339();
        assert_eq!(long(0), "2026-11-20T10:00:00+00:00");
        assert_eq!(long(5 * 3600 + 1800), "2026-11-20T15:30:00+05:30");
        assert_eq!(long(-12_600), "2026-11-20T06:30:00-03:30");
    }
}
