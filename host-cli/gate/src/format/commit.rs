//! Commits: a lenient reader for hosts, and the strict rules for new commits.

use bstr::{BStr, ByteSlice};
use gix_hash::ObjectId;
use patch::sort::sort;

use super::{Broken, identity};
use crate::pack::Origin;

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
    /// If the tree, the parents, the author or the committer are not where git writes them.
    pub fn parse(data: &'a [u8]) -> Result<Self, Broken> {
        let mut rest = data;
        let tree = id_header(&mut rest, b"tree ")?.ok_or_else(|| Broken::format("does not start with its tree"))?;
        let mut parents = Vec::new();
        while let Some(parent) = id_header(&mut rest, b"parent ")? {
            parents.push(parent);
        }
        let author = header(&mut rest, b"author ").ok_or_else(|| Broken::format("has no author line"))?;
        let committer = header(&mut rest, b"committer ").ok_or_else(|| Broken::format("has no committer line"))?;
        // Old tools omitted the blank line if there was no message.
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
        message.lines().find(|line| !line.trim_ascii().is_empty()).unwrap_or_default().as_bstr()
    }
}

/// The rest of the next line, if that line starts with `word`.
pub(super) fn header<'a>(rest: &mut &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let (line, after) = rest.split_at(rest.find_byte(b'\n')?);
    let value = line.strip_prefix(word)?;
    *rest = &after[1..];
    Some(value)
}

/// The id in the next line, if that line starts with `word`.
pub(super) fn id_header(rest: &mut &[u8], word: &[u8]) -> Result<Option<ObjectId>, Broken> {
    let Some(value) = header(rest, word) else {
        return Ok(None);
    };
    let lower = value.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    match ObjectId::from_hex(value) {
        Ok(id) if lower && value.len() == 40 => Ok(Some(id)),
        _ => Err(Broken::format(format!("the {}line has no object id", word.as_bstr()))),
    }
}

/// The most parents of one commit. Git sets no bound, and the largest merge of the Linux kernel has
/// 66. But the host compares the commit with every parent, and the screen names each.
const MOST_PARENTS: usize = 128;

/// The most bytes of one commit. Nobody reads a longer message before they approve it.
const MOST_BYTES: usize = 1 << 20;

/// The rules for new commits: no header that a review does not show, well-formed identities, no
/// NUL.
pub(super) fn strict(data: &[u8], origin: Origin) -> Result<(), Broken> {
    if data.len() > MOST_BYTES {
        return Err(Broken::format(format!("has more than {MOST_BYTES} bytes")).with_hint("write a shorter message"));
    }
    if data.contains(&0) {
        return Err(Broken::format("holds a NUL byte"));
    }
    let mut rest = data;
    let mut named: Vec<_> = id_header(&mut rest, b"tree ")?.into_iter().collect();
    while let Some(parent) = id_header(&mut rest, b"parent ")? {
        named.push(parent);
    }
    if named.iter().any(|id| id.is_null()) {
        return Err(Broken::format("names the null id"));
    }
    let parents = named.get_mut(1..).unwrap_or_default();
    if parents.len() > MOST_PARENTS {
        return Err(Broken::format(format!("has more than {MOST_PARENTS} parents")).with_hint("merge fewer at a time"));
    }
    sort(parents);
    if parents.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Broken::format("names a parent twice").with_hint("name each parent once, as git does"));
    }
    for word in [&b"author "[..], b"committer "] {
        let line = header(&mut rest, word).unwrap_or_default();
        if let Some(why) = identity::malformed(line) {
            return Err(Broken::format(format!("the {}line {why}", word.as_bstr())));
        }
    }
    if origin == Origin::Signed && header(&mut rest, b"gpgsig ").is_some() {
        while header(&mut rest, b" ").is_some() {}
    }
    if rest.starts_with(b"\n") {
        return Ok(());
    }
    // Any other header would leave with the commit, but no screen shows it, or a screen shows the
    // message as something else.
    let (why, hint) = if rest.starts_with(b"gpgsig") {
        ("has a signature that was not made here, and that a review cannot show", "commit without a signature")
    } else if rest.starts_with(b"encoding ") {
        ("states an encoding, which a review cannot show", "commit with i18n.commitEncoding unset, in UTF-8")
    } else {
        ("has a header other than tree, parent, author and committer", "commit the files again with the same message")
    };
    Err(Broken::format(why).with_hint(hint))
}
