//! Finds the commits of a push, and checks that it builds on the branch's head.

use patch::sort::sort;
use std::collections::{HashMap, HashSet, hash_map::Entry};

use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    error::{ConflictReason, Fault, FaultKind},
    format::commit::Commit,
    leftover,
    objects::{Objects, Overlay},
    push::TargetFacts,
};

/// One commit of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewCommit {
    pub id: ObjectId,
    pub tree: ObjectId,
    pub parents: Vec<ObjectId>,
}

/// The effect of a push on the history of its branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct History {
    /// Commits of the pack that the new head reaches, parents before children.
    pub new: Vec<NewCommit>,
    /// Those of them that the host itself supplied. `new` does not list them.
    pub supplied: Vec<NewCommit>,
    /// Those of them that a ref of the target reaches, though the sandbox does not know. `new` does not list them.
    pub known: Vec<NewCommit>,
    /// Commits of the target that the new head reaches but none of the target's refs does.
    pub leftover: Vec<NewCommit>,
    /// Commits that the target already has but the branch does not, in no particular order.
    pub joined: Vec<ObjectId>,
    /// The commit that the review compares with: the branch's head. For a new branch it is the first commit on the first-parent line that
    /// the target already has or the host supplied.
    pub base: Option<ObjectId>,
    /// True if the branch is new in a target that has others, and nothing that leaves is built on any of them.
    pub is_unrelated: bool,
}

/// Follows the commits from `new` through the pack. If the pack ends on a commit other than the branch's head, it goes on through the
/// target's own history, for at most `most` commits.
///
/// # Errors
/// A missing parent is [`FaultKind::MissingObject`]. A `new` that does not descend from `old` is [`FaultKind::Conflict`].
pub(crate) fn of(all: Overlay<'_>, new: ObjectId, facts: &TargetFacts, most: usize) -> Result<History, Fault> {
    let old = facts.current_head_of_ref;
    let (commits, ends) = in_pack(all, new, old)?;
    let mut joined = Vec::new();
    if let Some(old) = old
        && ends.iter().any(|end| *end != old)
    {
        let before = ancestors(all.below, vec![old], &HashSet::new(), most)?;
        let after = ancestors(all.below, ends.clone(), &before, most)?;
        if !ends.contains(&old) && !reaches(all.below, &after, &ends, old)? {
            return Err(not_fast_forward(new, Some(old)));
        }
        joined = after.into_iter().filter(|id| *id != old).collect();
        sort(&mut joined);
    } else if let Some(old) = old
        && ends.is_empty()
    {
        return Err(not_fast_forward(new, Some(old)));
    }
    let leftover = leftover::commits(all.below, &ends, facts.tips.iter().flatten().copied().chain(old), most)?;
    let (supplied, commits): (Vec<_>, Vec<_>) =
        commits.into_iter().partition(|commit| facts.supplied.contains(&commit.id));
    let (known, commits) = match old {
        None => known(all, commits, new, facts, most)?,
        Some(_) => (Vec::new(), commits),
    };
    let base = match old {
        Some(old) => Some(old),
        None => first_parent_end(&commits, new),
    };
    // The target's commits and those that the host supplied are where the pack ends.
    let is_unrelated = old.is_none()
        && ends.is_empty()
        && known.is_empty()
        && supplied.is_empty()
        && facts.tips.iter().any(|tips| !tips.is_empty());
    Ok(History { new: commits, supplied, known, leftover, joined, base, is_unrelated })
}

/// Removes from the commits of a new branch those in the history of the target's refs. If the branches moved on, a sandbox sends these
/// commits along, and a review must not show the whole history as a change. Asking a server about each commit is slow, so this runs only if
/// the review would leave out none of the history.
fn known(
    all: Overlay<'_>,
    commits: Vec<NewCommit>,
    new: ObjectId,
    facts: &TargetFacts,
    most: usize,
) -> Result<(Vec<NewCommit>, Vec<NewCommit>), Fault> {
    let tips: Vec<ObjectId> = facts.tips.iter().flatten().copied().collect();
    if tips.is_empty() || first_parent_end(&commits, new).is_some() {
        return Ok((Vec::new(), commits));
    }
    let mut there = HashSet::new();
    for commit in &commits {
        if matches!(all.below.header(&commit.id)?, Some((Kind::Commit, _))) {
            there.insert(commit.id);
        }
    }
    let known = leftover::reached(all.below, there, tips, most)?;
    Ok(commits.into_iter().partition(|commit| known.contains(&commit.id)))
}

/// The conflict of a push that does not build on the branch's head.
pub(crate) fn not_fast_forward(new: ObjectId, head: Option<ObjectId>) -> Fault {
    let message = match head {
        Some(head) => format!("the branch is at {head}, which {new} does not build on"),
        None => "the branch no longer exists".to_owned(),
    };
    Fault::new(FaultKind::Conflict { reason: ConflictReason::NonFastForward, target_head: head }, message)
        .with_hint("pull the branch, then push again")
}

