//! Unpacks compressed files and archives: gzip, bzip2, xz, zstd, zip, tar.

use std::io::Read;

use ruzstd::decoding::{
    FrameDecoder, StreamingDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};
use zlib_rs::{Inflate, InflateFlush, Status};

/// Unpacking may use this fraction of a review's bytes, and one stream this fraction of that.
const SHARE: u64 = 8;
const STREAM: u64 = 4;
/// The least cost of opening one file.
const OPENING: u64 = 4096;
/// Bytes unpacked at a time. If a stream breaks, the bytes of the broken chunk may be lost.
const CHUNK: usize = 4096;

const ZIP: &[u8] = b"PK\x03\x04";
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// How much may still be unpacked.
#[derive(Debug, Default)]
pub(crate) struct Room {
    left: u64,
    stream: u64,
}

impl Room {
    /// The room in a review of this many bytes.
    pub fn of(review_bytes: u64) -> Self {
        let left = review_bytes / SHARE;
        Room { left, stream: left / STREAM }
    }

    /// The most bytes that one stream may produce.
    fn open(&mut self) -> usize {
        self.left = self.left.saturating_sub(OPENING);
        usize::try_from(self.left.min(self.stream)).unwrap_or(usize::MAX)
    }

    fn take(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes as u64);
    }
}

/// Receives the name of a file, if it has one, its content, and how much may still be unpacked.
type Opened<'a> = &'a mut dyn FnMut(Option<&[u8]>, &[u8], &mut Room);

/// Calls `opened` for every file packed in `content`, as far as room and intact content allow. A single compressed file has no name.
pub(super) fn each(content: &[u8], room: &mut Room, opened: Opened) {
    if content.starts_with(ZIP) {
        return zip(content, room, opened);
    }
    if is_tar_header(content) {
        return tar(content, room, opened);
    }
    let unpack: fn(&[u8], usize) -> Vec<u8> = match content {
        [0x1f, 0x8b, 8, ..] => gzip,
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..] => bzip2,
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => xz,
        _ if content.starts_with(ZSTD) => zstd,
        _ => return,
    };
    let unpacked = unpack(content, room.open());
    room.take(unpacked.len());
    opened(None, &unpacked, room);
}

/// The bytes of a reader, until it fails or has produced `most`.
fn drained(mut reader: impl Read, most: usize) -> Vec<u8> {
    let (mut out, mut chunk) = (Vec::new(), [0; CHUNK]);
    while out.len() < most {
        match reader.read(&mut chunk) {
            // Damaged or unusual archives are read as far as possible.
            Ok(0) | Err(_) => break,
            Ok(count) => out.extend_from_slice(&chunk[..count]),
        }
    }
    out
}

/// Inflates one stream to `out`, up to the length `most`. Returns the part of the input that it read.
fn inflated(content: &[u8], inflate: &mut Inflate, out: &mut Vec<u8>, most: usize) -> usize {
    let mut chunk = [0; CHUNK];
    while out.len() < most {
        let [read, written] = [inflate.total_in(), inflate.total_out()];
        let status = inflate.decompress(&content[read as usize..], &mut chunk, InflateFlush::NoFlush);
        let count = (inflate.total_out() - written) as usize;
        out.extend_from_slice(&chunk[..count]);
        if !matches!(status, Ok(Status::Ok)) || count == 0 && inflate.total_in() == read {
            break;
        }
    }
    inflate.total_in() as usize
}

/// RFC 1952: one or more members.
fn gzip(mut content: &[u8], most: usize) -> Vec<u8> {
    const WITH_HEADER: u8 = 16 + 15;
    let mut out = Vec::new();
    while content.starts_with(&[0x1f, 0x8b]) && out.len() < most {
        let read = inflated(content, &mut Inflate::new(true, WITH_HEADER), &mut out, most);
        content = &content[read.max(1)..];
    }
    out
}

