//! How a branch stands to its upstream.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::refs::FullName;
use gix::remote::Direction;

use crate::deadline::Deadline;
use crate::error::ToolError;
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
    let mut paint = Paint::new(repo)?;
    paint.reach(ours, OURS)?;
    paint.reach(theirs, THEIRS)?;
    paint.run(deadline)?;
    let count = |colour: u8| {
        let painted = paint.commits.values();
        painted.filter(|commit| commit.colours == colour).count()
    };
    let distance = Distance { ahead: count(OURS), behind: count(THEIRS) };
    caches.tracking.0 = Some(((ours, theirs), distance));
    Ok(distance)
}

const OURS: u8 = 1;
const THEIRS: u8 = 2;
const BOTH: u8 = OURS | THEIRS;

/// History painted from two tips at once, latest commits first, until all that is left belongs to both.
struct Paint<'a> {
    repo: &'a Repo,
    shallow: BTreeSet<ObjectId>,
    commits: BTreeMap<ObjectId, Commit>,
    /// Commits whose parents have to be painted, by time.
    pending: BTreeSet<(i64, ObjectId)>,
    /// How many of them belong to one side only.
    one_sided: usize,
    /// All commits that belong to one side only, by time.
    ours_or_theirs: BTreeSet<(i64, ObjectId)>,
}

struct Commit {
    time: i64,
    parents: Vec<ObjectId>,
    colours: u8,
}

impl<'a> Paint<'a> {
    fn new(repo: &'a Repo) -> Result<Paint<'a>, ToolError> {
        Ok(Paint {
            repo,
            shallow: repo.shallow()?,
            commits: BTreeMap::new(),
            pending: BTreeSet::new(),
            one_sided: 0,
            ours_or_theirs: BTreeSet::new(),
        })
    }

    fn run(&mut self, deadline: &Deadline) -> Result<(), ToolError> {
        while let Some((latest, _)) = self.pending.last().copied() {
            deadline.poll()?;
            if self.one_sided == 0 && !self.may_meet(latest) {
                return Ok(());
            }
            let (_, id) = self.pending.pop_last().expect("there is a last one");
            let commit = &self.commits[&id];
            let colours = commit.colours;
            if colours != BOTH {
                self.one_sided -= 1;
            }
            for parent in commit.parents.clone() {
                self.reach(parent, colours)?;
            }
        }
        Ok(())
    }

    /// Whether a commit that seems to belong to one side is as old as what is still pending: where clocks were wrong it may belong to both.
    fn may_meet(&self, latest: i64) -> bool {
        self.ours_or_theirs.first().is_some_and(|(oldest, _)| *oldest <= latest)
    }

    fn reach(&mut self, id: ObjectId, colours: u8) -> Result<(), ToolError> {
        if !self.commits.contains_key(&id) {
            let commit = self.read(id)?;
            self.commits.insert(id, commit);
        }
        let commit = self.commits.get_mut(&id).expect("it was read just now");
        let (before, after) = (commit.colours, commit.colours | colours);
        if before == after {
            return Ok(());
        }
        commit.colours = after;
        match after {
            BOTH => self.ours_or_theirs.remove(&(commit.time, id)),
            _ => self.ours_or_theirs.insert((commit.time, id)),
        };
        let waited = !self.pending.insert((commit.time, id));
        match (waited, after == BOTH) {
            (true, true) => self.one_sided -= 1,
            (false, false) => self.one_sided += 1,
            _ => {}
        }
        Ok(())
    }

    fn read(&self, id: ObjectId) -> Result<Commit, ToolError> {
        let commit = self.repo.gix.find_commit(id).map_err(|error| damaged(&error))?;
        let decoded = commit.decode().map_err(|error| damaged(&error))?;
        // A time before all times is none to git.
        let time = decoded.time().map_or(0, |time| time.seconds.max(0));
        let parents = match self.shallow.contains(&id) {
            true => Vec::new(),
            false => decoded.parents().collect(),
        };
        Ok(Commit { time, parents, colours: 0 })
    }
}
