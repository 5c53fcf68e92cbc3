//! What a target's refs are.

use gate::target::CanonicalTarget;
use gix::ObjectId;

use super::{Target, TargetError, TargetErrorKind};

/// The refs of a target at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefListing {
    /// The repository they are of.
    pub canonical: CanonicalTarget,
    /// The full name of the branch that HEAD names, even when that branch has no commit yet.
    pub head: Option<String>,
    /// The commit of a detached HEAD.
    pub detached: Option<ObjectId>,
    /// Branches, tags and, if asked for, remote-tracking refs, sorted by full name. Symbolic refs show their value.
    pub refs: Vec<RefEntry>,
}

/// One ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefEntry {
    /// The full name, such as `refs/tags/v1`.
    pub name: String,
    /// The object the ref holds, a tag object for an annotated tag.
    pub id: ObjectId,
    /// What a tag object stands for in the end; `None` where the ref holds that object itself.
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
    /// List the refs. Names that are not UTF-8 are an error that names them.
    pub fn refs(&self, remotes: Remotes) -> Result<RefListing, TargetError> {
        let repo = self.fresh()?;
        let mut refs = Vec::new();
        let prefixes: &[&str] = match remotes {
            Remotes::Without => &["refs/heads/", "refs/tags/"],
            Remotes::With => &["refs/heads/", "refs/remotes/", "refs/tags/"],
        };
        for prefix in prefixes {
            list(&repo, prefix, &mut refs)?;
        }
        refs.sort_by(|a, b| a.name.cmp(&b.name));
        let head = repo.head().map_err(|e| TargetError::damaged("HEAD cannot be read", e))?;
        Ok(RefListing {
            canonical: self.canonical().clone(),
            head: head.referent_name().map(|name| utf8(name.as_bstr())).transpose()?,
            detached: if head.is_detached() { head.id().map(gix::Id::detach) } else { None },
            refs,
        })
    }

    pub(super) fn head_name(&self) -> Result<Option<String>, TargetError> {
        let repo = self.fresh()?;
        let head = repo.head_name().map_err(|e| TargetError::damaged("HEAD cannot be read", e))?;
        head.map(|name| utf8(name.as_bstr())).transpose()
    }
}

fn list(repo: &gix::Repository, prefix: &str, out: &mut Vec<RefEntry>) -> Result<(), TargetError> {
    let damaged = |e: gix::Error| TargetError::damaged("the refs cannot be read", e);
    for reference in repo.references().map_err(damaged)?.prefixed(prefix).map_err(damaged)? {
        let mut reference = reference.map_err(damaged)?;
        let name = utf8(reference.name().as_bstr())?;
        let Some(id) = tip_of(repo, &name)? else {
            continue;
        };
        if !repo.has_object(id) {
            return Err(TargetError::new(
                TargetErrorKind::MissingObject,
                format!("the ref `{name}` names the object {id}, which is missing"),
            )
            .hint("run `git fsck` in that repository, and fetch what it lacks"));
        }
        let peeled = reference
            .peel_to_id()
            .map_err(|e| TargetError::damaged(format!("the object {id} of the ref `{name}` cannot be read"), e))?
            .detach();
        out.push(RefEntry { name, id, peeled: (peeled != id).then_some(peeled) });
    }
    Ok(())
}

/// The object that a ref holds, symbolic refs followed, tags not peeled; `None` for absent and dangling refs.
pub(super) fn tip_of(repo: &gix::Repository, name: &str) -> Result<Option<ObjectId>, TargetError> {
    let broken = |e: gix::Error| TargetError::damaged(format!("the ref `{name}` cannot be read"), e);
    let mut next = repo.try_find_reference(name).map_err(broken)?;
    // git follows at most five links.
    for _ in 0..=5 {
        let Some(reference) = next else {
            return Ok(None);
        };
        if let Some(id) = reference.try_id() {
            return Ok(Some(id.detach()));
        }
        next = reference.follow().transpose().map_err(broken)?;
    }
    Err(broken(gix::Error::from_error(std::io::Error::other("symbolic refs form a loop"))))
}

fn utf8(name: &gix::bstr::BStr) -> Result<String, TargetError> {
    use gix::bstr::ByteSlice;
    name.to_str().map(str::to_owned).map_err(|error| {
        TargetError::new(TargetErrorKind::Unsupported, format!("the ref name `{name}` is not UTF-8"))
            .hint("rename it: `git update-ref` can")
            .caused_by(error)
    })
}
