//! Combined diffs: merge commits with thousands of paths, and unmerged paths of a working tree.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use bstr::{BString, ByteSlice as _};
use fastrand::Rng;
use patch::combined::{Combined, MOST_PARENTS, Outcome, ParentCount, combined};
use patch::{Abbrev, Content, DiffAttribute, Driver, ObjectId, Options, Side};

use crate::check::{first_difference, side};
use crate::combined_cases::{ATTRIBUTES, trees};
use crate::git::{Repo, commit_with_parents, id};
use crate::tree::{SUBMODULE, Tree};
use crate::unusual::write_worktree;

/// Modes and ids by path.
type Listed = BTreeMap<BString, (u32, ObjectId)>;

fn listed(repo: &Repo, tree: &str) -> Listed {
    let lines = repo.git(["ls-tree", "-r", "-z", "--full-tree", tree], b"");
    let entry = |line: &[u8]| {
        let (head, path) = line.split_once_str("\t").expect("the path follows");
        let parts: Vec<&[u8]> = head.split_str(" ").collect();
        let mode = u32::from_str_radix(&parts[0].to_str_lossy(), 8).expect("a mode is octal");
        (path.into(), (mode, id(parts[2])))
    };
    lines.split_str("\0").filter(|line| !line.is_empty()).map(entry).collect()
}

/// The options for `path`, as the attributes have it.
fn options_for<'a>(path: &[u8], plain: Options<'a>) -> Options<'a> {
    let (attribute, driver) = match path {
        path if path.ends_with(b".text") => (DiffAttribute::Set, Driver::Default),
        path if path.ends_with(b".bin") => (DiffAttribute::Unset, Driver::Default),
        path if path.ends_with(b".rs") => (DiffAttribute::Unspecified, Driver::Rust),
        _ => (DiffAttribute::Unspecified, Driver::Default),
    };
    Options { attribute, driver, ..plain }
}

/// git's arguments, and the same options for the crate.
const ASKS: &[(&[&str], u32, bool)] = &[
    (&["-p"], 3, false),
    (&["-U0"], 0, false),
    (&["-U1"], 1, false),
    (&["-U7", "--full-index"], 7, true),
    (&["-U2000000000", "--text"], 2_000_000_000, false),
];

fn merge_commit(seed: u64, cases: usize, parents: usize) -> usize {
    let mut random = Rng::with_seed(seed);
    let (before, after) = trees(&mut random, cases, parents);
    let mut repo = Repo::empty();
    let mut stream = Vec::new();
    for (number, tree) in before.iter().enumerate() {
        commit_with_parents(&mut stream, &format!("refs/tags/p{number}"), number + 1, &[], tree);
    }
    let marks: Vec<usize> = (1..=parents).collect();
    commit_with_parents(&mut stream, "refs/tags/merge", parents + 1, &marks, &after);
    repo.git(["fast-import", "--quiet"], &stream);
    repo.learn_ids();
    fs::write(repo.folder().join(".git/info/attributes"), ATTRIBUTES).expect("the folder is ours");
    let old: Vec<Listed> = (0..parents).map(|number| listed(&repo, &format!("p{number}"))).collect();
    let new = listed(&repo, "merge");
    let paths: std::collections::BTreeSet<&BString> = old.iter().chain([&new]).flat_map(BTreeMap::keys).collect();
    let touched = paths.into_iter().filter(|path| old.iter().all(|tree| tree.get(*path) != new.get(*path)));
    let touched: Vec<&BString> = touched.collect();
    for (args, context, full) in ASKS {
        let mut actual = Vec::new();
        let length = |id: &ObjectId| repo.abbrev(id);
        let abbrev = if *full { Abbrev::Full } else { Abbrev::Unique(&length) };
        for path in &touched {
            let parents =
                before.iter().zip(&old).map(|(tree, ids)| ids.get(*path).map(|at| side(tree, path.as_bstr(), *at)));
            let parents: Vec<Option<Side<'_>>> = parents.collect();
            let outcome = match new.get(*path) {
                Some(at) => Outcome::Committed(side(&after, path.as_bstr(), *at)),
                None => Outcome::Removed,
            };
            let change = Combined::new(path.as_bstr(), &parents, outcome).expect("there are at least two parents");
            let plain = Options { context: *context, abbrev, text: args.contains(&"--text"), ..Options::default() };
            combined(&change, &options_for(path, plain), &mut actual).expect("no deadline is set");
        }
        for command in [&["diff-tree", "--no-commit-id", "--cc"][..], &["show", "--format=", "--no-renames"]] {
            let args: Vec<&str> = command.iter().chain(*args).copied().chain(["merge"]).collect();
            let expected = repo.git(&args, b"");
            compare(&expected, &actual, &format!("seed {seed}, {parents} parents, git {args:?}"));
        }
    }
    touched.len()
}

