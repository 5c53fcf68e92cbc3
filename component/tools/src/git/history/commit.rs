//! A commit, read as forgivingly as git reads it.

use std::borrow::Cow;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};

use super::Node;
use super::ident::Ident;
use crate::error::ToolError;

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

/// What a walk needs of the commit `id` with the content `data`.
pub fn node(id: ObjectId, data: &[u8]) -> Result<Node, ToolError> {
    let header = header(data);
    let id_in = |line: &[u8]| ObjectId::from_hex(line).ok();
    let tree = line(header, b"tree ").and_then(id_in);
    let tree = tree.ok_or_else(|| ToolError::failed(format!("bogus commit object {id}")))?;
    let parents = header.lines().filter_map(|line| line.strip_prefix(b"parent ")).filter_map(id_in).collect();
    let committer = line(header, b"committer ").unwrap_or_default();
    Ok(Node { id, tree, parents, time: time(committer) })
}

/// The seconds of a line that ends as `> 1767225600 +0000`.
fn time(person: &[u8]) -> u64 {
    let Some(end) = person.rfind_byte(b'>') else {
        return 0;
    };
    let digits = person[end + 1..].trim_ascii_start();
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // Digits are UTF-8; what is too large for git is no time.
    std::str::from_utf8(&digits[..length]).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0)
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
