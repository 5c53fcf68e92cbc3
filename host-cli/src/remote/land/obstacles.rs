//! Checks for what may block writing the changed paths. All run before anything changes.

use std::collections::BTreeMap;

use gate::format::is_safe_name;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Stage};

use super::changes::Sides;
use super::checkout::Checkout;
use super::dir::{Dir, Found, Parent, folder_of, last_name};
use super::error::Doing;
use super::plan::Mode;
use crate::remote::{LandError, Obstacle, TargetError, TargetErrorKind};

type Changes = BTreeMap<BString, Sides>;

/// Checks that this machine can use every name of every path as it is.
pub(super) fn ensure_safe(changes: &Changes) -> Result<(), LandError> {
    let unsafe_paths: Vec<BString> = changes
        .iter()
        .filter(|(path, (_, new))| {
            let is_symlink = matches!(new, Some((Mode::Link, _)));
            !path.split_str("/").all(|name| is_safe_name(name, is_symlink))
        })
        .map(|(path, _)| path.clone())
        .collect();
    if unsafe_paths.is_empty() {
        return Ok(());
    }
    Err(LandError::paths(
        Obstacle::UnsafePath,
        "these names are not safe on this machine",
        unsafe_paths,
        "rename these files in the sandbox: the branch is checked out here",
    ))
}

/// Checks that the index has each changed path exactly as the branch has it, and nothing unmerged.
pub(super) fn ensure_index_matches(index: &gix::index::File, changes: &Changes) -> Result<(), LandError> {
    let unmerged: Vec<BString> = index
        .entries()
        .iter()
        .filter(|entry| entry.stage() != Stage::Unconflicted)
        .map(|entry| entry.path(index).to_owned())
        .collect();
    if !unmerged.is_empty() {
        return Err(LandError::paths(
            Obstacle::Unmerged,
            "these files are unmerged",
            unmerged,
            "resolve and commit them",
        ));
    }
    let mut staged = Vec::new();
    for (path, (old, new)) in changes {
        let entry = index.entry_by_path(path.as_bstr());
        let same = match (entry, old) {
            (None, None) => true,
            (Some(entry), Some((mode, id))) => {
                entry.id == *id && entry.mode == mode.to_index() && !entry.flags.contains(Flags::INTENT_TO_ADD)
            }
            _ => false,
        };
        if !same {
            staged.push(path.clone());
        } else if old.is_none() && new.is_some() {
            staged.extend(staged_in_the_way(index, changes, path.as_bstr()));
        }
    }
    staged.dedup();
    if staged.is_empty() {
        return Ok(());
    }
    Err(LandError::paths(
        Obstacle::Staged,
        "these files have staged changes",
        staged,
        "commit or unstage them, then push again",
    ))
}

/// Entries that make a folder of the new file `path`, or a file of one of its folders, and that the
/// push does not delete.
fn staged_in_the_way(index: &gix::index::File, changes: &Changes, path: &BStr) -> Vec<BString> {
    let stays = |path: &BStr| !matches!(changes.get(path), Some((Some(_), None)));
    let mut below = path.to_owned();
    below.push(b'/');
    let mut found: Vec<BString> = index
        .prefixed_entries(below.as_bstr())
        .unwrap_or_default()
        .iter()
        .map(|entry| entry.path(index))
        .filter(|path| stays(path))
        .map(ToOwned::to_owned)
        .collect();
    let mut folder = folder_of(path);
    while !folder.is_empty() {
        if index.entry_by_path(folder).is_some() && stays(folder) {
            found.push(folder.to_owned());
        }
        folder = folder_of(folder);
    }
    found
}

/// The git folder and every folder that is written to are on one filesystem, so that files move by
/// renaming.
pub(super) fn ensure_one_disk(checkout: &Checkout, root: &Dir, changes: &Changes) -> Result<(), LandError> {
    let git = Dir::open(checkout.repo.git_dir()).doing("open the git folder")?;
    let disk = git.device().doing("check the git folder")?;
    let mut seen: Option<&BStr> = None;
    for path in changes.keys() {
        let folder = folder_of(path.as_bstr());
        if seen == Some(folder) {
            continue;
        }
        seen = Some(folder);
        let mut here = root.child(b".").doing("open the worktree")?;
        for name in folder.split_str("/").filter(|name| !name.is_empty()) {
            match here.child(name) {
                Ok(child) => here = child,
                Err(_) => break,
            }
        }
        if here.device().doing("check the worktree")? != disk {
            return Err(LandError::paths(
                Obstacle::Worktree,
                "these files are on a different filesystem from the git folder",
                vec![path.clone()],
                "push to another branch and merge it with git",
            ));
        }
        if !here.is_writable() {
            return Err(LandError::Failed(
                TargetError::new(
                    TargetErrorKind::ReadOnly,
                    format!("the folder `{}` in the worktree is not writable", folder.escape_ascii()),
                )
                .hint("check its permissions, or push to another branch"),
            ));
        }
    }
    Ok(())
}

