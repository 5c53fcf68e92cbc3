//! Lists a target's refs.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::refs::{FullName, TargetRef};

use super::{LeftOut, RefEntry, RefListing, Remotes, Target, TargetError, TargetErrorKind};

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
