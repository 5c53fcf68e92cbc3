//! Names of sandboxes, and nonces.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::error::{Fault, FaultKind};

/// The name of a sandbox: 1 to 64 letters, digits, `_`, `-` and `.`, starting with a letter or digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SandboxId(String);

impl SandboxId {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SandboxId {
    type Err = Fault;

    fn from_str(name: &str) -> Result<Self, Fault> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let starts = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if !starts || name.len() > 64 || !name.bytes().all(allowed) || crate::refname::is_device(name) {
            return Err(Fault::new(
                FaultKind::Refused,
                format!("{:?} is not a sandbox name", crate::text::name(name.as_bytes())),
            )
            .with_hint("use 1 to 64 letters, digits, '_', '-' and '.', starting with a letter or digit"));
        }
        Ok(SandboxId(name.to_owned()))
    }
}

impl TryFrom<String> for SandboxId {
    type Error = Fault;

    fn try_from(name: String) -> Result<Self, Fault> {
        name.parse()
    }
}

impl From<SandboxId> for String {
    fn from(id: SandboxId) -> String {
        id.0
    }
}

impl fmt::Display for SandboxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A number used once: 16 bytes from the host's source of randomness, written as 32 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Nonce([u8; 16]);

impl Nonce {
    /// A nonce of random bytes. Two proposals must never get the same.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Nonce(bytes)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nonce({self})")
    }
}

impl FromStr for Nonce {
    type Err = Fault;

    fn from_str(hex: &str) -> Result<Self, Fault> {
        from_hex(hex).map(Nonce).ok_or_else(|| Fault::new(FaultKind::Refused, "a nonce is 32 lower-case hex digits"))
    }
}

impl TryFrom<String> for Nonce {
    type Error = Fault;

    fn try_from(hex: String) -> Result<Self, Fault> {
        hex.parse()
    }
}

impl From<Nonce> for String {
    fn from(nonce: Nonce) -> String {
        nonce.to_string()
    }
}

/// Lower-case hex digits.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string does not fail");
        hex
    })
}

/// Exactly `N` bytes from lower-case hex digits.
pub(crate) fn from_hex<const N: usize>(hex: &str) -> Option<[u8; N]> {
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