/// Nothing that git does not track stands where a new file goes, nor a symlink or file where its
/// folders go.
pub(super) fn ensure_way_is_free(root: &Dir, index: &gix::index::File, changes: &Changes) -> Result<(), LandError> {
    let deleted = |path: &BStr| matches!(changes.get(path), Some((Some(_), None)));
    let mut untracked = Vec::new();
    let mut links = Vec::new();
    for (path, (old, new)) in changes {
        let path = path.as_bstr();
        match root.parent_of(path).doing("walk the worktree")? {
            Parent::Missing => {}
            Parent::Blocked(end) => {
                let blocking = path[..end].as_bstr();
                if !deleted(blocking) {
                    let tracked_below = old.is_some() || index.path_is_directory(blocking);
                    let list = if tracked_below { &mut links } else { &mut untracked };
                    list.push(blocking.to_owned());
                }
            }
            Parent::Here(parent) if old.is_none() && new.is_some() => {
                match parent.look(last_name(path)).doing("read the worktree")? {
                    Found::Absent => {}
                    Found::Folder => untracked.extend(undeleted_below(&parent, path, &deleted)?),
                    _ => untracked.push(path.to_owned()),
                }
            }
            Parent::Here(_) => {}
        }
    }
    let nested = nested_repositories(root, changes)?;
    untracked.dedup();
    links.dedup();
    if !nested.is_empty() {
        return Err(LandError::paths(
            Obstacle::Untracked,
            "the push writes into other repositories that are inside the worktree",
            nested,
            "move them elsewhere, or push to another branch",
        ));
    }
    if !links.is_empty() {
        return Err(LandError::paths(
            Obstacle::Symlink,
            "the worktree has symlinks or files where the push needs folders",
            links,
            "restore the folders, or push to another branch",
        ));
    }
    if !untracked.is_empty() {
        return Err(LandError::paths(
            Obstacle::Untracked,
            "untracked files are in the way",
            untracked,
            "move or remove them, then push again",
        ));
    }
    Ok(())
}

/// The folders that hold a repository of their own and that the push would write into, at any
/// depth.
fn nested_repositories(root: &Dir, changes: &Changes) -> Result<Vec<BString>, LandError> {
    let mut nested: Vec<BString> = Vec::new();
    // Paths come in the order of their names, so those of one folder mostly come together.
    let mut seen: Option<&BStr> = None;
    for (path, _) in changes.iter().filter(|(_, (_, new))| new.is_some()) {
        let folder = folder_of(path.as_bstr());
        if seen == Some(folder) {
            continue;
        }
        seen = Some(folder);
        let mut here = root.child(b".").doing("open the worktree")?;
        let mut end = 0;
        for name in folder.split_str("/").filter(|name| !name.is_empty()) {
            // Other checks handle what is not a folder, and a missing folder holds nothing.
            let Ok(child) = here.child(name) else {
                break;
            };
            end += name.len() + usize::from(end > 0);
            if child.stat(b".git").doing("walk the worktree")?.is_some() {
                nested.push(folder[..end].into());
                break;
            }
            here = child;
        }
    }
    nested.sort();
    nested.dedup();
    Ok(nested)
}

/// What is in the folder at `path` and is not deleted by the push. Empty folders do not count.
fn undeleted_below(parent: &Dir, path: &BStr, deleted: &dyn Fn(&BStr) -> bool) -> Result<Vec<BString>, LandError> {
    let mut found = Vec::new();
    let mut folders = vec![(parent.child(last_name(path)).doing("walk the worktree")?, path.to_owned())];
    while let Some((dir, path)) = folders.pop() {
        for name in dir.names().doing("walk the worktree")? {
            let mut below = path.clone();
            below.push(b'/');
            below.extend_from_slice(&name);
            match dir.child(&name) {
                Ok(child) => folders.push((child, below)),
                Err(_) if deleted(below.as_bstr()) => {}
                Err(_) => found.push(below),
            }
        }
    }
    Ok(found)
}
