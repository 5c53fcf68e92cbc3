//! Updates the changed paths of a worktree: for each, one rename moves the old file aside and one
//! moves the new file in.
//!
//! Every step checks what is there before it acts, so it can be repeated after a kill at any point:
//! a new file is done, an old one is replaced, and anything else is the person's and stays.

use std::collections::BTreeSet;
use std::io;

use gix::bstr::{BStr, ByteSlice};

use super::dir::{self, Dir, Found, Parent, folder_of, is_executable, last_name};
use super::disk::Disk;
use super::error::{Doing, refused};
use super::plan::{Form, Mode, PathPlan, WorktreePlan};
use super::reference::remove_empty_folders;
use super::scan::{Abilities, blob_id};
use crate::remote::{LandError, Stage};

/// The fate of a path.
#[derive(Debug)]
pub(super) enum Fate {
    /// It is as planned. Holds the stat of its file.
    InPlace(Option<dir::Stat>),
    /// The person changed it meanwhile, so it stays as they have it.
    Kept,
}

/// The folders that a landing moves files between.
pub(super) struct Apply<'a> {
    pub(super) disk: &'a Disk<'a>,
    pub(super) root: Dir,
    /// New content, by number of path.
    pub(super) staged: Dir,
    /// Old content moved aside, by number of path.
    pub(super) aside: Dir,
    pub(super) abilities: Abilities,
}

impl<'a> Apply<'a> {
    pub(super) fn new(
        disk: &'a Disk<'a>,
        own: &Dir,
        plan: &WorktreePlan,
        abilities: Abilities,
    ) -> Result<Self, LandError> {
        Ok(Apply {
            disk,
            root: Dir::open(&plan.root).doing("open the worktree")?,
            staged: own.child(b"new").doing("open the landing's folder")?.for_worktree(),
            aside: own.child(b"old").doing("open the landing's folder")?.for_worktree(),
            abilities,
        })
    }

    /// Stages the content of one path. Returns the file that must be synced.
    pub(super) fn stage(&self, number: usize, form: &Form, content: &[u8]) -> io::Result<Option<Vec<u8>>> {
        let name = number.to_string().into_bytes();
        if form.link {
            self.disk.symlink(&self.staged, &name, content)?;
            return Ok(None);
        }
        self.disk.write(&self.staged, &name, content, form.mode.permissions())?;
        Ok(Some(name))
    }

    /// Updates all paths for which `wanted` holds, deletions first. Returns each fate in the order
    /// of the plan.
    ///
    /// Everything is on the disk when this returns, with one sync per folder. If the power fails
    /// earlier, a file may be back in its old place, where the next try finds it.
    pub(super) fn bring_all(
        &self,
        paths: &[PathPlan],
        wanted: &dyn Fn(&PathPlan) -> bool,
    ) -> Result<Vec<Option<Fate>>, LandError> {
        let mut fates: Vec<Option<Fate>> = paths.iter().map(|_| None).collect();
        let mut done = 0;
        for deletions in [true, false] {
            for (number, path) in paths.iter().enumerate().filter(|(_, path)| path.new.is_none() == deletions) {
                self.disk.progress.at(Stage::Updating, done, Some(paths.len() as u64));
                done += 1;
                if path.on_disk && wanted(path) {
                    let what = || format!("update `{}`", path.path.escape_ascii());
                    fates[number] = Some(self.bring(number, path).map_err(|error| refused(&what(), error))?);
                } else if wanted(path) {
                    fates[number] = Some(Fate::InPlace(None));
                }
            }
        }
        self.disk.progress.at(Stage::Updating, done, Some(paths.len() as u64));
        let brought = paths.iter().zip(&fates).filter(|(_, fate)| matches!(fate, Some(Fate::InPlace(_))));
        let folders: BTreeSet<&BStr> = brought.map(|(path, _)| folder_of(path.path.as_bstr())).collect();
        for folder in folders {
            let what = || format!("sync the folder `{}`", folder.escape_ascii());
            self.sync_folder(folder).map_err(|error| refused(&what(), error))?;
        }
        Ok(fates)
    }

