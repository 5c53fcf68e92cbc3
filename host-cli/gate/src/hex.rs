//! Bytes as lower-case hex digits.

/// Two digits for each byte.
pub fn encode(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string does not fail");
        hex
    })
}

/// Exactly `N` bytes from exactly `2 * N` lower-case digits.
pub fn decode<const N: usize>(hex: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut out = [0; N];
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    for (out, [high, low]) in out.iter_mut().zip(pairs) {
        *out = digit(*high)? << 4 | digit(*low)?;
    }
    Some(out)
}

/// For serde: 32 bytes as 64 digits.
pub(crate) mod bytes32 {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
        let text = String::deserialize(from)?;
        super::decode(&text).ok_or_else(|| D::Error::custom("not 64 hex digits"))
    }
}

/// Makes a tuple struct of a byte array print and parse as hex digits, also with serde. It refuses
/// invalid text with `$what` and `$hint`, and does not repeat the text, because it may be a
/// misplaced secret.
macro_rules! as_hex {
    ($name:ident, $what:literal, $hint:literal) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::hex::encode(&self.0))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::error::Fault;

            fn from_str(hex: &str) -> Result<Self, Self::Err> {
                $crate::hex::decode(hex)
                    .map($name)
                    .ok_or_else(|| $crate::error::Fault::new($crate::error::FaultKind::Refused, $what).with_hint($hint))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let hex = <std::borrow::Cow<'_, str> as serde::Deserialize>::deserialize(deserializer)?;
                hex.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use as_hex;

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
