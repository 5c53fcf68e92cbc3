//! What a merge tells rename detection, and learns from it.
//!
//! A merge needs the destination of a deleted path only if the other side changed that path, or if its folder is gone and the other side
//! added something to that folder. A merge also asks where folders went: for each, how many of its files went to each other folder.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use super::{File, Rename};
use crate::deadline::{Deadline, Interrupted};
use crate::hash_order::HashOrder;
use crate::path::{Path, split};

/// Stands for an unknown destination folder. No folder has this name.
const UNKNOWN: &[u8] = b"/";

/// Why the merge asks where a deleted file went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// It asked because of the folder, whose destination is clear by now.
    NoMore,
    /// The other side changed it.
    ForItself,
    /// Its destination tells where its folder went.
    ForItsFolder,
}

/// Why the merge asks where a deleted folder went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// It does not ask.
    No,
    /// A folder above needs the count.
    ForFolderAbove,
    /// The other side added something to the folder.
    ForItself,
}

/// For each folder, how many of its files went to each folder.
pub(crate) type Moves = BTreeMap<Path, HashOrder<u32>>;

/// What a merge knows about one side before rename detection, and what it learns.
pub(crate) struct Guide<'a> {
    /// The deleted paths that the merge asks about.
    wanted: &'a mut BTreeMap<Path, Wanted>,
    /// The deleted folders.
    gone: &'a mut BTreeMap<Path, Need>,
    /// Renames found before.
    known: &'a [(Path, Path)],
    moves: Moves,
    /// The probable destination of each folder.
    guesses: BTreeMap<Path, Path>,
    /// The added paths without a source at the time of the guesses.
    targets: BTreeMap<Vec<u8>, usize>,
}

impl<'a> Guide<'a> {
    pub(crate) fn new(
        wanted: &'a mut BTreeMap<Path, Wanted>,
        gone: &'a mut BTreeMap<Path, Need>,
        known: &'a [(Path, Path)],
    ) -> Self {
        Self { wanted, gone, known, moves: Moves::new(), guesses: BTreeMap::new(), targets: BTreeMap::new() }
    }

    /// The destinations of files by folder, for the folders that the merge asks about.
    pub(crate) fn into_moves(self) -> Moves {
        self.moves
    }

    /// Counts the renames found without reading contents, and guesses by them.
    pub(super) fn start(&mut self, deleted: &[File<'_>], added: &[File<'_>], found: &[Option<Rename>]) {
        for (index, rename) in found.iter().enumerate() {
            let path = added[index].path;
            match rename {
                None => drop(self.targets.insert(path.to_vec(), index)),
                Some(rename) => self.count(deleted[rename.deleted].path, path),
            }
        }
        for (old, new) in self.known {
            self.count(old.as_bstr(), new.as_bstr());
        }
        for (folder, counts) in &self.moves {
            let mut best: Option<&(Path, u32)> = None;
            for candidate in counts.in_order() {
                if best.is_none_or(|best| candidate.1 > best.1) {
                    best = Some(candidate);
                }
            }
            if let Some((to, _)) = best {
                self.guesses.insert(folder.clone(), to.clone());
            }
        }
    }

    /// Counts a rename for the file's folder, and for each folder above it while both paths end in the same names.
    pub(super) fn count(&mut self, old: &BStr, new: &BStr) {
        let (mut old, mut new) = (old.as_bytes(), new.as_bytes());
        let mut is_first = true;
        loop {
            let (old_folder, old_name) = split(old);
            let Some(&need) = self.gone.get(old_folder) else {
                return;
            };
            let (new_folder, new_name) = split(new);
            if !is_first && old_name != new_name {
                return;
            }
            if need == Need::ForItself || is_first {
                self.increment(old_folder, new_folder);
            }
            if need == Need::No || old_folder.is_empty() || new_folder.is_empty() {
                return;
            }
            (old, new, is_first) = (old_folder, new_folder, false);
        }
    }

    fn increment(&mut self, old: &[u8], new: &[u8]) {
        let (folder, _) = self.gone.get_key_value(old).expect("only folders that are gone count");
        self.moves.entry(folder.clone()).or_default().increment(new);
    }

    pub(super) fn is_wanted(&self, path: &BStr) -> bool {
        self.wanted.contains_key(path.as_bytes())
    }

    /// The added path of a file that moved as its folder probably did.
    pub(super) fn guess(&self, path: &BStr) -> Option<usize> {
        let (folder, name) = split(path);
        let to = self.guesses.get(folder)?;
        self.targets.get(&[to, b"/".as_slice(), name].concat()).copied()
    }

    /// Which of the deleted paths left still matter. A path that would only tell where its folder went matters no more once nothing it
    /// could tell would change the answer.
    ///
    /// # Errors
    /// [`Interrupted`], if the deadline says so.
    pub(super) fn still_wanted(&mut self, open: &[&BStr], deadline: Deadline<'_>) -> Result<Vec<bool>, Interrupted> {
        let mut ticker = deadline.ticker();
        let left: Vec<&BStr> = open.iter().copied().filter(|path| self.is_wanted(path)).collect();
        for path in left {
            ticker.tick()?;
            let mut folder = split(path).0;
            while !folder.is_empty() && self.need(folder) != Need::No {
                self.increment(folder, UNKNOWN);
                folder = split(folder).0;
            }
        }
        for (folder, counts) in &self.moves {
            if let Some(need) = self.gone.get_mut(folder).filter(|need| **need == Need::ForItself && is_clear(counts)) {
                *need = Need::ForFolderAbove;
            }
        }
        Ok(open.iter().map(|path| self.is_still_wanted(path)).collect())
    }

    fn is_still_wanted(&mut self, path: &BStr) -> bool {
        match self.wanted.get(path.as_bytes()) {
            None => return false,
            Some(Wanted::ForItsFolder) => {}
            Some(Wanted::ForItself | Wanted::NoMore) => return true,
        }
        let mut folder = split(path).0;
        loop {
            match self.need(folder) {
                Need::ForItself => return true,
                Need::ForFolderAbove => folder = split(folder).0,
                Need::No => break,
            }
        }
        self.wanted.insert(path.as_bytes().into(), Wanted::NoMore);
        false
    }

    fn need(&self, folder: &[u8]) -> Need {
        self.gone.get(folder).copied().unwrap_or(Need::No)
    }

    /// Keeps only the counts of folders that the merge asks about.
    pub(super) fn finish(&mut self) {
        let gone = &*self.gone;
        self.moves.retain(|folder, _| gone.get(folder).is_some_and(|need| *need != Need::No));
    }
}

/// The folder that most of a folder's files went to, by the counts. `None` if no destination is known, and `Some(None)` if several tie.
pub(crate) fn majority(counts: &HashOrder<u32>) -> Option<Option<&Path>> {
    let known = || counts.entries().iter().filter(|(folder, _)| **folder != *UNKNOWN);
    let most = known().map(|(_, count)| count).max()?;
    let mut best = known().filter(|(_, count)| count == most);
    let first = best.next().map(|(folder, _)| folder);
    Some(first.filter(|_| best.next().is_none()))
}

/// Whether no destination still unknown could change the majority.
fn is_clear(counts: &HashOrder<u32>) -> bool {
    let (mut first, mut second, mut unknown) = (0, 0, 0);
    for (folder, count) in counts.entries() {
        if **folder == *UNKNOWN {
            unknown = *count;
        } else if *count >= first {
            (first, second) = (*count, first);
        } else {
            second = second.max(*count);
        }
    }
    first > second + unknown
}
