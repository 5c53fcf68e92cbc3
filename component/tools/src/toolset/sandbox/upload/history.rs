//! The commits that a client lacks (git's upload-pack.c and shallow.c).

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::History;
use crate::git::history::rev_list;
use crate::git::store::repo::Repo;

/// What a client lacks, and what it has.
pub struct Lacking {
    /// The commits to send.
    pub commits: Vec<ObjectId>,
    /// Commits that it has whole.
    pub known: Vec<ObjectId>,
    /// Whether each commit that is wanted has an ancestor that the client has.
    pub is_ready: bool,
    /// Commits whose parents it will not have, of which it does not know.
    pub shallow: Vec<ObjectId>,
    /// Commits whose parents it will have.
    pub unshallow: Vec<ObjectId>,
    /// The parents that it has, of the commits to send.
    parents: Parents,
}

enum Parents {
    /// All that are not sent themselves.
    But(BTreeSet<ObjectId>),
    /// These: the history is cut.
    Of(BTreeSet<ObjectId>),
}

impl Lacking {
    /// What a client lacks of `wants` that has `common`, but not the parents of `shallow`.
    pub fn of(
        repo: &Repo,
        wants: &[ObjectId],
        common: &[ObjectId],
        shallow: &BTreeSet<ObjectId>,
        depth: Option<NonZeroU32>,
        deadline: &Deadline,
    ) -> Result<Lacking, ToolError> {
        let seen_by_client =
            || Ok::<_, ToolError>(History::of(repo, &Default::default())?.ending_at(shallow.iter().copied()));
        let hidden: BTreeSet<ObjectId> = common.iter().copied().collect();
        let new = rev_list::within(seen_by_client()?, wants.iter().copied(), &hidden, deadline)?;
        let is_ready = !hidden.is_empty() && reach(&seen_by_client()?, wants, &new)?;
        let own = repo.shallow()?;
        let known = common.to_vec();
        let had = || {
            let all = rev_list::within(seen_by_client()?, common.iter().copied(), &BTreeSet::new(), deadline)?;
            Ok::<BTreeSet<ObjectId>, ToolError>(all.into_iter().collect())
        };
        let Some(depth) = depth else {
            let commits = new;
            // A client lacks what is behind its own border, although it is here.
            let parents = match shallow.is_empty() {
                true => Parents::But(commits.iter().copied().collect()),
                false => Parents::Of(had()?),
            };
            let shallow = commits.iter().copied().filter(|id| own.contains(id) && !shallow.contains(id)).collect();
            return Ok(Lacking { commits, known, is_ready, shallow, unshallow: Vec::new(), parents });
        };
        let included = as_deep_as(&History::of(repo, &Default::default())?, wants, depth, deadline)?;
        let had = had()?;
        let of = |is: &dyn Fn(&ObjectId, bool) -> bool| -> Vec<ObjectId> {
            included.iter().filter(|(id, is_cut)| is(id, **is_cut)).map(|(id, _)| *id).collect()
        };
        Ok(Lacking {
            commits: of(&|id, _| !had.contains(id)),
            known,
            is_ready,
            shallow: of(&|id, is_cut| is_cut && !shallow.contains(id)),
            unshallow: of(&|id, is_cut| !is_cut && shallow.contains(id)),
            parents: Parents::Of(had),
        })
    }

    /// Whether the client has this parent of a commit that is sent.
    pub fn is_known(&self, repo: &Repo, parent: &ObjectId) -> bool {
        match &self.parents {
            Parents::Of(had) => had.contains(parent),
            Parents::But(sent) => !sent.contains(parent) && repo.gix.has_object(*parent),
        }
    }
}

/// Whether each of `wants` is a commit that the client has, or has one as an ancestor. `new` are those that they reach and it has not,
/// parents first.
fn reach(history: &History<'_>, wants: &[ObjectId], new: &[ObjectId]) -> Result<bool, ToolError> {
    let mut reaches: BTreeMap<ObjectId, bool> = new.iter().map(|id| (*id, false)).collect();
    for id in new {
        let node = history.node(*id)?;
        // A parent that is not new is one that the client has.
        let found = history.parents(&node).iter().any(|parent| reaches.get(parent).copied().unwrap_or(true));
        reaches.insert(*id, found);
    }
    Ok(wants.iter().all(|want| reaches.get(want).copied().unwrap_or(true)))
}

/// The commits up to that many from each of `wants`, and whether the history is cut there: a commit has parents that are not among them.
fn as_deep_as(
    history: &History<'_>,
    wants: &[ObjectId],
    depth: NonZeroU32,
    deadline: &Deadline,
) -> Result<BTreeMap<ObjectId, bool>, ToolError> {
    let mut included = BTreeMap::new();
    let mut level: Vec<ObjectId> = wants.to_vec();
    for at in 1..=depth.get() {
        let mut next = Vec::new();
        for id in level {
            deadline.poll()?;
            if included.contains_key(&id) {
                continue;
            }
            let node = history.node(id)?;
            let is_last = at == depth.get() && !history.parents(&node).is_empty();
            included.insert(id, is_last || history.boundary().contains(&id));
            next.extend(history.parents(&node).iter().copied());
        }
        level = next;
        if level.is_empty() {
            break;
        }
    }
    Ok(included)
}