    /// Syncs the names in a folder. Skips one that is missing or is no longer a folder.
    fn sync_folder(&self, folder: &BStr) -> io::Result<()> {
        match self.root.descend(folder) {
            Ok(dir) => self.disk.sync(&dir),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// True if content of this path was moved aside.
    pub(super) fn is_aside(&self, number: usize) -> io::Result<bool> {
        Ok(self.aside.stat(number.to_string().as_bytes())?.is_some())
    }

    /// Moves the old file back. `Ok(false)` means that something else is in its place or blocks it.
    pub(super) fn put_back(&self, number: usize, plan: &PathPlan) -> io::Result<bool> {
        let path = plan.path.as_bstr();
        let parent = match self.root.parent_of(path)? {
            Parent::Here(parent) => parent,
            Parent::Missing => self.disk.make_folders(&self.root, folder_of(path))?,
            Parent::Blocked(_) => return Ok(false),
        };
        self.disk.rename_to_free(&self.aside, number.to_string().as_bytes(), &parent, last_name(path))
    }

    fn bring(&self, number: usize, plan: &PathPlan) -> io::Result<Fate> {
        let path = plan.path.as_bstr();
        let slot = number.to_string();
        let slot = slot.as_bytes();
        let parent = match self.root.parent_of(path)? {
            Parent::Here(parent) => Some(parent),
            Parent::Missing => None,
            Parent::Blocked(_) => {
                return Ok(if plan.new.is_none() { Fate::InPlace(None) } else { Fate::Kept });
            }
        };
        let name = last_name(path);
        let here = parent.as_ref().map_or(Ok(Found::Absent), |parent| parent.look(name))?;
        let aside = self.aside.look(slot)?;
        let set_aside = !matches!(aside, Found::Absent);

        if set_aside && !self.is(&aside, plan.old.as_ref()) {
            // Cut off between moving it away and seeing that it had changed.
            if let (Found::Absent, Some(parent)) = (&here, &parent) {
                self.disk.rename_to_free(&self.aside, slot, parent, name)?;
            }
            return Ok(Fate::Kept);
        }
        match &here {
            Found::File { stat, .. } | Found::Link { stat, .. } if self.is(&here, plan.new.as_ref()) => {
                return Ok(Fate::InPlace(Some(*stat)));
            }
            Found::Absent if plan.old.is_none() || set_aside => {}
            Found::Folder if plan.old.is_none() => {}
            // The file is gone already; a folder there holds the files that took its place.
            Found::Absent | Found::Folder if plan.new.is_none() => return Ok(Fate::InPlace(None)),
            Found::File { .. } | Found::Link { .. } if !set_aside && self.is(&here, plan.old.as_ref()) => {
                let ready = plan.new.is_none() || self.staged.stat(slot)?.is_some();
                let parent = parent.as_ref().expect("the file was found in it");
                if !ready || !self.move_aside(parent, name, slot, plan)? {
                    return Ok(Fate::Kept);
                }
            }
            _ => return Ok(Fate::Kept),
        }
        match &plan.new {
            None => self.remove_emptied(path).map(|()| Fate::InPlace(None)),
            Some(_) => self.place(slot, path),
        }
    }

    /// Moves the old file aside and checks it again. If it has changed, moves it back and returns
    /// false.
    fn move_aside(&self, parent: &Dir, name: &[u8], slot: &[u8], plan: &PathPlan) -> io::Result<bool> {
        match self.disk.rename_to_free(parent, name, &self.aside, slot) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
        if self.is(&self.aside.look(slot)?, plan.old.as_ref()) {
            return Ok(true);
        }
        self.disk.rename_to_free(&self.aside, slot, parent, name)?;
        Ok(false)
    }

    /// Renames the staged content in, unless something else has appeared there.
    fn place(&self, slot: &[u8], path: &BStr) -> io::Result<Fate> {
        let Some(staged) = self.staged.stat(slot)? else {
            return Ok(Fate::Kept);
        };
        let parent = self.disk.make_folders(&self.root, folder_of(path))?;
        let name = last_name(path);
        remove_empty_folders(self.disk, &parent, name)?;
        if !self.disk.rename_to_free(&self.staged, slot, &parent, name)? {
            return Ok(Fate::Kept);
        }
        // The rename changes no field of the stat but the ctime; anything else was somebody else.
        let stat = parent.stat(name)?.filter(|now| {
            (now.st_ino, now.st_size, now.st_mtime, now.st_mtime_nsec)
                == (staged.st_ino, staged.st_size, staged.st_mtime, staged.st_mtime_nsec)
        });
        Ok(Fate::InPlace(stat))
    }

    /// Removes the folders that a deletion left empty, innermost first.
    fn remove_emptied(&self, path: &BStr) -> io::Result<()> {
        let mut folder = folder_of(path);
        while !folder.is_empty() {
            if let Parent::Here(parent) = self.root.parent_of(folder)?
                && parent.child(last_name(folder)).is_ok()
                && !self.disk.remove_folder(&parent, last_name(folder))?
            {
                break;
            }
            folder = folder_of(folder);
        }
        Ok(())
    }

    fn is(&self, found: &Found, form: Option<&Form>) -> bool {
        is(found, form, self.abilities)
    }
}

/// True if this is exactly the given form, to the byte.
pub(super) fn is(found: &Found, form: Option<&Form>, abilities: Abilities) -> bool {
    match (found, form) {
        (Found::Link { text, .. }, Some(form)) => form.link && blob_id(text) == form.raw,
        (Found::File { stat, content }, Some(form)) => {
            let executable = form.mode == Mode::Executable;
            !form.link
                && (is_executable(stat) == executable || !abilities.executable_bit)
                && blob_id(content) == form.raw
        }
        _ => false,
    }
}
