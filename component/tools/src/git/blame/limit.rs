//! What a range leaves out: the commits that are older than where it begins are boundaries.
//!
//! git walks by date and stops when all that is left is left out already, and five commits later. With clocks that were wrong it can miss
//! some; so the walk here is the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::history::{History, Place};
use crate::deadline::Deadline;
use crate::error::ToolError;

/// How many commits more are looked at when nothing is left to find.
const SLOP: u32 = 5;

/// Marks what the commits `bottoms` reach, in the history of `tips`.
pub fn mark(
    history: &mut History<'_>,
    bottoms: &[Place],
    tips: &[Place],
    deadline: &Deadline,
) -> Result<(), ToolError> {
    let mut walk = Walk { pending: BTreeMap::new(), seen: BTreeSet::new(), interesting: None };
    for bottom in bottoms {
        history.mark(*bottom);
        history.parents(*bottom)?;
        history.mark_parents(*bottom, deadline)?;
    }
    for place in bottoms.iter().chain(tips) {
        walk.add(history, *place)?;
    }
    let (mut slop, mut date) = (SLOP, u64::MAX);
    while let Some((_, place)) = walk.pending.pop_first() {
        deadline.poll()?;
        let is_left_out = history.get(place).is_boundary;
        for parent in history.parents(place)? {
            history.parents(parent)?;
            if is_left_out {
                history.mark(parent);
                history.mark_parents(parent, deadline)?;
            }
            walk.add(history, parent)?;
        }
        if !is_left_out {
            date = history.time(place)?;
            continue;
        }
        history.mark_parents(place, deadline)?;
        slop = match walk.is_unfinished(history, date, deadline)? {
            true => SLOP,
            false => slop - 1,
        };
        if slop == 0 {
            break;
        }
    }
    Ok(())
}

struct Walk {
    /// The latest first, those of the same time in the order in which they were found.
    pending: BTreeMap<(Reverse<u64>, usize), Place>,
    seen: BTreeSet<Place>,
    /// One that is pending and not left out, if one is known.
    interesting: Option<(Reverse<u64>, usize)>,
}

impl Walk {
    fn add(&mut self, history: &mut History<'_>, place: Place) -> Result<(), ToolError> {
        if self.seen.insert(place) {
            self.pending.insert((Reverse(history.time(place)?), self.seen.len()), place);
        }
        Ok(())
    }

    /// Whether what is pending may still say something new.
    fn is_unfinished(&mut self, history: &History<'_>, date: u64, deadline: &Deadline) -> Result<bool, ToolError> {
        let Some(((Reverse(latest), _), _)) = self.pending.first_key_value() else {
            return Ok(false);
        };
        if date <= *latest {
            return Ok(true);
        }
        let is_known = |key| self.pending.get(key).is_some_and(|place| !history.get(*place).is_boundary);
        if !self.interesting.as_ref().is_some_and(is_known) {
            self.interesting = None;
            for (key, place) in &self.pending {
                deadline.poll()?;
                if !history.get(*place).is_boundary {
                    self.interesting = Some(*key);
                    break;
                }
            }
        }
        Ok(self.interesting.is_some())
    }
}
