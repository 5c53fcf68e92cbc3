//! The first difference decides a comparison of byte slices, whichever `memcmp` runs.

use std::cmp::Ordering;
use std::hint::black_box;

/// Compares byte by byte, without any comparison of slices.
fn by_bytes(left: &[u8], right: &[u8]) -> Ordering {
    let differing = left.iter().zip(right).find(|(left, right)| left != right);
    differing.map_or(left.len().cmp(&right.len()), |(left, right)| left.cmp(right))
}

#[test]
fn the_first_difference_decides_at_every_length_and_place() {
    // Lengths around the word size, at every alignment, with later differences that point the other
    // way.
    for length in 0..40 {
        for start in 0..8 {
            let mut left = vec![0x7f; start + length];
            let right = left.clone();
            let compare = |left: &[u8]| {
                let (left, right) = (black_box(&left[start..]), black_box(&right[start..]));
                assert_eq!(left.cmp(right), by_bytes(left, right), "{left:?} {right:?}");
                assert_eq!(left == right, by_bytes(left, right).is_eq());
                assert_eq!(right.cmp(left), by_bytes(right, left));
            };
            compare(&left);
            for at in start..start + length {
                for (byte, later) in [(0x80, 0), (0xff, 0x7e), (0, 0xff), (0x7e, 0x80)] {
                    left[at] = byte;
                    compare(&left);
                    left[at + 1..].fill(later);
                    compare(&left);
                    left[at..].fill(0x7f);
                }
            }
        }
    }
}
