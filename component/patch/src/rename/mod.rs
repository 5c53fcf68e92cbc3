//! git's rename detection: finds the new paths that are moved old ones.
//!
//! Three passes, each over the paths the previous one left: equal ids, then files whose base name is unique on both sides, then all pairs
//! by similarity. It does not look for copies.

mod basename;
mod exact;
pub(crate) mod guide;
mod pairs;
mod similarity;
mod spans;

use std::borrow::Cow;

use bstr::BStr;
use gix_hash::ObjectId;

use crate::deadline::{Deadline, Interrupted};
use guide::Guide;
use similarity::Estimator;

/// The score of equal contents; a score is a fraction of it.
pub const MAX_SCORE: u32 = 60_000;

/// A deleted or an added path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File<'a> {
    /// The path from the top of the repository.
    pub path: &'a BStr,
    /// git's mode.
    pub mode: u32,
    /// The id of its content.
    pub id: ObjectId,
}

/// How far rename detection goes.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The least score of a rename, of [`MAX_SCORE`]; half of it by default (`-M50%`). At
    /// [`MAX_SCORE`] only equal contents count, and no content is read.
    pub minimum_score: u32,
    /// All pairs are compared only if they number at most this squared (`diff.renameLimit`); 0 means no limit. 1000 by default.
    pub limit: usize,
    /// When to stop.
    pub deadline: Deadline<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { minimum_score: MAX_SCORE / 2, limit: 1000, deadline: Deadline::none() }
    }
}

/// One rename.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rename {
    /// The index of the deleted path.
    pub deleted: usize,
    /// The index of the added path.
    pub added: usize,
    /// The similarity, of [`MAX_SCORE`].
    pub score: u32,
}

impl Rename {
    /// The similarity in per cent, as [`Change::Rename`](crate::Change::Rename) holds it.
    pub fn similarity(&self) -> u8 {
        u8::try_from(self.score * 100 / MAX_SCORE).expect("no score is above the highest")
    }
}

/// The outcome of rename detection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Detection {
    /// The renames, by the index of the new path.
    pub renames: Vec<Rename>,
    /// Set if there were too many pairs to compare. With this limit git would have compared them all (its `diff.renameLimit` warning).
    pub needed_limit: Option<usize>,
}

/// Pairs `deleted` with `added` paths as git does. Both must be in path order.
///
/// `blobs` returns the content of an id, or `None` if it is absent; then only the id takes part. It is called at most once for each file.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so.
pub fn detect<'b>(
    deleted: &[File<'_>],
    added: &[File<'_>],
    options: &Options<'_>,
    blobs: impl FnMut(&ObjectId) -> Option<Cow<'b, [u8]>>,
) -> Result<Detection, Interrupted> {
    let mut blobs = blobs;
    search(deleted, added, options, None, |file| Ok(blobs(&file.id)))
}

/// As [`detect`], for a merge: the guide knows which deleted paths matter, and learns where folders went. The paths come in the order in
/// which git visits them.
///
/// # Errors
/// Every error of `blobs`, and [`Interrupted`].
pub(crate) fn detect_guided<'p, 'b, E: From<Interrupted>>(
    deleted: &[File<'p>],
    added: &[File<'p>],
    options: &Options<'_>,
    guide: &mut Guide<'_>,
    blobs: impl FnMut(&File<'p>) -> Result<Option<Cow<'b, [u8]>>, E>,
) -> Result<Detection, E> {
    if deleted.is_empty() || added.is_empty() {
        return Ok(Detection::default());
    }
    let detection = search(deleted, added, options, Some(guide), blobs)?;
    guide.finish();
    Ok(detection)
}

fn search<'p, 'b, E: From<Interrupted>>(
    deleted: &[File<'p>],
    added: &[File<'p>],
    options: &Options<'_>,
    mut guide: Option<&mut Guide<'_>>,
    blobs: impl FnMut(&File<'p>) -> Result<Option<Cow<'b, [u8]>>, E>,
) -> Result<Detection, E> {
    let mut search =
        Search { deleted, added, used: vec![false; deleted.len()], found: vec![None; added.len()], guide: None };
    options.deadline.check()?;
    exact::find(&mut search);
    if options.minimum_score >= MAX_SCORE {
        return Ok(search.into_detection(None));
    }
    if let Some(guide) = guide.as_deref_mut() {
        guide.start(deleted, added, &search.found);
    }
    search.guide = guide;
    let mut estimator = Estimator::new(&search, options.minimum_score, options.deadline, blobs);
    basename::find(&mut search, &mut estimator)?;
    search.drop_unwanted(options.deadline)?;
    let needed_limit = pairs::find(&mut search, &mut estimator, options.limit)?;
    Ok(search.into_detection(needed_limit))
}

/// The candidates and the renames found for them.
struct Search<'s, 'p, 'g> {
    deleted: &'s [File<'p>],
    added: &'s [File<'p>],
    /// For each deleted path: whether it was renamed or does not matter.
    used: Vec<bool>,
    /// For each added path: its source.
    found: Vec<Option<Rename>>,
    guide: Option<&'s mut Guide<'g>>,
}

impl Search<'_, '_, '_> {
    fn record(&mut self, deleted: usize, added: usize, score: u32) {
        self.used[deleted] = true;
        self.found[added] = Some(Rename { deleted, added, score });
        if let Some(guide) = self.guide.as_deref_mut() {
            guide.count(self.deleted[deleted].path, self.added[added].path);
        }
    }

    /// Whether the merge asks where a path went.
    fn is_wanted(&self, path: &BStr) -> bool {
        self.guide.as_deref().is_none_or(|guide| guide.is_wanted(path))
    }

    /// The probable destination of a path, by its folder's.
    fn guess(&self, path: &BStr) -> Option<usize> {
        self.guide.as_deref()?.guess(path)
    }

    /// Drops the deleted paths that do not matter, or no longer do.
    fn drop_unwanted(&mut self, deadline: Deadline<'_>) -> Result<(), Interrupted> {
        let open = self.open_deleted();
        let Some(guide) = self.guide.as_deref_mut() else {
            return Ok(());
        };
        let paths: Vec<&BStr> = open.iter().map(|&index| self.deleted[index].path).collect();
        for (index, is_wanted) in open.into_iter().zip(guide.still_wanted(&paths, deadline)?) {
            self.used[index] = !is_wanted;
        }
        Ok(())
    }

    /// The deleted paths not renamed yet, in path order.
    fn open_deleted(&self) -> Vec<usize> {
        (0..self.deleted.len()).filter(|&index| !self.used[index]).collect()
    }

    /// The added paths without a source yet, in path order.
    fn open_added(&self) -> Vec<usize> {
        (0..self.added.len()).filter(|&index| self.found[index].is_none()).collect()
    }

    fn into_detection(self, needed_limit: Option<usize>) -> Detection {
        Detection { renames: self.found.into_iter().flatten().collect(), needed_limit }
    }
}
