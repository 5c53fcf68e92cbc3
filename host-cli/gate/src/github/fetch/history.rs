//! Finds the commits that a sandbox lacks.

use patch::sort::sort;
use std::collections::{HashMap, HashSet, VecDeque};

use bytes::Bytes;
use gix_hash::ObjectId;
use gix_object::Kind;

use super::{Found, Wanted};
use crate::github::{
    Fault,
    answer::{Commit, Comparison, Listed},
    api::{Api, ok, parse},
    fault,
    rebuild::{self, Zones},
    refs::{PAGE, has_more},
};

/// Tips from which the wanted commit is looked for, and commits of the sandbox that the repository
/// is asked about: each takes a request.
const MOST_ASKED: usize = 16;

/// The commits that a sandbox lacks, which are in the pack.
pub(super) struct History {
    /// The tree of each, newer ones first.
    pub trees: Vec<ObjectId>,
    /// Commits whose parents are left out.
    pub shallow: Vec<ObjectId>,
    /// They build on what the sandbox has.
    pub is_on_top: bool,
}

/// Fails unless a tip reaches the wanted commit.
pub(super) async fn ensure_reached(api: &Api, wanted: &Wanted) -> Result<(), Fault> {
    let want = wanted.want;
    if wanted.tips.contains(&want) {
        return Ok(());
    }
    for tip in wanted.tips.iter().take(MOST_ASKED) {
        if descends(api, *tip, want).await? {
            return Ok(());
        }
    }
    Err(Fault::missing(want, format!("no branch or tag of {} reaches the commit {want}", api.repository)))
}

/// Whether `tip` is `ancestor` or descends from it.
pub(in crate::github) async fn descends(api: &Api, tip: ObjectId, ancestor: ObjectId) -> Result<bool, Fault> {
    if tip == ancestor {
        return Ok(true);
    }
    // Only the first page lists the changed files, with their patches.
    let response = api.get(&format!("/compare/{ancestor}...{tip}?per_page=1&page=2")).await?;
    match response.status {
        // The repository knows one of them no longer, or they have nothing in common.
        404 => Ok(false),
        _ => {
            let comparison: Comparison = parse(&ok(response)?)?;
            Ok(matches!(comparison.status.as_str(), "ahead" | "identical"))
        }
    }
}

/// Finds the commits, rebuilds them and adds them to the pack.
pub(super) async fn of(api: &Api, wanted: &Wanted, found: &mut Found) -> Result<History, Fault> {
    let mut walk = Walk {
        api,
        wanted,
        found,
        zones: Zones::default(),
        told: HashMap::new(),
        next_page: Some(1),
        history: History { trees: Vec::new(), shallow: Vec::new(), is_on_top: false },
    };
    for have in wanted.have.iter().take(MOST_ASKED) {
        if let Some(commits) = walk.beyond(*have).await? {
            walk.on_top_of(commits).await?;
            return Ok(walk.history);
        }
    }
    walk.as_deep_as_wanted().await?;
    Ok(walk.history)
}

struct Walk<'a> {
    api: &'a Api,
    wanted: &'a Wanted,
    found: &'a mut Found,
    zones: Zones,
    /// What the server told of commits that are not taken yet.
    told: HashMap<ObjectId, Commit>,
    /// Of the list of commits, if there is another one.
    next_page: Option<usize>,
    history: History,
}

