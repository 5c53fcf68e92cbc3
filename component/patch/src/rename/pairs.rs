//! The third pass: compares every path left with every other.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::basename::same_basename;
use super::similarity::Estimator;
use super::{File, Search};
use crate::deadline::Interrupted;
use crate::sort::sort_by_key;

/// The number of sources remembered for each new path.
const CANDIDATES_PER_TARGET: usize = 4;

/// One pair. The better one has the higher score, then the same base name.
#[derive(Clone, Copy)]
struct Candidate {
    score: u32,
    same_basename: bool,
    deleted: usize,
    added: usize,
}

impl Candidate {
    fn rank(&self) -> (u32, bool) {
        (self.score, self.same_basename)
    }
}

/// Pairs the rest, most similar first. If there are too many pairs to compare, returns the limit
/// that would have allowed it.
pub(super) fn find<'p, 'b, F, E>(
    search: &mut Search<'_, 'p, '_>,
    estimator: &mut Estimator<'_, 'p, F>,
    limit: usize,
) -> Result<Option<usize>, E>
where
    F: FnMut(&File<'p>) -> Result<Option<Cow<'b, [u8]>>, E>,
    E: From<Interrupted>,
{
    let (open_deleted, open_added) = (search.open_deleted(), search.open_added());
    let pairs = open_deleted.len() as u128 * open_added.len() as u128;
    if limit > 0 && pairs > (limit as u128).pow(2) {
        return Ok(Some(open_deleted.len().max(open_added.len())));
    }
    let minimum = estimator.minimum_score();
    let mut candidates = Vec::with_capacity(open_added.len() * CANDIDATES_PER_TARGET);
    for &added in &open_added {
        let mut best = Best::default();
        for &deleted in &open_deleted {
            best.offer(Candidate {
                score: estimator.score(deleted, added, minimum)?,
                same_basename: same_basename(search.deleted[deleted].path, search.added[added].path),
                deleted,
                added,
            });
        }
        estimator.forget_added(added);
        candidates.extend(best.0.into_iter().flatten());
    }
    // A stable sort: as in git, the order of the slots decides among equals.
    sort_by_key(&mut candidates, |candidate| Reverse(candidate.rank()));
    for candidate in candidates {
        if candidate.score < minimum {
            break;
        }
        if search.found[candidate.added].is_none() && !search.used[candidate.deleted] {
            search.record(candidate.deleted, candidate.added, candidate.score);
        }
    }
    Ok(None)
}

/// The best sources of one target, in slots ordered as git's.
#[derive(Default)]
struct Best([Option<Candidate>; CANDIDATES_PER_TARGET]);

impl Best {
    /// Replaces the worst remembered source, the first of several, if this one is better.
    fn offer(&mut self, candidate: Candidate) {
        let rank = |slot: &Option<Candidate>| slot.as_ref().map(Candidate::rank);
        let worst = self.0.iter_mut().min_by_key(|slot| rank(slot)).expect("there is more than one slot");
        if rank(worst) < Some(candidate.rank()) {
            *worst = Some(candidate);
        }
    }
}
