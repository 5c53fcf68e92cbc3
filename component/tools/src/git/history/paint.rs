//! Paints the history from two sides at once, to find the commits of each side that the other lacks.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::History;

/// One of the two sides.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    Ours = 1,
    Theirs = 2,
}

const BOTH: u8 = Side::Ours as u8 | Side::Theirs as u8;

/// The number of commits to visit beyond the oldest interesting one. If clocks were wrong, its child can be among them.
const SLOP: usize = 16;

/// The painted part of a history, latest commits first.
pub struct Paint<'a> {
    history: History<'a>,
    commits: BTreeMap<ObjectId, Commit>,
    /// Commits whose parents must still be painted, by time.
    pending: BTreeSet<(u64, ObjectId)>,
    /// The number of pending commits of each single side: ours, theirs.
    waiting: [usize; 2],
    /// All commits of each single side, by time.
    apart: [BTreeSet<(u64, ObjectId)>; 2],
}

struct Commit {
    time: u64,
    parents: Vec<ObjectId>,
    sides: u8,
}

impl<'a> Paint<'a> {
    /// Starts without paint.
    pub fn new(history: History<'a>) -> Paint<'a> {
        Paint {
            history,
            commits: BTreeMap::new(),
            pending: BTreeSet::new(),
            waiting: [0; 2],
            apart: [BTreeSet::new(), BTreeSet::new()],
        }
    }

    /// Paints the commit `id` and its ancestors with `side`.
    pub fn reach(&mut self, id: ObjectId, side: Side) -> Result<(), ToolError> {
        self.paint(id, side as u8)
    }

    /// Paints until the commits that only one of the sides `wanted` has cannot change.
    pub fn run(&mut self, wanted: &[Side], deadline: &Deadline) -> Result<(), ToolError> {
        let mut slop = SLOP;
        while let Some((latest, id)) = self.pending.pop_last() {
            deadline.poll()?;
            let sides = self.commits[&id].sides;
            let is_open = wanted.iter().any(|side| {
                let at = position(*side as u8);
                // A commit of a single side is still no older than a pending one.
                self.waiting[at] > 0 || self.apart[at].first().is_some_and(|(oldest, _)| *oldest <= latest)
            });
            slop = if is_open { SLOP } else { slop - 1 };
            if slop == 0 {
                return Ok(());
            }
            if sides != BOTH {
                self.waiting[position(sides)] -= 1;
            }
            for parent in self.commits[&id].parents.clone() {
                self.paint(parent, sides)?;
            }
        }
        Ok(())
    }

    /// The commits that only `side` has, the latest first, each with its parents.
    pub fn of(&self, side: Side) -> impl Iterator<Item = (ObjectId, &[ObjectId])> {
        let ids = self.apart[position(side as u8)].iter().rev();
        ids.map(|(_, id)| (*id, self.commits[id].parents.as_slice()))
    }

    fn paint(&mut self, id: ObjectId, sides: u8) -> Result<(), ToolError> {
        if !self.commits.contains_key(&id) {
            let node = self.history.node(id)?;
            let parents = self.history.parents(&node).to_vec();
            self.commits.insert(id, Commit { time: node.time, parents, sides: 0 });
        }
        let commit = self.commits.get_mut(&id).expect("it was read just now");
        let (before, after) = (commit.sides, commit.sides | sides);
        if before == after {
            return Ok(());
        }
        commit.sides = after;
        let key = (commit.time, id);
        let is_pending = !self.pending.insert(key);
        if before != 0 {
            let at = position(before);
            self.apart[at].remove(&key);
            self.waiting[at] -= usize::from(is_pending);
        } else if after != BOTH {
            let at = position(after);
            self.apart[at].insert(key);
            self.waiting[at] += 1;
        }
        Ok(())
    }
}

/// The index of a single side in the arrays.
fn position(side: u8) -> usize {
    usize::from(side) - 1
}

#[cfg(all(test, not(target_os = "wasi")))]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::git::history::graph::Cache;
    use crate::git_tests::oracle::import;
    use crate::testing::Sandbox;

    /// A random history of `count` commits with up to three parents each. With `skewed`, some times are wrong.
    fn history(random: &mut Rng, count: usize, skewed: bool) -> Sandbox {
        let mut sandbox = Sandbox::with_repository();
        let mut stream = String::new();
        for number in 1..=count {
            let wrong = if skewed && random.usize(..4) == 0 { random.usize(..40) } else { 0 };
            stream.push_str(&format!(
                "commit refs/heads/c{number}\nmark :{number}\ncommitter C <c> {} +0000\ndata 1\nx\n",
                1000 + 10 * number / 3 - wrong
            ));
            let parents: BTreeSet<usize> = (0..random.usize(..4)).map(|_| random.usize(..number)).collect();
            for (at, parent) in parents.into_iter().filter(|parent| *parent > 0).enumerate() {
                stream.push_str(&format!("{} :{parent}\n", if at == 0 { "from" } else { "merge" }));
            }
            stream.push('\n');
        }
        import(&mut sandbox, stream.as_bytes());
        sandbox
    }

    #[test]
    fn each_side_has_what_git_says_it_has() {
        for seed in 0..40 {
            let mut random = Rng::with_seed(seed);
            let mut sandbox = history(&mut random, 30, seed % 2 == 0);
            for _ in 0..5 {
                let [ours, theirs] = [(); 2].map(|()| format!("refs/heads/c{}", random.usize(1..=30)));
                let repo = sandbox.session.repo().unwrap();
                let id = |name: &str| repo.gix.rev_parse_single(name).unwrap().detach();
                let deadline = Deadline::after(|| 0, u64::MAX);
                let mut paint = Paint::new(History::of(&repo, &Cache::default()).unwrap());
                paint.reach(id(&ours), Side::Ours).unwrap();
                paint.reach(id(&theirs), Side::Theirs).unwrap();
                paint.run(&[Side::Ours, Side::Theirs], &deadline).unwrap();
                for (side, has, lacks) in [(Side::Ours, &ours, &theirs), (Side::Theirs, &theirs, &ours)] {
                    let mut found: Vec<String> = paint.of(side).map(|(id, _)| id.to_string()).collect();
                    found.sort();
                    let mut expected: Vec<String> =
                        sandbox.git(&["rev-list", has, "--not", lacks]).lines().map(str::to_owned).collect();
                    expected.sort();
                    assert_eq!(found, expected, "seed {seed}: {has} without {lacks}");
                }
            }
        }
    }
}
