//! Shrinks conflicts as far as the style allows, and joins close ones.

use super::Engine;
use super::regions::{Changed, Region};
use super::texts::Texts;
use crate::deadline::Interrupted;

/// Conflicts at most this many lines apart become one.
const JOINED: usize = 3;

/// Splits each conflict into one conflict for each difference between its two sides. Each of them keeps the base of the whole conflict.
pub(super) fn zealously(regions: Vec<Region>, texts: &Texts<'_>) -> Result<Vec<Region>, Interrupted> {
    let mut refined = Vec::with_capacity(regions.len());
    for region in regions {
        if region.changed != Changed::Conflict || region.ours.is_empty() || region.theirs.is_empty() {
            refined.push(region);
            continue;
        }
        let (ours, theirs) = (region.ours.start, region.theirs.start);
        let differences = texts.differences(region.ours.clone(), region.theirs.clone())?;
        if differences.is_empty() {
            refined.push(Region { changed: Changed::Alike, ..region });
            continue;
        }
        for edit in differences {
            refined.push(Region {
                changed: Changed::Conflict,
                base: region.base.clone(),
                ours: ours + edit.old.start as usize..ours + edit.old.end as usize,
                theirs: theirs + edit.new.start as usize..theirs + edit.new.end as usize,
            });
        }
    }
    Ok(refined)
}

/// Joins each conflict with the next if little separates them.
pub(super) fn joined(regions: Vec<Region>, texts: &Texts<'_>) -> Vec<Region> {
    let mut joined: Vec<Region> = Vec::with_capacity(regions.len());
    for region in regions {
        match joined.last_mut() {
            Some(last) if are_near(last, &region, texts) => {
                last.ours.end = region.ours.end;
                last.theirs.end = region.theirs.end;
            }
            _ => joined.push(region),
        }
    }
    joined
}

fn are_near(one: &Region, next: &Region, texts: &Texts<'_>) -> bool {
    if one.changed != Changed::Conflict || next.changed != Changed::Conflict {
        return false;
    }
    let between = &texts.ours[one.ours.end..next.ours.start];
    between.len() <= JOINED
        || texts.engine == Engine::MergeFile
            && !between.iter().any(|&line| texts.line(line).iter().any(u8::is_ascii_alphanumeric))
}

/// Moves the lines that both sides begin or end with out of each conflict.
pub(super) fn trimmed(mut regions: Vec<Region>, texts: &Texts<'_>) -> Vec<Region> {
    for Region { changed, ours, theirs, .. } in &mut regions {
        if *changed != Changed::Conflict {
            continue;
        }
        let (a, b) = (&texts.ours[ours.clone()], &texts.theirs[theirs.clone()]);
        let first = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let last = a[first..].iter().rev().zip(b[first..].iter().rev()).take_while(|(a, b)| a == b).count();
        *ours = ours.start + first..ours.end - last;
        *theirs = theirs.start + first..theirs.end - last;
    }
    regions
}
