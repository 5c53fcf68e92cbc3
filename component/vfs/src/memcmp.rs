//! The comparison of bytes below every `==` and `cmp` of slices: wasi-libc's goes byte by byte, this one eight bytes at a time.
//!
//! Defining the symbol puts it in the place of libc's. In a native build the C library's is as fast as can be.

/// What is compared at a time.
const WORD: usize = size_of::<u64>();

/// C's `memcmp`: below, at or above zero as the first byte that differs is less, as there is none, or as it is greater.
///
/// # Safety
///
/// That of C: both addresses are good for `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
    if length < WORD {
        // SAFETY: both are good for `length` bytes.
        let byte = |of: *const u8, at: usize| i32::from(unsafe { *of.add(at) });
        return (0..length).map(|at| byte(left, at) - byte(right, at)).find(|order| *order != 0).unwrap_or(0);
    }
    // SAFETY: `at` is at most where the last word begins.
    let word = |of: *const u8, at: usize| unsafe { of.add(at).cast::<u64>().read_unaligned() };
    let last = length - WORD;
    let mut at = 0;
    loop {
        let (ours, theirs) = (word(left, at), word(right, at));
        if ours != theirs {
            // Memory is little-endian: the first byte is to weigh most.
            return if ours.swap_bytes() < theirs.swap_bytes() { -1 } else { 1 };
        }
        if at == last {
            return 0;
        }
        // The last word overlaps the one before it, in bytes that are equal.
        at = last.min(at + WORD);
    }
}
