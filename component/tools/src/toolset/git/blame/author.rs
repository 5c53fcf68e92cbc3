//! Who has written a commit, and what it is about.

use gix::bstr::{BStr, BString, ByteSlice};

use super::history::{History, Place};
use crate::budget::brief;
use crate::call::Moment;
use crate::error::ToolError;
use crate::git::text::mailmap::Mailmap;
use crate::git::words::dates::{self, DateForm, Stamp};

/// The author of a commit, as `.mailmap` has them.
#[derive(Debug)]
pub struct Author {
    pub name: BString,
    /// As far as a list has room for it.
    pub email: String,
    /// `2026-01-01 00:00:00 +0000`
    pub date: String,
    /// `2026-01-01T00:00:00Z`
    pub time: String,
    /// The first line of the message, as far as a list has room for it.
    pub summary: String,
}

/// What stands for each part of an author line that cannot be read.
const UNKNOWN: &str = "(unknown)";

impl Author {
    /// The bytes that are held.
    pub fn len(&self) -> usize {
        self.name.len() + self.email.len() + self.summary.len()
    }
}

/// What authors are read with.
pub struct Authors<'a> {
    pub mailmap: &'a Mailmap,
    pub now: Moment,
    pub max_bytes: usize,
}

impl Authors<'_> {
    /// The author of the commit at `place`; of the working tree, nobody now.
    pub fn of(&self, history: &History<'_>, place: Place) -> Result<Author, ToolError> {
        if history.is_worktree(place) {
            let nobody = ("Not Committed Yet".into(), "not.committed.yet".into());
            return self.author(nobody, self.now.git_time().into(), b"".into(), self.mailmap);
        }
        let commit = history.links.commit(history.get(place).id)?;
        let summary = summary(commit.message());
        let Some(author) = commit.author() else {
            // Nobody that a .mailmap could name.
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

/// The first line of a message that is not blank.
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
