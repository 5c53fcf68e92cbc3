//! How a branch stands to its upstream.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::refs::FullName;
use gix::remote::Direction;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::History;
use crate::git::paint::{Paint, Side};
use crate::git::repo::{Caches, Repo, damaged};

/// The comparison made last: the two commits, and what each has that the other lacks.
#[derive(Default)]
pub struct Cache(Option<((ObjectId, ObjectId), Distance)>);

/// How many commits each of two has that the other lacks.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Distance {
    /// Commits of the branch only.
    pub ahead: usize,
    /// Commits of the upstream only.
    pub behind: usize,
}

/// The upstream of a branch.
#[derive(Debug)]
pub struct Upstream {
    /// Its shortest name that means nothing else, such as `origin/main`.
    pub name: BString,
    /// How far apart the two are; none if the upstream is gone.
    pub distance: Option<Distance>,
}

/// The upstream that is configured for `branch`, a full name, which is at `head`, if it has commits.
pub fn upstream(
    caches: &mut Caches,
    repo: &Repo,
    branch: &BStr,
    head: Option<ObjectId>,
    deadline: &Deadline,
) -> Result<Option<Upstream>, ToolError> {
    let Some(tracking) = name(repo, branch) else {
        return Ok(None);
    };
    let full = tracking.as_bstr();
    let short = shorten(repo, full)?;
    let distance = match (head, resolve(repo, full)?) {
        (Some(ours), Some(theirs)) => Some(distance(caches, repo, ours, theirs, deadline)?),
        _ => None,
    };
    Ok(Some(Upstream { name: short, distance }))
}

/// The full name of the ref that is configured as the upstream of `branch`, a full name, whether it is there or not.
pub fn name(repo: &Repo, branch: &BStr) -> Option<BString> {
    let short = branch.strip_prefix(b"refs/heads/")?.as_bstr();
    let config = repo.gix.config_snapshot();
    let value = |key: &str| config.string_by("branch", Some(short), key);
    if value("remote").is_some_and(|remote| remote.as_slice() == b".") {
        return value("merge");
    }
    let branch = FullName::try_from(branch).ok()?;
    let tracking = repo.gix.branch_remote_tracking_ref_name(branch.as_ref(), Direction::Fetch);
    // A refspec that makes no sense tracks nothing.
    Some(tracking?.ok()?.as_bstr().to_owned())
}

/// The commit that the ref `name` leads to.
pub fn resolve(repo: &Repo, name: &BStr) -> Result<Option<ObjectId>, ToolError> {
    let found = repo.gix.try_find_reference(name).map_err(|error| damaged(&error))?;
    let Some(mut reference) = found.filter(|found| found.name().as_bstr() == name) else {
        return Ok(None);
    };
    Ok(reference.peel_to_id().ok().map(gix::Id::detach))
}

/// The shortest form of a ref's name that git would read as that ref.
fn shorten(repo: &Repo, full: &BStr) -> Result<BString, ToolError> {
    const RULES: [&str; 6] = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/", "refs/remotes/%/HEAD"];
    for (at, rule) in RULES.iter().enumerate().skip(1).rev() {
        let short = match at {
            5 => full.strip_prefix(b"refs/remotes/").and_then(|name| name.strip_suffix(b"/HEAD")),
            _ => full.strip_prefix(rule.as_bytes()),
        };
        let Some(short) = short else { continue };
        let mut ambiguous = false;
        for earlier in &RULES[..at] {
            let mut other = BString::from(*earlier);
            other.extend_from_slice(short);
            ambiguous |= resolve(repo, other.as_bstr())?.is_some();
        }
        if !ambiguous {
            return Ok(short.into());
        }
    }
    Ok(full.to_owned())
}

fn distance(
    caches: &mut Caches,
    repo: &Repo,
    ours: ObjectId,
    theirs: ObjectId,
    deadline: &Deadline,
) -> Result<Distance, ToolError> {
    if ours == theirs {
        return Ok(Distance::default());
    }
    if let Some((commits, distance)) = caches.tracking.0
        && commits == (ours, theirs)
    {
        return Ok(distance);
    }
    let mut paint = Paint::new(History::of(repo, &caches.history)?);
    paint.reach(ours, Side::Ours)?;
    paint.reach(theirs, Side::Theirs)?;
    paint.run(&[Side::Ours, Side::Theirs], deadline)?;
    let count = |side| paint.of(side).count();
    let distance = Distance { ahead: count(Side::Ours), behind: count(Side::Theirs) };
    caches.tracking.0 = Some(((ours, theirs), distance));
    Ok(distance)
}
