//! Records facts that the host reports about targets. No undo takes them back.
//!
//! A remote-tracking ref records the last known commit of a target's branch.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::ByteSlice;
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};
use gix::refs::{FullName, Target};

use crate::answer::Landed;
use crate::error::ToolError;
use crate::git::staged::targets;
use crate::git::store::refs;
use crate::git::store::repo::{Repo, damaged};
use crate::platform;

/// The paths that an undo keeps, relative to the workspace: facts, and all objects, because a fact can name any of them.
pub const KEPT_BY_UNDO: &[&str] = &[
    ".git/refs/remotes",
    ".git/logs/refs/remotes",
    ".git/objects",
    ".git/gitgate/targets",
    ".git/gitgate/landed-as",
    ".git/shallow",
];

/// The message in the reflog of a tracking ref after a push, as in git.
const BY_PUSH: &str = "update by push";

/// Applies the fact that a target's ref has moved.
pub fn apply(who: &Signature, repo: &Repo, landed: &Landed) -> Result<(), ToolError> {
    track(who, repo, &landed.target, &landed.reference, landed.new, BY_PUSH)
}

/// Whether the current branch's commits go to this branch of `target`: it is the upstream, or they were pushed to it.
pub fn is_own(repo: &Repo, target: &str, reference: &str) -> Result<bool, ToolError> {
    let upstream = match repo.head()?.branch() {
        Some(branch) => targets::upstream(repo, branch.as_ref())?,
        None => None,
    };
    if upstream.is_some_and(|(known, merge)| known.target == target && merge == reference) {
        return Ok(true);
    }
    match tracking_ref(repo, target, reference)? {
        Some(tracking) => has_landed(repo, &tracking),
        None => Ok(false),
    }
}

/// The full name of the tracking ref for this branch of `target`, if the sandbox knows the target.
fn tracking_ref(repo: &Repo, target: &str, reference: &str) -> Result<Option<String>, ToolError> {
    let all = targets::list(repo)?;
    let known = all.iter().find(|known| known.target == target);
    Ok(known.zip(reference.strip_prefix("refs/heads/")).map(|(known, branch)| known.tracking_ref(branch)))
}

/// Whether a push has ever moved this tracking ref.
fn has_landed(repo: &Repo, tracking: &str) -> Result<bool, ToolError> {
    Ok(log_of(repo, tracking)?.lines().any(|line| line.ends_with_str(BY_PUSH)))
}

/// The former commits of the branch of `target`, from the reflog of its tracking ref (`--fork-point` in git's `git merge-base`). Commits
/// that others have dropped from it since are not the sandbox's own.
pub fn former(repo: &Repo, target: &str, reference: &str) -> Result<BTreeSet<ObjectId>, ToolError> {
    let Some(tracking) = tracking_ref(repo, target, reference)? else {
        return Ok(BTreeSet::new());
    };
    let log = log_of(repo, &tracking)?;
    let ids = log.lines().flat_map(|line| line.splitn(3, |byte| *byte == b' ').take(2));
    let ids = ids.filter_map(|id| ObjectId::from_hex(id).ok());
    Ok(ids.filter(|id| !id.is_null() && repo.gix.has_object(id)).collect())
}

/// The reflog of a tracking ref, or an empty one.
fn log_of(repo: &Repo, tracking: &str) -> Result<platform::Contents, ToolError> {
    match platform::read(&repo.git_dir().join("logs").join(tracking)) {
        Ok(log) => Ok(log),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(platform::Contents::default()),
        // The log's name conflicts with that of another branch.
        Err(error) if matches!(error.kind(), ErrorKind::IsADirectory | ErrorKind::NotADirectory) => {
            Ok(platform::Contents::default())
        }
        Err(error) => Err(ToolError::io(".git/logs", &error)),
    }
}

/// Moves the tracking ref of a target's branch to `new`, with a line in its reflog.
pub fn track(
    who: &Signature,
    repo: &Repo,
    target: &str,
    reference: &str,
    new: gix::ObjectId,
    log: &str,
) -> Result<(), ToolError> {
    let Some(branch) = reference.strip_prefix("refs/heads/") else {
        return Ok(());
    };
    let remote = targets::name_for(repo, target)?;
    let name = format!("refs/remotes/{remote}/{branch}");
    let name =
        FullName::try_from(name.as_str()).map_err(|_| ToolError::failed(format!("Not a valid ref name: {name}")))?;
    make_room(who, repo, &name)?;
    let log = LogChange { mode: RefLog::AndReference, force_create_reflog: false, message: log.into() };
    let change = Change::Update { log, expected: PreviousValue::Any, new: Target::Object(new) };
    refs::edit_as(who, repo, RefEdit { change, name, deref: false })
}

/// Moves the tracking ref to the commit that a pull has seen, unless it is there already. So a pull without news changes nothing.
pub fn seen(who: &Signature, repo: &Repo, target: &str, reference: &str, tip: ObjectId) -> Result<(), ToolError> {
    if tracked(repo, target, reference)? == Some(tip) {
        return Ok(());
    }
    track(who, repo, target, reference, tip, "pull")
}

/// The last known commit of the branch of `target`.
pub fn tracked(repo: &Repo, target: &str, reference: &str) -> Result<Option<ObjectId>, ToolError> {
    let Some(tracking) = tracking_ref(repo, target, reference)? else {
        return Ok(None);
    };
    let found = repo.gix.try_find_reference(tracking.as_str()).map_err(|error| damaged(&error))?;
    Ok(found.and_then(|mut reference| reference.peel_to_id().ok().map(gix::Id::detach)))
}

/// Removes tracking refs whose names conflict with the new one. The target must have lost those branches. They are loose, packed, or both,
/// and remains of their logs would be in the way of the new log.
fn make_room(who: &Signature, repo: &Repo, name: &FullName) -> Result<(), ToolError> {
    let wanted = name.as_bstr().to_string();
    let above = || wanted.match_indices('/').skip(2).map(|(slash, _)| &wanted[..slash]);
    // An unreadable ref is removed as a file, below.
    let find =
        |name: &str| repo.gix.try_find_reference(name).ok().flatten().filter(|found| found.name().as_bstr() == name);
    let mut lost: Vec<FullName> = above().filter_map(find).map(|found| found.name().to_owned()).collect();
    let all = repo.gix.references().map_err(|error| damaged(&error))?;
    // gix rejects a prefix with a character that Windows forbids in file names, so filter all refs instead.
    let tracking = all.remote_branches().map_err(|error| damaged(&error))?;
    let names = tracking.filter_map(Result::ok).map(|found| found.name().to_owned());
    lost.extend(names.filter(|name| name.as_bstr().starts_with(format!("{wanted}/").as_bytes())));
    for name in lost {
        let change = Change::Delete { expected: PreviousValue::Any, log: RefLog::AndReference };
        refs::edit_as(who, repo, RefEdit { change, name, deref: false })?;
    }
    for folder in [repo.git_dir(), repo.git_dir().join("logs")] {
        for above in above() {
            let path = folder.join(above);
            if platform::stat(&path).is_ok_and(|stat| stat.kind == platform::Kind::File) {
                platform::remove_file(&path).map_err(|error| ToolError::io(above, &error))?;
            }
        }
        let path = folder.join(&wanted);
        if platform::stat(&path).is_ok_and(|stat| stat.kind == platform::Kind::Folder) {
            platform::remove_dir_all(&path).map_err(|error| ToolError::io(&wanted, &error))?;
        }
    }
    Ok(())
}
