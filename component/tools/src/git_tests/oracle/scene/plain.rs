//! Scenes without an operation that only git understands. The staging tests use them.

use fastrand::Rng;

use super::words::pick;
use super::{Scene, Step, entries, files, heads};

impl Scene {
    /// The scene of `seed`: a few commits, changes of the working tree and the index, and sometimes a merge.
    pub fn plain(seed: u64) -> Scene {
        Scene::build(&plan(seed))
    }
}

fn plan(seed: u64) -> Vec<Step> {
    let random = &mut Rng::with_seed(seed);
    let mut steps = Vec::new();
    let changes = |steps: &mut Vec<Step>, random: &mut Rng, count| {
        steps.extend((0..count).map(|_| Step::now("file", files::change, random)));
    };
    let commits = random.usize(..4);
    for _ in 0..commits {
        changes(&mut steps, random, 14);
        steps.push(Step::now("commit", commit, random));
    }
    if commits > 1 {
        steps.push(Step::now("history", history, random));
    }
    changes(&mut steps, random, 10);
    for _ in 0..random.usize(..7) {
        steps.push(Step::now("index", entries::change, random));
    }
    changes(&mut steps, random, 8);
    steps
}

fn commit(scene: &mut Scene) {
    scene.git(&["add", "-A"]);
    scene.git(&["commit", "--quiet", "--allow-empty", "-m", "commit"]);
}

/// Adds an upstream, a detached HEAD or a merge, or nothing.
fn history(scene: &mut Scene) {
    match scene.random.usize(..8) {
        0..=3 => heads::upstream(scene),
        4 => scene.git(&["reset", "--quiet", "--hard", "HEAD~1"]),
        5 => scene.git(&["checkout", "--quiet", "--detach", "HEAD~1"]),
        6 => {
            scene.git(&["checkout", "--quiet", "HEAD~0"]);
            scene.git(&["commit", "--quiet", "--allow-empty", "-m", "detached"]);
        }
        _ => merge(scene),
    }
    if scene.random.usize(..4) == 0 {
        scene.configure("[core]\n\tsparseCheckout = true\n");
    }
    if scene.random.usize(..6) == 0 {
        let value = pick(&mut scene.random, &["true", "input"]);
        scene.configure(&format!("[core]\n\tautocrlf = {value}\n"));
    }
    if scene.random.usize(..4) == 0 {
        scene.git(&["gc", "--quiet"]);
    }
}

/// Two branches that conflict.
fn merge(scene: &mut Scene) {
    scene.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    (0..12).for_each(|_| files::change(scene));
    scene.git(&["add", "-A"]);
    scene.git(&["commit", "--quiet", "--allow-empty", "-m", "side"]);
    scene.git(&["checkout", "--quiet", "main"]);
    let command = pick(&mut scene.random, &["merge", "merge", "cherry-pick"]);
    scene.git(&[command, "side"]);
    if scene.random.usize(..4) == 0 {
        scene.git(&["add", "-A"]);
    }
}
