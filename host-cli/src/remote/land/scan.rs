//! Checks the changed paths in the index and on the disk: each must match the branch, and no file
//! of the person's may be where the push must write.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;
use gix::objs::Kind;

use super::changes::{Finder, Sides};
use super::checkout::Checkout;
use super::dir::{Dir, Found, Parent, is_executable, last_name};
use super::error::Doing;
use super::plan::{Form, Mode, PathPlan};
use super::rules::Rules;
use super::sparse::Sparse;
use super::{collision, obstacles};
use crate::remote::{LandError, Obstacle};

/// What the repository's configuration says about its disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abilities {
    /// The executable bit means something (`core.fileMode`).
    pub(super) executable_bit: bool,
    /// Links are links (`core.symlinks`).
    pub(super) symlinks: bool,
}

impl Abilities {
    pub(super) fn of(repo: &gix::Repository) -> Self {
        let config = repo.config_snapshot();
        Abilities {
            executable_bit: config.boolean("core.fileMode").unwrap_or(cfg!(unix)),
            symlinks: config.boolean("core.symlinks").unwrap_or(cfg!(unix)),
        }
    }
}

/// The blob id of some bytes.
pub(super) fn blob_id(content: &[u8]) -> ObjectId {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, Kind::Blob, content)
        .expect("only a crafted SHA-1 collision fails, and a file that is one can wait for another approval")
}

/// Checks all `changes` and plans each path. `new_tree` is the branch's new tree.
pub(super) fn scan(
    checkout: &Checkout,
    changes: &BTreeMap<BString, Sides>,
    new_tree: Option<ObjectId>,
    find: Finder<'_>,
) -> Result<Vec<PathPlan>, LandError> {
    let index = super::index::read(&checkout.repo)?;
    let root = Dir::open(&checkout.root).doing("open the worktree")?;
    obstacles::ensure_safe(changes)?;
    obstacles::ensure_index_matches(&index, changes)?;
    obstacles::ensure_one_disk(checkout, &root, changes)?;
    obstacles::ensure_way_is_free(&root, &index, changes)?;
    collision::ensure_none(checkout, &index, changes)?;

    let abilities = Abilities::of(&checkout.repo);
    let sparse = Sparse::of(&checkout.repo)?;
    let mut old_rules = Rules::of_worktree(&checkout.repo, &index, find)?;
    let mut new_rules = Rules::of_tree(&checkout.repo, new_tree, changes.keys().map(|path| path.as_bstr()), find)?;
    let mut dirty = Vec::new();
    let mut not_done = Vec::new();
    let mut plans = Vec::with_capacity(changes.len());
    for (path, (old, new)) in changes {
        let entry = index.entry_by_path(path.as_bstr());
        let on_disk = match entry {
            None => sparse.includes(path.as_bstr()),
            Some(entry) if entry.flags.contains(Flags::SKIP_WORKTREE) => sparse.is_present(&root, path.as_bstr())?,
            Some(_) => true,
        };
        let mut plan = PathPlan { path: path.clone(), old: None, new: None, on_disk };
        if let Some((mode, id)) = *old {
            let unconverted = on_disk && old_rules.conversion_not_done(path.as_bstr())?.is_some();
            let raw = match (on_disk, unconverted) {
                (false, _) => Some(id),
                (true, true) => None,
                (true, false) => raw_if_clean(&root, path.as_bstr(), mode, id, &mut old_rules, abilities)?,
            };
            match raw {
                Some(raw) => plan.old = Some(Form { id, mode, raw, link: mode == Mode::Link && abilities.symlinks }),
                None if unconverted => not_done.push(path.clone()),
                None => dirty.push(path.clone()),
            }
        }
        if let Some((mode, id)) = *new {
            if on_disk && mode != Mode::Link && new_rules.conversion_not_done(path.as_bstr())?.is_some() {
                not_done.push(path.clone());
                continue;
            }
            let raw = if mode == Mode::Link || !on_disk {
                id
            } else {
                blob_id(&new_rules.convert_to_worktree(path.as_bstr(), &find.get(id, Kind::Blob)?)?)
            };
            plan.new = Some(Form { id, mode, raw, link: mode == Mode::Link && abilities.symlinks });
        }
        plans.push(plan);
    }
    if !not_done.is_empty() {
        not_done.dedup();
        return Err(LandError::paths(
            Obstacle::Filter,
            "these files need a filter, `ident` or another encoding, which gitgate does not run",
            not_done,
            "push to another branch and merge it with git",
        ));
    }
    if !dirty.is_empty() {
        return Err(LandError::paths(
            Obstacle::Dirty,
            "these files have uncommitted changes in the worktree",
            dirty,
            "commit or stash them, then push again",
        ));
    }
    Ok(plans)
}

/// The blob id of the bytes at `path` if git would call the path unchanged; `None` if it would not.
fn raw_if_clean(
    root: &Dir,
    path: &BStr,
    mode: Mode,
    id: ObjectId,
    rules: &mut Rules<'_>,
    abilities: Abilities,
) -> Result<Option<ObjectId>, LandError> {
    let Parent::Here(parent) = root.parent_of(path).doing("walk the worktree")? else {
        return Ok(None);
    };
    let clean = match parent.look(last_name(path)).doing("read the worktree")? {
        Found::Link { text, .. } if mode == Mode::Link => Some(blob_id(&text)),
        Found::File { content, .. } if mode == Mode::Link && !abilities.symlinks => Some(blob_id(&content)),
        Found::File { stat, content } if mode != Mode::Link => {
            let executable = is_executable(&stat) == (mode == Mode::Executable) || !abilities.executable_bit;
            let stored = rules.convert_to_git(path, &content, Some(id))?;
            return Ok((executable && blob_id(&stored) == id).then(|| blob_id(&content)));
        }
        _ => None,
    };
    Ok(clean.filter(|raw| *raw == id))
}

/// The content to put on the disk for a path, as the plan says.
pub(super) fn content_for_disk(
    rules: &mut Rules<'_>,
    find: Finder<'_>,
    path: &BStr,
    form: &Form,
) -> Result<Vec<u8>, LandError> {
    let blob = find.get(form.id, Kind::Blob)?;
    if form.mode == Mode::Link { Ok(blob) } else { rules.convert_to_worktree(path, &blob) }
}
