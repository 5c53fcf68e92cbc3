//! `filetime`'s timestamp, on `std::fs` alone: the real crate has no backend for WASI and panics there.
//!
//! This crate only reads times. Nothing in the build sets a file's times.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A file's timestamp, in seconds and nanoseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct FileTime {
    seconds: i64,
    nanos: u32,
}

impl FileTime {
    /// The epoch itself.
    pub const fn zero() -> FileTime {
        FileTime { seconds: 0, nanos: 0 }
    }

    /// The current time.
    pub fn now() -> FileTime {
        FileTime::from_system_time(SystemTime::now())
    }

    /// From seconds since the epoch and nanoseconds within that second.
    pub const fn from_unix_time(seconds: i64, nanos: u32) -> FileTime {
        FileTime { seconds, nanos }
    }

    /// The file's modification time, or the epoch if the filesystem does not tell it.
    pub fn from_last_modification_time(meta: &Metadata) -> FileTime {
        meta.modified().map_or(FileTime::zero(), FileTime::from_system_time)
    }

    /// Seconds before the epoch are negative. Nanoseconds always count forwards.
    pub fn from_system_time(time: SystemTime) -> FileTime {
        match time.duration_since(UNIX_EPOCH) {
            Ok(since) => FileTime { seconds: since.as_secs() as i64, nanos: since.subsec_nanos() },
            Err(before) => {
                let before: Duration = before.duration();
                let round_up = u32::from(before.subsec_nanos() > 0);
                FileTime {
                    seconds: -(before.as_secs() as i64) - i64::from(round_up),
                    nanos: round_up * 1_000_000_000 - before.subsec_nanos(),
                }
            }
        }
    }

    /// Whole seconds since the epoch.
    pub const fn seconds(&self) -> i64 {
        self.seconds
    }

    /// Whole seconds since the Unix epoch.
    pub const fn unix_seconds(&self) -> i64 {
        self.seconds
    }

    /// Nanoseconds within the second.
    pub const fn nanoseconds(&self) -> u32 {
        self.nanos
    }
}

impl From<SystemTime> for FileTime {
    fn from(time: SystemTime) -> FileTime {
        FileTime::from_system_time(time)
    }
}
