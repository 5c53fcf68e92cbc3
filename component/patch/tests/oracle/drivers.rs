//! The function names of the built-in userdiff drivers.

use std::collections::BTreeSet;
use std::fs;

use bstr::ByteSlice as _;
use fastrand::Rng;
use patch::{Abbrev, Change, Driver, Options, unified};

use crate::check::{first_difference, side};
use crate::driver_lines::{SAMPLES, line};
use crate::git::Repo;
use crate::tree::{FILE, Tree};

/// Lines of each language in one repository.
const LINES: usize = 600;

/// A file in which every hunk follows a line of the language, before and after. No driver takes the other lines for functions.
fn texts(random: &mut Rng, samples: &[&str]) -> [Vec<u8>; 2] {
    let mut texts = [Vec::new(), Vec::new()];
    for number in 0..LINES {
        let line = line(random, samples);
        for (text, side) in texts.iter_mut().zip(["~ before", "~ after"]) {
            text.extend_from_slice(&line);
            text.extend_from_slice(format!("\n~\n{side} {number}\n~\n").as_bytes());
        }
    }
    texts
}

fn names(random: &mut Rng, seed: u64) {
    let (mut before, mut after) = (Tree::new(), Tree::new());
    for (name, samples) in SAMPLES {
        let [old, new] = texts(random, samples);
        before.insert(name.as_bytes().to_vec(), (FILE, old));
        after.insert(name.as_bytes().to_vec(), (FILE, new));
    }
    let repo = Repo::with_trees(&before, &after);
    let attributes: String = SAMPLES.iter().map(|(name, _)| format!("{name} diff={name}\n")).collect();
    fs::write(repo.folder().join(".git/info/attributes"), attributes).expect("the folder is ours");
    let raw = repo.raw(&["before", "after"]);
    for context in [0, 1] {
        let expected = repo.git(["diff", "--text", &format!("-U{context}"), "before", "after"], b"");
        let mut actual = Vec::new();
        for change in &raw {
            let path = change.path.as_bstr();
            let driver = Driver::named(path).expect("every file is named after a driver");
            let abbrev = |id: &patch::ObjectId| repo.abbrev(id);
            let options =
                Options { context, driver, text: true, abbrev: Abbrev::Unique(&abbrev), ..Options::default() };
            let start = actual.len();
            let change = Change::Modify { old: side(&before, path, change.old), new: side(&after, path, change.new) };
            unified(&change, &options, &mut actual).expect("no deadline is set");
            let headers = actual[start..].lines().filter(|line| line.starts_with(b"@@ "));
            let names: BTreeSet<&[u8]> = headers.filter_map(|line| line.splitn_str(3, "@@").nth(2)).collect();
            assert!(names.len() > 10, "seed {seed}: {path} has {} names only", names.len());
        }
        assert!(actual == expected, "seed {seed}, -U{context}: {}", first_difference(&expected, &actual));
    }
}

#[test]
fn each_driver_names_what_git_names() {
    for seed in trial::seeds(0..3) {
        names(&mut Rng::with_seed(seed), seed);
    }
}

#[test]
fn a_name_that_is_not_built_in_is_no_driver() {
    let known: Vec<&str> = SAMPLES.iter().map(|(name, _)| *name).collect();
    let repo = Repo::empty();
    fs::write(repo.folder().join("x"), "class A:\n\n\n\n\n1\n").expect("the folder is ours");
    repo.git(["add", "x"], b"");
    fs::write(repo.folder().join("x"), "class A:\n\n\n\n\n2\n").expect("the folder is ours");
    for name in
        ["default", "c", "go", "js", "javascript", "lisp", "r", "ini", "Rust", "sql", "swift", "typescript", "yaml"]
    {
        fs::write(repo.folder().join(".git/info/attributes"), format!("x diff={name}")).expect("the folder is ours");
        // Such a name selects only the default rule.
        assert!(repo.git(["diff"], b"").contains_str("@@ class A:"), "{name}");
        assert!(!known.contains(&name));
        assert!(Driver::named(name.as_bytes()).is_none_or(|driver| driver == Driver::Default));
    }
}
