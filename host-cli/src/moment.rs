//! The wall clock.

use std::time::{SystemTime, UNIX_EPOCH};

use gate::time::Timestamp;

/// The wall time and its zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Nanoseconds since the Unix epoch.
    pub nanos: u64,
    /// Seconds east of UTC.
    pub utc_offset: i32,
}

impl Moment {
    /// The current time, in the zone that `TZ` or the system sets.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment {
            nanos: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX),
            utc_offset: local_offset().unwrap_or_else(|| gix::date::Time::now_local_or_utc().offset),
        }
    }

    /// In whole seconds.
    pub fn timestamp(self) -> Timestamp {
        Timestamp(self.nanos / 1_000_000_000)
    }

    /// As git writes it in a commit.
    pub fn git_time(self) -> gix::date::Time {
        let seconds = i64::try_from(self.timestamp().0).expect("nanoseconds in 64 bits are few seconds");
        gix::date::Time { seconds, offset: self.utc_offset }
    }

    /// In ISO 8601's basic format, in UTC. Valid in a branch name.
    pub fn compact(self) -> String {
        let seconds = i64::try_from(self.timestamp().0).expect("nanoseconds in 64 bits are few seconds");
        let time = jiff::Timestamp::from_second(seconds).expect("nanoseconds in 64 bits end before the year 3000");
        time.strftime("%Y%m%dT%H%M%SZ").to_string()
    }

    /// In RFC 3339.
    pub fn rfc3339(self) -> String {
        self.git_time().format_or_unix(gix::date::time::format::ISO8601_STRICT)
    }
}

/// The offset of the zone in `/etc/localtime` in seconds. `None` if `TZ` is set or the file is
/// missing.
///
/// The library searches the whole zone database for a name, which takes longer than a call.
fn local_offset() -> Option<i32> {
    if std::env::var_os("TZ").is_some() {
        return None;
    }
    offset_in(&std::fs::read("/etc/localtime").ok()?)
}

/// The current offset of a zone in seconds, from its file (RFC 8536).
fn offset_in(zone: &[u8]) -> Option<i32> {
    let zone = jiff::tz::TimeZone::tzif("local", zone).ok()?;
    Some(zone.to_offset(jiff::Timestamp::now()).seconds())
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
    fn a_zone_is_what_its_file_says() {
        let mut zone = b"TZif".to_vec();
        zone.extend([0; 16]);
        for count in [0, 0, 0, 0, 1, 4_u32] {
            zone.extend(count.to_be_bytes());
        }
        zone.extend(5400_i32.to_be_bytes());
        zone.extend([0, 0]);
        zone.extend(b"ABC\0");
        assert_eq!(offset_in(&zone), Some(5400));
        assert_eq!(offset_in(b"no zone"), None);
    }

    #[test]
    fn the_short_way_to_the_local_offset_agrees_with_the_long_one() {
        if let Some(offset) = local_offset() {
            assert_eq!(offset, gix::date::Time::now_local_or_utc().offset);
        }
    }
}
