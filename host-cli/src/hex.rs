//! Bytes as lower-case hex digits.

use std::fmt::Write;

/// Two digits a byte.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string does not fail");
        hex
    })
}

/// Exactly `N` bytes from exactly `2 * N` lower-case digits.
pub(crate) fn decode<const N: usize>(hex: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_goes_there_and_back_and_nothing_else_is_hex() {
        assert_eq!(encode(&[0, 0xab, 0xff]), "00abff");
        assert_eq!(decode("00abff"), Some([0, 0xab, 0xff]));
        for wrong in ["00abf", "00abff00", "00ABFF", "00abfg", ""] {
            assert_eq!(decode::<3>(wrong), None, "{wrong}");
        }
    }
}
