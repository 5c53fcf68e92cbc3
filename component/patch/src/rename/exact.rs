//! The first pass: paths with the same content.

use std::collections::BTreeMap;

use gix_hash::ObjectId;

use super::basename::same_basename;
use super::{MAX_SCORE, Search};
use crate::change::is_regular;

/// Of many paths with one content, only so many are looked at for each new path.
const MOST_ALTERNATIVES: usize = 100;

/// Pairs paths of equal id: a source of the same base name if there is one, else the first.
pub(super) fn find(search: &mut Search<'_, '_>) {
    let mut sources: BTreeMap<ObjectId, Vec<usize>> = BTreeMap::new();
    for (index, file) in search.deleted.iter().enumerate() {
        sources.entry(file.id).or_default().push(index);
    }
    for (index, target) in search.added.iter().enumerate() {
        let Some(candidates) = sources.get_mut(&target.id) else {
            continue;
        };
        let mut usable = candidates
            .iter()
            .enumerate()
            .map(|(position, &source)| (position, &search.deleted[source]))
            .filter(|(_, source)| source.mode == target.mode || is_regular(source.mode) && is_regular(target.mode))
            .take(MOST_ALTERNATIVES)
            .peekable();
        let first = usable.peek().map(|&(position, _)| position);
        let best =
            usable.find(|(_, source)| same_basename(source.path, target.path)).map(|(position, _)| position).or(first);
        if let Some(position) = best {
            let source = candidates.remove(position);
            search.record(source, index, MAX_SCORE);
        }
    }
}
