//! The commits that a log begins with and ends at, as its argument names them.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::hashtable::HashSet;
use gix::revision::plumbing::Spec;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::revisions::Revisions;
use crate::git::history::{merge_base, rev_list};
use crate::git::store::repo::{Repo, damaged};

/// Which commits a log shows: what its tips reach, without what is hidden.
pub struct Selected {
    /// Where it begins, and what each is called (`%S`).
    pub tips: Vec<(ObjectId, String)>,
    /// Commits where it ends, which it does not show.
    pub hidden: HashSet<ObjectId>,
    /// Whether the first tip is the left side of a symmetric difference (`%m`).
    pub has_left: bool,
}

impl Selected {
    /// All that HEAD reaches.
    pub fn head(id: ObjectId) -> Selected {
        Selected { tips: vec![(id, "HEAD".to_owned())], hidden: HashSet::default(), has_left: false }
    }

    /// What `named` means to `git log`: a revision, or a range (gitrevisions, "Specifying Ranges").
    pub fn named(revisions: &Revisions<'_>, named: &str, deadline: &Deadline) -> Result<Selected, ToolError> {
        let repo = revisions.repo;
        let commit = |id| peeled(repo, id, named);
        let (from, to) = named.split_once("...").or_else(|| named.split_once("..")).unwrap_or((named, named));
        let name = |side: &str| if side.is_empty() { "HEAD".to_owned() } else { side.to_owned() };
        let parents = |id| -> Result<Vec<ObjectId>, ToolError> {
            let found = repo.gix.find_commit(commit(id)?).map_err(|error| damaged(&error))?;
            Ok(found.parent_ids().map(gix::Id::detach).collect())
        };
        let (tips, out, has_left) = match revisions.parse(named)? {
            Spec::Include(id) => (vec![(commit(id)?, named.to_owned())], Vec::new(), false),
            Spec::Range { from, to: tip } => (vec![(commit(tip)?, name(to))], vec![commit(from)?], false),
            Spec::Merge { theirs, ours } => {
                let (theirs, ours) = (commit(theirs)?, commit(ours)?);
                let bases = merge_base::of(repo, theirs, ours, deadline)?;
                (vec![(theirs, name(from)), (ours, name(to))], bases, true)
            }
            Spec::IncludeOnlyParents(id) => {
                (parents(id)?.into_iter().map(|id| (id, named.to_owned())).collect(), Vec::new(), false)
            }
            Spec::ExcludeParents(id) => (vec![(commit(id)?, named.to_owned())], parents(id)?, false),
            Spec::Exclude(_) => {
                return Err(ToolError::bad_args(format!("Nothing to list: {named}"))
                    .hint("Name a revision, such as a branch, or a range, such as main..topic."));
            }
        };
        let hidden = edge(repo, &tips, &out, deadline)?;
        Ok(Selected { tips, hidden, has_left })
    }
}

fn peeled(repo: &Repo, id: ObjectId, named: &str) -> Result<ObjectId, ToolError> {
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    let commit = object.peel_to_kind(gix::objs::Kind::Commit);
    Ok(commit.map_err(|_| ToolError::bad_args(format!("Not a commit: {named}")))?.id)
}

/// The commits where a walk from the tips has to end so that it shows nothing that `out` reaches.
fn edge(
    repo: &Repo,
    tips: &[(ObjectId, String)],
    out: &[ObjectId],
    deadline: &Deadline,
) -> Result<HashSet<ObjectId>, ToolError> {
    let mut edge = HashSet::default();
    if out.is_empty() {
        return Ok(edge);
    }
    let out: BTreeSet<ObjectId> = out.iter().copied().collect();
    let shown = rev_list::between(repo, tips.iter().map(|(id, _)| *id), &out, deadline)?;
    let inside: HashSet<ObjectId> = shown.iter().copied().collect();
    edge.extend(tips.iter().map(|(id, _)| *id).filter(|id| !inside.contains(id)));
    for id in shown {
        let commit = repo.gix.find_commit(id).map_err(|error| damaged(&error))?;
        edge.extend(commit.parent_ids().map(gix::Id::detach).filter(|parent| !inside.contains(parent)));
    }
    Ok(edge)
}
