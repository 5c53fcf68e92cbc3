//! The formats that git has names for.

/// git's own formats.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Layout {
    /// The commit's header as it is.
    Raw,
    /// The default.
    Medium,
    /// Author and subject.
    Short,
    /// As `git format-patch` writes it.
    Email,
    /// The same, with `>From` in the body.
    Mboxrd,
    /// With the committer and all dates.
    Fuller,
    /// With the committer.
    Full,
    /// Id and subject.
    Oneline,
}
