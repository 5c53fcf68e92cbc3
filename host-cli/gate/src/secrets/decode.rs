//! Text in UTF-16, which holds no keyword byte by byte.

use std::borrow::Cow;

/// The text of `content` in UTF-8 if a byte order mark says that it is UTF-16; else as it is.
pub(super) fn text(content: &[u8]) -> Cow<'_, [u8]> {
    let unit: fn([u8; 2]) -> u16 = match content {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(content),
    };
    let (units, _) = content[2..].as_chunks::<2>();
    let text: String =
        char::decode_utf16(units.iter().map(|pair| unit(*pair))).map(|char| char.unwrap_or('\u{fffd}')).collect();
    Cow::Owned(text.into_bytes())
}
