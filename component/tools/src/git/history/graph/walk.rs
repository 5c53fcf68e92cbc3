//! Walks commits in the order of `git log`: always the latest known commit next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use gix::ObjectId;
use gix::hashtable::{HashMap, HashSet};

use super::{History, Node, Touched};
use crate::deadline::Deadline;
use crate::error::ToolError;

/// Limits the walk by time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Skips commits before this second, and does not follow their parents.
    pub since: Option<u64>,
    /// Skips commits after this second.
    pub until: Option<u64>,
}

/// A walk through the commit graph.
pub struct Walk<'a> {
    history: &'a History<'a>,
    touched: Option<Touched<'a>>,
    limits: Limits,
    deadline: &'a Deadline,
    /// The reached commits, each with the position of the tip that reached it first.
    seen: HashMap<ObjectId, usize>,
    hidden: HashSet<ObjectId>,
    /// Ordered by time, then by discovery.
    pending: BinaryHeap<(u64, Reverse<u64>, ByNode)>,
    reached: u64,
}

/// A node in the heap. The key before it decides its position.
struct ByNode(Rc<Node>);

impl PartialEq for ByNode {
    fn eq(&self, other: &ByNode) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for ByNode {}

impl PartialOrd for ByNode {
    fn partial_cmp(&self, other: &ByNode) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByNode {
    fn cmp(&self, other: &ByNode) -> std::cmp::Ordering {
        self.0.id.cmp(&other.0.id)
    }
}

impl<'a> Walk<'a> {
    /// Walks the commits reachable from `tips` that are not in `hidden`. With `touched`, it shows only commits that change its paths, with
    /// git's default simplification (git-log, "History Simplification").
    pub fn new(
        history: &'a History<'a>,
        tips: impl IntoIterator<Item = ObjectId>,
        hidden: HashSet<ObjectId>,
        touched: Option<Touched<'a>>,
        limits: Limits,
        deadline: &'a Deadline,
    ) -> Result<Walk<'a>, ToolError> {
        let mut walk = Walk {
            history,
            touched,
            limits,
            deadline,
            seen: HashMap::default(),
            hidden,
            pending: BinaryHeap::new(),
            reached: 0,
        };
        for (position, tip) in tips.into_iter().enumerate() {
            walk.reach(tip, position)?;
        }
        Ok(walk)
    }

    /// The position of the tip that reached `id` first.
    pub fn tip_of(&self, id: &ObjectId) -> Option<usize> {
        self.seen.get(id).copied()
    }

    /// The next commit, if there is one.
    pub fn next(&mut self) -> Result<Option<Rc<Node>>, ToolError> {
        while let Some((time, _, ByNode(node))) = self.pending.pop() {
            self.deadline.poll()?;
            if self.limits.since.is_some_and(|since| time < since) {
                continue;
            }
            let changes = self.follow(&node)?;
            if changes && self.limits.until.is_none_or(|until| time <= until) {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    /// Reaches the parents of `node` that matter. Returns whether the node changes anything.
    fn follow(&mut self, node: &Node) -> Result<bool, ToolError> {
        let parents = self.history.parents(node);
        let tip = self.tip_of(&node.id).unwrap_or_default();
        let Some(touched) = &mut self.touched else {
            for parent in parents {
                self.reach(*parent, tip)?;
            }
            return Ok(true);
        };
        if parents.is_empty() {
            return touched.differs(None, node.tree, self.deadline);
        }
        for parent in parents {
            let before = self.history.node(*parent)?.tree;
            // If a parent's tree is equal, git follows only that parent.
            if !touched.differs(Some(before), node.tree, self.deadline)? {
                self.reach(*parent, tip)?;
                return Ok(false);
            }
        }
        for parent in parents {
            self.reach(*parent, tip)?;
        }
        Ok(true)
    }

    fn reach(&mut self, id: ObjectId, tip: usize) -> Result<(), ToolError> {
        if self.hidden.contains(&id) || self.seen.contains_key(&id) {
            return Ok(());
        }
        self.seen.insert(id, tip);
        let node = self.history.node(id)?;
        self.pending.push((node.time, Reverse(self.reached), ByNode(node)));
        self.reached += 1;
        Ok(())
    }
}
