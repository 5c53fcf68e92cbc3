//! Lists a target's refs.

use std::fmt;

use gate::refname::check_name;
use gate::target::CanonicalTarget;
use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::refs::{FullName, TargetRef};

use super::{Target, TargetError, TargetErrorKind};

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
    pub(super) fn unless_usable(name: &BStr) -> Result<String, LeftOut> {
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

impl Target {
    /// Lists the refs, and separately those with an unusable name.
    pub fn refs(&self, remotes: Remotes) -> Result<RefListing, TargetError> {
        let repo = self.fresh()?;
        let mut listing = RefListing {
            canonical: self.canonical().clone(),
            head: None,
            detached: None,
            refs: Vec::new(),
            left_out: Vec::new(),
        };
        let prefixes: &[&str] = match remotes {
            Remotes::Without => &["refs/heads/", "refs/tags/"],
            Remotes::With => &["refs/heads/", "refs/remotes/", "refs/tags/"],
        };
        for prefix in prefixes {
            list(&repo, prefix, &mut listing)?;
        }
        match self.head()? {
            None => listing.detached = self.head_tip()?,
            Some(name) => match LeftOut::unless_usable(name.as_bstr()) {
                Ok(name) => listing.head = Some(name),
                Err(odd) => {
                    listing.detached = tip_of(&repo, name.as_bstr())?;
                    listing.left_out.push(odd);
                }
            },
        }
        listing.refs.sort_by(|a, b| a.name.cmp(&b.name));
        listing.left_out.sort();
        listing.left_out.dedup();
        Ok(listing)
    }

    /// The full name of HEAD's branch, or `None` if HEAD is detached.
    pub(super) fn head_name(&self) -> Result<Option<String>, TargetError> {
        self.head()?.map(|name| utf8(name.as_bstr())).transpose()
    }
}

fn list(repo: &gix::Repository, prefix: &str, listing: &mut RefListing) -> Result<(), TargetError> {
    let damaged = |e: gix::Error| TargetError::damaged("cannot read the refs", e);
    for reference in repo.references().map_err(damaged)?.prefixed(prefix).map_err(damaged)? {
        let mut reference = reference.map_err(damaged)?;
        let name = match LeftOut::unless_usable(reference.name().as_bstr()) {
            Ok(name) => name,
            Err(odd) => {
                listing.left_out.push(odd);
                continue;
            }
        };
        let Some(id) = tip_of(repo, &name)? else {
            continue;
        };
        if !repo.has_object(id) {
            return Err(TargetError::new(
                TargetErrorKind::MissingObject,
                format!("the object {id} of the ref `{name}` is missing"),
            )
            .hint("run `git fsck` in that repository, and fetch the missing objects"));
        }
        let peeled = reference
            .peel_to_id()
            .map_err(|e| TargetError::damaged(format!("cannot read the object {id} of the ref `{name}`"), e))?
            .detach();
        listing.refs.push(RefEntry { name, id, peeled: (peeled != id).then_some(peeled) });
    }
    Ok(())
}

/// git follows at most five symbolic refs.
const LINKS: usize = 5;

/// The ref that HEAD leads to, born or not, through symbolic refs, or `None` if HEAD is detached.
pub(super) fn resolved_head(repo: &gix::Repository) -> Result<Option<FullName>, TargetError> {
    let damaged = |e: gix::Error| TargetError::damaged("cannot read HEAD", e);
    let mut next = repo.head_name().map_err(damaged)?;
    for _ in 0..LINKS {
        let Some(name) = &next else {
            return Ok(None);
        };
        let reference = repo.try_find_reference(name.as_ref()).map_err(damaged)?;
        match reference.as_ref().map(gix::Reference::target) {
            Some(TargetRef::Symbolic(further)) => next = Some(further.to_owned()),
            Some(TargetRef::Object(_)) | None => return Ok(next),
        }
    }
    Err(damaged(endless()))
}

/// The object that a ref holds, through symbolic refs, with tags not peeled. `None` for absent and
/// dangling refs.
pub(super) fn tip_of(repo: &gix::Repository, name: impl AsRef<[u8]>) -> Result<Option<ObjectId>, TargetError> {
    let name = name.as_ref().as_bstr();
    let broken = |e: gix::Error| TargetError::damaged(format!("cannot read the ref `{}`", name.escape_ascii()), e);
    let mut next = repo.try_find_reference(name).map_err(broken)?;
    for _ in 0..=LINKS {
        let Some(reference) = next else {
            return Ok(None);
        };
        let further = match reference.target() {
            TargetRef::Object(id) => return Ok(Some(id.to_owned())),
            TargetRef::Symbolic(further) => further.to_owned(),
        };
        next = repo.try_find_reference(further.as_ref()).map_err(broken)?;
    }
    Err(broken(endless()))
}

fn endless() -> gix::Error {
    gix::Error::from_error(std::io::Error::other("symbolic refs form a loop"))
}

fn utf8(name: &BStr) -> Result<String, TargetError> {
    name.to_str().map(str::to_owned).map_err(|error| {
        TargetError::new(TargetErrorKind::Unsupported, format!("the ref name `{}` is not UTF-8", name.escape_ascii()))
            .hint("rename it with `git update-ref`")
            .caused_by(error)
    })
}
