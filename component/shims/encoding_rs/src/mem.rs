//! Latin-1, where each byte is the character of its number. wasmtime uses these functions in native builds, for strings that pass from one
//! component to another.

use std::borrow::Cow;

/// Decodes the bytes.
pub fn decode_latin1(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
    }
}

/// Writes as many whole characters of UTF-8 as fit. Returns the numbers of bytes read and written.
pub fn convert_latin1_to_utf8_partial(bytes: &[u8], into: &mut [u8]) -> (usize, usize) {
    let mut written = 0;
    for (read, byte) in bytes.iter().enumerate() {
        let character = char::from(*byte);
        let Some(room) = into.get_mut(written..written + character.len_utf8()) else { return (read, written) };
        written += character.encode_utf8(room).len();
    }
    (bytes.len(), written)
}

/// The number of leading bytes that are UTF-8 of Latin-1 characters.
pub fn utf8_latin1_up_to(bytes: &[u8]) -> usize {
    let Some(valid) = bytes.utf8_chunks().next().map(|chunk| chunk.valid()) else { return 0 };
    valid.char_indices().find(|(_, character)| u8::try_from(*character).is_err()).map_or(valid.len(), |(at, _)| at)
}

/// Writes UTF-8 as Latin-1 and returns the number of bytes. A character outside Latin-1 becomes some other character.
///
/// # Panics
/// If the buffer is shorter than the text.
pub fn convert_utf8_to_latin1_lossy(bytes: &[u8], into: &mut [u8]) -> usize {
    assert!(into.len() >= bytes.len(), "the text may need as much room as it has");
    let text = String::from_utf8_lossy(bytes);
    let characters = text.chars().map(|character| u8::try_from(character).unwrap_or(b'?'));
    into.iter_mut().zip(characters).map(|(room, byte)| *room = byte).count()
}
