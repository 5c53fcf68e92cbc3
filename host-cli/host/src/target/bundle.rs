//! Bundles: refs and a pack in one file, as `git bundle` writes them (git's gitformat-bundle).

use gix_hash::ObjectId;

/// What a bundle of version 2 begins with.
pub const V2: &[u8] = b"# v2 git bundle\n";

/// A version 2 bundle of these refs (full names or `HEAD`) and this whole pack.
pub fn write_bundle(refs: &[(String, ObjectId)], pack: &[u8]) -> Vec<u8> {
    let mut bytes = V2.to_vec();
    for (name, id) in refs {
        bytes.extend_from_slice(format!("{id} {name}\n").as_bytes());
    }
    bytes.push(b'\n');
    bytes.extend_from_slice(pack);
    bytes
}
