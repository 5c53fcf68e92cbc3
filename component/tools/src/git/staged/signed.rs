//! Commits that a person's key has signed on their way out. The sandbox keeps no key: the host has the signatures, and the commits become the
//! signed ones once these have landed.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::ByteSlice;
use gix::objs::{Kind, Write};
use patch::signature;

use crate::answer::CommitSignature;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::change::replay;
use crate::git::history::{rev_list, tracking};
use crate::git::staged::restack::Restack;
use crate::git::store::index;
use crate::git::store::repo::{Repo, damaged};

/// The signed commit for each that was signed.
pub type Successors = BTreeMap<ObjectId, ObjectId>;

/// Writes the signed commits.
///
/// # Errors
/// A commit is not there.
pub fn write(repo: &Repo, signatures: &[CommitSignature]) -> Result<Successors, ToolError> {
    let mut successors = Successors::new();
    for CommitSignature { commit, text } in signatures {
        let found = repo.gix.find_commit(*commit).map_err(|error| damaged(&error))?;
        let renamed = signature::with_parents(&found.data, &|hex| {
            let parent = ObjectId::from_hex(hex.trim()).ok()?;
            successors.get(&parent).map(ToString::to_string)
        });
        let signed = signature::with_signature(&renamed, text);
        let made = repo.gix.write_buf(Kind::Commit, &signed).map_err(|error| damaged(&error))?;
        successors.insert(*commit, made);
    }
    Ok(successors)
}

/// Puts the signed commits in the place of the others, if the current branch has those: the commits on top of them are made again on top of
/// the signed ones.
///
/// `who` does so, for the reflog. It comes before the fact that they have landed, after which they are no longer the sandbox's own.
pub fn adopt(
    repo: &Repo,
    signed: &Successors,
    who: &Signature,
    cache: &mut index::Cache,
    deadline: &Deadline,
) -> Result<(), ToolError> {
    let Some(head) = repo.head()?.id() else { return Ok(()) };
    let mut successors = signed.clone();
    let mut stack = Restack::onto(None);
    for id in rev_list::between(repo, [head], &tracking::heads(repo)?, deadline)? {
        deadline.poll()?;
        if let Some(made) = successors.get(&id) {
            stack.add(id, *made);
        } else if let Some(made) = replay::reparent(repo, id, &successors)? {
            successors.insert(id, made);
            stack.add(id, made);
        }
    }
    let Some(made) = successors.get(&head) else { return Ok(()) };
    stack.add(head, *made);
    stack.finish(repo, &[], who, cache, deadline)
}
