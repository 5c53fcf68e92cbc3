//! The wall clock.

use std::time::{SystemTime, UNIX_EPOCH};

pub use host::moment::Moment;

/// The current time, in the zone that `TZ` or the system sets.
pub fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment {
        nanos: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX),
        utc_offset: local_offset().unwrap_or_else(|| gix::date::Time::now_local_or_utc().offset),
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
