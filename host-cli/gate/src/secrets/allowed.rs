//! Secrets that a person knows of and lets pass.

use std::collections::BTreeSet;

use bstr::BStr;
use sha2::{Digest, Sha256};

use crate::{glob, hex::as_hex};

/// Which secret it is, without saying it: 64 bits of a SHA-256. Printed as 16 hex digits.
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
    /// `paths` matches: globs of whole paths from the top of the repository. Case matters.
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
