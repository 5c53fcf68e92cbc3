//! The names of the pieces.

use bstr::{BString, ByteSlice};

/// Names with a suffix that counts.
#[derive(Debug)]
pub struct Names {
    /// What they begin with.
    pub prefix: BString,
    /// What they end with.
    pub ending: BString,
    /// The digits of the suffix.
    pub digits: &'static [u8],
    /// How many there are.
    pub length: usize,
    /// Whether the suffix becomes longer when there are more pieces.
    pub grows: bool,
    /// The number of the next piece.
    pub next: usize,
}

impl Names {
    /// The next name. None if all were used.
    pub fn next(&mut self) -> Option<BString> {
        let number = self.next;
        self.next += 1;
        let base = self.digits.len();
        let power = |length: usize| u32::try_from(length).map_or(usize::MAX, |length| base.saturating_pow(length));
        let mut name = self.prefix.clone();
        let (mut number, mut length) = (number, self.length);
        // The last digit in front says that the suffix is longer by one.
        while self.grows && number >= power(length) - power(length - 1) {
            number -= power(length) - power(length - 1);
            length += 1;
            name.push(self.digits[base - 1]);
        }
        if number >= power(length) {
            return None;
        }
        let mut suffix = vec![self.digits[0]; length];
        for slot in suffix.iter_mut().rev() {
            *slot = self.digits[number % base];
            number /= base;
        }
        name.extend_from_slice(&suffix);
        name.extend_from_slice(self.ending.as_bytes());
        Some(name)
    }
}
