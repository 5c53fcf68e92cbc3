//! A pack writer that writes anything it is told, right or wrong.

use std::io::Write;

use bytes::Bytes;
use gix_hash::ObjectId;
use gix_object::Kind;

pub const OFS_DELTA: u8 = 6;
pub const REF_DELTA: u8 = 7;

#[derive(Clone)]
pub struct Packer {
    pub bytes: Vec<u8>,
    pub count: u32,
}

impl Packer {
    pub fn new() -> Self {
        Packer { bytes: b"PACK\0\0\0\x02\0\0\0\0".to_vec(), count: 0 }
    }

    /// A whole object; returns its id.
    pub fn object(&mut self, kind: Kind, data: &[u8]) -> ObjectId {
        self.entry(kind_bits(kind), data.len() as u64, &[], &deflate(data));
        id(kind, data)
    }

    pub fn blob(&mut self, data: &[u8]) -> ObjectId {
        self.object(Kind::Blob, data)
    }

    /// A tree of `(mode, name, id)`, in the order given.
    pub fn tree(&mut self, entries: &[(&str, &[u8], ObjectId)]) -> ObjectId {
        self.object(Kind::Tree, &tree(entries))
    }

    pub fn commit(&mut self, tree: ObjectId, parents: &[ObjectId], message: &str) -> ObjectId {
        self.object(Kind::Commit, &commit(tree, parents, message))
    }

    /// A delta on the entry `distance` bytes before this one.
    pub fn offset_delta(&mut self, distance: u64, delta: &[u8]) {
        let mut bytes = vec![(distance & 0x7f) as u8];
        let mut rest = distance >> 7;
        while rest > 0 {
            rest -= 1;
            bytes.insert(0, 0x80 | (rest & 0x7f) as u8);
            rest >>= 7;
        }
        self.entry(OFS_DELTA, delta.len() as u64, &bytes, &deflate(delta));
    }

    /// A delta on the object `base`.
    pub fn reference_delta(&mut self, base: ObjectId, delta: &[u8]) {
        self.entry(REF_DELTA, delta.len() as u64, base.as_slice(), &deflate(delta));
    }

    /// Any entry: type bits, stated size, the bytes between header and stream, the stream.
    pub fn entry(&mut self, bits: u8, size: u64, between: &[u8], stream: &[u8]) {
        let mut byte = bits << 4 | (size & 15) as u8;
        let mut rest = size >> 4;
        while rest > 0 {
            self.bytes.push(byte | 0x80);
            byte = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        self.bytes.push(byte);
        self.bytes.extend_from_slice(between);
        self.bytes.extend_from_slice(stream);
        self.count += 1;
    }

    pub fn finish(mut self) -> Bytes {
        self.bytes[8..12].copy_from_slice(&self.count.to_be_bytes());
        seal(self.bytes)
    }
}

/// The bytes with the right trailer.
pub fn seal(mut bytes: Vec<u8>) -> Bytes {
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(&bytes);
    bytes.extend_from_slice(hasher.try_finalize().unwrap().as_slice());
    bytes.into()
}

pub fn deflate(data: &[u8]) -> Vec<u8> {
    let mut out = gix_zlib::stream::deflate::Write::new(Vec::new(), gix_zlib::Compression::DEFAULT);
    out.write_all(data).unwrap();
    out.flush().unwrap();
    out.into_inner()
}

pub fn id(kind: Kind, data: &[u8]) -> ObjectId {
    gix_object::compute_hash(gix_hash::Kind::Sha1, kind, data).unwrap()
}

pub fn tree(entries: &[(&str, &[u8], ObjectId)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (mode, name, id) in entries {
        out.extend_from_slice(mode.as_bytes());
        out.push(b' ');
        out.extend_from_slice(name);
        out.push(0);
        out.extend_from_slice(id.as_slice());
    }
    out
}

pub fn commit(tree: ObjectId, parents: &[ObjectId], message: &str) -> Vec<u8> {
    let mut out = format!("tree {tree}\n");
    for parent in parents {
        out += &format!("parent {parent}\n");
    }
    let who = "A U Thor <author@example.com> 1700000000 +0000";
    out += &format!("author {who}\ncommitter {who}\n\n{message}");
    out.into_bytes()
}

/// A delta that replaces a base of `base` bytes by `result`, and inserts all of it.
pub fn insert_all(base: usize, result: &[u8]) -> Vec<u8> {
    let mut delta = sizes(base, result.len());
    for piece in result.chunks(127) {
        delta.push(piece.len() as u8);
        delta.extend_from_slice(piece);
    }
    delta
}

/// A delta that appends `more` to a base of `base` bytes, fewer than 2^24.
pub fn append(base: usize, more: &[u8]) -> Vec<u8> {
    let mut delta = sizes(base, base + more.len());
    delta.push(0xf0);
    delta.extend_from_slice(&(base as u32).to_le_bytes()[..3]);
    delta.push(more.len() as u8);
    delta.extend_from_slice(more);
    delta
}

/// The two sizes at the head of a delta.
pub fn sizes(base: usize, result: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for mut size in [base, result] {
        while size >= 0x80 {
            out.push(size as u8 | 0x80);
            size >>= 7;
        }
        out.push(size as u8);
    }
    out
}

fn kind_bits(kind: Kind) -> u8 {
    match kind {
        Kind::Commit => 1,
        Kind::Tree => 2,
        Kind::Blob => 3,
        Kind::Tag => 4,
    }
}
