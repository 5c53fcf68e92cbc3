//! `crc32fast`'s checksum by `zlib-rs`, which is in every build anyway. The real crate has a table of 16 KiB that hardly compresses.

/// The checksum of these bytes.
pub fn hash(bytes: &[u8]) -> u32 {
    zlib_rs::crc32::crc32(0, bytes)
}

/// A checksum under construction.
#[derive(Clone, Debug, Default)]
pub struct Hasher {
    state: u32,
}

impl Hasher {
    /// The checksum of no bytes.
    pub fn new() -> Hasher {
        Hasher::default()
    }

    /// Continues from this checksum.
    pub fn new_with_initial(state: u32) -> Hasher {
        Hasher { state }
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.state = zlib_rs::crc32::crc32(self.state, bytes);
    }

    /// The checksum of all bytes added.
    pub fn finalize(self) -> u32 {
        self.state
    }
}
