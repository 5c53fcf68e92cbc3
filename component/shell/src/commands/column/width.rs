//! How many columns of a terminal a text takes.

use bstr::ByteSlice;

/// First and last of the characters that take two columns.
const WIDE: &[(u32, u32)] = &[
    (0x1100, 0x115f),
    (0x231a, 0x231b),
    (0x2329, 0x232a),
    (0x23e9, 0x23ec),
    (0x25fd, 0x25fe),
    (0x2614, 0x2615),
    (0x2648, 0x2653),
    (0x26a1, 0x26a1),
    (0x2705, 0x2705),
    (0x270a, 0x270b),
    (0x2728, 0x2728),
    (0x274c, 0x274c),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2795, 0x2797),
    (0x2b50, 0x2b50),
    (0x2b55, 0x2b55),
    (0x2e80, 0x303e),
    (0x3041, 0x33ff),
    (0x3400, 0x4dbf),
    (0x4e00, 0xa4c6),
    (0xa960, 0xa97c),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff01, 0xff60),
    (0xffe0, 0xffe6),
    (0x1f300, 0x1f64f),
    (0x1f680, 0x1f6ff),
    (0x1f900, 0x1f9ff),
    (0x20000, 0x3fffd),
];

/// First and last of the characters that take none.
const COMBINING: &[(u32, u32)] = &[
    (0x300, 0x36f),
    (0x483, 0x489),
    (0x591, 0x5bd),
    (0x610, 0x61a),
    (0x64b, 0x65f),
    (0x200b, 0x200f),
    (0x20d0, 0x20f0),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
];

/// The columns of a text. A byte that is no character is shown as four.
pub fn width(text: &[u8]) -> usize {
    let has = |ranges: &[(u32, u32)], letter: char| {
        ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(letter)))
    };
    let widths = text.char_indices().map(|(begin, end, letter)| match letter {
        '\u{fffd}' if &text[begin..end] != "\u{fffd}".as_bytes() => 4 * (end - begin),
        letter if letter.is_ascii() => 1,
        letter if has(COMBINING, letter) => 0,
        letter if has(WIDE, letter) => 2,
        _ => 1,
    });
    widths.sum()
}
