//! The order of versions, as `sort -V` and `ls -v` have it.

use std::cmp::Ordering;

/// Compares names with version numbers: first without suffixes such as `.tar.gz`, then as a whole.
pub fn version(one: &[u8], other: &[u8]) -> Ordering {
    special(one).cmp(&special(other)).then_with(|| {
        let (short, also) = (&one[..stem(one)], &other[..stem(other)]);
        parts(short, also).then_with(|| parts(one, other))
    })
}

/// Nothing comes first, then the folder itself, its parent, hidden names, and all others.
fn special(name: &[u8]) -> u8 {
    match name {
        b"" => 0,
        b"." => 1,
        b".." => 2,
        [b'.', ..] => 3,
        _ => 4,
    }
}

/// Where the suffixes begin: each is a point, a letter or tilde, and letters, digits or tildes.
fn stem(name: &[u8]) -> usize {
    let is_letter = |at: usize| name.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'~');
    let is_inner = |at: usize| name.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'~');
    let mut at = 0;
    loop {
        let stem = at;
        while name.get(at) == Some(&b'.') && is_letter(at + 1) {
            at += 2;
            while is_inner(at) {
                at += 1;
            }
        }
        if at >= name.len() {
            return stem;
        }
        at += 1;
    }
}

/// Compares texts and numbers in turn.
fn parts(mut one: &[u8], mut other: &[u8]) -> Ordering {
    while !(one.is_empty() && other.is_empty()) {
        while starts_text(one) || starts_text(other) {
            let order = weight(one).cmp(&weight(other));
            if order != Ordering::Equal {
                return order;
            }
            // Equal weights are of bytes on both sides: nothing and a digit have weights of their own.
            (one, other) = (one.get(1..).unwrap_or_default(), other.get(1..).unwrap_or_default());
        }
        let (number, rest) = number(one);
        let (also, others) = self::number(other);
        let order = number.len().cmp(&also.len()).then_with(|| number.cmp(also));
        if order != Ordering::Equal {
            return order;
        }
        (one, other) = (rest, others);
    }
    Ordering::Equal
}

fn starts_text(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| !byte.is_ascii_digit())
}

/// A tilde comes before the end, then digits, letters, and everything else.
fn weight(text: &[u8]) -> i32 {
    match text.first() {
        Some(b'~') => -2,
        None => -1,
        Some(byte) if byte.is_ascii_digit() => 0,
        Some(byte) if byte.is_ascii_alphabetic() => i32::from(*byte),
        Some(byte) => i32::from(*byte) + 256,
    }
}

/// The number at the beginning without zeros in front, and what is behind it.
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let zeros = text.iter().take_while(|byte| **byte == b'0').count();
    let text = &text[zeros..];
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}
