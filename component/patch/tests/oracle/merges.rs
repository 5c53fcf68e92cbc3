//! Random texts merged by `git merge-file` and here.

use std::process::Command;

use bstr::BStr;
use fastrand::Rng;
use patch::merge::{Labels, Merged, Options, Style, merge};

use crate::text::Text;

const LABELS: Labels<'static> = Labels { ours: b"ours (sandbox)", base: b"base", theirs: b"theirs (incoming)" };

/// Sizes of texts in lines, with the most edits that each side makes.
const SHAPES: [(usize, usize); 4] = [(4, 2), (30, 4), (120, 12), (1200, 60)];

/// Three texts: the last two are edited versions of the first. Sometimes the first is empty, as if both sides added the file.
fn triple(seed: u64) -> [Vec<u8>; 3] {
    let mut random = Rng::with_seed(seed);
    let (lines, edits) = SHAPES[(seed % SHAPES.len() as u64) as usize];
    let base = Text::random(&mut random, lines);
    let mut side = || {
        let edits = random.usize(..=edits);
        base.edited(&mut random, edits).bytes()
    };
    let (ours, theirs) = (side(), side());
    let base = if random.usize(..12) == 0 { Vec::new() } else { base.bytes() };
    [base, ours, theirs]
}

/// The number of conflicts must match too: up to 127 it is git's exit code.
fn by_git(folder: &std::path::Path, options: &[&str]) -> Merged {
    let said = Command::new(trial::git())
        .args(["merge-file", "-p", "-L", "ours (sandbox)", "-L", "base", "-L", "theirs (incoming)"])
        .args(options)
        .args(["ours", "base", "theirs"])
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git is there");
    let code = said.status.code().expect("no signal ends it");
    assert!(code < 128, "{}", BStr::new(&said.stderr));
    Merged { content: said.stdout, conflicts: usize::try_from(code).expect("no code is below 0") }
}

/// Merges the texts of all seeds in all styles. Returns how many merges had conflicts.
fn compare(seeds: impl Iterator<Item = u64>) -> usize {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut conflicting = 0;
    for seed in seeds {
        let [base, ours, theirs] = triple(seed);
        for (name, text) in [("base", &base), ("ours", &ours), ("theirs", &theirs)] {
            std::fs::write(folder.path().join(name), text).expect("the folder can be written");
        }
        for (style, option) in
            [(Style::Merge, &[][..]), (Style::Diff3, &["--diff3"]), (Style::Zdiff3, &["--zdiff3", "--marker-size=9"])]
        {
            let marker_size = if style == Style::Zdiff3 { 9 } else { 7 };
            let options = Options { style, labels: LABELS, marker_size, ..Options::default() };
            let merged = merge(&base, &ours, &theirs, &options).expect("nothing interrupts it");
            let expected = by_git(folder.path(), option);
            assert!(
                merged.content == expected.content,
                "seed {seed}, {style:?}\n--- here\n{}\n--- git\n{}",
                BStr::new(&merged.content),
                BStr::new(&expected.content)
            );
            assert_eq!(merged.conflicts.min(127), expected.conflicts, "seed {seed}, {style:?}");
            conflicting += usize::from(merged.conflicts > 0);
        }
    }
    conflicting
}

// Two tests, so that they run in parallel: 800 triples in three styles.

#[test]
fn merged_texts_are_those_of_git_merge_file() {
    assert!(compare(trial::seeds(0..800).step_by(2)) > 330 || !trial::has_usual_seeds());
}

#[test]
fn and_so_are_as_many_others() {
    assert!(compare(trial::seeds(0..800).skip(1).step_by(2)) > 330 || !trial::has_usual_seeds());
}
