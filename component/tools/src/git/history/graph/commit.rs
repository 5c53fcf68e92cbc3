//! A commit, read as forgivingly as git reads it.

use std::borrow::Cow;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};

use super::ident::Ident;

/// A commit with everything that it says, in UTF-8 as far as it can be brought into it.
#[derive(Clone, Debug)]
pub struct Commit {
    /// Its name.
    pub id: ObjectId,
    /// Its tree.
    pub tree: ObjectId,
    /// Its parents that count.
    pub parents: Vec<ObjectId>,
    /// The encoding that its header names.
    pub encoding: Option<Vec<u8>>,
    /// Header and message, as `git log` has them after encoding: without a line that names UTF-8's.
    text: Vec<u8>,
    /// Where the header ends: at the empty line, or at the end.
    header: usize,
}

impl Commit {
    /// The commit `id` with the content `data`.
    pub fn new(id: ObjectId, tree: ObjectId, parents: Vec<ObjectId>, data: Vec<u8>) -> Commit {
        // git takes a commit for a text that ends at its first NUL.
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

    /// Everything behind the empty line.
    pub fn message(&self) -> &[u8] {
        self.text.get(self.header + 1..).unwrap_or_default()
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// What stands behind `author`.
    pub fn author_line(&self) -> &BStr {
        line(self.header(), b"author ").unwrap_or_default().as_bstr()
    }

    /// What stands behind `committer`.
    pub fn committer_line(&self) -> &BStr {
        line(self.header(), b"committer ").unwrap_or_default().as_bstr()
    }

    /// Who wrote it; none where the line says nothing of the kind.
    pub fn author(&self) -> Option<Ident<'_>> {
        Ident::parse(self.author_line())
    }

    /// Who committed it; none where the line says nothing of the kind.
    pub fn committer(&self) -> Option<Ident<'_>> {
        Ident::parse(self.committer_line())
    }
}

/// The lines before the first empty one, each with its line feed.
fn header(text: &[u8]) -> &[u8] {
    let end = match text.starts_with(b"\n") {
        true => 0,
        false => text.find(b"\n\n").map_or(text.len(), |at| at + 1),
    };
    &text[..end]
}

/// What stands behind `name` in the first line that begins with it.
fn line<'t>(header: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    // Lines behind a signature's first are indented: none of them begins with a name.
    header.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(name))
}

/// `text` in UTF-8; none where its encoding is not known, or it is not what it says: then git leaves it as it is.
fn recode<'t>(text: &'t [u8], named: &[u8]) -> Option<Cow<'t, [u8]>> {
    let named = named.to_ascii_lowercase();
    if matches!(named.as_slice(), b"utf-8" | b"utf8") {
        return Some(Cow::Borrowed(text));
    }
    if matches!(named.as_slice(), b"iso-8859-1" | b"iso8859-1" | b"latin1" | b"latin-1") {
        // The web takes it for Windows-1252, git does not.
        return Some(Cow::Owned(encoding_rs::mem::decode_latin1(text).into_owned().into_bytes()));
    }
    let encoding = encoding_rs::Encoding::for_label(&named)?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(text)?;
    Some(Cow::Owned(text.into_owned().into_bytes()))
}

/// The same commit without the header line of its encoding.
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
