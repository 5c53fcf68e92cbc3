//! The sandbox's own commits, made once more on top of what came in.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::ByteSlice;

use crate::error::ToolError;
use crate::git::ids::Ids;
use crate::git::landed_as;
use crate::git::pull::report::Unstaged;
use crate::git::replay::{self, Replayed};
use crate::git::repo::Repo;
use crate::git::staged;
use crate::session::Context;

/// What became of the commits.
#[derive(Debug)]
pub struct Reapplied {
    /// The last commit.
    pub tip: ObjectId,
    /// Those that were made again, and what they are now.
    pub successors: BTreeMap<ObjectId, ObjectId>,
    /// Those that are no more: what they did is there without them, or does not apply.
    pub gone: BTreeSet<ObjectId>,
    /// Those of them that do not apply.
    pub unstaged: Vec<Unstaged>,
    /// Where the first of those stood, as a tree, and the commit that it did not apply to.
    pub first_conflict: Option<(ObjectId, ObjectId)>,
}

impl Reapplied {
    /// Nothing came in: everything is as it was, at `head`.
    pub fn nothing(head: ObjectId) -> Reapplied {
        Reapplied {
            tip: head,
            successors: BTreeMap::new(),
            gone: BTreeSet::new(),
            unstaged: Vec::new(),
            first_conflict: None,
        }
    }
}

/// Makes the commits of `head` that neither `incoming` nor `before`, what the branch was when it was seen last, has on top of `incoming`.
pub fn reapply(
    context: &mut Context<'_>,
    repo: &Repo,
    head: ObjectId,
    incoming: ObjectId,
    before: Option<ObjectId>,
) -> Result<Reapplied, ToolError> {
    let theirs: BTreeSet<ObjectId> = std::iter::once(incoming).chain(before).collect();
    let landed = landed_as::landed_as(repo, context.deadline)?;
    let ids = Ids::load(repo)?;
    let mut reapplied = Reapplied::nothing(incoming);
    for commit in staged::between(repo, [head], &theirs, context.deadline)? {
        if let Some(made) = landed.get(&commit)
            && staged::between(repo, [*made], &BTreeSet::from([incoming]), context.deadline)?.is_empty()
        {
            reapplied.gone.insert(commit);
            continue;
        }
        match replay::replay(repo, commit, Some(reapplied.tip), context)? {
            Replayed::Applied(again) => {
                reapplied.successors.insert(commit, again);
                reapplied.tip = again;
            }
            Replayed::Empty => drop(reapplied.gone.insert(commit)),
            Replayed::Conflicts(_) => {
                if reapplied.first_conflict.is_none() {
                    let parent = replay::parent(repo, commit)?;
                    reapplied.first_conflict = Some((replay::tree_below(repo, parent)?, reapplied.tip));
                }
                reapplied.gone.insert(commit);
                reapplied.unstaged.push(unstaged(repo, &ids, commit)?);
            }
        }
    }
    Ok(reapplied)
}

fn unstaged(repo: &Repo, ids: &Ids, commit: ObjectId) -> Result<Unstaged, ToolError> {
    let object = repo.gix.find_commit(commit).map_err(|error| crate::git::repo::damaged(&error))?;
    let message = object.message_raw_sloppy().trim_end().to_str_lossy().into_owned();
    Ok(Unstaged { id: ids.of(commit), message })
}
