//! Reads a commit as leniently as git does.

use std::borrow::Cow;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};

use super::ident::Ident;

/// A commit with all its fields, converted to UTF-8 where possible.
#[derive(Clone, Debug)]
pub struct Commit {
    /// Its id.
    pub id: ObjectId,
    /// Its tree.
    pub tree: ObjectId,
    /// Its parents, but none for a boundary commit.
    pub parents: Vec<ObjectId>,
    /// The encoding in its header.
    pub encoding: Option<Vec<u8>>,
    /// Header and message as `git log` re-encodes them, without the encoding line after a conversion to UTF-8.
    text: Vec<u8>,
    /// The length of the header: up to the empty line, or all of the text.
    header: usize,
}

impl Commit {
    /// Reads the commit `id` from `data`.
    pub fn new(id: ObjectId, tree: ObjectId, parents: Vec<ObjectId>, data: Vec<u8>) -> Commit {
        // git treats a commit as a C string, so its first NUL ends it.
        let end = data.find_byte(0).unwrap_or(data.len());
        let mut text = data;
        text.truncate(end);
        let encoding = line(header(&text), b"encoding ").map(<[u8]>::to_vec);
        let recoded = encoding.as_deref().and_then(|named| recode(&text, named));
        let text = recoded.map(|text| without_encoding(&text)).unwrap_or(text);
        let header = header(&text).len();
        Commit { id, tree, parents, encoding, text, header }
    }

    /// The header, up to the empty line.
    pub fn header(&self) -> &[u8] {
        &self.text[..self.header]
    }

    /// The text after the empty line.
    pub fn message(&self) -> &[u8] {
        self.text.get(self.header + 1..).unwrap_or_default()
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// The text after `author`.
    pub fn author_line(&self) -> &BStr {
        line(self.header(), b"author ").unwrap_or_default().as_bstr()
    }

    /// The text after `committer`.
    pub fn committer_line(&self) -> &BStr {
        line(self.header(), b"committer ").unwrap_or_default().as_bstr()
    }

    /// The author. `None` if the line is invalid.
    pub fn author(&self) -> Option<Ident<'_>> {
        Ident::parse(self.author_line())
    }

    /// The committer. `None` if the line is invalid.
    pub fn committer(&self) -> Option<Ident<'_>> {
        Ident::parse(self.committer_line())
    }
}

/// The lines before the first empty line, each with its line feed.
fn header(text: &[u8]) -> &[u8] {
    let end = match text.starts_with(b"\n") {
        true => 0,
        false => text.find(b"\n\n").map_or(text.len(), |at| at + 1),
    };
    &text[..end]
}

/// The text after `name` in the first line that begins with it.
fn line<'t>(header: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    // Continuation lines of a signature are indented, so none begins with a name.
    header.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(name))
}

/// Converts `text` to UTF-8. `None` if the encoding is unknown, or `text` is invalid in it. git then leaves the text unchanged.
fn recode<'t>(text: &'t [u8], named: &[u8]) -> Option<Cow<'t, [u8]>> {
    let named = named.to_ascii_lowercase();
    if matches!(named.as_slice(), b"utf-8" | b"utf8") {
        return Some(Cow::Borrowed(text));
    }
    if matches!(named.as_slice(), b"iso-8859-1" | b"iso8859-1" | b"latin1" | b"latin-1") {
        // The Encoding Standard of the Web reads this label as Windows-1252, but git does not.
        return Some(Cow::Owned(encoding_rs::mem::decode_latin1(text).into_owned().into_bytes()));
    }
    let encoding = encoding_rs::Encoding::for_label(&named)?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(text)?;
    Some(Cow::Owned(text.into_owned().into_bytes()))
}

/// Drops the encoding line from the header.
fn without_encoding(text: &[u8]) -> Vec<u8> {
    let length = header(text).len();
    let mut kept = Vec::with_capacity(text.len());
    let mut dropped = false;
    for line in text[..length].split_inclusive(|byte| *byte == b'\n') {
        if !dropped && line.starts_with(b"encoding ") {
            dropped = true;
            continue;
        }
        kept.extend_from_slice(line);
    }
    kept.extend_from_slice(&text[length..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(data: &[u8]) -> Commit {
        let id = ObjectId::null(gix::hash::Kind::Sha1);
        Commit::new(id, id, Vec::new(), data.to_vec())
    }

    #[test]
    fn a_commit_is_read_in_the_encoding_that_it_names() {
        let shown = |encoding: &str, name: &[u8]| {
            let data = [b"author ", name, b" <a> 1 +0000\nencoding ", encoding.as_bytes(), b"\n\nhi\n"].concat();
            let commit = commit(&data);
            assert_eq!(commit.message(), b"hi\n");
            commit.author().expect("it is a whole line").name.to_owned()
        };
        for (encoding, bytes) in [("ISO-8859-1", &b"\xe9"[..]), ("windows-1252", b"\xe9"), ("utf8", "é".as_bytes())] {
            assert_eq!(shown(encoding, bytes), "é", "{encoding}");
        }
        assert_eq!(shown("KOI8-R", b"\xd6"), "ж");
        assert_eq!(shown("nonsense", b"\xe9"), b"\xe9".as_bstr());
        assert_eq!(shown("ISO-8859-6", b"\xff"), b"\xff".as_bstr());
    }
}
