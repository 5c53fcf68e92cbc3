//! The memory that a hostile push makes the host use.

use std::collections::HashMap;

use crate::support::{
    Store,
    measured::rise,
    packer::{self, Packer},
    pushing::{facts, request},
};
use gate::{
    objects::Nothing,
    pack::{Origin, PackLimits, verify},
    push::{PushLimits, TargetFacts, check},
    review::Review,
};
use gix_hash::ObjectId;
use gix_object::Kind;

const MIB: usize = 1 << 20;

/// Verification keeps nothing for later, so its own peak is visible.
fn starved() -> PackLimits {
    PackLimits { memory: 0, ..PackLimits::push() }
}

/// A delta that turns a base of `base` bytes into `result`: `first`, then byte 0 of the base again and again, in eight bytes each.
fn byte_by_byte(base: usize, result: usize, first: u8) -> Vec<u8> {
    let mut delta = packer::sizes(base, result);
    delta.extend_from_slice(&[1, first]);
    delta.extend([0xff, 0, 0, 0, 0, 1, 0, 0].repeat(result - 1));
    delta
}

#[test]
fn attack_21_a_chain_is_read_with_one_of_its_deltas_in_memory() {
    const RESULT: usize = MIB / 8;
    let prepare = || {
        let mut packer = Packer::new();
        let mut content = vec![0; RESULT];
        let mut id = packer.blob(&content);
        for first in 1..=8 {
            packer.reference_delta(id, &byte_by_byte(RESULT, RESULT, first));
            content = [vec![first], vec![content[0]; RESULT - 1]].concat();
            id = packer::id(Kind::Blob, &content);
        }
        (verify(packer.finish(), &starved(), Origin::New).unwrap(), id)
    };
    let risen = rise("memory::attack_21_a_chain_is_read_with_one_of_its_deltas_in_memory", prepare, |(pack, id)| {
        assert_eq!(pack.find(&id, &mut Vec::new()).unwrap(), Some(Kind::Blob));
    });
    // The 8 deltas have a MiB each, and all contents one.
    assert!(risen < 4 * MIB as u64, "{risen}");
}

#[test]
fn attack_21_a_small_object_is_not_kept_in_the_buffer_of_a_large_one() {
    const SMALL: usize = 1 << 10;
    const LARGE: usize = 900 << 10;
    let small = |level: u8, which: u8| [vec![level, which], vec![0; SMALL - 2]].concat();
    let prepare = || {
        let mut packer = Packer::new();
        let mut base = packer.blob(&small(0, 0));
        for level in 1..=40 {
            // A leaf. The resolver keeps the small object for it until everything after it is resolved.
            packer.reference_delta(base, &packer::insert_all(SMALL, &small(level, 1)));
            // Then a large one, a small one on top of it, which needs no other buffer yet, and another, which does.
            let mut delta = packer::sizes(SMALL, LARGE);
            delta.extend_from_slice(&[2, level, 2]);
            delta.extend([0xb0, 0, 4].repeat(LARGE / SMALL - 1));
            delta.extend_from_slice(&[0xb1, 2, 0xfe, 3]);
            packer.reference_delta(base, &delta);
            let previous = small(level - 1, if level == 1 { 0 } else { 4 });
            let large = [vec![level, 2], previous.repeat(LARGE / SMALL - 1), previous[2..].to_vec()].concat();
            packer.reference_delta(packer::id(Kind::Blob, &large), &packer::insert_all(LARGE, &small(level, 3)));
            let between = packer::id(Kind::Blob, &small(level, 3));
            packer.reference_delta(between, &packer::insert_all(SMALL, &small(level, 4)));
            base = packer::id(Kind::Blob, &small(level, 4));
        }
        packer.finish()
    };
    let risen = rise("memory::attack_21_a_small_object_is_not_kept_in_the_buffer_of_a_large_one", prepare, |pack| {
        let limits = PackLimits { memory: 4 * MIB, ..PackLimits::push() };
        assert_eq!(verify(pack, &limits, Origin::New).unwrap().objects().len(), 161);
    });
    // The 40 large ones have 35 MiB together.
    assert!(risen < 12 * MIB as u64, "{risen}");
}

#[test]
fn attack_21_a_folder_is_compared_with_one_parent_s_at_a_time() {
    let prepare = || {
        let blob = packer::id(Kind::Blob, b"x");
        let mut target = Store(HashMap::from([(blob, (Kind::Blob, b"x".to_vec()))]));
        let mut parents: Vec<ObjectId> = Vec::new();
        for parent in 0..32 {
            let names: Vec<String> = (0..4000).map(|file| format!("{file:04}-{parent}")).collect();
            let entries: Vec<_> = names.iter().map(|name| ("100644", name.as_bytes(), blob)).collect();
            let tree = packer::tree(&entries);
            let commit = packer::commit(packer::id(Kind::Tree, &tree), &[], "a parent\n");
            parents.push(packer::id(Kind::Commit, &commit));
            target.0.insert(packer::id(Kind::Tree, &tree), (Kind::Tree, tree));
            target.0.insert(packer::id(Kind::Commit, &commit), (Kind::Commit, commit));
        }
        let mut packer = Packer::new();
        let tree = packer.tree(&[("100644", b"file", blob)]);
        let new = packer.commit(tree, &parents, "merge\n");
        (request("topic", Some(parents[0]), new, packer.finish()), parents, target)
    };
    let work = |(request, parents, target): (_, Vec<ObjectId>, Store)| {
        let facts = TargetFacts { tips: Some(parents.clone()), ..facts(Some(parents[0])) };
        check(request, &target, facts, &PushLimits::default()).unwrap();
    };
    let risen = rise("memory::attack_21_a_folder_is_compared_with_one_parent_s_at_a_time", prepare, work);
    // The 32 folders have 4000 entries each.
    assert!(risen < 4 * MIB as u64, "{risen}");
}

#[test]
fn attack_21_ignore_files_are_read_once_and_within_bounds() {
    let ignored = |content: &dyn Fn(usize) -> Vec<u8>, folders: usize| {
        let mut packer = Packer::new();
        let file = packer.blob(b"new\n");
        let mut blobs = HashMap::new();
        let trees: Vec<_> = (0..folders)
            .map(|number| {
                let content = content(number);
                let ignore = *blobs.entry(content.clone()).or_insert_with(|| packer.blob(&content));
                (
                    format!("{number:03}"),
                    packer.tree(&[("100644", b".gitignore", ignore), ("100644", format!("{number}").as_bytes(), file)]),
                )
            })
            .collect();
        let entries: Vec<_> = trees.iter().map(|(name, tree)| ("40000", name.as_bytes(), *tree)).collect();
        let tree = packer.tree(&entries);
        let new = packer.commit(tree, &[], "many\n");
        check(request("topic", None, new, packer.finish()), &Nothing, facts(None), &PushLimits::default()).unwrap()
    };
    let risen = rise(
        "memory::attack_21_ignore_files_are_read_once_and_within_bounds",
        || ignored(&|_| b"abcdefghijklmno\n".repeat(MIB / 16), 20),
        |push| drop(Review::of(&push, &Nothing).unwrap()),
    );
    // Each of the 20 folders alone used to take 10 MiB and more. The whole difference is in memory too.
    assert!(risen < 100 * MIB as u64, "{risen}");
    let different =
        |number: usize| [format!("{number}\n").into_bytes(), b"abcdefghijklmno\n".repeat(MIB / 16 - 1)].concat();
    let fault = Review::of(&ignored(&different, 34), &Nothing).unwrap_err();
    assert!(fault.message.contains(".gitignore files than a review may read"), "{fault}");
}
