//! Scenes for changing calls: a history, an upstream, and manual changes to index and working tree.

use fastrand::Rng;

use super::{Scene, Step, branches, entries, files, heads, history, past};
use crate::testing::Sandbox;

/// The steps of the scene of `seed`.
pub fn plan(seed: u64) -> Vec<Step> {
    let random = &mut Rng::with_seed(seed);
    let mut steps = past::plan(random);
    let mut add = |random: &mut Rng, one_in: usize, name, run| {
        if random.usize(..one_in) == 0 {
            steps.push(Step::now(name, run, random));
        }
    };
    add(random, 2, "upstream", heads::upstream);
    add(random, 4, "head", heads::head);
    add(random, 8, "stash", heads::stash);
    add(random, 5, "setting", heads::settings);
    for _ in 0..random.usize(..5) {
        add(random, 1, "file", files::change_or_back);
    }
    for _ in 0..random.usize(..3) {
        add(random, 1, "index", entries::change);
    }
    add(random, 8, "unmerged", entries::unmerged);
    steps
}

/// Adds unusual refs, logs and configuration, and sometimes an unfinished operation.
pub fn plan_with_odd_refs(seed: u64) -> Vec<Step> {
    let mut steps = plan(seed);
    let random = &mut Rng::with_seed(!seed);
    for _ in 0..random.usize(1..5) {
        steps.push(Step::now("branches", branches::change, random));
    }
    if random.usize(..8) == 0 {
        steps.push(Step::now("operation", branches::operation, random));
    }
    steps
}

/// A manual change of the working tree.
pub fn file_step(random: &mut Rng) -> Step {
    Step::now("file", files::change_or_back, random)
}

impl Scene {
    /// An empty workspace, for a copy of another one.
    pub fn empty() -> Scene {
        let history = history::History::default();
        Scene { sandbox: Sandbox::new(), random: Rng::with_seed(0), history, converts: true }
    }
}