impl Walk<'_> {
    /// The commits that `want` reaches and `have` does not, unless the repository does not know
    /// `have`.
    async fn beyond(&self, have: ObjectId) -> Result<Option<Vec<Commit>>, Fault> {
        let want = self.wanted.want;
        if have == want {
            return Ok(Some(Vec::new()));
        }
        let (mut commits, mut total, mut last): (Vec<Commit>, _, _) = (Vec::new(), None, Bytes::new());
        for page in 1.. {
            let path = format!("/compare/{have}...{want}?per_page={PAGE}&page={page}");
            let response = self.api.get(&path).await?;
            if response.status == 404 {
                return Ok(None);
            }
            let response = ok(response)?;
            if response.body == last {
                break;
            }
            let comparison: Comparison = parse(&response)?;
            let more = has_more(&response, comparison.commits.len());
            total = comparison.total_commits;
            commits.extend(comparison.commits.into_iter().map(Commit::from));
            self.ensure_few(commits.len())?;
            if !more {
                break;
            }
            last = response.body;
        }
        // A commit that is not listed would be taken for one that the sandbox has.
        let has_want = commits.is_empty() || commits.iter().any(|commit| commit.sha.0 == want);
        if !has_want || total.is_some_and(|total| total != commits.len()) {
            return Err(fault::malformed("it does not list all commits between two"));
        }
        Ok(Some(commits))
    }

    /// Takes the commits that are new to a sandbox with some history. If new commits build on
    /// commits that the sandbox lacks, because it has less history, those come along without their
    /// parents.
    async fn on_top_of(&mut self, commits: Vec<Commit>) -> Result<(), Fault> {
        self.history.is_on_top = true;
        let new: HashSet<ObjectId> = commits.iter().map(|commit| commit.sha.0).collect();
        let mut before = HashSet::new();
        // The list starts with the oldest.
        for commit in commits.iter().rev() {
            self.take(commit)?;
            before.extend(commit.parents.iter().map(|parent| parent.sha.0).filter(|parent| !new.contains(parent)));
        }
        if commits.is_empty() {
            before.insert(self.wanted.want);
        }
        let mut before: Vec<_> = before.into_iter().collect();
        sort(&mut before);
        for id in before {
            if !self.wanted.have.contains(&id) && !self.found.is_known(id)? {
                let commit = single(self.api, id).await?;
                self.take(&commit)?;
                if !commit.parents.is_empty() {
                    self.history.shallow.push(id);
                }
            }
        }
        Ok(())
    }

    /// Takes the history for a sandbox that has none of it: `depth` commits along every line.
    async fn as_deep_as_wanted(&mut self) -> Result<(), Fault> {
        let depth = self.wanted.depth.map_or(u32::MAX, std::num::NonZeroU32::get);
        // Level by level, so that the shortest path to each commit comes first.
        let mut levels = HashMap::from([(self.wanted.want, 1)]);
        let mut pending = VecDeque::from([self.wanted.want]);
        while let Some(id) = pending.pop_front() {
            let level = levels[&id];
            let commit = self.next(id, depth).await?;
            self.take(&commit)?;
            if level == depth {
                // A first commit, too, as git does.
                self.history.shallow.push(id);
                continue;
            }
            for parent in &commit.parents {
                levels.entry(parent.sha.0).or_insert_with(|| {
                    pending.push_back(parent.sha.0);
                    level + 1
                });
            }
        }
        Ok(())
    }

    /// A commit, from the list of commits as long as most of that is of use.
    async fn next(&mut self, id: ObjectId, depth: u32) -> Result<Commit, Fault> {
        let size = PAGE.min(depth as usize);
        loop {
            if let Some(commit) = self.told.remove(&id) {
                return Ok(commit);
            }
            let Some(page) = self.next_page.filter(|_| self.told.len() <= self.history.trees.len() + PAGE) else {
                return single(self.api, id).await;
            };
            let path = format!("/commits?sha={}&per_page={size}&page={page}", self.wanted.want);
            let response = self.api.get(&path).await?;
            if response.status == 404 || response.status == 422 {
                return Err(missing(self.wanted.want));
            }
            let response = ok(response)?;
            let listed: Vec<Listed> = parse(&response)?;
            let is_full = listed.len() == size;
            let more = if response.headers.link.is_some() { has_more(&response, listed.len()) } else { is_full };
            let before = self.told.len();
            self.told.extend(listed.into_iter().map(|listed| (listed.sha(), Commit::from(listed))));
            // A server that knows no pages gives the same again.
            self.next_page = (more && self.told.len() > before).then_some(page + 1);
        }
    }

    fn take(&mut self, commit: &Commit) -> Result<(), Fault> {
        let content = rebuild::commit(commit, &mut self.zones)?;
        self.found.add(Kind::Commit, commit.sha.0, &content)?;
        self.history.trees.push(commit.tree.sha.0);
        self.ensure_few(self.history.trees.len())
    }

    fn ensure_few(&self, commits: usize) -> Result<(), Fault> {
        let most = self.wanted.limits.objects as usize;
        if commits <= most {
            return Ok(());
        }
        Err(Fault::too_large(format!("there are more than the {most} objects allowed"))
            .with_hint("bring in less history (`depth`)"))
    }
}

/// Adds one commit that the host lacks.
pub(super) async fn commit(api: &Api, id: ObjectId, found: &mut Found, zones: &mut Zones) -> Result<(), Fault> {
    if found.has(id)? {
        return Ok(());
    }
    found.add(Kind::Commit, id, &rebuild::commit(&single(api, id).await?, zones)?)
}

async fn single(api: &Api, id: ObjectId) -> Result<Commit, Fault> {
    let response = api.get(&format!("/git/commits/{id}")).await?;
    if response.status == 404 {
        return Err(missing(id));
    }
    let commit: Commit = parse(&ok(response)?)?;
    if commit.sha.0 == id { Ok(commit) } else { Err(fault::malformed("it is about another commit")) }
}

fn missing(id: ObjectId) -> Fault {
    Fault::missing(id, format!("the repository has no commit {id}"))
}
