//! The sandbox's own commits, made once more on top of what came in.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::BString;

use crate::error::ToolError;
use crate::git::change::replay::{self, Replayed};
use crate::git::history::rev_list;
use crate::git::staged::ids::Ids;
use crate::git::staged::records::message::Recorded;
use crate::git::staged::rewritten;
use crate::git::store::missing;
use crate::git::store::repo::Repo;
use crate::git::store::version::SUBMODULE;
use crate::git::words::message;
use crate::git::worktree::changes;
use crate::git::worktree::sparse::Sparse;
use crate::session::Context;
use crate::toolset::git::pull::report::Unstaged;
use crate::toolset::git::pull::same;

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
    /// The paths at which they do not.
    pub conflicts: BTreeSet<BString>,
    /// Those of them whose changes came in with what others have committed.
    pub landed: Vec<Unstaged>,
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
            conflicts: BTreeSet::new(),
            landed: Vec::new(),
            first_conflict: None,
        }
    }
}

impl Reapplied {
    /// Makes `commit` again without what it changed.
    fn empty(&mut self, repo: &Repo, commit: ObjectId) -> Result<(), ToolError> {
        let again = replay::rewrite(repo, commit, repo.tree_of(self.tip)?, Some(self.tip))?;
        self.successors.insert(commit, again);
        self.tip = again;
        Ok(())
    }
}

/// Makes the commits of `head` on top of `incoming` that are the sandbox's own: neither there, nor in what the branch was when it was seen
/// last, `before`, or at any time before that.
pub fn reapply(
    context: &mut Context<'_>,
    repo: &Repo,
    head: ObjectId,
    incoming: ObjectId,
    before: Option<ObjectId>,
    former: &BTreeSet<ObjectId>,
) -> Result<Reapplied, ToolError> {
    let theirs: BTreeSet<ObjectId> = std::iter::once(incoming).chain(before).chain(former.iter().copied()).collect();
    let landed = rewritten::landed_as(repo, context.deadline)?;
    let ids = Ids::load(repo)?;
    let mut reapplied = Reapplied::nothing(incoming);
    let own = rev_list::between(repo, [head], &theirs, context.deadline)?;
    // As with git: what was rewritten upstream is not compared with what the sandbox has of it.
    let is_rewritten = match before {
        Some(before) => !rev_list::between(repo, [before], &BTreeSet::from([incoming]), context.deadline)?.is_empty(),
        None => false,
    };
    let skipped = match is_rewritten {
        false => same::upstream_already(repo, &own, head, incoming, context.deadline)?,
        true => BTreeSet::new(),
    };
    let Records { kept, came_in } = Records::of(context, repo, &own, head, incoming)?;
    let is_skipped = |commit: &ObjectId| skipped.contains(commit) && !kept.contains(commit);
    let (skipped, own): (Vec<_>, Vec<_>) = own.into_iter().partition(is_skipped);
    for commit in skipped {
        if !landed.contains_key(&commit) {
            reapplied.landed.push(unstaged(repo, &ids, commit)?);
        }
        reapplied.gone.insert(commit);
    }
    note_absent(context, repo, &own, incoming)?;
    for commit in own {
        if came_in.contains(&commit) {
            reapplied.gone.insert(commit);
            continue;
        }
        match context.replayer(repo).replay(commit, Some(reapplied.tip))? {
            Replayed::Applied(again) => {
                let has_landed = match landed.get(&commit) {
                    Some(made) => {
                        rev_list::between(repo, [*made], &BTreeSet::from([incoming]), context.deadline)?.is_empty()
                    }
                    None => false,
                };
                if has_landed {
                    // What is left of it is another commit, which has not landed: by itself it could do only a part.
                    reapplied.gone.insert(commit);
                } else {
                    reapplied.successors.insert(commit, again);
                }
                reapplied.tip = again;
            }
            // What a record of a task says stays, unless it came in with the same words.
            Replayed::Empty if kept.contains(&commit) => reapplied.empty(repo, commit)?,
            Replayed::Empty => {
                reapplied.gone.insert(commit);
                // Of one that was pushed by itself nobody need be told.
                if !landed.contains_key(&commit) {
                    reapplied.landed.push(unstaged(repo, &ids, commit)?);
                }
            }
            Replayed::Conflicts(paths) => {
                reapplied.conflicts.extend(paths);
                if reapplied.first_conflict.is_none() {
                    let parent = replay::parent(repo, commit)?;
                    reapplied.first_conflict = Some((replay::tree_below(repo, parent)?, reapplied.tip));
                }
                if kept.contains(&commit) {
                    reapplied.empty(repo, commit)?;
                } else {
                    reapplied.gone.insert(commit);
                    reapplied.unstaged.push(unstaged(repo, &ids, commit)?);
                }
            }
        }
    }
    Ok(reapplied)
}

