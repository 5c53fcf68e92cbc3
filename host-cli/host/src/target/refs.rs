//! The refs of a target.

use std::fmt;

use bstr::{BStr, BString, ByteSlice};
use gate::refname::check_name;
use gate::target::CanonicalTarget;
use gix_hash::ObjectId;

/// The refs of a target at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefListing {
    /// Their repository.
    pub canonical: CanonicalTarget,
    /// The full name of HEAD's branch, even if it has no commit yet.
    pub head: Option<String>,
    /// The commit of a detached HEAD, or of a HEAD whose branch is left out.
    pub detached: Option<ObjectId>,
    /// Branches, tags and, if asked for, remote-tracking refs, sorted by full name. Symbolic refs
    /// show their value.
    pub refs: Vec<RefEntry>,
    /// Refs that are not listed, sorted by full name.
    pub left_out: Vec<LeftOut>,
}

/// A ref that is not listed, because some machine or person could misread its name. The repository
/// is still usable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// The full name, any bytes.
    pub name: BString,
    /// Why, in one sentence without a full stop that names the ref and is safe to print.
    pub reason: String,
}

impl RefListing {
    /// The full name of the branch that `git clone` takes for HEAD's (remote.c,
    /// `guess_remote_head`). A HEAD that names a branch stands for that one. For a detached HEAD,
    /// git takes a branch at the same commit: `default`, else `master`, else the first by name.
    /// `None` if there is no such branch.
    pub fn head_branch(&self, default: &str) -> Option<&str> {
        let mut branches = self.refs.iter().filter(|entry| entry.name.starts_with("refs/heads/"));
        let rank = |entry: &&RefEntry| match entry.name.strip_prefix("refs/heads/") {
            Some(name) if name == default => 0,
            Some("master") => 1,
            _ => 2,
        };
        let branch = match (&self.head, self.detached) {
            (Some(head), _) => branches.find(|entry| entry.name == *head),
            (None, detached) => branches.filter(|entry| Some(entry.id) == detached).min_by_key(rank),
        };
        branch.map(|entry| entry.name.as_str())
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl LeftOut {
    /// Returns the name as text, or why the ref is left out.
    pub fn unless_usable(name: &BStr) -> Result<String, LeftOut> {
        let reason = match name.to_str() {
            Ok(text) => match check_name(text) {
                Ok(()) => return Ok(text.to_owned()),
                Err(fault) => fault.message,
            },
            Err(_) => format!("the ref '{}' is not UTF-8", name.escape_ascii()),
        };
        Err(LeftOut { name: name.to_owned(), reason })
    }
}

/// One ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefEntry {
    /// The full name, such as `refs/tags/v1`.
    pub name: String,
    /// The object the ref holds, a tag object for an annotated tag.
    pub id: ObjectId,
    /// The object that a tag leads to, or `None` if the ref is not an annotated tag.
    pub peeled: Option<ObjectId>,
}

/// Which refs to list besides branches and tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remotes {
    /// Leave remote-tracking refs out.
    Without,
    /// List `refs/remotes/` as well.
    With,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(head: Option<&str>, detached: Option<u8>, refs: &[(&str, u8)]) -> RefListing {
        let id = |digit: u8| ObjectId::from_hex(&[digit; 40]).unwrap();
        let entry = |(name, digit): &(&str, u8)| RefEntry { name: (*name).to_owned(), id: id(*digit), peeled: None };
        RefListing {
            canonical: "bare:/x.git".parse().unwrap(),
            head: head.map(str::to_owned),
            detached: detached.map(id),
            refs: refs.iter().map(entry).collect(),
            left_out: Vec::new(),
        }
    }

    #[test]
    fn the_branch_of_head_is_the_one_that_git_guesses() {
        let refs =
            [("refs/heads/a", b'1'), ("refs/heads/main", b'1'), ("refs/heads/master", b'1'), ("refs/tags/t", b'2')];
        let guess = |head, detached| listing(head, detached, &refs).head_branch("main").map(str::to_owned);
        assert_eq!(guess(Some("refs/heads/a"), None).as_deref(), Some("refs/heads/a"));
        assert_eq!(guess(Some("refs/heads/unborn"), None), None);
        assert_eq!(guess(None, Some(b'1')).as_deref(), Some("refs/heads/main"));
        assert_eq!(guess(None, Some(b'2')), None, "a tag is no branch");
        let without = listing(None, Some(b'1'), &[refs[0], refs[2]]);
        assert_eq!(without.head_branch("main"), Some("refs/heads/master"));
        assert_eq!(listing(None, Some(b'1'), &refs[..1]).head_branch("main"), Some("refs/heads/a"));
    }

    #[test]
    fn a_name_that_somebody_could_misread_is_left_out_with_its_reason() {
        assert_eq!(LeftOut::unless_usable("refs/heads/a/b".into()).unwrap(), "refs/heads/a/b");
        let odd = LeftOut::unless_usable(b"refs/heads/caf\xe9".as_bstr()).unwrap_err();
        assert_eq!(odd.to_string(), "the ref 'refs/heads/caf\\xe9' is not UTF-8");
        assert!(LeftOut::unless_usable("refs/heads/a\u{200d}b".into()).is_err());
    }
}
