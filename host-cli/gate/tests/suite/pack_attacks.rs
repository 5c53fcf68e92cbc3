//! Malicious packs are refused: damaged, endless, circular, or other than they claim.

use crate::support::{
    Repo,
    packer::{self, Packer},
};
use bytes::Bytes;
use fastrand::Rng;
use gate::{
    FaultKind,
    objects::Objects,
    pack::{Origin, PackLimits, VerifiedPack, verify},
};
use gix_object::Kind;

fn refused(pack: Bytes) -> (FaultKind, String) {
    refused_with(pack, &PackLimits::push())
}

fn refused_with(pack: Bytes, limits: &PackLimits) -> (FaultKind, String) {
    let fault = verify(pack, limits, Origin::New).expect_err("the pack must be refused");
    (fault.kind, fault.message)
}

fn accepted(pack: Bytes) -> VerifiedPack {
    verify(pack, &PackLimits::push(), Origin::New).unwrap()
}

#[test]
fn attack_11_an_id_cannot_be_claimed_only_computed() {
    let mut packer = Packer::new();
    let id = packer.blob(b"honest");
    let pack = packer.finish();
    let verified = accepted(pack);
    assert_eq!(verified.ids().collect::<Vec<_>>(), [id]);
    assert!(!verified.contains(&packer::id(Kind::Blob, b"claimed")).unwrap());
    assert_eq!(verified.find(&packer::id(Kind::Blob, b"claimed"), &mut Vec::new()).unwrap(), None);
}

#[test]
fn attack_12_a_truncated_pack_is_refused_at_every_length() {
    let repo = Repo::new();
    repo.write("a", "one\ntwo\nthree\n").commit("first");
    let pack = repo.pack(&["main"]);
    for length in 0..pack.len() {
        assert_eq!(refused(pack.slice(..length)).0, FaultKind::MalformedPack, "at {length} bytes");
        // Even with a matching trailer: then the header or a stream gives it away.
        if length >= 12 && length < pack.len() - 20 {
            assert_eq!(
                refused(packer::seal(pack[..length].to_vec())).0,
                FaultKind::MalformedPack,
                "sealed at {length}"
            );
        }
    }
}

#[test]
fn attack_12_a_single_flipped_bit_never_verifies() {
    let repo = Repo::new();
    repo.write("a", "one\ntwo\nthree\n").commit("first");
    let pack = repo.pack(&["main"]);
    for bit in 0..pack.len() * 8 {
        let mut bytes = pack.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        refused(bytes.into());
    }
}

#[test]
fn attack_12_a_wrong_trailer_is_refused() {
    let mut packer = Packer::new();
    packer.blob(b"x");
    let mut bytes = packer.finish().to_vec();
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(refused(bytes.into()), (FaultKind::MalformedPack, "the pack's bytes do not match its checksum".into()));
}

#[test]
fn attack_12_bytes_after_the_last_object_are_refused() {
    let mut packer = Packer::new();
    packer.blob(b"x");
    packer.bytes.extend_from_slice(b"more");
    assert_eq!(
        refused(packer.finish()),
        (FaultKind::MalformedPack, "4 bytes follow the last object of the pack".into())
    );
}

#[test]
fn attack_12_a_wrong_count_is_refused() {
    for wrong in [0, 2, u32::MAX] {
        let mut packer = Packer::new();
        packer.blob(b"x");
        packer.count = wrong;
        let (kind, message) = refused(packer.finish());
        let expected = if wrong == u32::MAX { FaultKind::TooLarge } else { FaultKind::MalformedPack };
        assert_eq!(kind, expected, "{message}");
    }
}

