//! The worktree's index: reads it, updates the changed paths to the new tree, and writes it.

use std::collections::BTreeSet;

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Stat, stat::Time};
use gix::index::extension::Tree;

use super::dir::{self, Dir};
use super::plan::{Form, PathPlan};
use crate::remote::whole_index::whole;
use crate::remote::{LandError, TargetError};

/// The index of a worktree with an entry for every file, or an empty one if there is no file.
pub(super) fn read(repo: &gix::Repository) -> Result<gix::index::File, LandError> {
    let file = gix::index::File::at_or_default(repo.index_path(), gix::hash::Kind::Sha1, false, Default::default())
        .map_err(|error| LandError::Failed(TargetError::damaged("cannot read the index", error)))?;
    if !file.is_sparse() {
        return Ok(file);
    }
    let (state, path) = file.into_parts();
    Ok(gix::index::File::from_state(whole(repo, state)?, path))
}

/// Updates the entries of the changed paths to the new tree, if they match the old or the new tree.
/// Any other entry is the person's.
///
/// Each path comes with the stat of the new file. Without one, git compares contents.
pub(super) fn update<'p>(index: &mut gix::index::File, paths: impl Iterator<Item = (&'p PathPlan, Option<dir::Stat>)>) {
    let is = |form: &Option<Form>, entry: Option<&gix::index::Entry>| match (form, entry) {
        (None, None) => true,
        (Some(form), Some(entry)) => form.id == entry.id && form.mode.to_index() == entry.mode,
        _ => false,
    };
    let mut added = Vec::new();
    let mut removed = BTreeSet::new();
    for (plan, stat) in paths {
        let path = plan.path.as_bstr();
        let entry = index.entry_by_path(path);
        if !is(&plan.old, entry) && !is(&plan.new, entry) {
            continue;
        }
        let stat = stat.as_ref().map(to_index_stat).unwrap_or_default();
        match (&plan.new, index.entry_index_by_path(path)) {
            (None, Ok(at)) => drop(removed.insert(at)),
            (None, Err(_)) => {}
            (Some(form), Ok(at)) => {
                let entry = &mut index.entries_mut()[at];
                entry.id = form.id;
                entry.mode = form.mode.to_index();
                if plan.on_disk {
                    entry.stat = stat;
                }
            }
            (Some(form), Err(_)) => added.push((stat, form, plan)),
        }
        if let Some(tree) = index.tree_mut() {
            invalidate(tree, path);
        }
    }
    // Look-ups need sorted entries that stay where they are, so entries go and come at the end.
    // They go all at once, since each that goes alone moves all that come after it.
    index.remove_entries(|at, _, _| removed.contains(&at));
    for (stat, form, plan) in added {
        let flags = if plan.on_disk { Flags::empty() } else { Flags::EXTENDED | Flags::SKIP_WORKTREE };
        index.dangerously_push_entry(stat, form.id, flags, form.mode.to_index(), plan.path.as_bstr());
    }
    index.sort_entries();
}

/// Drops the cached tree ids of the folders above `path`, and of a folder at `path` itself.
fn invalidate(tree: &mut Tree, path: &BStr) {
    tree.num_entries = None;
    match path.split_once_str("/") {
        None => tree.children.retain(|child| child.name.as_slice() != path.as_bytes()),
        Some((name, rest)) => {
            if let Some(child) = tree.children.iter_mut().find(|child| child.name.as_slice() == name) {
                invalidate(child, rest.as_bstr());
            }
        }
    }
}

/// Makes git compare the contents of entries whose stat it would trust only because the index looks
/// newer now.
///
/// A file changed in the second in which the old index was written can have the stat that the index
/// has. Git doubts such entries by the time of the index file, which the new file moves on; so the
/// doubt is written into the entry, except where the finer clock of the disk shows that the file is
/// older than the index and still the same.
pub(super) fn keep_doubts(index: &mut gix::index::File, root: &Dir, written: Option<&dir::Stat>) {
    let Some(written) = written.map(to_index_stat) else {
        return;
    };
    let mut doubtful = Vec::new();
    for (at, entry) in index.entries().iter().enumerate() {
        let stat = &entry.stat;
        if stat.mtime.secs < written.mtime.secs
            || *stat == Stat::default()
            || entry.flags.contains(Flags::SKIP_WORKTREE)
        {
            continue;
        }
        let older = (stat.mtime.secs, stat.mtime.nsecs) < (written.mtime.secs, written.mtime.nsecs);
        let fine = stat.mtime.nsecs != 0;
        if !(fine && older && same_on_disk(root, entry.path(index), stat)) {
            doubtful.push(at);
        }
    }
    for at in doubtful {
        index.entries_mut()[at].stat = Stat::default();
    }
}

fn same_on_disk(root: &Dir, path: &BStr, stat: &Stat) -> bool {
    let Ok(dir::Parent::Here(parent)) = root.parent_of(path) else {
        return false;
    };
    matches!(parent.stat(dir::last_name(path)), Ok(Some(found)) if to_index_stat(&found) == *stat)
}

/// The bytes of the index file.
pub(super) fn to_bytes(index: &gix::index::File) -> Result<Vec<u8>, LandError> {
    let mut bytes = Vec::new();
    index
        .write_to(&mut bytes, gix::index::write::Options::default())
        .map_err(|error| LandError::Failed(TargetError::damaged("cannot write the index", error)))?;
    Ok(bytes)
}

/// The fields that git keeps of a stat; large numbers are cut to 32 bits, as git does.
#[allow(clippy::unnecessary_cast, reason = "the widths of these fields differ between systems")]
fn to_index_stat(stat: &dir::Stat) -> Stat {
    Stat {
        mtime: Time { secs: stat.st_mtime as u32, nsecs: stat.st_mtime_nsec as u32 },
        ctime: Time { secs: stat.st_ctime as u32, nsecs: stat.st_ctime_nsec as u32 },
        dev: stat.st_dev as u32,
        ino: stat.st_ino as u32,
        uid: stat.st_uid as u32,
        gid: stat.st_gid as u32,
        size: stat.st_size as u32,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use gix::ObjectId;

    use super::*;
    use crate::remote::land::plan::Mode;

    #[test]
    fn a_large_folder_is_deleted_in_one_go() {
        const ENTRIES: usize = 99_998;
        let id = ObjectId::null(gix::hash::Kind::Sha1);
        let path = |n: usize| format!("{n:05}").into();
        let form = Form { id, mode: Mode::File, raw: id, link: false };
        let plans: Vec<PathPlan> =
            (0..ENTRIES / 2).map(|n| PathPlan { path: path(n), old: Some(form), new: None, on_disk: true }).collect();
        let mut index = gix::index::File::from_state(gix::index::State::new(gix::hash::Kind::Sha1), "index");
        for n in 0..ENTRIES {
            let path: gix::bstr::BString = path(n);
            index.dangerously_push_entry(Stat::default(), id, Flags::empty(), form.mode.to_index(), path.as_bstr());
        }
        let begun = Instant::now();
        update(&mut index, plans.iter().map(|plan| (plan, None)));
        assert_eq!(index.entries().len(), ENTRIES / 2);
        assert_eq!(index.entries()[0].path(&index), format!("{:05}", ENTRIES / 2));
        // In one go it takes a tenth of a second, one by one a hundred times as long.
        assert!(begun.elapsed() < Duration::from_secs(3), "it took {:?}", begun.elapsed());
    }
}
