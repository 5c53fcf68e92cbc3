//! Detects pushes that delete suspiciously many files.

use std::collections::HashSet;

use gix_hash::ObjectId;

use super::{
    diff::{self, Bounds, Delta},
    flags::Flag,
};
use crate::{error::Fault, format::tree::Mode, objects::Objects};

/// More deleted files than this are many in any repository.
const MANY: usize = 20;
/// In a repository with at least this many files, more than half of them are many too.
const SMALL: usize = 10;

/// The flag for a push that deletes more than [`MANY`] files, or more than half of them. A file
/// whose content continues under another name has moved and does not count.
pub(super) fn flag(
    objects: &dyn Objects,
    base: Option<ObjectId>,
    deltas: &[Delta],
    bounds: &mut Bounds,
) -> Result<Option<Flag>, Fault> {
    let added: HashSet<ObjectId> =
        deltas.iter().filter(|delta| delta.old.is_none()).filter_map(|delta| Some(delta.new?.1)).collect();
    let gone = |delta: &&Delta| delta.new.is_none() && delta.old.is_some_and(|(_, id)| !added.contains(&id));
    let files = deltas.iter().filter(gone).count();
    // In a smaller repository, half of the files would be too few.
    let many = files > MANY
        || files * 2 > SMALL
            && !has_files(objects, base, files * 2, bounds)?
            && has_files(objects, base, SMALL, bounds)?;
    Ok(many.then_some(Flag::ManyDeletions { files }))
}

/// Whether a tree has at least this many files. Stops reading once it knows.
fn has_files(objects: &dyn Objects, tree: Option<ObjectId>, least: usize, bounds: &mut Bounds) -> Result<bool, Fault> {
    let (mut open, mut files): (Vec<_>, _) = (tree.into_iter().collect(), 0);
    while files < least {
        let Some(tree) = open.pop() else { return Ok(false) };
        for (_, mode, id) in diff::entries(objects, Some(tree), bounds)? {
            match mode {
                Mode::Tree => open.push(id),
                _ => files += 1,
            }
        }
    }
    Ok(true)
}
