//! Which commits of a branch somebody's pushes have brought, although pulls have made them anew since.

use std::collections::BTreeSet;

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::rev_list;
use crate::git::staged::ids::Ids;
use crate::git::store::repo::Repo;

/// A move of a branch: by a push of theirs, or by a pull that applied staged commits again.
pub struct Move {
    pub by_pull: bool,
    /// Where the branch was. `None` if the push made it.
    pub old: Option<ObjectId>,
    pub new: ObjectId,
}

/// The commits on the branch after these moves that their pushes brought, as they are there now. It may miss some, and then they count as
/// somebody else's: for example if another branch has the same commit, and was pulled later.
pub fn brought(
    repo: &Repo,
    moves: &[Move],
    landed: &BTreeSet<ObjectId>,
    deadline: &Deadline,
) -> Result<BTreeSet<ObjectId>, ToolError> {
    let ids = Ids::load(repo)?;
    let staged = |tip: ObjectId, known: Option<ObjectId>| -> Result<BTreeSet<ObjectId>, ToolError> {
        let hidden = landed.iter().copied().chain(known).collect();
        Ok(rev_list::between(repo, [tip], &hidden, deadline)?.into_iter().collect())
    };
    let mut own = BTreeSet::new();
    for Move { by_pull, old, new } in moves {
        let on_branch = staged(*new, None)?;
        own = match old.filter(|_| *by_pull) {
            // What a push drops is theirs no more, even if what became of it comes back.
            None => on_branch.intersection(&own).copied().chain(staged(*new, *old)?).collect(),
            // All versions of a commit have the same successor.
            Some(old) => {
                let (theirs, others): (Vec<_>, Vec<_>) =
                    staged(old, None)?.into_iter().partition(|commit| own.contains(commit));
                let [theirs, others] =
                    [theirs, others].map(|all| BTreeSet::from_iter(all.into_iter().map(|one| ids.successor(one))));
                let is_theirs = |commit: &ObjectId| {
                    let successor = ids.successor(*commit);
                    theirs.contains(&successor) && !others.contains(&successor)
                };
                on_branch.into_iter().filter(is_theirs).collect()
            }
        };
    }
    Ok(own)
}
