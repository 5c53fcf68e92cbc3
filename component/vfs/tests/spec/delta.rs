//! Deltas.

use proptest::{collection::vec, prelude::*};
use vfs::delta::{apply, encode};

use crate::support::Numbers;

/// An edit of a content: how many old bytes to keep, and which new ones to insert.
#[derive(Clone, Debug)]
struct Edit {
    at: usize,
    remove: usize,
    insert: Vec<u8>,
}

fn edits() -> impl Strategy<Value = (Vec<u8>, Vec<Edit>)> {
    // Few different byte values: repeated blocks are the hard case.
    let content = prop_oneof![vec(0_u8..3, 0..3000), vec(any::<u8>(), 0..3000)];
    let edit = (any::<prop::sample::Index>(), 0_usize..200, vec(any::<u8>(), 0..100));
    (content, vec(edit, 0..8)).prop_map(|(content, edits)| {
        let edit = |(at, remove, insert): (prop::sample::Index, usize, Vec<u8>)| Edit {
            at: at.index(content.len() + 1),
            remove,
            insert,
        };
        let edits = edits.into_iter().map(edit).collect();
        (content, edits)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_delta_makes_the_new_content_of_the_former((former, edits) in edits()) {
        let mut new = former.clone();
        for Edit { at, remove, insert } in edits {
            let at = at.min(new.len());
            new.splice(at..new.len().min(at + remove), insert);
        }
        if let Some(delta) = encode(&former, &new) {
            prop_assert!(delta.len() < new.len());
            prop_assert_eq!(apply(&former, &delta), Ok(new));
        }
    }

    #[test]
    fn what_is_changed_in_place_costs_little_more_than_what_is_new(
        former in vec(0_u8..3, 64..3000),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut new = former.clone();
        for (at, byte) in &changes {
            new[at.index(former.len())] = *byte;
        }
        let delta = encode(&former, &new);
        if let Some(delta) = &delta {
            prop_assert_eq!(apply(&former, delta), Ok(new));
        }
        let is_short = delta.is_some_and(|delta| delta.len() <= 8 + 16 * changes.len());
        prop_assert!(is_short || former.len() < 32 * 16 * changes.len());
    }

    #[test]
    fn what_is_no_delta_is_refused_and_never_large(former in vec(any::<u8>(), 0..200), bytes in vec(any::<u8>(), 0..200)) {
        if let Ok(content) = apply(&former, &bytes) {
            prop_assert!(content.len() <= 8 * (former.len() + bytes.len()));
        }
    }
}

/// Entries in the form of a git index: 10,000 of 62 bytes and a path, padded to eight.
fn index(count: usize) -> Vec<Vec<u8>> {
    let mut numbers = Numbers(42);
    let entry = |n: usize| {
        let mut entry = Vec::new();
        for field in [n as u32, 0, n as u32, 0, 1, 1000 + n as u32, 0o100644, 0, 0, 4096] {
            entry.extend_from_slice(&field.to_be_bytes());
        }
        entry.extend_from_slice(&numbers.bytes(20));
        let path = format!("directory-{:02}/module-{:03}/source-file-number-{n:05}.rs", n / 1000, n / 50);
        entry.extend_from_slice(&(path.len() as u16).to_be_bytes());
        entry.extend_from_slice(path.as_bytes());
        entry.resize(entry.len() / 8 * 8 + 8, 0);
        entry
    };
    (0..count).map(entry).collect()
}

#[test]
fn staging_ten_files_changes_little_of_an_index() {
    let mut numbers = Numbers(7);
    let mut entries = index(10_000);
    let former = entries.concat();
    for n in (0..10).map(|n| 400 + n * 997) {
        let changed = numbers.bytes(20);
        entries[n][40..60].copy_from_slice(&changed);
        entries[n][8..16].copy_from_slice(&numbers.bytes(8));
    }
    let mut new = entries.concat();
    new.extend_from_slice(&numbers.bytes(20));
    let delta = encode(&former, &new).expect("most of it is the same");
    assert!(former.len() > 1_000_000 && delta.len() < 1000, "{} of {}", delta.len(), former.len());
    assert_eq!(apply(&former, &delta), Ok(new));
}

#[test]
fn a_new_entry_shifts_the_rest_of_an_index() {
    let mut numbers = Numbers(8);
    let mut entries = index(10_000);
    let former = entries.concat();
    for n in (0..10).map(|n| 300 + n * 900) {
        let mut entry = entries[n].clone();
        entry[40..60].copy_from_slice(&numbers.bytes(20));
        entry[60..].reverse();
        entries.insert(n, entry);
    }
    let new = entries.concat();
    let delta = encode(&former, &new).expect("most of it is the same");
    assert!(delta.len() < 3000, "{} of {}", delta.len(), former.len());
    assert_eq!(apply(&former, &delta), Ok(new));
}

#[test]
fn contents_without_anything_in_common_have_no_delta() {
    let mut numbers = Numbers(3);
    let (former, new) = (numbers.bytes(50_000), numbers.bytes(50_000));
    assert_eq!(encode(&former, &new), None);
}

#[test]
fn a_long_run_of_one_byte_takes_no_long_time_and_comes_back() {
    let (former, new) = (vec![0; 2_000_000], vec![0; 2_100_000]);
    let delta = encode(&former, &new).expect("nearly all is the same");
    assert!(delta.len() < 100);
    assert_eq!(apply(&former, &delta), Ok(new));
}
