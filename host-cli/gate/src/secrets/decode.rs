//! Text in UTF-16, which holds no keyword byte by byte.

use std::borrow::Cow;

/// How two bytes are a unit of UTF-16.
type Unit = fn([u8; 2]) -> u16;

/// Bytes that tell the encoding of a text without a byte order mark.
const SNIFFED: usize = 512;

/// What `content` may say: its text in UTF-8 if it is UTF-16, by its byte order mark or by its looks; else as it is. Where only the mark says so,
/// both: anybody can put two bytes before a text.
pub(super) fn texts(content: &[u8]) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let little = |[low, high]: [u8; 2]| (low, high);
    let big = |[high, low]: [u8; 2]| (low, high);
    let (unit, body, is_sure): (Option<Unit>, _, _) = match content {
        [0xff, 0xfe, body @ ..] => (Some(u16::from_le_bytes), body, is_ascii(body, little)),
        [0xfe, 0xff, body @ ..] => (Some(u16::from_be_bytes), body, is_ascii(body, big)),
        _ if is_ascii(content, little) => (Some(u16::from_le_bytes), content, true),
        _ if is_ascii(content, big) => (Some(u16::from_be_bytes), content, true),
        _ => (None, content, false),
    };
    let decoded = unit.map(|unit| Cow::Owned(decoded(body, unit)));
    decoded.into_iter().chain((!is_sure).then_some(Cow::Borrowed(content)))
}

fn decoded(body: &[u8], unit: Unit) -> Vec<u8> {
    let (units, _) = body.as_chunks::<2>();
    let text: String =
        char::decode_utf16(units.iter().map(|pair| unit(*pair))).map(|char| char.unwrap_or('\u{fffd}')).collect();
    text.into_bytes()
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
