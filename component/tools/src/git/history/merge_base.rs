//! Finds merge bases.
//!
//! It paints both histories at once, latest commits first, until only ancestors of common commits are pending. If clocks were wrong, git
//! can take a commit for a best base that is not, so this walk must be the same.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use gix::ObjectId;
use gix::hashtable::HashMap;
use patch::sort::sort_by_key;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::{Cache, History};
use crate::git::store::repo::Repo;

/// The best common ancestors of two commits, which no other common ancestor reaches, the latest first. Parents of boundary commits do not
/// count, even if they exist here.
pub fn of(repo: &Repo, ours: ObjectId, theirs: ObjectId, deadline: &Deadline) -> Result<Vec<ObjectId>, ToolError> {
    if ours == theirs {
        return Ok(vec![ours]);
    }
    let history = History::of(repo, &Cache::default())?;
    let painted = paint(&history, ours, &[theirs], deadline)?;
    let is_best = |id: &ObjectId| painted.colours[id] & STALE == 0;
    let best: Vec<ObjectId> = painted.met.iter().copied().filter(is_best).collect();
    let mut bases = Vec::with_capacity(best.len());
    for id in without_redundant(&history, best, deadline)? {
        bases.push((Reverse(history.node(id)?.time), id));
    }
    sort_by_key(&mut bases, |(time, _)| *time);
    Ok(bases.into_iter().map(|(_, id)| id).collect())
}

/// Drops the commits that another one of them reaches.
fn without_redundant(
    history: &History<'_>,
    found: Vec<ObjectId>,
    deadline: &Deadline,
) -> Result<Vec<ObjectId>, ToolError> {
    let mut is_redundant = vec![false; found.len()];
    for at in 0..found.len() {
        let others: Vec<usize> = (0..found.len()).filter(|other| *other != at && !is_redundant[*other]).collect();
        if is_redundant[at] || others.is_empty() {
            continue;
        }
        deadline.poll_units(u32::try_from(others.len()).unwrap_or(u32::MAX))?;
        let ids: Vec<ObjectId> = others.iter().map(|other| found[*other]).collect();
        let painted = paint(history, found[at], &ids, deadline)?;
        let has = |at: usize, colour: u8| painted.colours[&found[at]] & colour != 0;
        is_redundant[at] = has(at, THEIRS);
        for other in others {
            is_redundant[other] = has(other, OURS);
        }
    }
    Ok(found.into_iter().zip(is_redundant).filter(|(_, is_redundant)| !is_redundant).map(|(id, _)| id).collect())
}

const OURS: u8 = 1;
const THEIRS: u8 = 2;
/// Reachable from a common ancestor.
const STALE: u8 = 4;
const MET: u8 = 8;

/// A painted history.
#[derive(Default)]
struct Painted {
    colours: HashMap<ObjectId, u8>,
    /// Common ancestors that were not stale when found.
    met: Vec<ObjectId>,
    /// The latest first, and in the order of discovery at the same time.
    pending: BTreeMap<(Reverse<u64>, usize), ObjectId>,
    /// The keys of the pending commits.
    places: HashMap<ObjectId, (Reverse<u64>, usize)>,
    found: usize,
    /// The number of pending commits that are not stale.
    fresh: usize,
}

fn paint(history: &History<'_>, one: ObjectId, others: &[ObjectId], deadline: &Deadline) -> Result<Painted, ToolError> {
    let mut painted = Painted::default();
    painted.reach(history, one, OURS)?;
    for other in others {
        painted.reach(history, *other, THEIRS)?;
    }
    while painted.fresh > 0 {
        deadline.poll()?;
        let Some((_, id)) = painted.pending.pop_first() else { break };
        painted.places.remove(&id);
        let known = painted.colours.entry(id).or_default();
        painted.fresh -= usize::from(*known & STALE == 0);
        let mut colours = *known & (OURS | THEIRS | STALE);
        if colours == OURS | THEIRS {
            if *known & MET == 0 {
                *known |= MET;
                painted.met.push(id);
            }
            colours |= STALE;
        }
        let node = history.node(id)?;
        for parent in history.parents(&node) {
            painted.reach(history, *parent, colours)?;
        }
    }
    Ok(painted)
}

impl Painted {
    fn reach(&mut self, history: &History<'_>, id: ObjectId, colours: u8) -> Result<(), ToolError> {
        let known = self.colours.entry(id).or_default();
        let before = *known;
        *known |= colours;
        if *known == before {
            return Ok(());
        }
        let is_stale = *known & STALE != 0;
        if self.places.contains_key(&id) {
            self.fresh -= usize::from(is_stale && before & STALE == 0);
            return Ok(());
        }
        self.found += 1;
        let place = (Reverse(history.node(id)?.time), self.found);
        self.places.insert(id, place);
        self.pending.insert(place, id);
        self.fresh += usize::from(!is_stale);
        Ok(())
    }
}
