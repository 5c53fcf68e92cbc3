//! Moves the branch by compare-and-swap under git's own lock, and writes the reflogs.
//!
//! The lock is a second name of the finished file `ref` in the landing's folder, so a kill never
//! leaves a lock with an unknown owner. The push lands when the lock is renamed onto the branch.
//! Before that, the file `moving` is created in the folder and synced: without it, the branch was
//! certainly not renamed.

use gix::bstr::{BStr, ByteSlice};

use super::dir::{Dir, FileType, folder_of, kind_of, last_name};
use super::disk::Disk;
use super::error::Doing;
use super::plan::Plan;
use super::survey::ref_locked;
use crate::remote::{LandError, Target, refs};

/// Created in the landing's folder before the branch is renamed.
const MOVING: &[u8] = b"moving";

fn open(target: &Target) -> Result<Dir, LandError> {
    Dir::open_git(target.common_dir(), target.sharing()).doing("open the repository")
}

/// Moves the branch from the planned old head. On an error it has not moved, and the caller undoes
/// the preparations.
pub(super) fn move_branch(disk: &Disk<'_>, target: &Target, own: &Dir, plan: &Plan) -> Result<(), LandError> {
    let common = open(target)?;
    let name = plan.reference.as_bytes().as_bstr();
    let folder = disk.make_folders(&common, folder_of(name)).doing("make the branch's folder")?;
    disk.recreate(own, b"ref", &plan.ref_content(), 0o666).doing("write the branch's lock")?;
    if !disk.publish(own, b"ref", &folder, &lock_name(name)).doing("lock the branch")? {
        return Err(ref_locked(&plan.reference));
    }
    let actual = refs::tip_of(&target.fresh()?, &plan.reference)?;
    if actual != plan.old {
        return Err(LandError::moved(&plan.reference, actual));
    }
    // Folders of deleted branches stay behind empty, and git makes way for a branch of their name.
    remove_empty_folders(disk, &folder, last_name(name)).doing("make way for the branch")?;
    for log in logs(target, plan)? {
        let path = log.path.as_bytes().as_bstr();
        let dir = disk.make_folders(&log.base, folder_of(path)).doing("make a log's folder")?;
        remove_empty_folders(disk, &dir, last_name(path)).doing("make way for a log")?;
        disk.append(&dir, last_name(path), plan.log_line.as_bytes()).doing("write a log")?;
    }
    disk.recreate(own, MOVING, b"", 0o666).and_then(|()| disk.sync(own)).doing("note that the branch moves")?;
    disk.replace(&folder, &lock_name(name), &folder, last_name(name)).doing("move the branch")
}

/// True if the disk proves that this landing, whose folder still exists, never moved the branch.
/// False proves nothing.
///
/// The rename comes after `moving` was brought to the disk, so a folder without `moving` is of a
/// landing that had not got there. With `moving`, it is the lock that tells: the rename takes away
/// the name which the lock has, and nobody else gives that name to the file that is also called
/// `ref` here. An equal file would not do, since another program may be pushing the same commit.
pub(super) fn never_moved(target: &Target, own: &Dir, plan: &Plan) -> Result<bool, LandError> {
    let look = |name: &[u8]| own.stat(name).doing("read the landing's folder");
    if look(MOVING)?.is_none() {
        return Ok(true);
    }
    Ok(look(b"ref")?.is_some() && our_lock(target, Some(own), plan)?.is_some())
}

/// Keeps the proof of [`never_moved`] while the lock is released, in case this recovery is
/// interrupted and another follows.
pub(super) fn keep_proof(disk: &Disk<'_>, own: &Dir) -> Result<(), LandError> {
    disk.remove(own, MOVING).and_then(|()| disk.sync(own)).doing("note that the branch did not move")
}

/// Syncs the branch's new head.
pub(super) fn sync(disk: &Disk<'_>, target: &Target, plan: &Plan) -> Result<(), LandError> {
    let common = open(target)?;
    let folder = common.descend(folder_of(plan.reference.as_bytes().as_bstr())).doing("open the branch's folder")?;
    disk.sync(&folder).doing("sync the branch")
}

/// The folder of the branch's lock, if the lock is there and this landing's. `own` is the landing's
/// folder where it still exists.
pub(super) fn our_lock(target: &Target, own: Option<&Dir>, plan: &Plan) -> Result<Option<Dir>, LandError> {
    let common = open(target)?;
    let name = plan.reference.as_bytes().as_bstr();
    let Ok(folder) = common.descend(folder_of(name)) else {
        return Ok(None);
    };
    let lock = lock_name(name);
    let Some(stat) = folder.stat(&lock).doing("look for the branch's lock")? else {
        return Ok(None);
    };
    let copy = match own {
        Some(own) => own.stat(b"ref").doing("read the landing's folder")?,
        None => None,
    };
    let ours = match copy {
        Some(copy) => (copy.st_dev, copy.st_ino) == (stat.st_dev, stat.st_ino),
        // Without hard links the copy became the lock.
        None => folder.read(&lock).doing("read the branch's lock")? == plan.ref_content(),
    };
    Ok(ours.then_some(folder))
}

/// Removes the branch's lock, if it is this landing's.
pub(super) fn release(disk: &Disk<'_>, target: &Target, own: Option<&Dir>, plan: &Plan) -> Result<(), LandError> {
    if let Some(folder) = our_lock(target, own, plan)? {
        disk.remove(&folder, &lock_name(plan.reference.as_bytes().as_bstr())).doing("release the branch's lock")?;
        disk.sync(&folder).doing("sync the branch's folder")?;
    }
    Ok(())
}

