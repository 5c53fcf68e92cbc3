//! Moves refs, and adds git's lines to their reflogs.

mod available;
mod edit;
mod files;
mod meaning;
mod name;
mod packed;
mod place;
mod read;
pub mod reflog;
mod rename;
#[cfg(test)]
mod tests;
mod walk;

use std::path::PathBuf;

use gix::actor::Signature;
use gix::bstr::ByteSlice;
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};
use gix::refs::{FullName, Target};

use self::available::Among;
pub use self::edit::{create, delete, detach_head, forget_log, note_head, point_head};
pub use self::meaning::{Meanings, NAMED_LIKE_AN_ID, RULES, ambiguous, warns_of_ambiguity};
pub use self::name::is_valid;
pub use self::read::{DEEPEST, End, Refs, Value};
pub use self::rename::rename;
pub use self::walk::{Found, State};
use crate::error::ToolError;
use crate::git::store::repo::{Head, Repo, damaged};
use crate::platform;

/// Moves HEAD and its branch to `new`, and logs the move in both reflogs.
pub fn move_head(
    who: &Signature,
    refs: &Refs<'_>,
    head: &Head,
    new: gix::ObjectId,
    log: &str,
) -> Result<(), ToolError> {
    if let Head::Unborn { name } = head
        && let Some(reason) = refs.conflict(name.as_bstr(), None, Among::All)?
    {
        return Err(ToolError::failed(format!("fatal: cannot lock ref 'HEAD': {reason}")).hint(
            "Nothing has changed. Rename the branch with git_branch. A branch cannot be named a while another is \
             named a/b.",
        ));
    }
    let log = LogChange { mode: RefLog::AndReference, force_create_reflog: false, message: log.into() };
    let expected = match head.id() {
        Some(id) => PreviousValue::MustExistAndMatch(Target::Object(id)),
        None => PreviousValue::MustNotExist,
    };
    let edit = RefEdit {
        change: Change::Update { log, expected, new: Target::Object(new) },
        name: FullName::try_from("HEAD").expect("HEAD is a valid name"),
        deref: true,
    };
    edit_as(who, refs.repo, edit)
}

/// Deletes HEAD's branch, so HEAD has no commit again.
pub fn unbear_branch(who: &Signature, repo: &Repo, head: &Head) -> Result<(), ToolError> {
    let (Some(branch), Some(id)) = (head.branch(), head.id()) else {
        return Err(ToolError::failed("HEAD is not on a branch"));
    };
    let change =
        Change::Delete { expected: PreviousValue::MustExistAndMatch(Target::Object(id)), log: RefLog::AndReference };
    let name = FullName::try_from(branch.as_bstr()).map_err(|error| damaged(&error))?;
    edit_as(who, repo, RefEdit { change, name, deref: false })
}

/// Applies one change to the refs, with `who` in the reflog.
pub fn edit_as(who: &Signature, repo: &Repo, edit: RefEdit) -> Result<(), ToolError> {
    let mut time = gix::date::parse::TimeBuf::default();
    let files = files_of(repo, &edit)?;
    let edited = platform::editing(&files, || repo.gix.edit_references_as(Some(edit), Some(who.to_ref(&mut time))));
    edited.map_err(|error| ToolError::io(".git/refs", &error))?.map_err(|error| damaged(&error))?;
    Ok(())
}

/// The files that a change to a ref may touch: its own, those of the refs that it names in turn, their logs, and packed-refs.
fn files_of(repo: &Repo, edit: &RefEdit) -> Result<Vec<PathBuf>, ToolError> {
    let mut names = vec![edit.name.clone()];
    if edit.deref
        && let Some(branch) = repo.head()?.branch()
    {
        names.push(FullName::try_from(branch.as_bstr()).map_err(|error| damaged(&error))?);
    }
    let git = repo.git_dir();
    let files = names.iter().flat_map(|name| {
        let (folder, log) = (git.clone(), git.join("logs"));
        [folder, log].map(|folder| platform::join(&folder, name.as_bstr()))
    });
    Ok(files.chain([git.join("packed-refs")]).collect())
}