/// A repository with two trees as stages 2 and 3 of the index, for paths that both have, and sometimes a stage 1.
fn unmerged(random: &mut Rng, before: &[Tree]) -> (Repo, Vec<Listed>) {
    let mut repo = Repo::with_tags(["ours", "theirs"].into_iter().map(str::to_owned).zip(before));
    repo.learn_ids();
    fs::write(repo.folder().join(".git/info/attributes"), ATTRIBUTES).expect("the folder is ours");
    let mut old: Vec<Listed> = ["ours", "theirs"].iter().map(|tag| listed(&repo, tag)).collect();
    let theirs = old[1].clone();
    old[0].retain(|path, _| theirs.contains_key(path));
    let mut stages = Vec::new();
    for (path, ours) in &old[0] {
        let base = *random.choice(&[Some(*ours), Some(theirs[path]), None]).expect("there are some");
        for (stage, entry) in [(1, base), (2, Some(*ours)), (3, Some(theirs[path]))] {
            if let Some((mode, id)) = entry {
                stages.extend_from_slice(format!("{mode:06o} {id} {stage}\t").as_bytes());
                stages.extend_from_slice(&[path.as_bytes(), b"\0"].concat());
            }
        }
    }
    repo.git(["update-index", "-z", "--index-info"], &stages);
    (repo, old)
}

/// Writes the outcomes into the working tree. A submodule is an empty folder.
fn worktree(repo: &Repo, outcome: &Tree) {
    let (folders, files): (Tree, Tree) = outcome.clone().into_iter().partition(|(_, (mode, _))| *mode == SUBMODULE);
    write_worktree(repo.folder(), &files);
    for path in folders.keys() {
        fs::create_dir_all(repo.folder().join(OsStr::from_bytes(path))).expect("folders can be made");
    }
}

fn unmerged_paths(seed: u64, cases: usize) -> usize {
    let mut random = Rng::with_seed(seed);
    let (before, after) = trees(&mut random, cases, 2);
    let (repo, old) = unmerged(&mut random, &before);
    worktree(&repo, &after);
    let first = repo.git(["ls-files", "-u", "-z"], b"");
    // git asks the lowest stage whether a folder may be a submodule.
    let first_is_submodule = |path: &BString| {
        let ending = [b"\t", path.as_bytes()].concat();
        let entry = first.split_str("\0").find(|line| line.ends_with(&ending)).expect("the path is unmerged");
        entry.starts_with(b"160000")
    };
    for (args, context, full) in ASKS {
        let mut actual = Vec::new();
        let length = |id: &ObjectId| repo.abbrev(id);
        let abbrev = if *full { Abbrev::Full } else { Abbrev::Unique(&length) };
        let nothing = id(&[b'0'; 40]);
        for (path, ours) in &old[0] {
            let (bytes, theirs) = (path.as_bstr(), old[1][path]);
            let parents = [Some(side(&before[0], bytes, *ours)), Some(side(&before[1], bytes, theirs))];
            let outcome = match after.get(path.as_bytes()) {
                None => Outcome::MissingInWorktree,
                Some((SUBMODULE, _)) if first_is_submodule(path) => {
                    Outcome::InWorktree(Side { path: bytes, mode: SUBMODULE, id: nothing, content: Content::Submodule })
                }
                Some((SUBMODULE, _)) => Outcome::FolderInWorktree,
                Some((mode, _)) => Outcome::InWorktree(side(&after, bytes, (*mode, nothing))),
            };
            let change = Combined::new(bytes, &parents, outcome).expect("there are two parents");
            let plain = Options { context: *context, abbrev, ..Options::default() };
            combined(&change, &options_for(path, plain), &mut actual).expect("no deadline is set");
        }
        let args: Vec<&str> = ["diff"].iter().chain(*args).copied().collect();
        compare(&repo.git(&args, b""), &actual, &format!("seed {seed}, git {args:?}"));
    }
    old[0].len()
}

fn compare(expected: &[u8], actual: &[u8], context: &str) {
    assert!(actual == expected, "{context}: {}", first_difference(expected, actual));
}

#[test]
fn merges_of_two() {
    let compared: usize = trial::seeds(0..2).map(|seed| merge_commit(seed, 800, 2)).sum();
    assert!(compared > 1000 || !trial::has_usual_seeds(), "{compared}");
}

#[test]
fn merges_of_three_and_four_and_many() {
    let compared: usize =
        [(10, 300, 3), (11, 200, 4), (12, 30, 31), (13, 30, 32), (14, 30, 33), (15, 30, MOST_PARENTS)]
            .into_iter()
            .map(|(seed, cases, parents)| merge_commit(seed, cases, parents))
            .sum();
    assert!(compared > 250, "{compared}");
}

#[test]
fn unmerged_paths_of_a_working_tree() {
    let compared: usize = trial::seeds(20..22).map(|seed| unmerged_paths(seed, 400)).sum();
    assert!(compared > 600 || !trial::has_usual_seeds(), "{compared}");
}

#[test]
fn a_combined_diff_has_some_parents_but_not_too_many() {
    for count in [0, 1, MOST_PARENTS + 1] {
        let parents = vec![None; count];
        let refused = Combined::new(b"x".as_bstr(), &parents, Outcome::Removed);
        assert_eq!(refused.err(), Some(ParentCount(count)));
    }
}
