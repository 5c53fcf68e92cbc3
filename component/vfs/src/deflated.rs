//! Contents as deflate streams: raw ones in the journal where that saves space, zlib ones in attachments.
//!
//! Files in a sandbox are mostly text, and its journal takes up disk or a browser's quota. A session reads few of the files, so a stream is
//! inflated only when someone wants the content. A raw stream has no checksum of its own: its record has one.

use bytes::Bytes;
use zlib_rs::{Deflate, DeflateFlush, Inflate, InflateFlush, Status, compress_bound};

/// Shorter contents stay uncompressed: compression would hardly save anything.
const SHORTEST: usize = 256;
/// Longer ones too: no call should wait for compression.
const LONGEST: usize = 4 << 20;
/// The longest content of any zlib stream: reading it takes as much memory.
const LONGEST_ZLIB: usize = 64 << 20;
/// Compression tries this much of a content before all of it.
const SAMPLE: usize = 8 << 10;
/// The fastest level, because a call waits for it. The best level saves a quarter more and takes more than twice the time.
const LEVEL: i32 = 1;
/// The most bits of a distance in the format.
const WINDOW_BITS: u8 = 15;
/// The most bytes that one byte of the format can encode: a longest match in two bits.
const MOST_OF_A_BYTE: usize = 1032;

/// The frame around a stream's deflated data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// None (RFC 1951).
    Raw,
    /// A header and a checksum of the content (RFC 1950).
    Zlib,
}

/// A compressed content.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    format: Format,
    /// Length of the content in bytes.
    pub(crate) length: usize,
    pub(crate) bytes: Bytes,
}

impl Stream {
    /// The raw stream of a content of `length` bytes; `None` if this few bytes cannot encode it. Only reading tells whether it is valid.
    pub(crate) fn raw(length: usize, bytes: Bytes) -> Option<Self> {
        Self::new(Format::Raw, length, bytes)
    }

    /// As above, for a zlib stream.
    pub(crate) fn zlib(length: usize, bytes: Bytes) -> Option<Self> {
        Self::new(Format::Zlib, length, bytes)
    }

    fn new(format: Format, length: usize, bytes: Bytes) -> Option<Self> {
        let longest = match format {
            Format::Raw => LONGEST,
            Format::Zlib => LONGEST_ZLIB,
        };
        let may_be = length <= longest && length.div_ceil(MOST_OF_A_BYTE) <= bytes.len();
        may_be.then_some(Self { format, length, bytes })
    }

    /// Whether both have the same length and the same content.
    pub(crate) fn is_as_long_as(&self, other: &Self) -> bool {
        (self.bytes.len(), self.length) == (other.bytes.len(), other.length)
    }
}

/// Compresses one content after another.
#[derive(Default)]
pub(crate) struct Deflater {
    state: Option<Deflate>,
    stream: Vec<u8>,
}

impl Deflater {
    /// The stream of `content`; `None` if it would hardly be shorter.
    pub(crate) fn deflate(&mut self, content: &[u8]) -> Option<&[u8]> {
        if !(SHORTEST..=LONGEST).contains(&content.len()) || is_zlib(content) {
            return None;
        }
        if content.len() > 2 * SAMPLE {
            self.shorter(&content[..SAMPLE])?;
        }
        self.shorter(content)
    }

    fn shorter(&mut self, content: &[u8]) -> Option<&[u8]> {
        let state = self.state.get_or_insert_with(|| Deflate::new(LEVEL, false, WINDOW_BITS));
        state.reset();
        // Leave room for any stream, even one longer than its content: the state cannot be reset before its stream is finished.
        self.stream.resize(compress_bound(content.len()), 0);
        let status = state.compress(content, &mut self.stream, DeflateFlush::Finish);
        assert!(matches!(status, Ok(Status::StreamEnd)), "there is room for the stream");
        let length = usize::try_from(state.total_out()).expect("not more than the buffer holds");
        (length < content.len() / 8 * 7).then(|| &self.stream[..length])
    }
}

/// Whether this begins like a zlib stream (RFC 1950, section 2.2: a window of 32 KiB, any level, no dictionary), as every loose object of
/// git does. Compressing it would be in vain.
fn is_zlib(content: &[u8]) -> bool {
    matches!(content, [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..])
}

