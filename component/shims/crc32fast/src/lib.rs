//! `crc32fast`'s checksum by `zlib-rs`, which is in every build anyway. The real crate has a table of 16 KiB that hardly compresses.

/// The checksum of these bytes.
pub fn hash(bytes: &[u8]) -> u32 {
    zlib_rs::crc32::crc32(0, bytes)
}

/// A checksum under construction.
#[derive(Clone, Debug, Default)]
pub struct Hasher {
    state: u32,
    /// Bytes added since the beginning, or since the checksum that it continues from.
    amount: u64,
}

impl Hasher {
    /// The checksum of no bytes.
    pub fn new() -> Hasher {
        Hasher::default()
    }

    /// Continues from this checksum.
    pub fn new_with_initial(state: u32) -> Hasher {
        Hasher { state, amount: 0 }
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.state = zlib_rs::crc32::crc32(self.state, bytes);
        self.amount += bytes.len() as u64;
    }

    /// Begins anew.
    pub fn reset(&mut self) {
        *self = Hasher::default();
    }

    /// Adds the bytes of another checksum.
    pub fn combine(&mut self, other: &Hasher) {
        self.state = zlib_rs::crc32::crc32_combine(self.state, other.state, other.amount);
        self.amount += other.amount;
    }

    /// The checksum of all bytes added.
    pub fn finalize(self) -> u32 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_in_parts_is_that_of_the_whole() {
        let whole = b"the quick brown fox";
        let mut hasher = Hasher::new();
        hasher.update(&whole[..4]);
        let mut rest = Hasher::new();
        rest.update(&whole[4..]);
        hasher.combine(&rest);
        assert_eq!(hasher.clone().finalize(), hash(whole));
        hasher.reset();
        assert_eq!(hasher.finalize(), hash(b""));
    }
}
