//! Scenes that changing calls begin on: a history, an upstream, and what people have done to index and working tree.

use fastrand::Rng;

use super::{Scene, Step, branches, entries, files, heads, history, past};
use crate::testing::Sandbox;

/// The scene of `seed`.
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

/// The same, with refs, logs and configuration as only people make them, and now and then in the middle of an operation.
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

/// A change of the working tree by hand.
pub fn file_step(random: &mut Rng) -> Step {
    Step::now("file", files::change_or_back, random)
}

impl Scene {
    /// A workspace that another one can be copied to.
    pub fn empty() -> Scene {
        let history = history::History::default();
        Scene { sandbox: Sandbox::new(), random: Rng::with_seed(0), history, converts: true }
    }
}
