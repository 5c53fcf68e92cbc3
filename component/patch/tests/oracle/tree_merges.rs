//! Random trees merged by `git merge-tree` and here.

use std::ops::Range;

use fastrand::Rng;
use patch::merge::{Labels, Style};
use patch::tree_merge::{Driver, DriverKind, Merged, Options, merge};

use crate::blobs::{Blobs, Sorted, as_answer, changes, edited};
use crate::difference::{listed_in, show};
use crate::git::Repo;
use crate::kept::{assert_is_tree, is_kept};
use crate::merge_tree::{At, merge_trees};
use crate::three_trees::{Shape, Three, three_trees};

const STYLES: [(Style, &str); 3] = [(Style::Merge, "merge"), (Style::Diff3, "diff3"), (Style::Zdiff3, "zdiff3")];

fn names(seed: u64) -> [String; 3] {
    [format!("base{seed}"), format!("o/{seed}"), format!("t/{seed}")]
}

/// Trees to merge, and the options.
struct Round<'r> {
    shape: Shape,
    seeds: Range<u64>,
    style: usize,
    /// Lines of attributes, and the driver they select for files of that name.
    drivers: &'r [(&'r str, Driver)],
    /// `merge.renameLimit`.
    limit: usize,
}

impl Default for Round<'_> {
    fn default() -> Self {
        let shape = Shape { files: 20, most_steps: 6, odd: 12, texts: 6, most_lines: 20, depth: 3 };
        Self { shape, seeds: 0..0, style: 0, drivers: &[], limit: 7000 }
    }
}

/// The seeds of merges, by their outcome.
#[derive(Debug, Default)]
struct Tally {
    merges: usize,
    unclean: usize,
    wrong: Vec<u64>,
    /// git fails an assertion.
    failed: Vec<u64>,
    /// git loses something.
    broken: Vec<u64>,
    /// There were too many paths to search all for renames.
    limited: usize,
}

/// Merges a round's trees with the crate and with git.
fn compare(round: &Round<'_>) -> Tally {
    let trees = |seed| (seed, three_trees(&mut Rng::with_seed(seed), round.shape));
    let all: Vec<(u64, Three)> = trial::seeds(round.seeds.clone()).map(trees).collect();
    let tags = all.iter().flat_map(|(seed, three)| names(*seed).into_iter().zip(three));
    let repo = Repo::with_tags(tags);
    let attributes: Vec<&str> = round.drivers.iter().map(|(line, _)| *line).collect();
    std::fs::write(repo.folder().join(".git/info/attributes"), attributes.join("\n")).expect("it can be written");
    let merges: Vec<[String; 3]> = all.iter().map(|(seed, _)| names(*seed)).collect();
    let (style, option) = STYLES[round.style];
    let (style_option, limit) = (format!("merge.conflictStyle={option}"), format!("merge.renameLimit={}", round.limit));
    let answers = merge_trees(&At::repo(&repo), &["-c", &style_option, "-c", &limit], &merges);
    let mut tally = Tally { merges: all.len(), ..Tally::default() };
    for ((seed, three), answer) in all.iter().zip(answers) {
        let named = |line: &str| line.split(' ').next().expect("a name comes first").into();
        let drivers = round.drivers.iter().map(|(line, driver)| (named(line), *driver)).collect();
        let mut blobs = Blobs { drivers, ..Blobs::default() };
        let [base, ours, theirs] = three.each_ref().map(|tree| blobs.add(tree));
        let names = names(*seed);
        let [base_label, our_label, their_label] = names.each_ref().map(|name| name.as_bytes());
        let labels = Labels { ours: our_label, base: base_label, theirs: their_label };
        let options = Options { style, labels, rename_limit: round.limit, ..Options::default() };
        let (our_changes, their_changes) = (changes(&base, &ours), changes(&base, &theirs));
        let merged = merge(&Sorted::of(&base), &our_changes, &their_changes, &mut blobs, &options);
        let Merged::Done(outcome) = merged.expect("nothing interrupts it") else { panic!("everything is here") };
        let (here, tree) = (as_answer(&outcome, &ours), edited(&ours, &outcome));
        let three = [&base, &ours, &theirs];
        assert_is_tree(&tree, &format!("seed {seed}"));
        assert!(is_kept(three, &here, &tree), "seed {seed} loses something");
        tally.limited += usize::from(outcome.needed_limit.is_some());
        let Some(answer) = answer else {
            tally.failed.push(*seed);
            continue;
        };
        tally.unclean += usize::from(!answer.is_clean);
        if here == answer {
            continue;
        }
        let at = At::repo(&repo);
        if answer.is_broken(&listed_in(&at, &answer.tree.to_string()), three, &tree) {
            tally.broken.push(*seed);
            continue;
        }
        tally.wrong.push(*seed);
        if tally.wrong.len() <= 3 {
            println!("\nseed {seed}");
            show(&at, three, &blobs, (&here, &tree), &answer);
        }
    }
    println!("{tally:?}");
    assert!(tally.wrong.is_empty(), "{} differ: {:?}", tally.wrong.len(), tally.wrong);
    if !trial::has_usual_seeds() {
        return tally;
    }
    assert!(tally.unclean * 4 > tally.merges, "too few conflicts: {}", tally.unclean);
    assert!((tally.failed.len() + tally.broken.len()) * 50 <= tally.merges, "git is too often of no use");
    tally
}

#[test]
fn small_trees() {
    let shape = Shape { files: 6, most_steps: 4, odd: 8, texts: 2, most_lines: 12, depth: 2 };
    compare(&Round { shape, seeds: 0..400, ..Round::default() });
}

#[test]
fn trees_of_folders() {
    compare(&Round { seeds: 1000..1400, style: 1, ..Round::default() });
}

#[test]
fn long_texts() {
    let shape = Shape { files: 12, most_steps: 10, odd: 30, texts: 2, most_lines: 200, depth: 1 };
    compare(&Round { shape, seeds: 2000..2200, style: 2, ..Round::default() });
}

#[test]
fn big_trees() {
    let shape = Shape { files: 80, most_steps: 12, odd: 12, texts: 20, most_lines: 12, depth: 4 };
    compare(&Round { shape, seeds: 3000..3200, ..Round::default() });
}

#[test]
fn renames_among_too_many_paths_are_left_alone() {
    let tally = compare(&Round { seeds: 3500..3800, limit: 1, ..Round::default() });
    assert!(tally.limited > 30 || !trial::has_usual_seeds(), "{}", tally.limited);
}

#[test]
fn attributes_decide_how_a_path_is_merged() {
    let driver = |kind, marker_size| Driver { kind, marker_size };
    let drivers = &[
        ("a merge=union", driver(DriverKind::Union, 7)),
        ("b -merge", driver(DriverKind::Binary, 7)),
        ("c conflict-marker-size=12", driver(DriverKind::Text, 12)),
        ("d merge=binary", driver(DriverKind::Binary, 7)),
        ("e merge conflict-marker-size=3", driver(DriverKind::Text, 3)),
    ];
    let shape = Shape { files: 8, most_steps: 12, odd: 30, texts: 3, most_lines: 40, depth: 1 };
    for (style, seeds) in [4000..4200, 4200..4400, 4400..4600].into_iter().enumerate() {
        compare(&Round { shape, seeds, style, drivers, ..Round::default() });
    }
}
