//! A record as a line: the first 16 hex digits of the SHA-256 of the JSON text, a space, the JSON text.

use sha2::{Digest, Sha256};

use super::Record;
use crate::id::to_hex;

impl Record {
    /// The line to append, with its end.
    pub fn line(&self) -> Vec<u8> {
        let json = serde_json::to_vec(self).expect("a record has only string keys");
        let mut line = checksum(&json).into_bytes();
        line.push(b' ');
        line.extend_from_slice(&json);
        line.push(b'\n');
        line
    }

    /// Reads a line without its end; the error says what is wrong with it.
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let (stated, json) = line.split_at_checked(17).ok_or("is too short")?;
        if stated.strip_suffix(b" ") != Some(checksum(json).as_bytes()) {
            return Err("does not match its checksum".to_owned());
        }
        serde_json::from_slice(json).map_err(|error| format!("is no record: {error}"))
    }
}

fn checksum(json: &[u8]) -> String {
    to_hex(&Sha256::digest(json)[..8])
}

/// An object id as 40 hex digits.
pub(super) mod id {
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
pub(super) mod optional_id {
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
