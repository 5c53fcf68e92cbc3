//! git's named formats.

/// A named format of git.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Layout {
    /// The unchanged header of the commit.
    Raw,
    /// The default format.
    Medium,
    /// Author and subject.
    Short,
    /// The format of `git format-patch`.
    Email,
    /// Like `Email`, with `>From` quoted in the body.
    Mboxrd,
    /// Committer and all dates.
    Fuller,
    /// Author and committer.
    Full,
    /// Id and subject.
    Oneline,
}