/// The content of `stream` in a buffer of its own; `None` if it is not a stream of that length.
pub(crate) fn inflate(stream: &Stream) -> Option<Vec<u8>> {
    let mut state = Inflate::new(stream.format == Format::Zlib, WINDOW_BITS);
    let mut content = vec![0; stream.length];
    let status = state.decompress(&stream.bytes, &mut content, InflateFlush::Finish);
    let whole = state.total_in() == stream.bytes.len() as u64 && state.total_out() == stream.length as u64;
    (whole && matches!(status, Ok(Status::StreamEnd))).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(length: usize) -> Vec<u8> {
        (0_u32..).flat_map(|number| format!("line {number}\n").into_bytes()).take(length).collect()
    }

    /// Incompressible bytes.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        (0..length).map(|_| next()).collect()
    }

    fn stream(length: usize, bytes: &[u8]) -> Option<Stream> {
        Stream::raw(length, Bytes::copy_from_slice(bytes))
    }

    #[test]
    fn contents_come_back() {
        let mut deflater = Deflater::default();
        for content in [text(SHORTEST), text(20_000), vec![0; LONGEST], text(300), vec![7; 1 << 20]] {
            let deflated = deflater.deflate(&content).unwrap();
            assert!(deflated.len() < content.len() / 8 * 7);
            assert_eq!(inflate(&stream(content.len(), deflated).unwrap()), Some(content));
        }
    }

    #[test]
    fn what_is_not_made_shorter_is_left() {
        let mut deflater = Deflater::default();
        for content in [noise(1000), noise(100_000), text(SHORTEST - 1), vec![0; LONGEST + 1], Vec::new()] {
            assert_eq!(deflater.deflate(&content), None);
        }
    }

    #[test]
    fn what_a_loose_object_begins_with_is_not_tried() {
        for head in [[0x78, 0x01], [0x78, 0x5e], [0x78, 0x9c], [0x78, 0xda]] {
            assert!(is_zlib(&head) && Deflater::default().deflate(&[&head[..], &text(1000)].concat()).is_none());
        }
        assert!(![&b"PACK"[..], b"DIRC", b"x = 1", b"#!", b"x"].iter().any(|head| is_zlib(head)));
    }

    #[test]
    fn a_stream_is_of_one_content_only() {
        let mut deflater = Deflater::default();
        let content = text(5000);
        let deflated = deflater.deflate(&content).unwrap();
        let read = |length, bytes: &[u8]| inflate(&stream(length, bytes).unwrap());
        assert_eq!(read(content.len() - 1, deflated), None);
        assert_eq!(read(content.len() + 1, deflated), None);
        assert_eq!(read(content.len(), &deflated[..deflated.len() - 1]), None);
        assert_eq!(read(content.len(), &[deflated, &[0]].concat()), None);
        assert_eq!(read(content.len(), &noise(5000)), None);
        assert_eq!(read(content.len(), deflated), Some(content));
    }

    #[test]
    fn a_zlib_stream_has_a_checksum_of_its_content() {
        let content = text(5000);
        let mut state = Deflate::new(LEVEL, true, WINDOW_BITS);
        let mut bytes = vec![0; compress_bound(content.len())];
        state.compress(&content, &mut bytes, DeflateFlush::Finish).unwrap();
        bytes.truncate(state.total_out() as usize);
        let read = |bytes: &[u8]| inflate(&Stream::zlib(content.len(), Bytes::copy_from_slice(bytes)).unwrap());
        assert_eq!(read(&bytes).as_ref(), Some(&content));
        assert_eq!(read(&bytes[..bytes.len() - 1]), None);
        assert_eq!(read(&[&bytes[..], &[0]].concat()), None);
        assert_eq!(read(&bytes[2..bytes.len() - 4]), None, "it is raw");
        *bytes.last_mut().unwrap() ^= 1;
        assert_eq!(read(&bytes), None);
    }

    #[test]
    fn attack_21_no_stream_stands_for_more_than_it_can() {
        assert!(stream(1032, &[0]).is_some());
        assert!(stream(1033, &[0]).is_none());
        assert!(stream(LONGEST + 1, &[0; LONGEST]).is_none());
        assert!(Stream::zlib(LONGEST_ZLIB + 1, vec![0; LONGEST].into()).is_none());
        assert!(stream(usize::MAX, &[0; 100]).is_none());
    }
}
