//! The blocks in front of members.

use bstr::{BString, ByteSlice};

/// Bytes of a block.
pub const BLOCK: usize = 512;

/// What a header says.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// The name.
    pub name: BString,
    /// Who may do what.
    pub mode: u64,
    /// The owner.
    pub user: BString,
    /// Its group.
    pub group: BString,
    /// The owner's number.
    pub user_number: u64,
    /// The group's number.
    pub group_number: u64,
    /// Bytes that follow.
    pub size: u64,
    /// Seconds since the Unix epoch.
    pub modified: i64,
    /// The letter that says what it is.
    pub kind: u8,
    /// Where a link leads.
    pub link: BString,
}

impl Header {
    /// Reads a block. None if its checksum is wrong.
    pub fn read(block: &[u8]) -> Option<Header> {
        let sum: u64 = block
            .iter()
            .enumerate()
            .map(|(at, byte)| u64::from(if (148..156).contains(&at) { b' ' } else { *byte }))
            .sum();
        if number(&block[148..156])? as u64 != sum {
            return None;
        }
        let mut name = text(&block[..100]);
        let is_gnu = &block[257..265] == b"ustar  \0";
        let is_posix = !is_gnu && block[257..262] == *b"ustar";
        let prefix = text(&block[345..500]);
        if is_posix && !prefix.is_empty() {
            name = BString::from([&prefix[..], b"/", &name].concat());
        }
        let named = is_gnu || is_posix;
        let owner = |range: std::ops::Range<usize>| if named { text(&block[range]) } else { BString::default() };
        Some(Header {
            mode: number(&block[100..108])? as u64 & 0o7777,
            user_number: number(&block[108..116])? as u64,
            group_number: number(&block[116..124])? as u64,
            size: u64::try_from(number(&block[124..136])?).ok()?,
            modified: number(&block[136..148])?,
            // A folder was once a file whose name ends so.
            kind: if matches!(block[156], 0 | b'0') && name.ends_with(b"/") { b'5' } else { block[156] },
            link: text(&block[157..257]),
            user: owner(265..297),
            group: owner(297..329),
            name,
        })
    }

    /// The blocks that say it. Names that are too long have members of their own in front.
    pub fn written(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (kind, long) in [(b'K', &self.link), (b'L', &self.name)] {
            if long.len() > 100 {
                let size = long.len() as u64 + 1;
                let front = Header {
                    name: "././@LongLink".into(),
                    mode: 0o644,
                    size,
                    kind,
                    user: "root".into(),
                    group: "root".into(),
                    ..Header::default()
                };
                out.extend(front.block());
                out.extend_from_slice(long);
                out.push(0);
                pad(&mut out);
            }
        }
        out.extend(self.block());
        out
    }

    fn block(&self) -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        put(&mut block[..100], &self.name);
        octal(&mut block[100..108], self.mode);
        octal(&mut block[108..116], self.user_number);
        octal(&mut block[116..124], self.group_number);
        octal(&mut block[124..136], self.size);
        octal(&mut block[136..148], u64::try_from(self.modified).unwrap_or(0));
        block[156] = self.kind;
        put(&mut block[157..257], &self.link);
        block[257..265].copy_from_slice(b"ustar  \0");
        put(&mut block[265..296], &self.user);
        put(&mut block[297..328], &self.group);
        block[148..156].fill(b' ');
        let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        block
    }
}

/// Fills the last block.
pub fn pad(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(BLOCK), 0);
}

fn put(field: &mut [u8], text: &[u8]) {
    let length = text.len().min(field.len());
    field[..length].copy_from_slice(&text[..length]);
}

fn octal(field: &mut [u8], number: u64) {
    let width = field.len() - 1;
    let digits = format!("{number:0width$o}");
    if digits.len() > width {
        // A number that is too large for octal digits is there as it is.
        let length = field.len();
        field[length - 8..].copy_from_slice(&number.to_be_bytes());
        field[0] |= 0x80;
        return;
    }
    field[..width].copy_from_slice(digits.as_bytes());
}

fn text(field: &[u8]) -> BString {
    field[..field.find_byte(0).unwrap_or(field.len())].into()
}

fn number(field: &[u8]) -> Option<i64> {
    if field[0] & 0x80 != 0 {
        let tail: [u8; 8] = field[field.len().saturating_sub(8)..].try_into().ok()?;
        let value = i64::from_be_bytes(tail);
        return Some(if field.len() == 8 { value & (i64::MAX >> 7) } else { value });
    }
    let digits = field.trim_with(|char| char == ' ' || char == '\0');
    if digits.is_empty() { Some(0) } else { i64::from_str_radix(digits.to_str().ok()?, 8).ok() }
}
