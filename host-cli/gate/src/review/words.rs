//! Formats values for a person or a program.

use bstr::{BString, ByteSlice};
use gix_hash::ObjectId;
use serde::Serializer;

use crate::{text, time::Civil};

/// A size in the screens' units: bytes below 100, then `0.1 KB`, `1.2 KB`, `3.4 MB` (of 1024 each).
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 100 {
        return format!("{bytes} B");
    }
    let (mut value, mut unit) = (bytes as f64 / 1024.0, 0);
    while value >= 1023.95 && unit < UNITS.len() - 1 {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// The date of `Name <email> seconds zone` as `2023-11-14 23:13:20 +0100`, in that zone. Returns
/// the words unchanged if they are not a date.
pub(super) fn date(identity: &[u8]) -> String {
    let tail = identity.rsplit_once_str(">").map_or(identity, |(_, tail)| tail).trim_ascii();
    read_date(tail).unwrap_or_else(|| text::name(tail))
}

/// The seconds of `Name <email> seconds zone` since 1970. `None` if they are not a number.
pub(super) fn seconds(identity: &[u8]) -> Option<i64> {
    let (_, tail) = identity.rsplit_once_str(">")?;
    tail.trim_ascii().to_str().ok()?.split(' ').next()?.parse().ok()
}

fn read_date(tail: &[u8]) -> Option<String> {
    let (seconds, zone) = tail.to_str().ok()?.split_once(' ')?;
    let seconds: i64 = seconds.parse().ok()?;
    let offset: i64 = zone.parse().ok()?;
    let offset = (offset / 100 * 60 + offset % 100) * 60;
    let local = seconds.checked_add(offset)?;
    let Civil { year, month, day, hour, minute, second } = Civil::of(local)?;
    Some(format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} {zone}"))
}

/// `Name <email>` of `Name <email> seconds zone`.
pub(super) fn person(identity: &[u8]) -> String {
    let end = identity.rfind_byte(b'>').map_or(identity.len(), |at| at + 1);
    text::utf8(&identity[..end]).into_owned()
}

pub(super) fn octal<S: Serializer>(mode: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{mode:06o}"))
}

pub(super) fn hex<S: Serializer>(id: &ObjectId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

pub(super) fn hexes<S: Serializer>(ids: &[ObjectId], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(ids.iter().map(ObjectId::to_string))
}

pub(super) fn optional_hex<S: Serializer>(id: &Option<ObjectId>, serializer: S) -> Result<S::Ok, S::Error> {
    match id {
        Some(id) => serializer.collect_str(id),
        None => serializer.serialize_none(),
    }
}

pub(super) fn path<S: Serializer>(path: &BString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&text::quoted(path.as_bstr()).to_str_lossy())
}

pub(super) fn optional_text<S: Serializer>(text: &Option<BString>, serializer: S) -> Result<S::Ok, S::Error> {
    match text {
        Some(text) => serializer.collect_str(&text.to_str_lossy()),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_the_screens_have_them() {
        for (bytes, words) in [
            (0, "0 B"),
            (99, "99 B"),
            (100, "0.1 KB"),
            (820, "0.8 KB"),
            (1229, "1.2 KB"),
            (2150, "2.1 KB"),
            (1_048_576, "1.0 MB"),
            (1_048_570, "1.0 MB"),
            (u64::MAX, "16777216.0 TB"),
        ] {
            assert_eq!(size(bytes), words);
        }
    }

    #[test]
    fn dates_read_in_their_own_zone() {
        for (identity, words) in [
            ("A <a> 1700000000 +0100", "2023-11-14 23:13:20 +0100"),
            ("A <a> 0 +0000", "1970-01-01 00:00:00 +0000"),
            ("A <a> 951782400 -0330", "2000-02-28 20:30:00 -0330"),
            ("A <a> 951825600 +0000", "2000-02-29 12:00:00 +0000"),
            ("A <a> 4107542400 +0000", "2100-03-01 00:00:00 +0000"),
            ("A <a> soon", "soon"),
        ] {
            assert_eq!(date(identity.as_bytes()), words);
        }
    }
}
