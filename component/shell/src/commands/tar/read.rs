//! The members of an archive, with the long names of GNU and POSIX.

use bstr::{BString, ByteSlice};

use super::header::{BLOCK, Header};

/// Reads members one by one.
pub struct Members<'a> {
    bytes: &'a [u8],
    /// Where the next header is. Where the archive ends, at the end.
    pub at: usize,
    /// How many members were read.
    count: usize,
    /// Whether the last content was not all there.
    short: bool,
}

/// Why there is no further member.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// There is none.
    Done,
    /// It is no archive.
    Foreign,
    /// Something is missing.
    Short,
}

/// What stands in front of a member and changes what its header says.
#[derive(Default)]
struct Before {
    name: Option<BString>,
    link: Option<BString>,
    size: Option<u64>,
    modified: Option<i64>,
}

impl<'a> Members<'a> {
    /// Those of an archive.
    pub fn new(bytes: &'a [u8]) -> Members<'a> {
        Members { bytes, at: 0, count: 0, short: false }
    }

    /// The next member and its content.
    pub fn next(&mut self) -> Result<(Header, &'a [u8]), End> {
        let mut before = Before::default();
        loop {
            if self.short {
                return Err(End::Short);
            }
            let Some(block) = self.bytes.get(self.at..self.at + BLOCK) else {
                return Err(match (self.count, self.at >= self.bytes.len()) {
                    (0, _) => End::Foreign,
                    (_, true) => End::Done,
                    (_, false) => End::Short,
                });
            };
            if block.iter().all(|byte| *byte == 0) {
                return Err(End::Done);
            }
            let mut header = Header::read(block).ok_or(End::Foreign)?;
            if let (Some(size), false) = (before.size, matches!(header.kind, b'L' | b'K' | b'x' | b'g')) {
                header.size = size;
            }
            let has_content = !matches!(header.kind, b'1'..=b'6');
            let size = if has_content { usize::try_from(header.size).map_err(|_| End::Short)? } else { 0 };
            let begin = self.at + BLOCK;
            let rest = &self.bytes[begin..];
            let content = &rest[..size.min(rest.len())];
            self.short = content.len() < size;
            self.at = begin + content.len().next_multiple_of(BLOCK);
            self.count += 1;
            match header.kind {
                b'L' => before.name = Some(content.split_str("\0").next().unwrap_or_default().into()),
                b'K' => before.link = Some(content.split_str("\0").next().unwrap_or_default().into()),
                b'x' => before.records(content),
                b'g' => (),
                _ => {
                    header.name = before.name.unwrap_or(header.name);
                    header.link = before.link.unwrap_or(header.link);
                    header.modified = before.modified.unwrap_or(header.modified);
                    if matches!(header.kind, 0 | b'0') && header.name.ends_with(b"/") {
                        header.kind = b'5';
                    }
                    return Ok((header, content));
                }
            }
        }
    }
}

impl Before {
    /// Reads records of the form `length key=value`.
    fn records(&mut self, mut rest: &[u8]) {
        while let Some((length, _)) = rest.split_once_str(" ") {
            let whole = length.to_str().ok().and_then(|length| length.parse::<usize>().ok());
            let Some(whole) = whole.filter(|whole| *whole > length.len() + 1 && *whole <= rest.len()) else { return };
            let record = &rest[length.len() + 1..whole];
            rest = &rest[whole..];
            let Some((key, value)) = record.strip_suffix(b"\n").unwrap_or(record).split_once_str("=") else { continue };
            let digits = || value.to_str().ok();
            match key {
                b"path" => self.name = Some(value.into()),
                b"linkpath" => self.link = Some(value.into()),
                b"size" => self.size = digits().and_then(|digits| digits.parse().ok()),
                b"mtime" => {
                    self.modified = digits().and_then(|digits| digits.split('.').next()?.parse().ok());
                }
                _ => (),
            }
        }
    }
}
