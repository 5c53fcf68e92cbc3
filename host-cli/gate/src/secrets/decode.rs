//! Text in UTF-16, which holds no keyword byte by byte.

use std::borrow::Cow;

/// Bytes that tell the encoding of a text without a byte order mark.
const SNIFFED: usize = 512;

/// The text of `content` in UTF-8 if it is UTF-16, by its byte order mark or by its looks; else as it is.
pub(super) fn text(content: &[u8]) -> Cow<'_, [u8]> {
    let (unit, body): (fn([u8; 2]) -> u16, _) = match content {
        [0xff, 0xfe, body @ ..] => (u16::from_le_bytes, body),
        [0xfe, 0xff, body @ ..] => (u16::from_be_bytes, body),
        _ if is_ascii(content, |[low, high]| (low, high)) => (u16::from_le_bytes, content),
        _ if is_ascii(content, |[high, low]| (low, high)) => (u16::from_be_bytes, content),
        _ => return Cow::Borrowed(content),
    };
    let (units, _) = body.as_chunks::<2>();
    let text: String =
        char::decode_utf16(units.iter().map(|pair| unit(*pair))).map(|char| char.unwrap_or('\u{fffd}')).collect();
    Cow::Owned(text.into_bytes())
}

/// Whether nearly all of the first units are characters of ASCII.
fn is_ascii(content: &[u8], unit: fn([u8; 2]) -> (u8, u8)) -> bool {
    let (units, _) = content[..content.len().min(SNIFFED)].as_chunks::<2>();
    let plain = |pair: &&[u8; 2]| {
        let (low, high) = unit(**pair);
        high == 0 && (low.is_ascii_graphic() || low.is_ascii_whitespace())
    };
    units.len() > 4 && units.iter().filter(plain).count() * 10 >= units.len() * 9
}
