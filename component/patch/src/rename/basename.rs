//! The second pass: files that kept their base name and moved to another folder.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use super::similarity::Estimator;
use super::{File, MAX_SCORE, Search};
use crate::deadline::Interrupted;

/// The part after the last slash.
pub(super) fn basename(path: &BStr) -> &BStr {
    path.rsplit_once_str("/").map_or(path, |(_, base)| base.as_bstr())
}

pub(super) fn same_basename(a: &BStr, b: &BStr) -> bool {
    basename(a) == basename(b)
}

/// Pairs files whose base name is unique both among the deleted and among the added paths left, if they are similar enough: half way
/// between the minimum and equality. If the name is not unique, a guide may suggest a target.
pub(super) fn find<'p, 'b, F, E>(search: &mut Search<'_, 'p, '_>, estimator: &mut Estimator<'_, 'p, F>) -> Result<(), E>
where
    F: FnMut(&File<'p>) -> Result<Option<Cow<'b, [u8]>>, E>,
    E: From<Interrupted>,
{
    let minimum = estimator.minimum_score();
    let enough = minimum + (MAX_SCORE - minimum) / 2;
    let open = search.open_deleted();
    let sources = unique(open.iter().map(|&index| (basename(search.deleted[index].path), index)));
    let targets = unique(search.open_added().into_iter().map(|index| (basename(search.added[index].path), index)));
    for deleted in open {
        let path = search.deleted[deleted].path;
        if !search.is_wanted(path) {
            continue;
        }
        let base = basename(path);
        let added = match (sources.get(base), targets.get(base)) {
            (_, None) => continue,
            (Some(Some(_)), Some(&Some(added))) => Some(added),
            _ => search.guess(path),
        };
        if let Some(added) = added.filter(|&added| search.found[added].is_none()) {
            let score = estimator.score(deleted, added, enough)?;
            if score >= enough {
                search.record(deleted, added, score);
            }
        }
    }
    Ok(())
}

/// The index of each name, or `None` for a name that occurs more than once.
fn unique<'a>(names: impl Iterator<Item = (&'a BStr, usize)>) -> BTreeMap<&'a BStr, Option<usize>> {
    let mut indices = BTreeMap::new();
    for (name, index) in names {
        indices.entry(name).and_modify(|known| *known = None).or_insert(Some(index));
    }
    indices
}
