//! Detects files that are keys as a whole by their first bytes: they contain no keyword.

/// A kind of file that holds private keys.
pub(super) struct Container {
    /// Its name for programs.
    pub id: &'static str,
    /// What it is, with its article.
    pub words: &'static str,
    holds: fn(&[u8]) -> bool,
}

pub(super) const CONTAINERS: [Container; 5] = [
    Container { id: "private-key-der", words: "a private key in DER", holds: private_key },
    Container { id: "private-key-openssh", words: "a private key of OpenSSH", holds: openssh },
    Container { id: "pkcs12", words: "a PKCS #12 key store", holds: pkcs12 },
    Container { id: "java-keystore", words: "a Java key store", holds: java_keystore },
    Container { id: "keepass", words: "a KeePass database", holds: keepass },
];

/// The kind of container that `content` is as a whole.
pub(super) fn of(content: &[u8]) -> Option<&'static Container> {
    CONTAINERS.iter().find(|container| (container.holds)(content))
}

/// Whether content with these first three bytes may be a container.
pub(super) fn begins(head: [u8; 3]) -> bool {
    let sequence = matches!(head, [0x30, 0x80..=0x83, _] | [0x30, 0x20..=0x7f, 2 | 0x30]);
    sequence || matches!(head, [0xfe, 0xed, 0xfe] | [0xce, 0xce, 0xce] | [0x03, 0xd9, 0xa2] | [b'o', b'p', b'e'])
}

/// <https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.key>
fn openssh(content: &[u8]) -> bool {
    content.starts_with(b"openssh-key-v1\0")
}

/// RFC 8017 (RSA), RFC 5915 (elliptic curves), RFC 5958 (any, encrypted or not).
fn private_key(content: &[u8]) -> bool {
    let Some(fields) = sequence(content) else { return false };
    match fields {
        // A version, then an algorithm, or the modulus of a key of at least 512 bits.
        [2, 1, 0 | 1, 0x30, rest @ ..] => {
            length(rest).is_some_and(|(length, rest)| rest.first() == Some(&6) && rest.get(length) == Some(&4))
        }
        [2, 1, 0, 2, rest @ ..] => length(rest).is_some_and(|(length, _)| length >= 64 && fields.len() > 4 * 64),
        [2, 1, 1, 4, length @ (28 | 32 | 48 | 66), ..] => fields.len() > usize::from(*length) + 5,
        // The algorithms of PKCS #5 and PKCS #12 that encrypt keys.
        [0x30, _, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, ..] => true,
        [0x30, _, 6, 10, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, ..] => true,
        _ => false,
    }
}

/// RFC 7292: version 3 and the content type `data`.
fn pkcs12(content: &[u8]) -> bool {
    const DATA: [u8; 11] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
    // Some programs write indefinite lengths.
    let fields = content.strip_prefix(&[0x30, 0x80]).or_else(|| sequence(content));
    let Some([2, 1, 3, 0x30, rest @ ..]) = fields else { return false };
    let data = rest.strip_prefix(&[0x80]).or_else(|| length(rest).map(|(_, data)| data));
    data.is_some_and(|data| data.starts_with(&DATA))
}

/// JKS and JCEKS with a key among their entries. Stores with only certificates merely say who is
/// trusted.
fn java_keystore(content: &[u8]) -> bool {
    let magic = content.starts_with(&[0xfe, 0xed, 0xfe, 0xed]) || content.starts_with(&[0xce; 4]);
    let Some([0, 0, 0, version @ (1 | 2), _, _, _, _, entries @ ..]) = content.get(4..).filter(|_| magic) else {
        return false;
    };
    let mut entries = entries;
    while let Some((tag, rest)) = entries.split_first_chunk::<4>() {
        match u32::from_be_bytes(*tag) {
            1 | 3 => return true,
            2 => match certificate(rest, *version) {
                Some(rest) => entries = rest,
                None => return false,
            },
            _ => return false,
        }
    }
    false
}

/// Skips the rest of a certificate entry: its alias, its date, its type from version 2 on, and the
/// certificate.
fn certificate(entry: &[u8], version: u8) -> Option<&[u8]> {
    let short = |text: &'_ [u8]| text.first_chunk::<2>().map(|length| 2 + usize::from(u16::from_be_bytes(*length)));
    let entry = entry.get(short(entry)? + 8..)?;
    let entry = if version == 2 { entry.get(short(entry)?..)? } else { entry };
    let (length, entry) = entry.split_first_chunk::<4>()?;
    entry.get(u32::from_be_bytes(*length) as usize..)
}

fn keepass(content: &[u8]) -> bool {
    content.starts_with(&[0x03, 0xd9, 0xa2, 0x9a]) && matches!(content.get(4..8), Some([0x65..=0x67, 0xfb, 0x4b, 0xb5]))
}

/// The contents of the SEQUENCE that fills the whole content, except for a line end.
fn sequence(content: &[u8]) -> Option<&[u8]> {
    let (length, fields) = length(content.strip_prefix(&[0x30])?)?;
    let (fields, rest) = fields.split_at_checked(length)?;
    rest.trim_ascii().is_empty().then_some(fields)
}

/// A length in DER, and the bytes after it.
fn length(text: &[u8]) -> Option<(usize, &[u8])> {
    match text {
        [short @ 0..=0x7f, rest @ ..] => Some((usize::from(*short), rest)),
        [0x81, length, rest @ ..] => Some((usize::from(*length), rest)),
        [0x82, high, low, rest @ ..] => Some((usize::from(u16::from_be_bytes([*high, *low])), rest)),
        [0x83, high, middle, low, rest @ ..] => Some((u32::from_be_bytes([0, *high, *middle, *low]) as usize, rest)),
        _ => None,
    }
}
