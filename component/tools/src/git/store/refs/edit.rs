//! Creates and deletes refs and their logs (git's files backend).

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::hash::Kind::Sha1;

use super::available::Among;
use super::files::{Changes, ensure_unlocked, make_way, prune, remove_empty};
use super::read::{Refs, Value, path};
use super::reflog::{self, Line};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform::{self, Kind};

/// Creates the ref `name` at `id`. If `name` is a dangling symbolic ref, this creates its target.
///
/// # Errors
///
/// In git's words without `fatal: `, if the name is not free.
pub fn create(who: &Signature, refs: &Refs<'_>, name: &BStr, id: ObjectId, message: &[u8]) -> Result<(), ToolError> {
    let locked = |reason: &str| ToolError::failed(format!("cannot lock ref '{name}': {reason}"));
    let head = match refs.value("HEAD".into())? {
        Some(Value::Symbolic(head)) => Some(head),
        _ => None,
    };
    let mut changes = Changes::default();
    let mut chain = vec![name.to_owned()];
    while chain.len() <= DEEPEST {
        let at = chain.last().expect("it begins with the name").clone();
        let next = next_to_lock(refs, at.as_bstr())
            .map_err(|error| ToolError { message: locked(&error.message).message, ..error })?;
        log(who, refs, at.as_bstr(), (None, Some(id)), message, &mut changes)?;
        // HEAD can be on an unborn branch.
        if head.as_ref() == Some(&at) {
            log(who, refs, "HEAD".into(), (None, Some(id)), message, &mut changes)?;
        }
        match next {
            Some(next) if chain.contains(&next) => {
                let words = format!("multiple updates for '{next}' (including one via symref '{at}') are not allowed");
                return Err(ToolError::failed(words));
            }
            Some(next) => chain.push(next),
            None => {
                changes.write(path_of(refs.repo, at.as_bstr())?, format!("{id}\n").into_bytes());
                return changes.make(refs.repo);
            }
        }
    }
    Err(locked(&format!("unable to resolve reference '{name}': reference broken")))
}

/// The limit on symbolic refs in a chain.
const DEEPEST: usize = 5;

/// Prepares the ref `name` for a write, or returns the target of a symbolic ref.
fn next_to_lock(refs: &Refs<'_>, name: &BStr) -> Result<Option<BString>, ToolError> {
    let path = path_of(refs.repo, name)?;
    let or = |words: String| Ok(refs.conflict(name, None, Among::All)?.unwrap_or(words));
    if refs.is_below_a_file(name) {
        let words = format!("unable to create lock file .git/{name}.lock; non-directory in the way");
        return or(words).and_then(|words| Err(ToolError::failed(words)));
    }
    ensure_unlocked(refs.repo, &path)?;
    match refs.value(name)? {
        Some(Value::Symbolic(next)) => return Ok(Some(next)),
        Some(Value::Id(_)) => return Err(ToolError::failed("reference already exists")),
        Some(Value::Broken) => {
            return Err(ToolError::failed(format!("unable to resolve reference '{name}': reference broken")));
        }
        None => {}
    }
    if !remove_empty(&path).map_err(|error| ToolError::io(".git/refs", &error))? {
        let words = format!("there is a non-empty directory '.git/{name}' blocking reference '{name}'");
        return or(words).and_then(|words| Err(ToolError::failed(words)));
    }
    if let Some(words) = refs.conflict(name, None, Among::Packed)? {
        return Err(ToolError::failed(words));
    }
    make_way(&path)?;
    Ok(None)
}

/// Deletes the ref `name` itself, without following it, and its log. If HEAD is on it, HEAD's log gets a line with `message`.
pub fn delete(who: &Signature, refs: &Refs<'_>, name: &BStr, message: &[u8]) -> Result<(), ToolError> {
    let repo = refs.repo;
    let git = repo.git_dir();
    let (file, packed) = ensure_deletable(repo, name)?;
    let mut changes = Changes::default();
    if let Some(Value::Symbolic(head)) = refs.value("HEAD".into())?
        && head == name
    {
        log(who, refs, "HEAD".into(), (refs.id(name)?, None), message, &mut changes)?;
    }
    if let Some(content) = refs.packed()?.without(name) {
        changes.write(packed, content);
    }
    if file.parent().is_some_and(|folder| platform::stat(folder).is_ok_and(|stat| stat.kind == Kind::Folder)) {
        changes.remove(file.clone());
    }
    let log = reflog::path(repo, name);
    changes.remove_log(log.clone());
    changes.make(repo)?;
    let root = root(name);
    prune(&file, &platform::join(&git, root))?;
    prune(&log, &platform::join(&git.join("logs"), root))
}

/// The two files that can store a ref: its own, and packed-refs.
///
/// # Errors
///
/// In git's words, if one of them is locked.
pub(super) fn ensure_deletable(repo: &Repo, name: &BStr) -> Result<(PathBuf, PathBuf), ToolError> {
    let file = path_of(repo, name)?;
    ensure_unlocked(repo, &file).map_err(|error| error.behind(&format!("cannot lock ref '{name}': ")))?;
    let packed = repo.git_dir().join("packed-refs");
    ensure_unlocked(repo, &packed)?;
    Ok((file, packed))
}

