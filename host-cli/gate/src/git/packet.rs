//! Packet lines (gitprotocol-common), the frames of everything that git's servers say and hear.

use std::fmt;

use bytes::Bytes;
use gix_hash::ObjectId;
use gix_packetline::{PacketLineRef, decode};

use super::{Fault, fault};

/// Reads the lines of an answer.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Lines<'a> {
    pub fn of(answer: &'a [u8]) -> Self {
        Lines { rest: answer }
    }

    /// What follows the lines that were read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next line, `None` at the end of the answer. A line of the server's that says what went wrong is a
    /// fault.
    pub fn next(&mut self) -> Result<Option<PacketLineRef<'a>>, Fault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        match decode::streaming(self.rest) {
            Ok(decode::Stream::Complete { line, bytes_consumed }) => {
                self.rest = &self.rest[bytes_consumed..];
                if let Some(said) = line.as_slice().and_then(|data| data.strip_prefix(b"ERR ")) {
                    return Err(fault::told(said));
                }
                Ok(Some(line))
            }
            Ok(decode::Stream::Incomplete { .. }) => Err(fault::malformed("it ends within a line")),
            Err(_) => Err(fault::malformed("it is not in packet lines")),
        }
    }

    /// The text of the next line, `None` where a section or the answer ends.
    pub fn text(&mut self) -> Result<Option<&'a str>, Fault> {
        match self.next()? {
            Some(PacketLineRef::Data(data)) => text(data).map(Some),
            Some(PacketLineRef::Flush | PacketLineRef::Delimiter | PacketLineRef::ResponseEnd) | None => Ok(None),
        }
    }
}

/// The text of a line, without its end.
pub(super) fn text(data: &[u8]) -> Result<&str, Fault> {
    let text = std::str::from_utf8(data).map_err(|_| fault::malformed("a line is not UTF-8"))?;
    Ok(text.strip_suffix('\n').unwrap_or(text))
}

/// An object's id.
pub(super) fn id(hex: &str) -> Result<ObjectId, Fault> {
    // A server with longer ids says so before, and is refused then.
    match ObjectId::from_hex(hex.as_bytes()) {
        Ok(id) if id.kind() == gix_hash::Kind::Sha1 => Ok(id),
        _ => Err(fault::malformed("it has an id that is none")),
    }
}

/// Lines that are sent.
#[derive(Default)]
pub(super) struct Packets(Vec<u8>);

impl Packets {
    /// Adds a line of text.
    pub fn line(&mut self, text: fmt::Arguments<'_>) -> &mut Self {
        let text = text.to_string();
        // The longest is the first command of a push: a name, two ids and a few words.
        assert!(text.len() < 0xfff0 - 4, "no line is as long as a packet");
        self.0.extend_from_slice(format!("{:04x}{text}\n", text.len() + 5).as_bytes());
        self
    }

    /// Ends a section.
    pub fn delimiter(&mut self) -> &mut Self {
        self.0.extend_from_slice(b"0001");
        self
    }

    /// Ends what is sent.
    pub fn flush(&mut self) -> &mut Self {
        self.0.extend_from_slice(b"0000");
        self
    }

    /// The bytes, with `rest` behind them.
    pub fn then(mut self, rest: &[u8]) -> Bytes {
        self.0.extend_from_slice(rest);
        self.0.into()
    }
}

impl From<Packets> for Vec<u8> {
    fn from(Packets(bytes): Packets) -> Self {
        bytes
    }
}

/// Takes the bands of an answer apart (gitprotocol-pack, "side-band").
pub(super) struct Bands {
    /// What the answer is about: a pack or a report.
    pub data: Vec<u8>,
    /// What the server says to the person.
    pub said: Vec<u8>,
}

/// Bytes that are kept of what a server says.
const MOST_SAID: usize = 16 << 10;

impl Bands {
    /// The last `rest` bytes of an answer, up to a flush or the end. They are taken apart where they are: a pack may be as large as the
    /// memory that there is.
    pub fn of(answer: Bytes, rest: usize) -> Result<Self, Fault> {
        let mut data = Vec::from(answer);
        let (mut said, mut at, mut end) = (Vec::new(), data.len() - rest, 0);
        loop {
            let mut lines = Lines::of(&data[at..]);
            let Some(PacketLineRef::Data(line)) = lines.next()? else { break };
            let next = data.len() - lines.rest().len();
            match line.split_first() {
                Some((1, part)) => {
                    let from = next - part.len();
                    data.copy_within(from..next, end);
                    end += next - from;
                }
                Some((2, words)) => said.extend_from_slice(&words[..words.len().min(MOST_SAID - said.len())]),
                Some((3, words)) => return Err(fault::told(words)),
                _ => return Err(fault::malformed("it has a band that is none")),
            }
            at = next;
        }
        data.truncate(end);
        Ok(Bands { data, said })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge::FaultKind;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let mut packets = Packets::default();
        packets.line(format_args!("want {}", 1)).delimiter().line(format_args!("")).flush();
        let bytes = packets.then(b"PACK");
        assert_eq!(&*bytes, b"000bwant 1\n00010005\n0000PACK");
        let mut lines = Lines::of(&bytes);
        assert_eq!(lines.text().unwrap(), Some("want 1"));
        assert_eq!(lines.next().unwrap(), Some(PacketLineRef::Delimiter));
        assert_eq!(lines.text().unwrap(), Some(""));
        assert_eq!(lines.text().unwrap(), None);
        assert_eq!(lines.rest(), b"PACK");
    }

    #[test]
    fn bands_are_put_together_where_they_are() {
        let answer = b"000bpackfile0009\x01PACK0007\x02hi0006\x01x0000behind";
        let bands = Bands::of(Bytes::from_static(answer), answer.len() - 12).unwrap();
        assert_eq!((&bands.data[..], &bands.said[..]), (&b"PACKx"[..], &b"hi"[..]));
    }

    #[test]
    fn attack_12_what_is_no_line_is_a_fault() {
        for answer in
            [&b"0"[..], b"00", b"0003", b"0004", b"zzzz", b"000bwant", b"fffff", b"<html>", b"00-1", b"+00a12"]
        {
            let fault = Lines::of(answer).next().unwrap_err();
            assert_eq!(fault.kind, FaultKind::Malformed, "{answer:?}");
        }
        for bands in [&b"0005\x04"[..], b"0005"] {
            assert!(Bands::of(Bytes::copy_from_slice(bands), bands.len()).is_err(), "{bands:?}");
        }
    }

    #[test]
    fn attack_15_what_a_server_says_is_shown_and_bounded() {
        let said = format!("ERR \u{1b}[31m{}", "x".repeat(1000));
        let line = format!("{:04x}{said}", said.len() + 4);
        let fault = Lines::of(line.as_bytes()).next().unwrap_err();
        assert!(!fault.message.contains('\u{1b}') && fault.message.len() < 500, "{}", fault.message);
        let long = [b"fff0\x02".to_vec(), vec![b'y'; 0xfff0 - 5]].concat().repeat(3);
        let length = long.len();
        assert_eq!(Bands::of(long.into(), length).unwrap().said.len(), MOST_SAID);
    }
}
