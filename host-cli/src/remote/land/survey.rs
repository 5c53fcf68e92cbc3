//! Checks everything a landing depends on and makes the plan. Changes nothing.

use gate::id::Nonce;
use gix::ObjectId;

use super::changes::{self, Finder};
use super::checkout::{self, Checkout};
use super::dir::{Dir, folder_of, last_name};
use super::error::Doing;
use super::plan::{Plan, WorktreePlan};
use super::scan;
use crate::remote::sharing::Sharing;
use crate::remote::{LandError, Obstacle, Target, TargetError, TargetErrorKind, refs};

/// The ref update that a landing carries out.
#[derive(Clone, Debug)]
pub(super) struct Update {
    pub(super) reference: String,
    pub(super) old: Option<ObjectId>,
    pub(super) new: ObjectId,
    pub(super) nonce: Nonce,
    pub(super) log_line: String,
}

impl Update {
    pub(super) fn of(plan: &Plan) -> Self {
        Update {
            reference: plan.reference.clone(),
            old: plan.old,
            new: plan.new,
            nonce: plan.nonce,
            log_line: plan.log_line.clone(),
        }
    }
}

/// Survey the target for `update`. `find` has the objects of the push laid over the target's.
///
/// `locked` says that the index lock and nothing else is already held for this landing.
pub(super) fn survey(target: &Target, update: &Update, find: Finder<'_>, locked: bool) -> Result<Plan, LandError> {
    let repo = target.fresh()?;
    ensure_ref_can_move(&repo, update)?;
    let worktree = match checkout::of_branch(&repo, &update.reference)? {
        None => None,
        Some(checkout) => Some(survey_worktree(&checkout, update, find, locked)?),
    };
    Ok(Plan {
        version: Plan::VERSION,
        nonce: update.nonce,
        reference: update.reference.clone(),
        old: update.old,
        new: update.new,
        log_line: update.log_line.clone(),
        worktree,
    })
}

fn survey_worktree(
    checkout: &Checkout,
    update: &Update,
    find: Finder<'_>,
    locked: bool,
) -> Result<WorktreePlan, LandError> {
    let git_dir = checkout.repo.git_dir().canonicalize().doing("find the worktree's git folder")?;
    let root = checkout.root.canonicalize().doing("find the worktree")?;
    if !locked && git_dir.join("index.lock").symlink_metadata().is_ok() {
        return Err(index_locked(&git_dir));
    }
    let (old, new) = (find.tree_of(update.old)?, find.tree_of(Some(update.new))?);
    let changes = changes::between(find, old, new)?;
    let paths = scan::scan(checkout, &changes, new, find)?;
    Ok(WorktreePlan { root, git_dir, paths })
}

pub(super) fn index_locked(git_dir: &std::path::Path) -> LandError {
    LandError::conflict(
        Obstacle::IndexLocked,
        format!("another program holds {}", git_dir.join("index.lock").display()),
        "wait until it is done; if no git is running there, remove that file",
    )
}

/// Checks that the branch has the expected head, is not a symbolic ref, and does not conflict with
/// other branches' names.
pub(super) fn ensure_ref_can_move(repo: &gix::Repository, update: &Update) -> Result<(), LandError> {
    let name = update.reference.as_str();
    let damaged = |e: gix::Error| LandError::Failed(TargetError::damaged("cannot read the refs", e));
    let reference = repo.try_find_reference(name).map_err(damaged)?;
    if reference.is_some_and(|reference| reference.try_id().is_none()) {
        return Err(LandError::conflict(
            Obstacle::RefName,
            format!("`{name}` is a symbolic ref"),
            "push to the branch that it points to",
        ));
    }
    let actual = refs::tip_of(repo, name)?;
    if actual != update.old {
        return Err(LandError::moved(name, actual));
    }
    if actual.is_none() {
        ensure_name_is_free(repo, name)?;
    }
    let common = Dir::open_git(repo.common_dir(), Sharing::default()).doing("open the repository")?;
    let disk = common.device().doing("check the repository")?;
    for folder in [&b"."[..], b"objects", b"refs"] {
        let dir = common.descend(folder).doing("open the repository's folders")?;
        let elsewhere = folder == b"refs" && dir.device().doing("check the refs")? != disk;
        if elsewhere {
            return Err(LandError::Failed(
                TargetError::new(
                    TargetErrorKind::Unsupported,
                    "its `refs` are on a different filesystem from its git folder, so gitgate cannot move a branch in one step",
                )
                .hint("put both on one filesystem, or push to a clone"),
            ));
        }
        if !dir.is_writable() {
            return Err(LandError::Failed(
                TargetError::new(
                    TargetErrorKind::ReadOnly,
                    format!(
                        "{} is not writable",
                        repo.common_dir().join(String::from_utf8_lossy(folder).as_ref()).display()
                    ),
                )
                .hint("check the permissions of that folder, or push elsewhere"),
            ));
        }
    }
    let lock = format!("{}.lock", String::from_utf8_lossy(last_name(name.into())));
    if let Ok(dir) = common.descend(folder_of(name.into()))
        && dir.stat(lock.as_bytes()).doing("look for a lock of the branch")?.is_some()
    {
        return Err(ref_locked(name));
    }
    Ok(())
}

pub(super) fn ref_locked(name: &str) -> LandError {
    LandError::conflict(
        Obstacle::RefLocked,
        format!("another program holds the lock of `{name}`"),
        format!("wait until it is done; if no git is running there, remove `{name}.lock` in its git folder"),
    )
}

fn ensure_name_is_free(repo: &gix::Repository, name: &str) -> Result<(), LandError> {
    let damaged = |e: gix::Error| LandError::Failed(TargetError::damaged("cannot read the refs", e));
    let taken = |by: &str| {
        LandError::conflict(
            Obstacle::RefName,
            format!("cannot create `{name}`, because `{by}` exists"),
            "choose another name: git cannot keep a branch both as a file and as a folder",
        )
    };
    for (slash, _) in name.match_indices('/').skip(2) {
        if repo.try_find_reference(&name[..slash]).map_err(damaged)?.is_some() {
            return Err(taken(&name[..slash]));
        }
    }
    let below = format!("{name}/");
    let references = repo.references().map_err(damaged)?;
    // All branches, and not those below: gix takes no prefix with a character that Windows forbids
    // in names of files, as git does everywhere.
    for reference in references.prefixed("refs/heads/").map_err(damaged)? {
        let reference = reference.map_err(damaged)?;
        let other = reference.name().as_bstr();
        if other.starts_with(below.as_bytes()) {
            return Err(taken(&other.to_string()));
        }
    }
    Ok(())
}
