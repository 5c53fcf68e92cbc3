//! SHA-1 is safe only with a hash that detects collision attacks. Nobody has published two git objects with one id, so the test gives the
//! hash the two messages of Leurent and Peyrin (2020), which have the same SHA-1. Object ids, pack trailers and pack indexes come from this
//! hash and no other.

const MESSAGES: [&[u8]; 2] = [include_bytes!("../data/sha-mbles-1.bin"), include_bytes!("../data/sha-mbles-2.bin")];

#[test]
fn attack_12_the_hash_refuses_content_made_to_collide() {
    assert_ne!(MESSAGES[0], MESSAGES[1]);
    for message in MESSAGES {
        let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
        hasher.update(message);
        let refused = hasher.try_finalize().expect_err("the collision is noticed");
        assert!(refused.to_string().contains("8ac60ba76f1999a1ab70223f225aefdc78d4ddc0"), "{refused}");
    }
}

#[test]
fn what_only_begins_like_the_attack_is_hashed() {
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(&MESSAGES[0][..200]);
    assert!(hasher.try_finalize().is_ok());
}