#[test]
fn attack_12_wild_sizes_are_refused_before_memory_is_taken() {
    for size in [2, 1 << 20, 1 << 40, u64::MAX] {
        let mut packer = Packer::new();
        packer.entry(3, size, &[], &packer::deflate(b"x"));
        let (kind, message) = refused(packer.finish());
        assert!(matches!(kind, FaultKind::MalformedPack | FaultKind::TooLarge), "{message}");
    }
    let mut packer = Packer::new();
    packer.bytes.extend_from_slice(&[0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    packer.bytes.extend_from_slice(&packer::deflate(b"x"));
    packer.count = 1;
    assert_eq!(refused(packer.finish()).0, FaultKind::MalformedPack);
}

#[test]
fn attack_12_a_stream_of_another_length_than_stated_is_refused() {
    for stated in [0, 4, 6, 300] {
        let mut packer = Packer::new();
        packer.entry(3, stated, &[], &packer::deflate(b"12345"));
        assert_eq!(refused(packer.finish()).0, FaultKind::MalformedPack, "{stated}");
    }
}

#[test]
fn attack_12_a_decompression_bomb_is_too_large() {
    let mut packer = Packer::new();
    packer.blob(&vec![0; 1 << 20]);
    let pack = packer.finish();
    let limits = PackLimits { object_bytes: 1 << 19, ..PackLimits::push() };
    assert_eq!(refused_with(pack.clone(), &limits).0, FaultKind::TooLarge);
    let limits = PackLimits { total_bytes: 1 << 19, ..PackLimits::push() };
    assert_eq!(refused_with(pack.clone(), &limits).0, FaultKind::TooLarge);
    let limits = PackLimits { pack_bytes: 100, ..PackLimits::push() };
    assert_eq!(refused_with(pack, &limits).0, FaultKind::TooLarge);
}

#[test]
fn attack_12_a_delta_bomb_is_too_large_before_it_goes_off() {
    // 300 deltas of a few hundred bytes, each making 100 MB by copying 64 KiB over and over.
    let mut packer = Packer::new();
    let base = vec![b'b'; 0x10000];
    let id = packer.blob(&base);
    for bomb in 0..300u16 {
        let mut delta = packer::sizes(base.len(), 1600 * 0x10000 + 2);
        delta.extend(std::iter::repeat_n(0x80, 1600));
        delta.push(2);
        delta.extend_from_slice(&bomb.to_be_bytes());
        packer.reference_delta(id, &delta);
    }
    let (kind, message) = refused(packer.finish());
    assert_eq!(kind, FaultKind::TooLarge, "{message}");
}

#[test]
fn attack_12_a_delta_counts_by_itself_as_well() {
    // 1000 copies of one byte, in eight bytes each.
    let mut packer = Packer::new();
    let base = packer.blob(b"b");
    let mut delta = packer::sizes(1, 1000);
    delta.extend([0xff, 0, 0, 0, 0, 1, 0, 0].repeat(1000));
    packer.reference_delta(base, &delta);
    let pack = packer.finish();
    let limits = |total_bytes| PackLimits { total_bytes, ..PackLimits::push() };
    let all = 1 + 1000 + delta.len() as u64;
    assert!(verify(pack.clone(), &limits(all), Origin::New).is_ok());
    assert_eq!(refused_with(pack, &limits(all - 1)).0, FaultKind::TooLarge);
}

#[test]
fn attack_12_a_delta_chain_beyond_the_limit_is_too_large() {
    let mut packer = Packer::new();
    let mut content = b"start".to_vec();
    let mut base = packer.blob(&content);
    for step in 0..20u8 {
        let longer = [&content[..], &[step]].concat();
        packer.reference_delta(base, &packer::insert_all(content.len(), &longer));
        base = packer::id(Kind::Blob, &longer);
        content = longer;
    }
    let pack = packer.finish();
    let limits = |delta_depth| PackLimits { delta_depth, ..PackLimits::push() };
    assert!(verify(pack.clone(), &limits(20), Origin::New).is_ok());
    assert_eq!(refused_with(pack, &limits(19)).0, FaultKind::TooLarge);
}

#[test]
fn attack_12_delta_cycle_is_refused() {
    let (a, b) = (b"content a".to_vec(), b"content b".to_vec());
    let mut packer = Packer::new();
    packer.reference_delta(packer::id(Kind::Blob, &b), &packer::insert_all(b.len(), &a));
    packer.reference_delta(packer::id(Kind::Blob, &a), &packer::insert_all(a.len(), &b));
    let (kind, message) = refused(packer.finish());
    assert_eq!(kind, FaultKind::MalformedPack);
    assert!(message.contains("cycle"), "{message}");
    // A delta on itself.
    let mut packer = Packer::new();
    packer.reference_delta(packer::id(Kind::Blob, &a), &packer::insert_all(a.len(), &a));
    assert_eq!(refused(packer.finish()).0, FaultKind::MalformedPack);
    let mut packer = Packer::new();
    packer.offset_delta(0, &packer::insert_all(1, b"x"));
    assert_eq!(refused(packer.finish()).0, FaultKind::MalformedPack);
}

#[test]
fn attack_12_a_thin_pack_is_refused() {
    let repo = Repo::new();
    let lines: String = (0..500).map(|line| format!("line {line}\n")).collect();
    repo.write("a", &lines).commit("first");
    repo.write("a", lines + "one more\n").commit("second");
    let thin = repo.pack_with(&["--thin", "--delta-base-offset"], &["main", "^main~1"]);
    let (kind, message) = refused(thin);
    assert_eq!(kind, FaultKind::MalformedPack);
    assert!(message.contains("not in the pack"), "{message}");
}

#[test]
fn attack_12_a_base_that_is_no_entry_is_refused() {
    for distance in [1, 3, 5_000, u64::MAX >> 9] {
        let mut packer = Packer::new();
        packer.blob(b"some content that is long enough");
        packer.offset_delta(distance, &packer::insert_all(32, b"x"));
        assert_eq!(refused(packer.finish()).0, FaultKind::MalformedPack, "{distance}");
    }
}

#[test]
fn attack_12_an_object_that_stands_twice_is_refused() {
    let mut packer = Packer::new();
    packer.blob(b"twice");
    packer.blob(b"twice");
    assert!(refused(packer.finish()).1.contains("more than once"));
    // Once whole and once as a delta.
    let mut packer = Packer::new();
    packer.blob(b"twice");
    let base = packer.blob(b"base");
    packer.reference_delta(base, &packer::insert_all(4, b"twice"));
    assert!(refused(packer.finish()).1.contains("more than once"));
}

#[test]
fn attack_12_damaged_deltas_are_refused() {
    for delta in [
        &[][..],
        &[4],
        &[5, 1, 1, b'x'],
        &[4, 2, 1, b'x'],
        &[4, 1, 0, b'x'],
        &[4, 1, 0x91, 4, 1],
        &[4, 1, 5, b'x'],
        &[4, 1, 0x90],
    ] {
        let mut packer = Packer::new();
        let base = packer.blob(b"base");
        packer.reference_delta(base, delta);
        assert_eq!(refused(packer.finish()).0, FaultKind::MalformedPack, "{delta:?}");
    }
}

#[test]
fn attack_12_unknown_types_and_versions_are_refused() {
    for bits in [0, 5] {
        let mut packer = Packer::new();
        packer.entry(bits, 1, &[], &packer::deflate(b"x"));
        assert_eq!(refused(packer.finish()).0, FaultKind::MalformedPack, "type {bits}");
    }
    for version in [0, 1, 3, 4] {
        let mut packer = Packer::new();
        packer.blob(b"x");
        packer.bytes[7] = version;
        assert_eq!(refused(packer.finish()).0, FaultKind::MalformedPack, "version {version}");
    }
}

#[test]
fn attack_12_random_bytes_are_refused_without_a_panic() {
    let mut random = Rng::with_seed(99);
    for _ in 0..2000 {
        let mut bytes = b"PACK\0\0\0\x02\0\0\0".to_vec();
        bytes.push(random.usize(..4) as u8 + 1);
        bytes.extend((0..random.usize(..200)).map(|_| random.u8(..)));
        refused(packer::seal(bytes));
    }
}

#[test]
fn the_same_bad_pack_always_gives_the_same_fault() {
    let mut packer = Packer::new();
    let base = packer.blob(&[b'y'; 2_000_000]);
    for wrong in 0..40u8 {
        let name: &[u8] = if wrong % 2 == 0 { b"." } else { b".." };
        packer.tree(&[("100644", name, base), ("100644", &[b'x', wrong + 1], base)]);
        packer.blob(&[wrong; 60_000]);
    }
    let pack = packer.finish();
    let first = refused(pack.clone());
    for _ in 0..10 {
        assert_eq!(refused(pack.clone()), first);
    }
}

#[test]
fn attack_21_a_delta_tree_that_must_be_made_again_and_again_is_too_large() {
    let mut packer = Packer::new();
    let mut content = vec![b'x'; 20_000];
    let mut base = packer.blob(&content);
    for step in 0..3000u16 {
        // A leaf, which is resolved after the chain was followed to its end.
        packer.reference_delta(base, &packer::append(content.len(), &[b'l', step as u8]));
        let more = step.to_be_bytes();
        packer.reference_delta(base, &packer::append(content.len(), &more));
        content.extend_from_slice(&more);
        base = packer::id(Kind::Blob, &content);
    }
    let pack = packer.finish();
    let starved = PackLimits { memory: 0, ..PackLimits::push() };
    assert_eq!(refused_with(pack.clone(), &starved).0, FaultKind::TooLarge);
    let scarce = PackLimits { memory: 16 << 20, ..PackLimits::push() };
    assert_eq!(verify(pack, &scarce, Origin::New).unwrap().objects().len(), 6001);
}

#[test]
fn attack_21_a_root_that_must_be_made_again_for_every_small_delta_is_too_large() {
    let mut packer = Packer::new();
    let root = vec![0; 1 << 20];
    let base = packer.blob(&root);
    for pair in 0..200u8 {
        // A small object on the root, and one on top of it, which makes the resolver drop the root.
        packer.reference_delta(base, &packer::insert_all(root.len(), &[pair, 1]));
        packer.reference_delta(packer::id(Kind::Blob, &[pair, 1]), &packer::insert_all(2, &[pair, 2]));
    }
    let pack = packer.finish();
    let starved = PackLimits { memory: 0, ..PackLimits::push() };
    assert_eq!(
        refused_with(pack.clone(), &starved),
        (FaultKind::TooLarge, "the pack's deltas take too much work to apply".into())
    );
    assert_eq!(accepted(pack).objects().len(), 401);
}

#[test]
fn attack_12_a_base_that_is_doubled_at_every_level_is_refused_before_the_work_doubles() {
    // Two equal deltas at each level. Unless the second is refused when it is reached, it would produce 2^40 objects.
    let mut packer = Packer::new();
    let mut base = packer.blob(&[b'a'; 8]);
    for level in 1..=40u8 {
        let delta = packer::insert_all(8, &[level; 8]);
        packer.reference_delta(base, &delta);
        packer.reference_delta(base, &delta);
        base = packer::id(Kind::Blob, &[level; 8]);
    }
    let pack = packer.finish();
    let first = refused(pack.clone());
    assert_eq!(first, (FaultKind::MalformedPack, "the pack holds the base of a delta more than once".into()));
    for threads in 1..5 {
        assert_eq!(refused_with(pack.clone(), &PackLimits { threads, ..PackLimits::push() }), first);
    }
}

#[test]
fn attack_12_equal_bases_in_different_trees_are_refused_by_any_number_of_threads() {
    // Every tree is both a whole object and a delta that produces the same base, which has one more delta.
    let mut packer = Packer::new();
    for tree in 0..50u8 {
        let whole = packer.blob(&[tree; 20]);
        packer.reference_delta(whole, &packer::insert_all(20, b"the same"));
    }
    packer.reference_delta(packer::id(Kind::Blob, b"the same"), &packer::insert_all(8, b"on it"));
    let pack = packer.finish();
    for threads in [1, 2, 2, 2, 3, 4] {
        let limits = PackLimits { threads, ..PackLimits::push() };
        assert!(refused_with(pack.clone(), &limits).1.contains("more than once"));
    }
}
