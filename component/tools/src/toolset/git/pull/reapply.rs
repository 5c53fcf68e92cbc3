//! Re-applies the sandbox's own commits on top of the incoming ones.

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

/// The result of re-applying commits.
#[derive(Debug)]
pub struct Reapplied {
    /// The last commit.
    pub tip: ObjectId,
    /// Maps re-applied commits to their new versions.
    pub successors: BTreeMap<ObjectId, ObjectId>,
    /// Dropped commits: their changes came in otherwise, or do not apply.
    pub gone: BTreeSet<ObjectId>,
    /// Dropped commits that do not apply.
    pub unstaged: Vec<Unstaged>,
    /// The paths in conflict.
    pub conflicts: BTreeSet<BString>,
    /// Dropped commits whose changes came in with the commits of others.
    pub landed: Vec<Unstaged>,
    /// The tree that the first conflicting commit was based on, and the commit to which it did not apply.
    pub first_conflict: Option<(ObjectId, ObjectId)>,
}

impl Reapplied {
    /// No commits to re-apply, with the tip at `head`.
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
    /// Re-applies `commit` without its changes.
    fn empty(&mut self, repo: &Repo, commit: ObjectId) -> Result<(), ToolError> {
        let again = replay::rewrite(repo, commit, repo.tree_of(self.tip)?, Some(self.tip))?;
        self.successors.insert(commit, again);
        self.tip = again;
        Ok(())
    }
}

/// The incoming state of a branch, and what is known of earlier ones.
#[derive(Debug)]
pub struct Incoming<'a> {
    /// The incoming commit.
    pub tip: ObjectId,
    /// The last known one.
    pub before: Option<ObjectId>,
    /// All former ones.
    pub former: &'a BTreeSet<ObjectId>,
    /// Whether upstream has rewritten the branch: the last known commit is no ancestor of the incoming one.
    pub is_forced: bool,
}

/// Re-applies the sandbox's own commits of `head` on top of the incoming one. A commit is not its own if any state of the branch reaches it.
pub fn reapply(
    context: &mut Context<'_>,
    repo: &Repo,
    head: ObjectId,
    &Incoming { tip: incoming, before, former, is_forced }: &Incoming<'_>,
) -> Result<Reapplied, ToolError> {
    let theirs: BTreeSet<ObjectId> = std::iter::once(incoming).chain(before).chain(former.iter().copied()).collect();
    let landed = rewritten::landed_as(repo, context.deadline)?;
    let ids = Ids::load(repo)?;
    let mut reapplied = Reapplied::nothing(incoming);
    let own = rev_list::between(repo, [head], &theirs, context.deadline)?;
    // As in git, if upstream has rewritten the branch, do not look there for copies of the sandbox's commits.
    let skipped = match is_forced {
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
                    // The remainder is a different commit, which has not landed and may make no sense alone.
                    reapplied.gone.insert(commit);
                } else {
                    reapplied.successors.insert(commit, again);
                }
                reapplied.tip = again;
            }
            // A task's record stays for its message, unless a record with the same message came in.
            Replayed::Empty if kept.contains(&commit) => reapplied.empty(repo, commit)?,
            Replayed::Empty => {
                reapplied.gone.insert(commit);
                // The user pushed this commit alone, so the report need not mention it.
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

/// The sandbox's own task records.
struct Records {
    /// Records that `incoming` lacks. They stay even without their changes.
    kept: BTreeSet<ObjectId>,
    /// Records that came in as other commits and change nothing themselves.
    came_in: BTreeSet<ObjectId>,
}

impl Records {
    /// The records among the commits `own` of `head`. Two records with the same message count as two.
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

/// Notes the blobs that a sparse sandbox lacks for all these commits, so the call asks for them at once: those of paths that both the
/// commits and the incoming ones changed.
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
