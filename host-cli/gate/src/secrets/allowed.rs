//! Secrets that a person knows of and lets pass.

use std::{collections::BTreeSet, fmt, str::FromStr};

use bstr::BStr;
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::{
    error::{Fault, FaultKind},
    glob,
};

/// Which secret it is, without saying it: 64 bits of a SHA-256. Printed as 16 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a secret.
    pub(super) fn of(secret: &[u8]) -> Self {
        let hash = Sha256::new().chain_update(b"gitgate secret 1\0").chain_update(secret).finalize();
        let (first, _) = hash.split_first_chunk::<8>().expect("a SHA-256 has 32 bytes");
        Fingerprint(u64::from_be_bytes(*first))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Fingerprint {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let digits = text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let number = u64::from_str_radix(text, 16).ok().filter(|_| digits).ok_or_else(|| {
            // What was meant to be a fingerprint may be a secret: it is not repeated.
            Fault::new(FaultKind::Refused, "a fingerprint of a secret is not 16 hex digits")
                .with_hint("copy the fingerprint from the review; do not put the secret itself there")
        })?;
        Ok(Fingerprint(number))
    }
}

/// Secrets and files that are not flagged, as a person has configured them; nothing by default.
///
/// It must never come from the repository: whoever can push a secret could push leave for it in the same commit,
/// and a sandbox writes whatever it likes into its repository.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    fingerprints: BTreeSet<Fingerprint>,
    paths: Vec<String>,
}

impl Allowed {
    /// Lets these secrets pass wherever they stand, and every secret in files, or in names of files, that one of
    /// `paths` matches: globs of whole paths from the top of the repository, in which `*` stands for anything but a
    /// slash, `**` for anything and `?` for one byte but a slash. Case matters.
    pub fn new(fingerprints: impl IntoIterator<Item = Fingerprint>, paths: impl IntoIterator<Item = String>) -> Self {
        Allowed { fingerprints: fingerprints.into_iter().collect(), paths: paths.into_iter().collect() }
    }

    /// Whether this secret passes wherever it stands.
    pub(crate) fn secret(&self, fingerprint: Fingerprint) -> bool {
        self.fingerprints.contains(&fingerprint)
    }

    /// Whether everything in the file `path` passes.
    pub(crate) fn path(&self, path: &BStr) -> bool {
        self.paths.iter().any(|glob| glob::matches(glob.as_bytes(), path))
    }
}
