//! Who has written a commit, and what it is about.

use std::borrow::Cow;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::filter::plumbing::worktree::{encode_to_git, encode_to_git::RoundTripCheck, encoding};

use super::history::{History, Place};
use super::ident::{self, Ident};
use crate::call::Moment;
use crate::error::ToolError;
use crate::git::dates::{self, DateForm, Stamp};
use crate::git::mailmap::Mailmap;
use crate::git::repo::damaged;

/// The author of a commit, as `.mailmap` has them.
#[derive(Debug)]
pub struct Author {
    pub name: BString,
    pub email: BString,
    /// `2026-01-01 00:00:00 +0000`
    pub date: String,
    /// `2026-01-01T00:00:00Z`
    pub time: String,
    /// The first line of the message.
    pub summary: BString,
}

/// What stands for each part of an author line that cannot be read.
const UNKNOWN: &str = "(unknown)";

impl Author {
    /// The author of the commit at `place`; of the working tree, nobody `now`.
    pub fn of(history: &History<'_>, place: Place, mailmap: &Mailmap, now: Moment) -> Result<Author, ToolError> {
        let id = history.get(place).id;
        if id.is_null() {
            let nobody = Ident { name: "Not Committed Yet".into(), email: "not.committed.yet".into(), time: None };
            return Author::new(nobody, now.git_time().into(), BString::default(), mailmap, now);
        }
        let object = history.repo.gix.find_object(id).map_err(|error| damaged(&error))?;
        let commit = in_utf8(&object.data);
        let header = commit.find("\n\n").map_or(&commit[..], |end| &commit[..end]);
        let line = ByteSlice::lines(header).find_map(|line| line.strip_prefix(b"author "));
        let Some(author) = line.and_then(ident::split) else {
            // Nobody that a .mailmap could name.
            let unknown = Ident { name: UNKNOWN.into(), email: UNKNOWN.into(), time: None };
            return Author::new(unknown, Stamp::default(), summary(&commit), &Mailmap::default(), now);
        };
        Author::new(author, author.time.unwrap_or_default(), summary(&commit), mailmap, now)
    }

    fn new(
        ident: Ident<'_>,
        stamp: Stamp,
        summary: BString,
        mailmap: &Mailmap,
        now: Moment,
    ) -> Result<Author, ToolError> {
        let (name, email) = mailmap.map(ident.name, ident.email);
        Ok(Author {
            name: name.into_owned(),
            email: email.into_owned(),
            date: dates::show(stamp, DateForm::Iso, now)?,
            time: dates::show(stamp, DateForm::IsoStrict, now)?,
            summary,
        })
    }
}

/// The first line of the text of a commit that is not blank.
fn summary(message: &[u8]) -> BString {
    let text = message.find("\n\n").map_or(&[][..], |end| &message[end + 2..]);
    let mut lines = ByteSlice::lines(text).skip_while(|line| line.trim().is_empty());
    lines.next().unwrap_or_default().into()
}

/// A commit in UTF-8, if it says what it is in; as it is, if that cannot be: as git shows it.
fn in_utf8(commit: &[u8]) -> Cow<'_, [u8]> {
    let header = commit.find("\n\n").map_or(commit, |end| &commit[..end]);
    let named = ByteSlice::lines(header).find_map(|line| line.strip_prefix(b"encoding "));
    named.and_then(|encoding| decode(commit, encoding.as_bstr())).map_or(Cow::Borrowed(commit), Cow::Owned)
}

fn decode(text: &[u8], encoding: &BStr) -> Option<Vec<u8>> {
    let name = encoding.to_str().ok()?.to_ascii_lowercase();
    match name.as_str() {
        "utf-8" | "utf8" | "ascii" | "us-ascii" => None,
        // To the web it is another encoding, with printable characters where this one has none.
        "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "latin-1" | "l1" => {
            Some(text.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes())
        }
        _ => {
            let mut decoded = Vec::new();
            encode_to_git(text, encoding::for_label(encoding).ok()?, &mut decoded, RoundTripCheck::Skip).ok()?;
            Some(decoded)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_read_in_the_encoding_that_it_names() {
        let commit = |encoding: &str, name: &[u8]| {
            let text =
                [b"tree x\nauthor ", name, b" <a> 1 +0000\nencoding ", encoding.as_bytes(), b"\n\nhi\n"].concat();
            in_utf8(&text).replace(encoding, "")
        };
        let utf8 = commit("", "é".as_bytes());
        for (encoding, bytes) in [("ISO-8859-1", &b"\xe9"[..]), ("windows-1252", b"\xe9"), ("Shift_JIS", b"\x83\xc0")] {
            let found = commit(encoding, bytes);
            assert_eq!(found == utf8, encoding != "Shift_JIS", "{encoding}");
            assert!(found.to_str().is_ok());
        }
        assert!(commit("nonsense", b"\xe9").to_str().is_err());
        assert!(commit("EUC-JP", b"\xff").to_str().is_err());
    }

    #[test]
    fn the_summary_is_the_first_line_that_says_something() {
        assert_eq!(summary(b"tree x\n\n\n  \nfirst\nsecond\n"), "first");
        assert_eq!(summary(b"tree x\n\n"), "");
        assert_eq!(summary(b"tree x"), "");
    }
}
