//! A record as a line: 64 hex digits, a space, the JSON text. The digits are a SHA-256 over the
//! previous line's digits and the text. Changing, dropping or moving a line breaks every line after
//! it.

use sha2::{Digest, Sha256};

use super::Record;
use crate::hex::{as_hex, encode};
use crate::id::SandboxId;

/// The hash of a line, which covers that line and all before it. Written as 64 lower-case hex
/// digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LineHash([u8; 32]);

impl LineHash {
    /// The hash that precedes the first line of a sandbox's log.
    pub(super) fn first(sandbox: &SandboxId) -> Self {
        LineHash(Sha256::new().chain_update(b"gitgate audit log 1\n").chain_update(sandbox.as_str()).finalize().into())
    }

    /// The hash of the next line, whose text is `json`.
    fn next(self, json: &[u8]) -> Self {
        let hash = Sha256::new().chain_update(b"gitgate audit line 1\n").chain_update(self.0).chain_update(json);
        LineHash(hash.finalize().into())
    }
}

impl Record {
    /// Formats the line after the one with the hash `former`, with its line end. Returns it with
    /// its hash.
    pub(super) fn line(&self, former: LineHash) -> (Vec<u8>, LineHash) {
        let json = serde_json::to_vec(self).expect("a record has only string keys");
        let hash = former.next(&json);
        let mut line = encode(&hash.0).into_bytes();
        line.push(b' ');
        line.extend_from_slice(&json);
        line.push(b'\n');
        (line, hash)
    }

    /// Parses a line, without its line end, that follows the one with the hash `former`.
    pub(super) fn parse(line: &[u8], former: LineHash) -> Result<(Self, LineHash), Damage> {
        let (stated, json) = line.split_at_checked(65).ok_or(Damage::Chain("is too short"))?;
        let hash = former.next(json);
        if stated.strip_suffix(b" ") != Some(encode(&hash.0).as_bytes()) {
            return Err(Damage::Chain(
                "does not follow the line before it: one of the two was changed, moved or removed",
            ));
        }
        match serde_json::from_slice(json) {
            Ok(record) => Ok((record, hash)),
            Err(error) => Err(Damage::Unknown(error.to_string())),
        }
    }
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Damage {
    /// The line was changed or moved.
    Chain(&'static str),
    /// The line is intact, but its record is unknown.
    Unknown(String),
}

as_hex!(LineHash, "the hash of a line is 64 lower-case hex digits", "give the whole hash, as it was printed");

/// An object id as 40 hex digits.
pub(crate) mod id {
    use gix_hash::ObjectId;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(id: &ObjectId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(id)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ObjectId, D::Error> {
        let hex = String::deserialize(deserializer)?;
        ObjectId::from_hex(hex.as_bytes()).map_err(|_| D::Error::custom("an object id is 40 hex digits"))
    }
}

/// An object id or null.
pub(crate) mod optional_id {
    use gix_hash::ObjectId;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(id: &Option<ObjectId>, serializer: S) -> Result<S::Ok, S::Error> {
        match id {
            Some(id) => serializer.collect_str(id),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ObjectId>, D::Error> {
        let hex = Option::<String>::deserialize(deserializer)?;
        hex.map(|hex| ObjectId::from_hex(hex.as_bytes()))
            .transpose()
            .map_err(|_| D::Error::custom("an object id is 40 hex digits"))
    }
}
