//! The digest that an approval is bound to.

use gix_hash::ObjectId;
use sha2::{Digest as _, Sha256};

use crate::{
    hex::as_hex,
    id::{Nonce, SandboxId},
    pack::VerifiedPack,
    refname::BranchRef,
    target::CanonicalTarget,
};

/// SHA-256 over everything that a push does, printed as 64 lower-case hex digits.
#[derive(Clone, Copy)]
pub struct Digest([u8; 32]);

/// The input of a digest.
pub(crate) struct Subject<'a> {
    pub sandbox: &'a SandboxId,
    pub nonce: &'a Nonce,
    pub target: &'a CanonicalTarget,
    pub reference: &'a BranchRef,
    pub old: Option<ObjectId>,
    pub new: ObjectId,
    pub pack: &'a VerifiedPack,
}

impl Digest {
    /// The encoding, version 1: a fixed first line, then each field as its length in 8 bytes, most
    /// significant first, and its bytes: sandbox, nonce, target, ref, old (empty if there is none),
    /// new, the number of objects, then by ascending id: id, kind, SHA-256 of the content.
    pub(crate) fn of(subject: &Subject<'_>) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(b"gitgate push digest 1\n");
        let mut field = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_be_bytes());
            hasher.update(bytes);
        };
        field(subject.sandbox.as_str().as_bytes());
        field(subject.nonce.as_bytes());
        field(subject.target.to_string().as_bytes());
        field(subject.reference.as_str().as_bytes());
        field(subject.old.as_ref().map_or(&[], ObjectId::as_slice));
        field(subject.new.as_slice());
        field(&(subject.pack.objects().len() as u64).to_be_bytes());
        for (object, (id, content)) in subject.pack.objects().iter().zip(subject.pack.sha256()) {
            assert_eq!(object.id, *id, "both lists are sorted by id");
            field(id.as_slice());
            field(object.kind.as_bytes());
            field(content);
        }
        Digest(hasher.finalize().into())
    }
}

impl PartialEq for Digest {
    /// Compares in constant time.
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

impl Eq for Digest {}

as_hex!(Digest, "a digest is 64 lower-case hex digits", "give the whole digest that was printed with the review");
