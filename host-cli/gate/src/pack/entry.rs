//! The header of a pack entry: its kind, its stated size, and the place of its base.

use gix_hash::ObjectId;
use gix_object::Kind;

/// The contents of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A whole object.
    Whole(Kind),
    /// A delta against the entry this many bytes earlier.
    Offset(u64),
    /// A delta against the object with this id.
    Reference(ObjectId),
}

/// A parsed header.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub what: What,
    /// The size of the inflated stream: of the object, or of the delta.
    pub size: u64,
    /// Bytes of the header; the zlib stream follows.
    pub len: usize,
}

/// Reads the header at the start of `bytes`.
pub(super) fn head(bytes: &[u8]) -> Result<Head, &'static str> {
    const SHORT: &str = "the pack ends inside the head of an entry";
    let mut at = 1;
    let mut byte = *bytes.first().ok_or(SHORT)?;
    let kind = (byte >> 4) & 7;
    let (mut size, mut shift) = (u64::from(byte & 15), 4);
    while byte & 0x80 != 0 {
        byte = *bytes.get(at).ok_or(SHORT)?;
        at += 1;
        let part = u64::from(byte & 0x7f);
        if shift > 63 || (part << shift) >> shift != part {
            return Err("an entry states a size beyond 64 bits");
        }
        size |= part << shift;
        shift += 7;
    }
    let what = match kind {
        1 => What::Whole(Kind::Commit),
        2 => What::Whole(Kind::Tree),
        3 => What::Whole(Kind::Blob),
        4 => What::Whole(Kind::Tag),
        6 => {
            byte = *bytes.get(at).ok_or(SHORT)?;
            at += 1;
            let mut distance = u64::from(byte & 0x7f);
            while byte & 0x80 != 0 {
                byte = *bytes.get(at).ok_or(SHORT)?;
                at += 1;
                if distance >= u64::MAX >> 8 {
                    return Err("a delta's base is beyond 64 bits");
                }
                distance = ((distance + 1) << 7) | u64::from(byte & 0x7f);
            }
            What::Offset(distance)
        }
        7 => {
            let id = bytes.get(at..at + 20).ok_or(SHORT)?;
            at += 20;
            What::Reference(ObjectId::from_bytes_or_panic(id))
        }
        _ => return Err("an entry has an unknown type"),
    };
    Ok(Head { what, size, len: at })
}