/// The sandbox's own records of tasks.
struct Records {
    /// Those that `incoming` has not: they stay, whatever becomes of what they changed.
    kept: BTreeSet<ObjectId>,
    /// Those that came in by other commits and change nothing themselves.
    came_in: BTreeSet<ObjectId>,
}

impl Records {
    /// Those among the commits `own` of `head`. Two with the same words are two.
    fn of(
        context: &Context<'_>,
        repo: &Repo,
        own: &[ObjectId],
        head: ObjectId,
        incoming: ObjectId,
    ) -> Result<Records, ToolError> {
        let prefix = &context.session.options.tasks.trailer_prefix;
        let message = |commit: &ObjectId| -> Result<Option<BString>, ToolError> {
            context.deadline.poll()?;
            let object = repo.gix.find_commit(*commit).map_err(|error| crate::git::store::repo::damaged(&error))?;
            let message = object.message_raw_sloppy();
            Ok(Recorded::read(message, prefix).map(|_| message.to_owned()))
        };
        let mut records = Records { kept: BTreeSet::new(), came_in: BTreeSet::new() };
        let mut own_messages = Vec::new();
        for commit in own {
            own_messages.extend(message(commit)?.map(|message| (*commit, message)));
        }
        if own_messages.is_empty() {
            return Ok(records);
        }
        let mut theirs: BTreeMap<BString, usize> = BTreeMap::new();
        for commit in rev_list::between(repo, [incoming], &BTreeSet::from([head]), context.deadline)? {
            if let Some(message) = message(&commit)? {
                *theirs.entry(message).or_default() += 1;
            }
        }
        for (commit, message) in own_messages {
            match theirs.get_mut(&message).filter(|count| **count > 0) {
                None => drop(records.kept.insert(commit)),
                Some(count) => {
                    *count -= 1;
                    if replay::tree_below(repo, replay::parent(repo, commit)?)? == repo.tree_of(commit)? {
                        records.came_in.insert(commit);
                    }
                }
            }
        }
        Ok(records)
    }
}

/// Notes which blobs a sparse sandbox lacks for all of these commits, so that they are asked for at once: those of paths that the commits
/// and what came in have both changed.
fn note_absent(context: &Context<'_>, repo: &Repo, own: &[ObjectId], incoming: ObjectId) -> Result<(), ToolError> {
    let Some(first) = own.first().filter(|_| Sparse::load(repo).is_ok_and(|sparse| sparse.is_some())) else {
        return Ok(());
    };
    let base = replay::tree_below(repo, replay::parent(repo, *first)?)?;
    let mut changed = BTreeSet::new();
    for commit in own {
        let before = replay::tree_below(repo, replay::parent(repo, *commit)?)?;
        let changes = changes::tree_to_tree(repo, before, repo.tree_of(*commit)?, context.deadline)?;
        changed.extend(changes.into_iter().map(|change| change.path));
    }
    let incoming = changes::tree_to_tree(repo, base, repo.tree_of(incoming)?, context.deadline)?;
    let both = incoming.into_iter().filter(|change| changed.contains(&change.path));
    let blobs = both.flat_map(|change| [change.old, change.new]).flatten().filter(|version| version.mode != SUBMODULE);
    let absent = blobs.map(|version| version.id).filter(|id| !repo.gix.has_object(id));
    missing::note(repo, absent);
    Ok(())
}

fn unstaged(repo: &Repo, ids: &Ids, commit: ObjectId) -> Result<Unstaged, ToolError> {
    let object = repo.gix.find_commit(commit).map_err(|error| crate::git::store::repo::damaged(&error))?;
    let message = message::text(object.message_raw_sloppy()).into_owned();
    Ok(Unstaged { id: ids.of(commit), message })
}
