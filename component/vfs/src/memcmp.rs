//! The `memcmp` below every `==` and `cmp` of slices. wasi-libc compares byte by byte, this one eight bytes at a time.
//!
//! Defining the symbol replaces libc's. In a native build the C library's is fast enough.

/// The unit of comparison.
const WORD: usize = size_of::<u64>();

/// C's `memcmp`: negative, zero or positive if the first differing byte is less, missing, or greater.
///
/// # Safety
///
/// As in C: both addresses are valid for `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
    if length < WORD {
        // SAFETY: both are valid for `length` bytes.
        let byte = |of: *const u8, at: usize| i32::from(unsafe { *of.add(at) });
        return (0..length).map(|at| byte(left, at) - byte(right, at)).find(|order| *order != 0).unwrap_or(0);
    }
    // SAFETY: `at` is at most the start of the last word.
    let word = |of: *const u8, at: usize| unsafe { of.add(at).cast::<u64>().read_unaligned() };
    let last = length - WORD;
    let mut at = 0;
    loop {
        let (ours, theirs) = (word(left, at), word(right, at));
        if ours != theirs {
            // Memory is little-endian, and the first byte must weigh most.
            return if ours.swap_bytes() < theirs.swap_bytes() { -1 } else { 1 };
        }
        if at == last {
            return 0;
        }
        // The last word may overlap the previous one, in bytes that are equal.
        at = last.min(at + WORD);
    }
}