/// One or more streams (the manual of bzip2, 2.5). Each holds blocks of at most 900 kB.
fn bzip2(content: &[u8], most: usize) -> Vec<u8> {
    drained(bzip2::read::MultiBzDecoder::new(content), most)
}

/// <https://tukaani.org/xz/xz-file-format.txt>: one or more streams. The memory for a stream grows with its output.
fn xz(content: &[u8], most: usize) -> Vec<u8> {
    drained(lzma_rust2::XzReader::new(content, true), most)
}

/// RFC 8878: one or more frames, and some that are skipped.
fn zstd(mut content: &[u8], most: usize) -> Vec<u8> {
    let (mut out, mut decoder) = (Vec::new(), FrameDecoder::new());
    decoder.set_max_window_size(most as u64);
    while out.len() < most {
        match StreamingDecoder::new_with_decoder(&mut content, &mut decoder) {
            Ok(reader) => out.extend(drained(reader, most - out.len())),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                content = content.get(length as usize..).unwrap_or_default();
            }
            Err(_) => break,
        }
    }
    out
}

/// The files of a zip, by their local headers, because some are not in its directory.
/// <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>
fn zip(content: &[u8], room: &mut Room, opened: Opened) {
    const HEADER: usize = 30;
    const ENCRYPTED: u8 = 1;
    let mut inflate = Inflate::new(false, 15);
    let mut rest = content;
    while let Some(at) = bstr::ByteSlice::find(rest, ZIP) {
        let entry = &rest[at..];
        rest = &entry[ZIP.len()..];
        let number = |from: usize, bytes: usize| {
            entry[from..from + bytes].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
        };
        if entry.len() < HEADER {
            return;
        }
        let start = HEADER + number(26, 2) + number(28, 2);
        let (Some(name), Some(data)) = (entry.get(HEADER..HEADER + number(26, 2)), entry.get(start..)) else {
            continue;
        };
        let most = room.open();
        if most == 0 {
            return;
        }
        if entry[6] & ENCRYPTED != 0 {
            continue;
        }
        match number(8, 2) {
            0 => {
                let stored = &data[..number(18, 4).min(data.len()).min(most)];
                rest = &data[stored.len()..];
                room.take(stored.len());
                opened(Some(name), stored, room);
            }
            8 => {
                let mut out = Vec::new();
                inflate.reset(false);
                let read = inflated(data, &mut inflate, &mut out, most);
                rest = &data[read..];
                room.take(out.len());
                opened(Some(name), &out, room);
            }
            _ => {}
        }
    }
}

const BLOCK: usize = 512;

/// POSIX pax, ustar, and GNU's format.
fn is_tar_header(block: &[u8]) -> bool {
    block.get(257..262) == Some(b"ustar")
}

/// The files of a tar.
fn tar(mut content: &[u8], room: &mut Room, opened: Opened) {
    while let Some((header, rest)) = content.split_at_checked(BLOCK) {
        let most = room.open();
        if !is_tar_header(header) || most == 0 {
            return;
        }
        let text =
            |from: usize, bytes: usize| header[from..from + bytes].split(|byte| *byte == 0).next().unwrap_or_default();
        let digits = text(124, 12).trim_ascii();
        let Some(size) = str::from_utf8(digits).ok().and_then(|digits| usize::from_str_radix(digits, 8).ok()) else {
            return;
        };
        let data = &rest[..size.min(rest.len())];
        room.take(data.len());
        opened(Some(text(0, 100)), data, room);
        content = rest.get(size.next_multiple_of(BLOCK)..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_packed_takes_room() {
        let mut room = Room::of(1 << 20);
        for plain in [&b""[..], b"text", &[0x1f, 0x8b], &[7; 2000]] {
            each(plain, &mut room, &mut |_, _, _| panic!("nothing is packed"));
        }
        assert_eq!(room.left, 1 << 17);
        each(&[0x1f, 0x8b, 8], &mut room, &mut |name, unpacked, _| assert_eq!((name, unpacked), (None, &b""[..])));
        assert_eq!(room.left, (1 << 17) - OPENING);
    }
}
