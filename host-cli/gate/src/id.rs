//! Names of sandboxes, and nonces.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::error::{Fault, FaultKind};
use crate::hex::as_hex;

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

/// A number used once: 16 bytes from the host's source of randomness, printed as 32 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nonce([u8; 16]);

impl Nonce {
    /// A nonce of random bytes. No two proposals may get the same.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Nonce(bytes)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

as_hex!(Nonce, "a nonce is 32 lower-case hex digits", "take it as it was printed");
