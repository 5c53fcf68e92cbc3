//! Secrets that a person knows about and lets pass.

use std::collections::BTreeSet;

use bstr::BStr;
use sha2::{Digest, Sha256};

use crate::{glob, hex::as_hex};

/// Identifies a secret without revealing it: 64 bits of a SHA-256, printed as 16 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 8]);

impl Fingerprint {
    /// The fingerprint of a secret.
    pub(super) fn of(secret: &[u8]) -> Self {
        let hash = Sha256::new().chain_update(b"gitgate secret 1\0").chain_update(secret).finalize();
        let (first, _) = hash.split_first_chunk::<8>().expect("a SHA-256 has 32 bytes");
        Fingerprint(*first)
    }
}

as_hex!(
    Fingerprint,
    "a fingerprint of a secret is 16 lower-case hex digits",
    "copy the fingerprint from the review; do not put the secret itself there"
);

/// Secrets and files that a person's configuration exempts; nothing by default.
///
/// It must never come from the repository. Whoever can push a secret could push an exemption in the same commit, and a sandbox writes any
/// files into its repository.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    fingerprints: BTreeSet<Fingerprint>,
    paths: Vec<String>,
}

impl Allowed {
    /// Lets these secrets pass everywhere, and every secret in files, or in file names, that one of `paths` matches: globs of whole paths
    /// from the top of the repository. Case matters.
    pub fn new(fingerprints: impl IntoIterator<Item = Fingerprint>, paths: impl IntoIterator<Item = String>) -> Self {
        Allowed { fingerprints: fingerprints.into_iter().collect(), paths: paths.into_iter().collect() }
    }

    /// Whether this secret passes everywhere.
    pub(crate) fn secret(&self, fingerprint: Fingerprint) -> bool {
        self.fingerprints.contains(&fingerprint)
    }

    /// Whether everything in the file `path` passes.
    pub(crate) fn path(&self, path: &BStr) -> bool {
        self.paths.iter().any(|glob| glob::matches(glob.as_bytes(), path))
    }
}