/// Removes what a landing that did not happen wrote to the reflogs.
///
/// Nobody else writes to them while the lock is there; without it nothing is done, since the lock
/// is released only after this was tried.
pub(super) fn undo_logs(disk: &Disk<'_>, target: &Target, own: &Dir, plan: &Plan) -> Result<(), LandError> {
    if our_lock(target, Some(own), plan)?.is_none() {
        return Ok(());
    }
    for log in logs(target, plan)? {
        let path = log.path.as_bytes().as_bstr();
        let Ok(dir) = log.base.descend(folder_of(path)) else {
            continue;
        };
        let name = last_name(path);
        // What is no file was never written to.
        let found = dir.stat(name).doing("look for a log")?;
        if found.is_none_or(|stat| kind_of(&stat) != FileType::RegularFile) {
            continue;
        }
        let content = dir.read(name).doing("read a log")?;
        let kept = without_line(&content, plan.log_line.as_bytes());
        if kept == 0 && log.may_be_made {
            disk.remove(&dir, name).doing("remove a log")?;
        } else if kept < content.len() {
            disk.truncate(&dir, name, kept as u64).doing("shorten a log")?;
        }
    }
    Ok(())
}

/// Remove the empty folders on the way to the branch and its log, which this landing may have made.
/// Git makes them again where it needs them.
pub(super) fn remove_folders(disk: &Disk<'_>, target: &Target, plan: &Plan) -> Result<(), LandError> {
    let common = open(target)?;
    let log = format!("logs/{}", plan.reference);
    for (path, stays) in [(plan.reference.as_str(), "refs/heads"), (log.as_str(), "")] {
        let mut folder = folder_of(path.as_bytes().as_bstr());
        while folder.len() > stays.len() {
            if let Ok(parent) = common.descend(folder_of(folder))
                && !disk.remove_folder(&parent, last_name(folder)).doing("remove an empty folder")?
                && parent.stat(last_name(folder)).doing("look for a folder")?.is_some()
            {
                break;
            }
            folder = folder_of(folder);
        }
    }
    Ok(())
}

/// The length of a log without our line at its end, or without the part of it that was written
/// before a crash.
fn without_line(content: &[u8], line: &[u8]) -> usize {
    if content.ends_with(line) {
        return content.len() - line.len();
    }
    let start = content.iter().rposition(|b| *b == b'\n').map_or(0, |feed| feed + 1);
    if line.starts_with(&content[start..]) { start } else { content.len() }
}

/// A log to write to.
struct Log {
    base: Dir,
    path: String,
    /// True if a missing log may be created. Otherwise the log existed before.
    may_be_made: bool,
}

/// The logs that git would write: the branch's, and that of the HEAD which stands for the branch;
/// where they exist, or where `core.logAllRefUpdates` makes them.
fn logs(target: &Target, plan: &Plan) -> Result<Vec<Log>, LandError> {
    let repo = target.repo();
    let may_be_made = match repo.config_snapshot().string("core.logAllRefUpdates") {
        Some(value) if value.eq_ignore_ascii_case(b"always") => true,
        Some(_) => repo.config_snapshot().boolean("core.logAllRefUpdates").unwrap_or(false),
        None => !repo.is_bare(),
    };
    let mut logs = vec![Log { base: open(target)?, path: format!("logs/{}", plan.reference), may_be_made }];
    let head = match &plan.worktree {
        Some(worktree) => Dir::open_git(&worktree.git_dir, target.sharing()).ok(),
        None if repo.is_bare() && target.head_name()?.as_deref() == Some(&plan.reference) => Some(open(target)?),
        None => None,
    };
    logs.extend(head.map(|base| Log { base, path: "logs/HEAD".to_owned(), may_be_made }));
    logs.retain(|log| {
        let path = log.path.as_bytes().as_bstr();
        may_be_made || matches!(log.base.descend(folder_of(path)).map(|dir| dir.stat(last_name(path))), Ok(Ok(Some(_))))
    });
    Ok(logs)
}

/// Removes a folder whose subfolders hold no files. Anything else stays.
pub(super) fn remove_empty_folders(disk: &Disk<'_>, dir: &Dir, name: &[u8]) -> std::io::Result<()> {
    let folder_in = |dir: &Dir, name: &[u8]| {
        let folder = dir.stat(name)?.is_some_and(|stat| kind_of(&stat) == FileType::Directory);
        if folder { dir.child(name).map(Some) } else { Ok(None) }
    };
    let Some(top) = folder_in(dir, name)? else {
        return Ok(());
    };
    let mut open = vec![(top, Vec::<Vec<u8>>::new())];
    let mut found = Vec::new();
    while let Some((here, path)) = open.pop() {
        for inner in here.names()? {
            // A file or link keeps all folders above it.
            let Some(child) = folder_in(&here, &inner)? else {
                return Ok(());
            };
            open.push((child, [&path[..], &[inner]].concat()));
        }
        found.push(path);
    }
    for path in found.iter().rev() {
        match path.split_last() {
            Some((last, leading)) => {
                let mut parent = dir.child(name)?;
                for name in leading {
                    parent = parent.child(name)?;
                }
                disk.remove_folder(&parent, last)?;
            }
            None => drop(disk.remove_folder(dir, name)?),
        }
    }
    Ok(())
}

fn lock_name(name: &BStr) -> Vec<u8> {
    [last_name(name), b".lock"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_last_line_of_a_log_is_taken_back() {
        for (content, kept) in [
            (&b"a\nours\n"[..], 2),
            (b"ours\n", 0),
            (b"a\nou", 2),
            (b"ours\na\n", 7),
            (b"a\nother", 7),
            (b"a\n", 2),
            (b"", 0),
        ] {
            assert_eq!(without_line(content, b"ours\n"), kept);
        }
    }
}
