//! Leftovers: commits that a target stores but none of its refs reaches.
//!
//! The target vouches that everything its refs reach is whole. Nobody vouches for a leftover: `git
//! gc` may remove its parents, folders or files two weeks after the last ref drops it.

use std::collections::{HashSet, VecDeque};

use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    error::{Fault, FaultKind},
    format::{tag, tree},
    history::{self, NewCommit},
    objects::Objects,
};

/// The commits that `ends` reach and no ref does. `tips` are the targets of the refs. Visits at most `most` commits on either side.
///
/// # Errors
/// A missing parent of a leftover is [`FaultKind::MissingObject`](crate::FaultKind::MissingObject).
pub(crate) fn commits(
    objects: &dyn Objects,
    ends: &[ObjectId],
    tips: impl Iterator<Item = ObjectId>,
    most: usize,
) -> Result<Vec<NewCommit>, Fault> {
    let mut wanted: HashSet<ObjectId> = ends.iter().copied().collect();
    let reached = walk(objects, &mut wanted, tips, most)?;
    let (mut data, mut found, mut seen, mut open) = (Vec::new(), Vec::new(), HashSet::new(), Vec::from_iter(wanted));
    while let Some(id) = open.pop() {
        if reached.contains(&id) || !seen.insert(id) {
            continue;
        }
        bound(seen.len(), most)?;
        let kind = objects.find(&id, &mut data)?;
        let commit = history::parse(&id, kind, &data)?;
        open.extend(commit.parents.iter().copied());
        found.push(commit);
    }
    Ok(found)
}

/// Those of `wanted` that a ref reaches. Visits at most `most` commits.
///
/// # Errors
/// If the walk would have to visit more.
pub(crate) fn reached(
    objects: &dyn Objects,
    wanted: HashSet<ObjectId>,
    tips: Vec<ObjectId>,
    most: usize,
) -> Result<HashSet<ObjectId>, Fault> {
    let mut left = wanted.clone();
    walk(objects, &mut left, tips.into_iter(), most)?;
    Ok(wanted.into_iter().filter(|id| !left.contains(id)).collect())
}

/// Visits the commits that the refs reach until `wanted` is empty. Removes each one it meets, and returns all that it met.
fn walk(
    objects: &dyn Objects,
    wanted: &mut HashSet<ObjectId>,
    tips: impl Iterator<Item = ObjectId>,
    most: usize,
) -> Result<HashSet<ObjectId>, Fault> {
    let (mut reached, mut open, mut data) = (HashSet::new(), VecDeque::new(), Vec::new());
    for tip in tips {
        wanted.remove(&tip);
        open.push_back(tip);
    }
    while !wanted.is_empty()
        && let Some(id) = open.pop_front()
    {
        if !reached.insert(id) {
            continue;
        }
        bound(reached.len(), most)?;
        wanted.remove(&id);
        match objects.find(&id, &mut data)? {
            Some(kind @ Kind::Commit) => open.extend(history::parse(&id, Some(kind), &data)?.parents),
            Some(Kind::Tag) => open.extend(tag::target(&data)),
            // Refs may point to any object, and a shallow target has cut off its own history.
            Some(Kind::Tree | Kind::Blob) | None => {}
        }
    }
    Ok(reached)
}

fn bound(visited: usize, most: usize) -> Result<(), Fault> {
    if visited > most {
        return Err(Fault::too_large(format!("the push builds on histories of more than {most} commits")));
    }
    Ok(())
}

/// Checks that the target itself has everything these commits name. Objects from the push do not count: they would enter the target without
/// a review.
pub(crate) fn whole(objects: &dyn Objects, commits: &[NewCommit]) -> Result<(), Fault> {
    let (mut seen, mut data) = (HashSet::new(), Vec::new());
    for commit in commits {
        let mut open = vec![(commit.tree, Kind::Tree)];
        while let Some((id, kind)) = open.pop() {
            if !seen.insert((id, kind)) {
                continue;
            }
            let found = match kind {
                Kind::Tree => objects.find(&id, &mut data)?,
                _ => objects.header(&id)?.map(|(kind, _)| kind),
            };
            if found != Some(kind) {
                let left = commit.id;
                return Err(Fault::new(
                    FaultKind::MissingObject,
                    format!("the target's commit {left}, which none of its refs reaches, lacks the {kind} {id}"),
                )
                .with_hint("push commits that build on a branch of the target"));
            }
            if kind == Kind::Tree {
                for entry in tree::entries(&data) {
                    let entry = entry.map_err(|broken| broken.of(Kind::Tree, &id))?;
                    open.extend(entry.mode.kind().map(|kind| (entry.id.to_owned(), kind)));
                }
            }
        }
    }
    Ok(())
}
