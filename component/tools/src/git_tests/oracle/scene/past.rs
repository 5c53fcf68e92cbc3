//! Steps that make history: commits, branches, merges, tags, notes.

use fastrand::Rng;

use super::history::{self, File, Tree};
use super::words::{self, pick};
use super::{Scene, Step};

/// The steps of a history of random length.
pub fn plan(random: &mut Rng) -> Vec<Step> {
    let mut steps = Vec::new();
    if random.usize(..10) == 0 {
        return steps;
    }
    steps.push(Step::past("commit", commit, random));
    for _ in 0..random.usize(..9) {
        let (name, run): (_, fn(&mut Scene)) = match random.usize(..14) {
            0 => ("fork", fork),
            1 => ("switch", switch),
            2 | 3 => ("merge", merge),
            4 => ("octopus", octopus),
            5 => ("tag", tag),
            6 => ("note", note),
            7 => ("commit without changes", nothing),
            8 => ("main", main),
            _ => ("commit", commit),
        };
        steps.push(Step::past(name, run, random));
    }
    steps.push(Step::past("fork", fork, random));
    steps.push(Step::past("commit", commit, random));
    steps.push(Step::past("main", main, random));
    steps.push(Step::past("commit", commit, random));
    steps.push(Step::past("tag", tag, random));
    steps
}

fn commit(scene: &mut Scene) {
    let Scene { random, history, converts, .. } = scene;
    let mut tree = history.tree();
    for _ in 0..random.usize(1..8) {
        change(random, &mut tree, *converts);
    }
    history.commit(random, tree, &[]);
}

fn nothing(scene: &mut Scene) {
    let Scene { random, history, .. } = scene;
    history.commit(random, history.tree(), &[]);
}

fn change(random: &mut Rng, tree: &mut Tree, converts: bool) {
    let paths: Vec<String> = tree.keys().cloned().collect();
    let known = (!paths.is_empty()).then(|| paths[random.usize(..paths.len())].clone());
    match (random.usize(..16), known) {
        (0, Some(known)) => drop(tree.remove(&known)),
        (1 | 2, Some(known)) => {
            let mut file = tree.remove(&known).expect("it is one of the paths");
            if random.bool() {
                edit(random, &mut file);
            }
            history::put(tree, &super::path(random), file);
        }
        (3..=6, Some(known)) => edit(random, tree.get_mut(&known).expect("it is one of the paths")),
        (7, Some(known)) => {
            let file = tree.get_mut(&known).expect("it is one of the paths");
            match file.0 {
                0o100_644 => file.0 = 0o100_755,
                0o100_755 => file.0 = 0o100_644,
                _ => *file = (0o100_644, b"no longer a link\n".to_vec()),
            }
        }
        (8, _) => history::put(tree, &super::path(random), (0o120_000, pick(random, super::TARGETS).into())),
        (9, _) if random.usize(..3) == 0 => history::put(tree, pick(random, super::SUBMODULES), (0o160_000, vec![])),
        (10, _) if converts => {
            let rules = pick(random, words::ATTRIBUTES);
            history::put(tree, ".gitattributes", (0o100_644, rules.into()));
        }
        _ => history::put(tree, &super::path(random), (0o100_644, words::text(random))),
    }
}

fn edit(random: &mut Rng, file: &mut File) {
    if file.0 & 0o170_000 == 0o100_000 {
        file.1 = words::edited(random, &file.1);
    }
}

/// A new branch from some commit.
fn fork(scene: &mut Scene) {
    let Scene { random, history, .. } = scene;
    let Some(from) = history.some(random) else { return };
    let name = pick(random, super::BRANCHES);
    if !history.branches.contains_key(name) {
        history.branches.insert(name.to_owned(), from);
        history.current = name.to_owned();
    }
}

fn switch(scene: &mut Scene) {
    let Scene { random, history, .. } = scene;
    let names: Vec<String> = history.branches.keys().cloned().collect();
    if !names.is_empty() {
        history.current = names[random.usize(..names.len())].clone();
    }
}

fn main(scene: &mut Scene) {
    if scene.history.branches.contains_key("main") {
        scene.history.current = "main".to_owned();
    }
}

fn merge(scene: &mut Scene) {
    merge_of(scene, 1);
}

fn octopus(scene: &mut Scene) {
    merge_of(scene, 3);
}

/// Merges at most `most` other commits. Each path comes from one side, or has new content.
fn merge_of(scene: &mut Scene, most: usize) {
    let Scene { random, history, .. } = scene;
    let Some(tip) = history.tip() else { return };
    let mut tree = history.tree();
    let mut others = Vec::new();
    for _ in 0..most {
        let other = random.usize(..history.commits.len());
        if other == tip || others.contains(&other) {
            continue;
        }
        others.push(other);
        for (path, theirs) in &history.commits[other] {
            if tree.get(path) == Some(theirs) {
                continue;
            }
            let mut file = theirs.clone();
            match random.usize(..4) {
                0 => continue,
                1 => {
                    if let Some(ours) = tree.get(path).filter(|ours| ours.0 == file.0) {
                        file.1 = [&ours.1[..ours.1.len() / 2], &file.1[file.1.len() / 2..]].concat();
                    }
                }
                2 => edit(random, &mut file),
                _ => {}
            }
            history::put(&mut tree, path, file);
        }
    }
    if !others.is_empty() {
        history.commit(random, tree, &others);
    }
}

fn tag(scene: &mut Scene) {
    let Scene { random, history, .. } = scene;
    let Some(commit) = history.some(random) else { return };
    let name = pick(random, super::TAGS);
    match random.usize(..3) {
        0 => history.lightweight(name, commit),
        _ => history.annotated(random, name, commit, random.clone().bool()),
    }
}

fn note(scene: &mut Scene) {
    let Scene { random, history, .. } = scene;
    if let Some(commit) = history.some(random) {
        history.note(commit, "A note\n\nof two paragraphs\n");
    }
}
