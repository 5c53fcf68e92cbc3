//! Checks that every named object exists, and that every received object is needed.

use std::collections::HashSet;

use bstr::ByteSlice;
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    error::{Fault, FaultKind},
    history::{self, History, Trees},
    objects::{Objects, Overlay, Supplied},
    pack::VerifiedPack,
    walk::Walk,
};

/// Checks that every object of a pack finds the objects it names, in the pack or in `have`. The
/// pack may leave out parents of the commits in `shallow`, and blobs if `absent_blobs`.
///
/// As this holds for every object, it holds for everything reachable from any of them.
///
/// # Errors
/// [`FaultKind::MissingObject`], or [`FaultKind::MalformedObject`] if an object has another kind
/// than its name requires.
pub fn complete(
    pack: &VerifiedPack,
    have: &dyn Objects,
    shallow: &HashSet<ObjectId>,
    absent_blobs: bool,
) -> Result<(), Fault> {
    let all = Overlay { pack, below: have };
    for (id, kind) in pack.links() {
        match all.header(id)? {
            Some((found, _)) if found == *kind => {}
            Some((found, _)) => return Err(wrong_kind(id, *kind, found)),
            None if absent_blobs && *kind == Kind::Blob => {}
            None => return Err(history::missing(id, &kind.to_string())),
        }
    }
    for (commit, parent) in pack.parents() {
        match all.header(parent)? {
            Some((Kind::Commit, _)) => {}
            Some((found, _)) => return Err(wrong_kind(parent, Kind::Commit, found)),
            None if shallow.contains(commit) => {}
            None => return Err(history::missing(parent, "commit")),
        }
    }
    Ok(())
}

/// Checks that the commits of a push are complete, and that the pack holds nothing else.
///
/// A tree is compared with the trees at the same path of the commit's parents. The target, or an
/// earlier commit of the push, already has what they hold. Everything else is followed to its end,
/// even through trees of the target, which may hold incomplete leftovers.
pub(crate) fn exact(all: Overlay<'_>, history: &History, supplied: &Supplied) -> Result<(), Fault> {
    let mut walk = Walk::new(all, supplied);
    let commits = || history.supplied.iter().chain(&history.known).chain(&history.new);
    let mut trees = Trees::of(&all, commits());
    for commit in commits() {
        walk.take(&commit.id, Kind::Commit, b"".as_bstr())?;
        walk.tree(commit.tree, trees.of_all(&commit.parents)?)?;
    }
    let mut unneeded =
        walk.needed.iter().zip(all.pack.objects()).filter(|(needed, _)| !**needed).map(|(_, object)| object);
    let Some(first) = unneeded.next() else {
        return Ok(());
    };
    let others = match unneeded.count() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    Err(Fault::new(
        FaultKind::UnneededObject,
        format!("the pack holds the {} {}{others}, which the push does not need", first.kind, first.id),
    ))
}

pub(crate) fn wrong_kind(id: &ObjectId, expected: Kind, found: Kind) -> Fault {
    Fault::new(FaultKind::MalformedObject, format!("{id} is a {found}, but is used as a {expected}"))
}
