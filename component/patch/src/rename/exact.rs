//! The first pass: paths with the same content.

use std::collections::{BTreeMap, VecDeque};

use gix_hash::ObjectId;

use super::basename::same_basename;
use super::{MAX_SCORE, Search};
use crate::change::is_regular;

/// The most sources with one content that the pass compares with a new path.
const MOST_ALTERNATIVES: usize = 100;

/// Pairs paths of equal id, preferably with a source of the same base name, otherwise with the first. Only the modes of regular files may
/// differ.
pub(super) fn find(search: &mut Search<'_, '_, '_>) {
    let kind = |mode| if is_regular(mode) { None } else { Some(mode) };
    let mut sources: BTreeMap<(ObjectId, Option<u32>), VecDeque<usize>> = BTreeMap::new();
    for (index, file) in search.deleted.iter().enumerate() {
        sources.entry((file.id, kind(file.mode))).or_default().push_back(index);
    }
    for (index, target) in search.added.iter().enumerate() {
        let Some(candidates) = sources.get_mut(&(target.id, kind(target.mode))) else {
            continue;
        };
        let same_name = candidates
            .iter()
            .take(MOST_ALTERNATIVES)
            .position(|&source| same_basename(search.deleted[source].path, target.path));
        if let Some(source) = candidates.remove(same_name.unwrap_or(0)) {
            search.record(source, index, MAX_SCORE);
        }
    }
}
