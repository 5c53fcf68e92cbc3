//! The commits that a log walks, and the parents that it shows them with.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gix::ObjectId;
use gix::hashtable::{HashMap, HashSet};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::{History, Touched};

/// What a walk follows.
pub struct Way<'a> {
    pub history: &'a History<'a>,
    /// Where it ends.
    pub hidden: HashSet<ObjectId>,
    /// The paths that a commit is to change.
    pub touched: Option<Touched<'a>>,
    /// Commits before this second are not followed.
    pub since: Option<u64>,
    pub first_parent: bool,
    pub deadline: &'a Deadline,
}

/// A commit on the way.
pub struct Step {
    pub id: ObjectId,
    pub time: u64,
    /// Those that the walk has followed.
    pub parents: Vec<ObjectId>,
    /// Whether it changes none of the paths.
    pub is_same: bool,
}

impl Way<'_> {
    /// The commits that `starts` reach, the latest first.
    pub fn steps(&mut self, starts: &[ObjectId]) -> Result<Vec<Step>, ToolError> {
        let mut seen: HashSet<ObjectId> = HashSet::default();
        let mut pending = BinaryHeap::new();
        let mut steps = Vec::new();
        let mut reached = 0u64;
        let mut next: Vec<ObjectId> = starts.to_vec();
        loop {
            for id in next.drain(..) {
                if !self.hidden.contains(&id) && seen.insert(id) {
                    pending.push((self.history.node(id)?.time, Reverse(reached), id));
                    reached += 1;
                }
            }
            let Some((time, _, id)) = pending.pop() else { return Ok(steps) };
            self.deadline.poll()?;
            if self.since.is_some_and(|since| time < since) {
                continue;
            }
            let step = self.step(id, time)?;
            next.extend(&step.parents);
            steps.push(step);
        }
    }

    fn step(&mut self, id: ObjectId, time: u64) -> Result<Step, ToolError> {
        let node = self.history.node(id)?;
        let mut parents = self.history.parents(&node).to_vec();
        if self.first_parent {
            parents.truncate(1);
        }
        let Some(touched) = &mut self.touched else { return Ok(Step { id, time, parents, is_same: false }) };
        if parents.is_empty() {
            let is_same = !touched.differs(None, node.tree, self.deadline)?;
            return Ok(Step { id, time, parents, is_same });
        }
        for parent in &parents {
            let before = self.history.node(*parent)?.tree;
            // git follows the parent that a commit is the same as, and no other.
            if !touched.differs(Some(before), node.tree, self.deadline)? {
                return Ok(Step { id, time, parents: vec![*parent], is_same: true });
            }
        }
        Ok(Step { id, time, parents, is_same: false })
    }
}

/// Orders commits so that lines of history stay together, each before its parents.
pub fn by_topology(steps: Vec<Step>) -> Vec<Step> {
    let mut waiting: HashMap<ObjectId, usize> = steps.iter().map(|step| (step.id, 0)).collect();
    for parent in steps.iter().flat_map(|step| &step.parents) {
        if let Some(count) = waiting.get_mut(parent) {
            *count += 1;
        }
    }
    let mut pending: Vec<ObjectId> = steps.iter().map(|step| step.id).filter(|id| waiting[id] == 0).rev().collect();
    let mut steps: HashMap<ObjectId, Step> = steps.into_iter().map(|step| (step.id, step)).collect();
    let mut ordered = Vec::with_capacity(steps.len());
    while let Some(step) = pending.pop().and_then(|id| steps.remove(&id)) {
        for parent in &step.parents {
            if let Some(count) = waiting.get_mut(parent) {
                *count -= 1;
                if *count == 0 {
                    pending.push(*parent);
                }
            }
        }
        ordered.push(step);
    }
    ordered
}

/// For each commit the nearest ones below it that change something.
pub fn rewritten(steps: &[Step]) -> HashMap<ObjectId, Vec<ObjectId>> {
    let known: HashMap<ObjectId, &Step> = steps.iter().map(|step| (step.id, step)).collect();
    let below = |mut id: ObjectId| {
        while let Some(step) = known.get(&id).filter(|step| step.is_same) {
            id = *step.parents.first()?;
        }
        Some(id)
    };
    let parents = |step: &Step| {
        let mut parents = Vec::new();
        for parent in step.parents.iter().filter_map(|parent| below(*parent)) {
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        parents
    };
    steps.iter().map(|step| (step.id, parents(step))).collect()
}