/// Points HEAD of one worktree at the branch `new`, a full name. `folder` is the worktree's own folder inside `.git`.
pub fn point_head(
    who: &Signature,
    refs: &Refs<'_>,
    folder: &Path,
    new: &BStr,
    message: &[u8],
) -> Result<(), ToolError> {
    let mut changes = Changes::default();
    let content = [b"ref: ", new.as_bytes(), b"\n"].concat();
    let file = folder.join("HEAD");
    if let Some(id) = refs.id(new)? {
        let before = platform::read(&file).ok().and_then(|content| match content.strip_prefix(b"ref:") {
            Some(name) => refs.id(name.trim_ascii().as_bstr()).ok().flatten(),
            None => ObjectId::from_hex(content.trim_ascii()).ok(),
        });
        let log = folder.join("logs/HEAD");
        if reflog::is_written(refs.repo, "HEAD".into()) || platform::stat(&log).is_ok() {
            make_way(&log)?;
            let null = ObjectId::null(Sha1);
            changes.append(log, &Line::new(who, before.unwrap_or(null), id, message));
        }
    }
    changes.write(file, content);
    changes.make(refs.repo)
}

/// Detaches HEAD at `id`.
pub fn detach_head(who: &Signature, refs: &Refs<'_>, id: ObjectId, message: &[u8]) -> Result<(), ToolError> {
    // HEAD is already detached there.
    if refs.value("HEAD".into())? == Some(Value::Id(id)) {
        return Ok(());
    }
    let mut changes = Changes::default();
    log(who, refs, "HEAD".into(), (refs.id("HEAD".into())?, Some(id)), message, &mut changes)?;
    changes.write(refs.repo.git_dir().join("HEAD"), format!("{id}\n").into_bytes());
    changes.make(refs.repo)
}

/// Logs a move of HEAD from `id` to `id`, and changes nothing else.
pub fn note_head(who: &Signature, refs: &Refs<'_>, id: ObjectId, message: &[u8]) -> Result<(), ToolError> {
    let mut changes = Changes::default();
    log(who, refs, "HEAD".into(), (Some(id), Some(id)), message, &mut changes)?;
    changes.make(refs.repo)
}

/// Removes the log of the missing branch `name`, a full name.
pub fn forget_log(refs: &Refs<'_>, name: &BStr) -> Result<(), ToolError> {
    let log = reflog::path(refs.repo, name);
    if refs.id(name)?.is_some() || platform::stat(&log).is_err() {
        return Ok(());
    }
    let mut changes = Changes::default();
    changes.remove_log(log.clone());
    changes.make(refs.repo)?;
    prune(&log, &platform::join(&refs.repo.git_dir().join("logs"), root(name)))
}

/// Appends a line to the log of `name`, if git logs this ref. An id of `None` means a missing ref.
pub(super) fn log(
    who: &Signature,
    refs: &Refs<'_>,
    name: &BStr,
    (old, new): (Option<ObjectId>, Option<ObjectId>),
    message: &[u8],
    changes: &mut Changes,
) -> Result<(), ToolError> {
    if reflog::is_written(refs.repo, name) {
        make_log_way(refs.repo, name)?;
        let null = ObjectId::null(Sha1);
        let line = Line::new(who, old.unwrap_or(null), new.unwrap_or(null), message);
        changes.append(reflog::path(refs.repo, name), &line);
    }
    Ok(())
}

/// Prepares the path of the log of `name`.
pub(super) fn make_log_way(repo: &Repo, name: &BStr) -> Result<(), ToolError> {
    let path = reflog::path(repo, name);
    let failed = |words: String| ToolError::failed(format!("cannot update the ref '{name}': {words}"));
    let logs = repo.git_dir().join("logs");
    let above = path.ancestors().skip(1).take_while(|folder| folder.starts_with(&logs));
    if above.into_iter().any(|folder| platform::stat(folder).is_ok_and(|stat| stat.kind != Kind::Folder)) {
        return Err(failed(format!("unable to append to '.git/logs/{name}': Not a directory")));
    }
    make_way(&path)?;
    match platform::stat(&path) {
        Ok(stat) if stat.kind == Kind::Folder => Err(failed(format!("there are still logs under '.git/logs/{name}'"))),
        _ => Ok(()),
    }
}

pub(super) fn path_of(repo: &Repo, name: &BStr) -> Result<PathBuf, ToolError> {
    path(repo, name).ok_or_else(|| ToolError::failed(format!("refusing to update ref with bad name '{name}'")))
}

/// The folder that survives deleting a ref, such as `refs/heads`.
fn root(name: &BStr) -> &BStr {
    let end = name.find_iter(b"/").nth(1).unwrap_or(0);
    name[..end].as_bstr()
}
