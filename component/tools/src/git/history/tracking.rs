//! Compares a branch with its upstream.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::{self, History};
use crate::git::history::paint::{Paint, Side};
use crate::git::store::refs::{self, RULES};
use crate::git::store::refspec::Refspecs;
use crate::git::store::repo::{Repo, damaged};

/// The last comparison: two commits, and their distance.
#[derive(Default)]
pub struct Cache(Option<((ObjectId, ObjectId), Distance)>);

/// The number of commits that each of two branches has and the other lacks.
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
    /// Its full name.
    pub full: BString,
    /// Its shortest unambiguous name, such as `origin/main`.
    pub name: BString,
    /// The distance. `None` if the upstream is gone.
    pub distance: Option<Distance>,
}

impl Upstream {
    /// git's sentences about it (remote.c, `format_tracking_info`).
    pub fn told(&self) -> Vec<u8> {
        let name = self.name.as_slice();
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Some(distance) = self.distance else {
            return [
                b"Your branch is based on '",
                name,
                b"', but the upstream is gone.\n  (use \"git branch --unset-upstream\" to fixup)\n",
            ]
            .concat();
        };
        let (before, behind) = match (distance.ahead, distance.behind) {
            (0, 0) => ("Your branch is up to date with '", "'.\n".to_owned()),
            (ahead, 0) => (
                "Your branch is ahead of '",
                format!("' by {ahead} commit{}.\n  (use \"git push\" to publish your local commits)\n", plural(ahead)),
            ),
            (0, behind) => (
                "Your branch is behind '",
                format!(
                    "' by {behind} commit{}, and can be fast-forwarded.\n  (use \"git pull\" to update your local branch)\n",
                    plural(behind)
                ),
            ),
            (ahead, behind) => (
                "Your branch and '",
                format!(
                    "' have diverged,\nand have {ahead} and {behind} different commit{} each, respectively.\n  \
                     (use \"git pull\" if you want to integrate the remote branch with yours)\n",
                    plural(ahead + behind)
                ),
            ),
        };
        [before.as_bytes(), name, behind.as_bytes()].concat()
    }
}

/// The configured upstream of `branch`, a full name. `head` is the commit of the branch, if it has one.
pub fn upstream(
    cache: &mut Cache,
    commits: &graph::Cache,
    repo: &Repo,
    branch: &BStr,
    head: Option<ObjectId>,
    deadline: &Deadline,
) -> Result<Option<Upstream>, ToolError> {
    let Some(tracking) = name(repo, branch) else {
        return Ok(None);
    };
    let full = tracking.as_bstr();
    let short = shorten(repo, full, Strict::No)?;
    let distance = match (head, resolve(repo, full)?) {
        (Some(ours), Some(theirs)) => Some(distance(cache, commits, repo, ours, theirs, deadline)?),
        _ => None,
    };
    Ok(Some(Upstream { full: tracking, name: short, distance }))
}

/// The full name of the configured upstream ref of `branch`, a full name, whether the ref exists or not. If several refs are configured to
/// merge, it is the first.
pub fn name(repo: &Repo, branch: &BStr) -> Option<BString> {
    let short = branch.strip_prefix(b"refs/heads/")?.as_bstr();
    let config = repo.gix.config_snapshot();
    let remote = config.plumbing().string_by("branch", Some(short), "remote")?;
    let merge = config.plumbing().strings_by("branch", Some(short), "merge")?.into_iter().next()?;
    if remote == "." {
        return Some(meant(repo, merge.as_bstr()).unwrap_or(merge));
    }
    Refspecs::of(repo, remote.as_bstr()).destination(merge.as_bstr())
}

/// The ref that `name` means, unless it is ambiguous.
fn meant(repo: &Repo, name: &BStr) -> Option<BString> {
    let full = RULES.iter().map(|rule| BString::from([rule.0.as_bytes(), name, rule.1.as_bytes()].concat()));
    let mut found = full.filter(|full| matches!(resolve(repo, full.as_bstr()), Ok(Some(_))));
    let first = found.next()?;
    (!refs::warns_of_ambiguity(repo) || found.next().is_none()).then_some(first)
}

/// The commit that the ref `name` resolves to.
pub fn resolve(repo: &Repo, name: &BStr) -> Result<Option<ObjectId>, ToolError> {
    // git reads no ref here that gix cannot read.
    let found = repo.gix.try_find_reference(name).ok().flatten();
    let Some(mut reference) = found.filter(|found| found.name().as_bstr() == name) else {
        return Ok(None);
    };
    Ok(reference.peel_to_id().ok().map(gix::Id::detach))
}

/// The commits of the remote-tracking refs.
pub fn heads(repo: &Repo) -> Result<BTreeSet<ObjectId>, ToolError> {
    let platform = repo.gix.references().map_err(|error| damaged(&error))?;
    let refs = platform.remote_branches().map_err(|error| damaged(&error))?;
    let mut heads = BTreeSet::new();
    for reference in refs {
        let mut reference = reference.map_err(|error| ToolError::failed(error.to_string()).caused_by(&error))?;
        // origin/HEAD can dangle. Then it tracks nothing.
        let Ok(id) = reference.peel_to_id() else { continue };
        // An object that exists and is no commit has no history.
        if id.header().map_or(true, |header| header.kind() == gix::objs::Kind::Commit) {
            heads.insert(id.detach());
        }
    }
    Ok(heads)
}

/// The rules that a short name must not match.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Strict {
    /// The rules before the matching one.
    No,
    /// All other rules, so the name has no other meaning.
    Yes,
}

/// The shortest name that git resolves to this ref.
pub fn shorten(repo: &Repo, full: &BStr, strict: Strict) -> Result<BString, ToolError> {
    for (at, (before, behind)) in RULES.iter().enumerate().skip(1).rev() {
        let short = full.strip_prefix(before.as_bytes()).and_then(|name| name.strip_suffix(behind.as_bytes()));
        let Some(short) = short.filter(|short| !short.is_empty()) else { continue };
        let others = if strict == Strict::Yes { RULES.len() } else { at };
        let mut ambiguous = false;
        for (_, (before, behind)) in RULES[..others].iter().enumerate().filter(|(other, _)| *other != at) {
            let other = BString::from([before.as_bytes(), short, behind.as_bytes()].concat());
            ambiguous |= resolve(repo, other.as_bstr())?.is_some();
        }
        if !ambiguous {
            return Ok(short.into());
        }
    }
    Ok(full.to_owned())
}

fn distance(
    cache: &mut Cache,
    commits: &graph::Cache,
    repo: &Repo,
    ours: ObjectId,
    theirs: ObjectId,
    deadline: &Deadline,
) -> Result<Distance, ToolError> {
    if ours == theirs {
        return Ok(Distance::default());
    }
    if let Some((commits, distance)) = cache.0
        && commits == (ours, theirs)
    {
        return Ok(distance);
    }
    let mut paint = Paint::new(History::of(repo, commits)?);
    paint.reach(ours, Side::Ours)?;
    paint.reach(theirs, Side::Theirs)?;
    paint.run(&[Side::Ours, Side::Theirs], deadline)?;
    let count = |side| paint.of(side).count();
    let distance = Distance { ahead: count(Side::Ours), behind: count(Side::Theirs) };
    cache.0 = Some(((ours, theirs), distance));
    Ok(distance)
}
