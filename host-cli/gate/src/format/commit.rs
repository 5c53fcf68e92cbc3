//! Commits: a lenient reader for what the host must know, and the strict rules for new ones.

use bstr::{BStr, ByteSlice};
use gix_hash::ObjectId;

use super::{Broken, identity};

/// The parts of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit<'a> {
    /// The tree it records.
    pub tree: ObjectId,
    /// Its parents, first parent first.
    pub parents: Vec<ObjectId>,
    /// `Name <email> seconds zone`.
    pub author: &'a BStr,
    /// `Name <email> seconds zone`.
    pub committer: &'a BStr,
    /// Everything after the blank line.
    pub message: &'a BStr,
}

impl<'a> Commit<'a> {
    /// Reads a commit; tolerates any header after the committer.
    ///
    /// # Errors
    /// If the tree, the parents, the author or the committer are not where git puts them.
    pub fn parse(data: &'a [u8]) -> Result<Self, Broken> {
        let mut rest = data;
        let tree = id_header(&mut rest, b"tree ")?.ok_or_else(|| Broken::format("does not start with its tree"))?;
        let mut parents = Vec::new();
        while let Some(parent) = id_header(&mut rest, b"parent ")? {
            parents.push(parent);
        }
        let author = header(&mut rest, b"author ").ok_or_else(|| Broken::format("has no author line"))?;
        let committer = header(&mut rest, b"committer ").ok_or_else(|| Broken::format("has no committer line"))?;
        // Old tools left out the blank line where there is no message.
        let message = match rest.find(b"\n\n") {
            _ if rest.starts_with(b"\n") => &rest[1..],
            Some(blank) => &rest[blank + 2..],
            None => &[],
        };
        Ok(Commit {
            tree,
            parents,
            author: author.as_bstr(),
            committer: committer.as_bstr(),
            message: message.as_bstr(),
        })
    }

    /// The first line of the message.
    pub fn subject(&self) -> &'a BStr {
        let message: &'a [u8] = self.message;
        message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().as_bstr()
    }
}

/// The line that starts with `word`, without it, if it is the next one.
pub(super) fn header<'a>(rest: &mut &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let (line, after) = rest.split_at(rest.find_byte(b'\n')?);
    let value = line.strip_prefix(word)?;
    *rest = &after[1..];
    Some(value)
}

/// The id in the line that starts with `word`, if it is the next one.
pub(super) fn id_header(rest: &mut &[u8], word: &[u8]) -> Result<Option<ObjectId>, Broken> {
    let Some(value) = header(rest, word) else {
        return Ok(None);
    };
    let lower = value.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    match ObjectId::from_hex(value) {
        Ok(id) if lower && value.len() == 40 => Ok(Some(id)),
        _ => Err(Broken::format(format!("the {}line holds no object id", word.as_bstr()))),
    }
}

/// The rules for new commits: the headers git itself writes and no others, well-formed identities, no NUL.
pub(super) fn strict(data: &[u8]) -> Result<(), Broken> {
    if data.contains(&0) {
        return Err(Broken::format("holds a NUL byte"));
    }
    let mut rest = data;
    let mut named = vec![id_header(&mut rest, b"tree ")?];
    while let Some(parent) = id_header(&mut rest, b"parent ")? {
        named.push(Some(parent));
    }
    if named.iter().flatten().any(ObjectId::is_null) {
        return Err(Broken::format("names the null id"));
    }
    for word in [&b"author "[..], b"committer "] {
        let line = header(&mut rest, word).unwrap_or_default();
        if let Some(why) = identity::malformed(line) {
            return Err(Broken::format(format!("the {}line {why}", word.as_bstr())));
        }
    }
    let (mut encoding, mut signature) = (false, false);
    loop {
        if rest.starts_with(b"\n") {
            return Ok(());
        }
        let seen = if header(&mut rest, b"encoding ").is_some_and(|value| !value.is_empty()) {
            &mut encoding
        } else if header(&mut rest, b"gpgsig ").is_some() {
            while header(&mut rest, b" ").is_some() {}
            &mut signature
        } else {
            return Err(Broken::format("has a header other than tree, parent, author, committer, encoding and gpgsig"));
        };
        if std::mem::replace(seen, true) {
            return Err(Broken::format("has a header twice"));
        }
    }
}
