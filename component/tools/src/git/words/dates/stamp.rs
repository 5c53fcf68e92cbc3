//! The time in a commit's header.

use gix::bstr::{BStr, ByteSlice};

use crate::git::words::space::TrimSpace;

/// Seconds and a zone. The zone is a decimal number to git: +0530 is 530, and its minutes may exceed 59.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Stamp {
    /// Since 1970.
    pub seconds: u64,
    /// `hhmm`, east of UTC.
    pub zone: i32,
}

impl Stamp {
    /// Parses `1767225600 +0000`, the text after the e-mail address in a commit. `None` for any other form: git then has no date, and
    /// prints nothing or the beginning of 1970, depending on the place.
    pub fn parse(time: &BStr) -> Option<Stamp> {
        let (seconds, rest) = digits(time.trim_space_start());
        let rest = rest.trim_space_start();
        let sign = rest.first().filter(|byte| matches!(byte, b'+' | b'-'))?;
        let (zone, _) = digits(&rest[1..]);
        if seconds.is_empty() || zone.is_empty() {
            return None;
        }
        let number = |digits: &[u8]| digits.to_str().ok()?.parse().ok();
        // If the seconds are out of range, git ignores the zone too.
        let Some(seconds) = number(seconds).filter(|seconds| *seconds <= i64::MAX as u64) else {
            return Some(Stamp::default());
        };
        let zone = number(zone).and_then(|zone| i32::try_from(zone).ok()).filter(|zone| *zone < i32::MAX).unwrap_or(0);
        Some(Stamp { seconds, zone: if *sign == b'-' { -zone } else { zone } })
    }
}

impl From<gix::date::Time> for Stamp {
    /// git has no time before 1970.
    fn from(time: gix::date::Time) -> Stamp {
        let minutes = time.offset / 60;
        Stamp { seconds: time.seconds.max(0) as u64, zone: minutes / 60 * 100 + minutes % 60 }
    }
}

impl From<Stamp> for gix::date::Time {
    fn from(stamp: Stamp) -> gix::date::Time {
        let offset = (i64::from(stamp.zone) / 100 * 60 + i64::from(stamp.zone) % 100) * 60;
        gix::date::Time {
            // A parsed line has no larger number.
            seconds: i64::try_from(stamp.seconds).unwrap_or(i64::MAX),
            offset: i32::try_from(offset).unwrap_or(0),
        }
    }
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}
