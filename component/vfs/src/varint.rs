//! Integers as LEB128, and readers of untrusted bytes.

/// Appends an unsigned integer, least significant group of seven bits first.
pub(crate) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed integer. Small values of either sign are short.
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, ((value << 1) ^ (value >> 63)) as u64);
}

/// Appends a length and the bytes.
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// The bytes end too early, or an integer does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Untrusted bytes, read one after another.
pub(crate) trait Source {
    /// Bytes left.
    fn left(&self) -> usize;

    fn byte(&mut self) -> Result<u8, Malformed>;

    fn varint(&mut self) -> Result<u64, Malformed> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let group = u64::from(byte & 0x7f);
            if shift == 63 && group > 1 {
                return Err(Malformed);
            }
            value |= group << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }

    fn signed(&mut self) -> Result<i64, Malformed> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number of items. Each takes at least one byte, so it is at most the number of bytes left.
    fn count(&mut self) -> Result<usize, Malformed> {
        let count = usize::try_from(self.varint()?).map_err(|_| Malformed)?;
        if count <= self.left() { Ok(count) } else { Err(Malformed) }
    }
}

/// A position in untrusted bytes.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Source for Reader<'_> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        let byte = *self.bytes.get(self.at).ok_or(Malformed)?;
        self.at += 1;
        Ok(byte)
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len()).ok_or(Malformed)?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_back() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut out = Vec::new();
            put(&mut out, value);
            put_signed(&mut out, value as i64);
            let mut reader = Reader::new(&out);
            assert_eq!((reader.varint(), reader.signed()), (Ok(value), Ok(value as i64)));
            assert_eq!(reader.left(), 0);
        }
    }

    #[test]
    fn an_integer_that_does_not_fit_is_malformed() {
        assert_eq!(Reader::new(&[0xff; 9]).varint(), Err(Malformed));
        assert_eq!(Reader::new(&[0xff; 11]).varint(), Err(Malformed));
    }

    #[test]
    fn a_length_beyond_the_end_is_malformed() {
        assert_eq!(Reader::new(&[3, 1, 2]).count(), Err(Malformed));
        assert_eq!(Reader::new(&[2, 1, 2]).count(), Ok(2));
        assert_eq!(Reader::new(&[1, 2]).take(3), Err(Malformed));
    }
}
