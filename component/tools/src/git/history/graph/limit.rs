//! Finds the commits that a range excludes.
//!
//! git walks by date, and stops five commits after it sees only excluded commits. If clocks were wrong, it can miss some commits, so this
//! walk must be the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gix::ObjectId;
use gix::hashtable::{HashMap, HashSet};

use super::{History, Node};
use crate::deadline::Deadline;
use crate::error::ToolError;

/// The number of commits to visit after the last interesting one.
const SLOP: u32 = 5;

/// A graph whose commits can be excluded.
pub trait Commits {
    /// The key of a commit.
    type Place: Copy + Ord;

    /// The parents of a commit. This marks the commit as read.
    fn parents(&mut self, place: Self::Place) -> Result<Vec<Self::Place>, ToolError>;

    /// The committer's time, in seconds.
    fn time(&mut self, place: Self::Place) -> Result<u64, ToolError>;

    /// Whether a commit is excluded.
    fn is_left_out(&self, place: Self::Place) -> bool;

    /// Excludes a commit.
    fn leave_out(&mut self, place: Self::Place);

    /// Excludes the parents of a commit that was read, and all their ancestors read so far.
    fn leave_out_parents(&mut self, place: Self::Place, deadline: &Deadline) -> Result<(), ToolError>;
}

/// Excludes the commits reachable from `bottoms`, within the history of `tips`.
pub fn leave_out<C: Commits>(
    history: &mut C,
    bottoms: &[C::Place],
    tips: &[C::Place],
    deadline: &Deadline,
) -> Result<(), ToolError> {
    let mut walk = Walk { pending: BTreeMap::new(), seen: BTreeSet::new(), interesting: None };
    for bottom in bottoms {
        history.leave_out(*bottom);
        history.parents(*bottom)?;
        history.leave_out_parents(*bottom, deadline)?;
    }
    for place in bottoms.iter().chain(tips) {
        walk.add(history, *place)?;
    }
    let (mut slop, mut date) = (SLOP, u64::MAX);
    while let Some((_, place)) = walk.pending.pop_first() {
        deadline.poll()?;
        let is_left_out = history.is_left_out(place);
        for parent in history.parents(place)? {
            history.parents(parent)?;
            if is_left_out {
                history.leave_out(parent);
                history.leave_out_parents(parent, deadline)?;
            }
            walk.add(history, parent)?;
        }
        if !is_left_out {
            date = history.time(place)?;
            continue;
        }
        history.leave_out_parents(place, deadline)?;
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

struct Walk<P> {
    /// The latest first, and in the order of discovery at the same time.
    pending: BTreeMap<(Reverse<u64>, usize), P>,
    seen: BTreeSet<P>,
    /// A pending commit that is not excluded, if one is known.
    interesting: Option<(Reverse<u64>, usize)>,
}

impl<P: Copy + Ord> Walk<P> {
    fn add<C: Commits<Place = P>>(&mut self, history: &mut C, place: P) -> Result<(), ToolError> {
        if self.seen.insert(place) {
            self.pending.insert((Reverse(history.time(place)?), self.seen.len()), place);
        }
        Ok(())
    }

    /// Whether the pending commits can still change the result.
    fn is_unfinished<C: Commits<Place = P>>(
        &mut self,
        history: &C,
        date: u64,
        deadline: &Deadline,
    ) -> Result<bool, ToolError> {
        let Some(((Reverse(latest), _), _)) = self.pending.first_key_value() else {
            return Ok(false);
        };
        if date <= *latest {
            return Ok(true);
        }
        let is_known = |key| self.pending.get(key).is_some_and(|place| !history.is_left_out(*place));
        if !self.interesting.as_ref().is_some_and(is_known) {
            self.interesting = None;
            for (key, place) in &self.pending {
                deadline.poll()?;
                if !history.is_left_out(*place) {
                    self.interesting = Some(*key);
                    break;
                }
            }
        }
        Ok(self.interesting.is_some())
    }
}

/// The commits that a range with these `tips` excludes, as far as git's walk finds them.
pub fn hidden(
    history: &History<'_>,
    bottoms: &[ObjectId],
    tips: &[ObjectId],
    deadline: &Deadline,
) -> Result<HashSet<ObjectId>, ToolError> {
    let mut known = Known { history, read: HashMap::default(), hidden: HashSet::default() };
    leave_out(&mut known, bottoms, tips, deadline)?;
    Ok(known.hidden)
}

/// The part of a history that a walk has read.
struct Known<'a> {
    history: &'a History<'a>,
    read: HashMap<ObjectId, Rc<Node>>,
    hidden: HashSet<ObjectId>,
}

impl Known<'_> {
    fn read(&mut self, id: ObjectId) -> Result<Rc<Node>, ToolError> {
        if let Some(node) = self.read.get(&id) {
            return Ok(node.clone());
        }
        let node = self.history.node(id)?;
        self.read.insert(id, node.clone());
        Ok(node)
    }

    fn known_parents(&self, id: ObjectId) -> &[ObjectId] {
        self.read.get(&id).map_or(&[], |node| self.history.parents(node))
    }
}

impl Commits for Known<'_> {
    type Place = ObjectId;

    fn parents(&mut self, id: ObjectId) -> Result<Vec<ObjectId>, ToolError> {
        let node = self.read(id)?;
        Ok(self.history.parents(&node).to_vec())
    }

    fn time(&mut self, id: ObjectId) -> Result<u64, ToolError> {
        Ok(self.read(id)?.time)
    }

    fn is_left_out(&self, id: ObjectId) -> bool {
        self.hidden.contains(&id)
    }

    fn leave_out(&mut self, id: ObjectId) {
        self.hidden.insert(id);
    }

    fn leave_out_parents(&mut self, id: ObjectId, deadline: &Deadline) -> Result<(), ToolError> {
        let mut pending = self.known_parents(id).to_vec();
        while let Some(next) = pending.pop() {
            deadline.poll()?;
            if self.hidden.insert(next) {
                pending.extend_from_slice(self.known_parents(next));
            }
        }
        Ok(())
    }
}
