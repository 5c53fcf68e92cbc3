//! Who has written a commit, and what it is about.

use gix::bstr::{BStr, BString, ByteSlice};

use super::history::{History, Place};
use crate::call::Moment;
use crate::error::ToolError;
use crate::git::dates::{self, DateForm, Stamp};
use crate::git::mailmap::Mailmap;

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
            let nobody = ("Not Committed Yet".into(), "not.committed.yet".into());
            return Author::new(nobody, now.git_time().into(), BString::default(), mailmap, now);
        }
        let commit = history.links.commit(id)?;
        let summary = summary(commit.message());
        let Some(author) = commit.author() else {
            // Nobody that a .mailmap could name.
            let unknown = (UNKNOWN.into(), UNKNOWN.into());
            return Author::new(unknown, Stamp::default(), summary, &Mailmap::default(), now);
        };
        Author::new((author.name, author.mail), author.date.unwrap_or_default(), summary, mailmap, now)
    }

    fn new(
        (name, email): (&BStr, &BStr),
        stamp: Stamp,
        summary: BString,
        mailmap: &Mailmap,
        now: Moment,
    ) -> Result<Author, ToolError> {
        let (name, email) = mailmap.map(name, email);
        Ok(Author {
            name: name.into_owned(),
            email: email.into_owned(),
            date: dates::show(stamp, DateForm::Iso, now)?,
            time: dates::show(stamp, DateForm::IsoStrict, now)?,
            summary,
        })
    }
}

/// The first line of a message that is not blank.
fn summary(message: &[u8]) -> BString {
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