/// The commits of the pack that `new` reaches, parents first, and the target's commits where they end.
fn in_pack(all: Overlay<'_>, new: ObjectId, old: Option<ObjectId>) -> Result<(Vec<NewCommit>, Vec<ObjectId>), Fault> {
    enum Step {
        Enter(ObjectId),
        Leave(NewCommit),
    }
    let (mut commits, mut ends, mut entered) = (Vec::new(), Vec::new(), HashSet::new());
    let mut steps = vec![Step::Enter(new)];
    let mut data = Vec::new();
    while let Some(step) = steps.pop() {
        let id = match step {
            Step::Leave(commit) => {
                commits.push(commit);
                continue;
            }
            Step::Enter(id) => id,
        };
        if !entered.insert(id) {
            continue;
        }
        let found = if Some(id) == old { None } else { all.pack.find(&id, &mut data)? };
        if found.is_none() {
            match all.below.header(&id)? {
                Some((Kind::Commit, _)) => ends.push(id),
                Some((kind, _)) => return Err(not_a_commit(&id, kind)),
                None => return Err(missing(&id, "commit")),
            }
            continue;
        }
        let commit = parse(&id, found, &data)?;
        steps.push(Step::Leave(commit.clone()));
        steps.extend(commit.parents.iter().rev().map(|parent| Step::Enter(*parent)));
    }
    Ok((commits, ends))
}

/// Everything that `from` reaches without entering `not`. It ends where the target itself cut its history off.
fn ancestors(
    objects: &dyn Objects,
    from: Vec<ObjectId>,
    not: &HashSet<ObjectId>,
    most: usize,
) -> Result<HashSet<ObjectId>, Fault> {
    let (mut seen, mut open, mut data) = (HashSet::new(), from, Vec::new());
    while let Some(id) = open.pop() {
        if not.contains(&id) || !seen.insert(id) {
            continue;
        }
        if seen.len() > most {
            return Err(Fault::too_large(format!("the push joins histories of more than {most} commits")));
        }
        let found = objects.find(&id, &mut data)?;
        if found.is_some() {
            open.extend(parse(&id, found, &data)?.parents);
        }
    }
    Ok(seen)
}

/// Whether a commit of `after`, or one of `ends`, is `old` or a child of it.
fn reaches(objects: &dyn Objects, after: &HashSet<ObjectId>, ends: &[ObjectId], old: ObjectId) -> Result<bool, Fault> {
    let mut data = Vec::new();
    for id in after.iter().chain(ends) {
        let found = objects.find(id, &mut data)?;
        if *id == old || found.is_some() && after.contains(id) && parse(id, found, &data)?.parents.contains(&old) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn first_parent_end(commits: &[NewCommit], new: ObjectId) -> Option<ObjectId> {
    let mut at = new;
    // Parents come before children, so one backward pass follows the line.
    for commit in commits.iter().rev() {
        if commit.id == at {
            at = *commit.parents.first()?;
        }
    }
    Some(at)
}

pub(crate) fn parse(id: &ObjectId, kind: Option<Kind>, data: &[u8]) -> Result<NewCommit, Fault> {
    match kind {
        Some(Kind::Commit) => {
            let commit = Commit::parse(data).map_err(|broken| broken.of(Kind::Commit, id))?;
            Ok(NewCommit { id: *id, tree: commit.tree, parents: commit.parents })
        }
        Some(kind) => Err(not_a_commit(id, kind)),
        None => Err(missing(id, "commit")),
    }
}

/// The trees of commits. Each is read once, however many children name it.
pub(crate) struct Trees<'a> {
    pub objects: &'a dyn Objects,
    known: HashMap<ObjectId, ObjectId>,
}

impl<'a> Trees<'a> {
    /// Starts with the trees of `commits`.
    pub fn of<'c>(objects: &'a dyn Objects, commits: impl IntoIterator<Item = &'c NewCommit>) -> Self {
        Trees { objects, known: commits.into_iter().map(|commit| (commit.id, commit.tree)).collect() }
    }

    /// The trees of `commits` in order, without consecutive duplicates.
    pub fn of_all(&mut self, commits: &[ObjectId]) -> Result<Vec<ObjectId>, Fault> {
        let mut trees = Vec::with_capacity(commits.len());
        for id in commits {
            let tree = match self.known.entry(*id) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(unknown) => *unknown.insert(tree_of(self.objects, id)?),
            };
            trees.push(tree);
        }
        trees.dedup();
        Ok(trees)
    }
}

/// The tree that a commit records, wherever the commit is stored.
pub(crate) fn tree_of(objects: &dyn Objects, id: &ObjectId) -> Result<ObjectId, Fault> {
    let mut data = Vec::new();
    let kind = objects.find(id, &mut data)?;
    Ok(parse(id, kind, &data)?.tree)
}

fn not_a_commit(id: &ObjectId, kind: Kind) -> Fault {
    Fault::new(FaultKind::MalformedObject, format!("{id} is a {kind}, but must be a commit"))
}

pub(crate) fn missing(id: &ObjectId, what: &str) -> Fault {
    Fault::new(FaultKind::MissingObject, format!("the {what} {id} is neither in the pack nor in the target"))
        .with_hint("pull the branch, then push again")
}
