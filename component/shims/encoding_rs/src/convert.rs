//! Converts between bytes and text.

use crate::upper::{NONE, Upper};
use crate::{Encoding, Form};

/// How decoding ended.
#[derive(Debug, Eq, PartialEq)]
pub enum DecoderResult {
    InputEmpty,
    OutputFull,
    /// The lengths of the malformed sequence and of the bytes read after it. This crate does not compute them: always one and zero.
    Malformed(u8, u8),
}

/// How encoding ended.
#[derive(Debug, Eq, PartialEq)]
pub enum EncoderResult {
    InputEmpty,
    OutputFull,
    Unmappable(char),
}

pub struct Decoder {
    pub(crate) encoding: &'static Encoding,
}

impl Decoder {
    /// The most bytes of UTF-8 that `length` bytes can decode to.
    pub fn max_utf8_buffer_length_without_replacement(&self, length: usize) -> Option<usize> {
        // A byte is at most one character of three bytes, and two bytes are at most one of four.
        length.checked_mul(3)
    }

    /// Decodes a whole text. Returns how that ended, and the numbers of bytes read and written.
    ///
    /// # Panics
    /// If the text is not whole, or the buffer is too small.
    pub fn decode_to_utf8_without_replacement(
        &mut self,
        bytes: &[u8],
        into: &mut [u8],
        is_whole: bool,
    ) -> (DecoderResult, usize, usize) {
        assert!(is_whole, "only whole texts are decoded");
        let mark: &[u8] = match self.encoding.form {
            Form::Utf8 => b"\xef\xbb\xbf",
            Form::Utf16(of) if of([0xff, 0xfe]) == 0xfeff => b"\xff\xfe",
            Form::Utf16(_) => b"\xfe\xff",
            Form::Single(_) => b"",
        };
        let text = bytes.strip_prefix(mark).unwrap_or(bytes);
        match self.encoding.decode_without_bom_handling_and_without_replacement(text) {
            Some(text) => {
                into[..text.len()].copy_from_slice(text.as_bytes());
                (DecoderResult::InputEmpty, bytes.len(), text.len())
            }
            None => (DecoderResult::Malformed(1, 0), 0, 0),
        }
    }
}

pub struct Encoder {
    pub(crate) encoding: &'static Encoding,
}

impl Encoder {
    /// The most bytes that `length` bytes of UTF-8 can encode to.
    pub fn max_buffer_length_from_utf8_if_no_unmappables(&self, length: usize) -> Option<usize> {
        Some(length)
    }

    /// Encodes a whole text. Returns how that ended, and the numbers of bytes read and written.
    ///
    /// # Panics
    /// If the text is not whole, or the buffer is too small.
    pub fn encode_from_utf8_without_replacement(
        &mut self,
        text: &str,
        into: &mut [u8],
        is_whole: bool,
    ) -> (EncoderResult, usize, usize) {
        assert!(is_whole, "only whole texts are encoded");
        let Form::Single(upper) = self.encoding.form else {
            into[..text.len()].copy_from_slice(text.as_bytes());
            return (EncoderResult::InputEmpty, text.len(), text.len());
        };
        let mut written = 0;
        for (at, character) in text.char_indices() {
            let Some(byte) = byte_of(character, upper) else {
                return (EncoderResult::Unmappable(character), at + character.len_utf8(), written);
            };
            into[written] = byte;
            written += 1;
        }
        (EncoderResult::InputEmpty, text.len(), written)
    }
}

pub(crate) fn from_utf16(bytes: &[u8], of: fn([u8; 2]) -> u16) -> Option<String> {
    let (units, rest) = bytes.as_chunks();
    let text = char::decode_utf16(units.iter().map(|unit| of(*unit))).collect::<Result<_, _>>();
    text.ok().filter(|_| rest.is_empty())
}

pub(crate) fn from_single(bytes: &[u8], upper: &Upper) -> Option<String> {
    bytes.iter().map(|byte| character_of(*byte, upper)).collect()
}

/// The text's bytes, with a character reference for each character that the encoding lacks, and whether there is one.
pub(crate) fn with_references(text: &str, upper: &Upper) -> (Vec<u8>, bool) {
    let mut bytes = Vec::with_capacity(text.len());
    let mut has_references = false;
    for character in text.chars() {
        match byte_of(character, upper) {
            Some(byte) => bytes.push(byte),
            None => {
                bytes.extend_from_slice(format!("&#{};", u32::from(character)).as_bytes());
                has_references = true;
            }
        }
    }
    (bytes, has_references)
}

fn character_of(byte: u8, upper: &Upper) -> Option<char> {
    match byte.checked_sub(0x80) {
        None => Some(char::from(byte)),
        Some(at) => Some(upper[usize::from(at)]).filter(|unit| *unit != NONE).and_then(|unit| char::from_u32(unit.into())),
    }
}

fn byte_of(character: char, upper: &Upper) -> Option<u8> {
    if character.is_ascii() {
        return u8::try_from(character).ok();
    }
    let unit = u16::try_from(u32::from(character)).ok().filter(|unit| *unit != NONE)?;
    let at = upper.iter().position(|one| *one == unit)?;
    u8::try_from(at + 0x80).ok()
}
