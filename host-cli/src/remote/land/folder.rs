//! The landing's own folder, `gitgate/<nonce>` in a git folder. It exists from before the first
//! change until after the last, so its presence shows that a landing is in progress.

use std::io;
use std::path::PathBuf;

use gix::bstr::BString;

use super::apply;
use super::dir::{Dir, Found};
use super::disk::Disk;
use super::error::{Doing, refused};
use super::plan::{Plan, WorktreePlan};
use super::scan::Abilities;
use crate::remote::{LandError, Target, error};

/// The name of the folder that holds all landings' folders.
const ALL: &[u8] = b"gitgate";

/// The git folder in which this landing works: that of the worktree, else the repository's. `None`
/// when it is gone, as after `git worktree remove`.
pub(super) fn git_dir(target: &Target, plan: &Plan) -> Result<Option<Dir>, LandError> {
    let path = match &plan.worktree {
        Some(worktree) => worktree.git_dir.clone(),
        None => target.common_dir().to_owned(),
    };
    match Dir::open_git(&path, target.sharing()) {
        Ok(dir) => Ok(Some(dir)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LandError::Failed(error::io("open", &path, error))),
    }
}

/// Creates the folder. Fails if it exists, because nonces are used only once.
pub(super) fn create(disk: &Disk<'_>, git: &Dir, plan: &Plan) -> Result<Dir, LandError> {
    let all = disk.make_folder(git, ALL).doing("make a folder in the git folder")?;
    let name = plan.nonce.to_string();
    let name = name.as_bytes();
    if all.stat(name).doing("read the git folder")?.is_some() {
        let taken = io::Error::new(io::ErrorKind::AlreadyExists, "a push with the same nonce is running");
        return Err(refused("make the landing's folder", taken));
    }
    let own = disk.make_folder(&all, name).doing("make a folder in the git folder")?;
    disk.make_folder(&own, b"new").doing("make a folder in the git folder")?;
    disk.make_folder(&own, b"old").doing("make a folder in the git folder")?;
    disk.sync(&all).and_then(|()| disk.sync(git)).doing("sync the git folder")?;
    Ok(own)
}

/// The folder, if the landing is in progress.
pub(super) fn open(git: &Dir, plan: &Plan) -> Result<Option<Dir>, LandError> {
    match git.child(ALL).and_then(|all| all.child(plan.nonce.to_string().as_bytes())) {
        Ok(own) => Ok(Some(own)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).doing("open the landing's folder"),
    }
}

/// Marks the landing as over. Only the lock and this folder remain to be removed.
pub(super) fn mark_done(disk: &Disk<'_>, git: &Dir, plan: &Plan) -> Result<(), LandError> {
    let all = git.child(ALL).doing("open the landing's folder")?;
    let done = done_name(plan);
    disk.replace(&all, plan.nonce.to_string().as_bytes(), &all, &done).doing("close the landing's folder")?;
    disk.sync(&all).doing("sync the git folder")
}

/// Removes the folder of a landing that is over, if it exists.
pub(super) fn clear_done(disk: &Disk<'_>, git: &Dir, plan: &Plan) -> Result<(), LandError> {
    let all = match git.child(ALL) {
        Ok(all) => all,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).doing("open the landing's folder"),
    };
    let done = done_name(plan);
    if let Ok(dir) = all.child(&done) {
        clear(disk, &dir).doing("clear the landing's folder")?;
        disk.remove_folder(&all, &done).doing("remove the landing's folder")?;
    }
    disk.remove_folder(git, ALL).doing("remove the landing's folder")?;
    Ok(())
}

/// The folder for content moved aside. `None` if the landing was interrupted before it created that
/// folder.
pub(super) fn aside(own: &Dir) -> Result<Option<Dir>, LandError> {
    match own.child(b"old") {
        Ok(aside) => Ok(Some(aside)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).doing("open the landing's folder"),
    }
}

/// Keeps content that exists nowhere else: content moved aside that differs from the plan. Moves it
/// out of the folder, and returns each path with the file that now holds its content.
pub(super) fn keep_strays(
    disk: &Disk<'_>,
    git: &Dir,
    own: &Dir,
    plan: &Plan,
    worktree: &WorktreePlan,
    abilities: Abilities,
) -> Result<Vec<(BString, PathBuf)>, LandError> {
    let mut kept = Vec::new();
    let Some(aside) = aside(own)? else {
        return Ok(kept);
    };
    let all = git.child(ALL).doing("open the landing's folder")?;
    for (number, path) in worktree.paths.iter().enumerate() {
        let slot = number.to_string();
        let name = format!("kept-{}-{number}", plan.nonce);
        let found = aside.look(slot.as_bytes()).doing("check files moved aside")?;
        if !matches!(found, Found::Absent) && !apply::is(&found, path.old.as_ref(), abilities) {
            disk.replace(&aside, slot.as_bytes(), &all, name.as_bytes()).doing("keep a changed file")?;
        }
        // Moved now, or by an interrupted run that could not report it.
        if all.stat(name.as_bytes()).doing("look for a kept file")?.is_some() {
            kept.push((path.path.clone(), worktree.git_dir.join("gitgate").join(name)));
        }
    }
    Ok(kept)
}

fn done_name(plan: &Plan) -> Vec<u8> {
    format!("{}.done", plan.nonce).into_bytes()
}

/// Removes the files of the folder and of its two subfolders.
fn clear(disk: &Disk<'_>, dir: &Dir) -> io::Result<()> {
    for name in dir.names()? {
        match dir.child(&name) {
            Ok(child) => {
                for inner in child.names()? {
                    disk.remove(&child, &inner)?;
                }
                disk.remove_folder(dir, &name)?;
            }
            Err(_) => disk.remove(dir, &name)?,
        }
    }
    Ok(())
}
