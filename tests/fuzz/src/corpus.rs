//! Runs every stored input, and some arbitrary ones, as a plain test, so that fixed bugs stay fixed.

use std::fs;
use std::path::{Path, PathBuf};

/// Names the failing input.
struct Running(String);

impl Drop for Running {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input is {}", self.0);
        }
    }
}

fn kept(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn run(name: &str, target: fn(&[u8])) {
    for file in kept(name) {
        let input = fs::read(&file).unwrap();
        let _running = Running(file.display().to_string());
        target(&input);
    }
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let input: Vec<u8> = (0..random.usize(..600)).map(|_| random.u8(..)).collect();
        let _running = Running(format!("the one of seed {seed}"));
        target(&input);
    }
}

#[test]
fn packs_are_what_they_say_or_are_refused() {
    run("pack", crate::pack);
}

#[test]
fn journals_give_the_tree_after_a_whole_step_or_an_error() {
    run("journal", crate::journal);
}

#[test]
fn calls_that_fail_change_nothing_and_none_leaves_its_zone() {
    run("call", crate::call);
}

#[test]
fn paths_that_are_accepted_stay_where_they_are() {
    run("paths", crate::paths);
}

#[test]
fn the_corpus_is_small() {
    let size = |file: &PathBuf| fs::metadata(file).unwrap().len();
    let (mut count, mut bytes) = (0, 0);
    for target in ["pack", "journal", "call", "paths"] {
        let files = kept(target);
        assert!(files.len() >= 20, "{target} has {}", files.len());
        count += files.len();
        bytes += files.iter().map(size).sum::<u64>();
    }
    assert!(count <= 1000 && bytes <= 300 << 10, "{count} files of {bytes} bytes");
}
