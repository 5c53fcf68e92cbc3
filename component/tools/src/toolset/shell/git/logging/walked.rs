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
    /// Whether it has several, followed or not.
    pub is_merge: bool,
    /// Whether it changes none of the paths.
    pub is_same: bool,
}

/// The commits that a walk reaches, the latest first.
pub struct Steps<'a> {
    way: Way<'a>,
    seen: HashSet<ObjectId>,
    pending: BinaryHeap<(u64, Reverse<u64>, ObjectId)>,
    next: Vec<ObjectId>,
}

impl<'a> Steps<'a> {
    pub fn new(way: Way<'a>, starts: &[ObjectId]) -> Steps<'a> {
        Steps { way, seen: HashSet::default(), pending: BinaryHeap::new(), next: starts.to_vec() }
    }

    fn following(&mut self) -> Result<Option<Step>, ToolError> {
        loop {
            for id in self.next.drain(..) {
                if !self.way.hidden.contains(&id) && self.seen.insert(id) {
                    let time = self.way.history.node(id)?.time;
                    self.pending.push((time, Reverse(self.seen.len() as u64), id));
                }
            }
            let Some((time, _, id)) = self.pending.pop() else { return Ok(None) };
            self.way.deadline.poll()?;
            if self.way.since.is_some_and(|since| time < since) {
                continue;
            }
            let step = self.way.step(id, time)?;
            self.next.extend(&step.parents);
            return Ok(Some(step));
        }
    }
}

impl Iterator for Steps<'_> {
    type Item = Result<Step, ToolError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.following().transpose()
    }
}

impl Way<'_> {
    fn step(&mut self, id: ObjectId, time: u64) -> Result<Step, ToolError> {
        let node = self.history.node(id)?;
        let mut parents = self.history.parents(&node).to_vec();
        let is_merge = parents.len() > 1;
        if self.first_parent {
            parents.truncate(1);
        }
        let Some(touched) = &mut self.touched else { return Ok(Step { id, time, parents, is_merge, is_same: false }) };
        if parents.is_empty() {
            let is_same = !touched.differs(None, node.tree, self.deadline)?;
            return Ok(Step { id, time, parents, is_merge, is_same });
        }
        for parent in &parents {
            let before = self.history.node(*parent)?.tree;
            // git follows the parent that a commit is the same as, and no other.
            if !touched.differs(Some(before), node.tree, self.deadline)? {
                return Ok(Step { id, time, parents: vec![*parent], is_merge, is_same: true });
            }
        }
        Ok(Step { id, time, parents, is_merge, is_same: false })
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
    // Where those lead that change nothing. Each is looked up once, whatever leads to it.
    let mut leads: HashMap<ObjectId, Option<ObjectId>> =
        steps.iter().filter(|step| step.is_same).map(|step| (step.id, step.parents.first().copied())).collect();
    let mut below = |id: ObjectId| {
        let (mut passed, mut end) = (Vec::new(), Some(id));
        while let Some((at, next)) = end.and_then(|at| Some((at, *leads.get(&at)?))) {
            passed.push(at);
            end = next;
        }
        leads.extend(passed.into_iter().map(|id| (id, end)));
        end
    };
    let mut parents = |step: &Step| {
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
