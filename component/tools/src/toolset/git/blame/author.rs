//! The author, date and summary of a commit.

use gix::bstr::{BStr, BString, ByteSlice};

use super::history::{History, Place};
use crate::budget::brief;
use crate::call::Moment;
use crate::error::ToolError;
use crate::git::text::mailmap::Mailmap;
use crate::git::words::dates::{self, DateForm, Stamp};

/// The author of a commit, mapped by `.mailmap`.
#[derive(Debug)]
pub struct Author {
    pub name: BString,
    /// The email, cut to the room of a list.
    pub email: String,
    /// `2026-01-01 00:00:00 +0000`
    pub date: String,
    /// `2026-01-01T00:00:00Z`
    pub time: String,
    /// The first line of the message, cut to the room of a list.
    pub summary: String,
}

/// Replaces each unreadable part of an author line.
const UNKNOWN: &str = "(unknown)";

impl Author {
    /// The size of the variable texts in bytes.
    pub fn len(&self) -> usize {
        self.name.len() + self.email.len() + self.summary.len()
    }
}

/// Reads authors.
pub struct Authors<'a> {
    pub mailmap: &'a Mailmap,
    pub now: Moment,
    pub max_bytes: usize,
}

impl Authors<'_> {
    /// The author of the commit at `place`. For the working tree, git's `Not Committed Yet` at the current time.
    pub fn of(&self, history: &History<'_>, place: Place) -> Result<Author, ToolError> {
        if history.is_worktree(place) {
            let nobody = ("Not Committed Yet".into(), "not.committed.yet".into());
            return self.author(nobody, self.now.git_time().into(), b"".into(), self.mailmap);
        }
        let commit = history.links.commit(history.get(place).id)?;
        let summary = summary(commit.message());
        let Some(author) = commit.author() else {
            // A `.mailmap` does not apply to a missing author.
            return self.author((UNKNOWN.into(), UNKNOWN.into()), Stamp::default(), summary, &Mailmap::default());
        };
        self.author((author.name, author.mail), author.date.unwrap_or_default(), summary, self.mailmap)
    }

    fn author(
        &self,
        (name, email): (&BStr, &BStr),
        stamp: Stamp,
        summary: &BStr,
        mailmap: &Mailmap,
    ) -> Result<Author, ToolError> {
        let (name, email) = mailmap.map(name, email);
        let text = |bytes: &BStr| brief(&bytes.to_str_lossy(), self.max_bytes);
        Ok(Author {
            name: name.into_owned(),
            email: text(email.as_ref()),
            date: dates::show(stamp, DateForm::Iso, self.now)?,
            time: dates::show(stamp, DateForm::IsoStrict, self.now)?,
            summary: text(summary),
        })
    }
}

/// The first non-blank line of a message.
fn summary(message: &[u8]) -> &BStr {
    let mut lines = ByteSlice::lines(message).skip_while(|line| line.trim().is_empty());
    lines.next().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_the_first_line_that_says_something() {
        assert_eq!(summary(b"\n  \nfirst\nsecond\n"), "first");
        assert_eq!(summary(b""), "");
    }
}
