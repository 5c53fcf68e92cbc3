//! The lines below a new commit: how much changed, and the changed paths.

use std::collections::BTreeSet;

use bstr::ByteSlice as _;
use fastrand::Rng;
use patch::{ObjectId, Options, rename};

use crate::blobs::{Blobs, Listed, tree_id};
use crate::check::{Ask, Form, Trees, first_difference, printed};
use crate::git::{RawChange, Repo};
use crate::rewriting::steps;
use crate::tree::Tree;

/// A chain of small trees. Each derives from the previous one, and the first is empty.
pub fn chain(seed: u64, length: usize) -> Vec<Tree> {
    let most_files = if seed % 4 == 3 { 30 } else { 8 };
    let mut random = Rng::with_seed(seed);
    let mut trees = vec![Tree::new()];
    for _ in 0..length {
        let mut next = trees.last().expect("there is the first").clone();
        steps(&mut random, most_files, &mut next);
        trees.push(next);
    }
    trees
}

/// The paths at which two trees differ, in order.
pub fn raw(before: &Listed, after: &Listed) -> Vec<RawChange> {
    let paths: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let nothing = ObjectId::null(gix_hash::Kind::Sha1);
    let differ = paths.into_iter().filter(|path| before.get(*path) != after.get(*path));
    let change = |path: &bstr::BString| {
        let (old, new) = (before.get(path), after.get(path));
        let status = match (old, new) {
            (None, _) => b'A',
            (_, None) => b'D',
            _ => b'M',
        };
        let version = |entry: Option<&patch::tree_merge::Entry>| entry.map_or((0, nothing), |it| (it.mode, it.id));
        RawChange { status, old: version(old), new: version(new), path: path.clone() }
    };
    differ.map(change).collect()
}

/// The output of `git diff-tree` with `args` for each pair of neighbours in a chain of trees, and the listed chain.
pub fn by_git(trees: &[Tree], args: &[&str]) -> (Vec<Vec<u8>>, Vec<Listed>) {
    let repo = Repo::with_tags(trees.iter().enumerate().map(|(number, tree)| (number.to_string(), tree)));
    let mut blobs = Blobs::default();
    let listed: Vec<Listed> = trees.iter().map(|tree| blobs.add(tree)).collect();
    let ids: Vec<_> = listed.iter().map(tree_id).collect();
    let heads: Vec<String> = ids.windows(2).map(|pair| format!("{} {}\n", pair[0], pair[1])).collect();
    let args: Vec<&str> = ["diff-tree", "--stdin", "-r"].iter().chain(args).copied().collect();
    let said = repo.git(&args, heads.concat().as_bytes());
    let mut rest = said.as_slice();
    let mut answers = Vec::new();
    for (at, head) in heads.iter().enumerate() {
        rest = rest.strip_prefix(head.as_bytes()).expect("git answers in order");
        let end = heads.get(at + 1).and_then(|next| rest.find(next)).unwrap_or(rest.len());
        answers.push(rest[..end].to_vec());
        rest = &rest[end..];
    }
    (answers, listed)
}

fn ask() -> Ask<'static> {
    let renames = Some(rename::Options::default());
    Ask { args: &["-M", "--shortstat", "--summary"], form: Form::Summary, options: Options::default(), renames }
}

#[test]
fn trees_whose_contents_move_about() {
    let ask = ask();
    for seed in trial::seeds(0..4) {
        let trees = chain(seed, 300);
        let (answers, listed) = by_git(&trees, ask.args);
        for (at, expected) in answers.iter().enumerate() {
            let ends = Trees { before: &trees[at], after: &trees[at + 1] };
            let actual = printed(&raw(&listed[at], &listed[at + 1]), &ends, &ask);
            assert!(actual == *expected, "seed {seed}, tree {at}: {}", first_difference(expected, &actual));
        }
    }
}

#[test]
fn git_commit_says_the_same() {
    let ask = ask();
    let trees = chain(7000, 80);
    let repo = Repo::with_tags(trees.iter().enumerate().map(|(number, tree)| (number.to_string(), tree)));
    let mut blobs = Blobs::default();
    let listed: Vec<Listed> = trees.iter().map(|tree| blobs.add(tree)).collect();
    let (broken, _) = by_git(&trees, &["-M", "-B", "--shortstat", "--summary"]);
    let (mut changed, mut unbroken) = (0, 0);
    for at in 0..trees.len() - 1 {
        repo.git(["read-tree", &(at + 1).to_string()], b"");
        let settings = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "maintenance.auto=false"];
        let said = repo.git(settings.iter().chain(&["commit", "--allow-empty", "--message=x"]), b"");
        let (_, expected) = said.split_once_str("\n").expect("the first line names the commit");
        let ends = Trees { before: &trees[at], after: &trees[at + 1] };
        let actual = printed(&raw(&listed[at], &listed[at + 1]), &ends, &ask);
        assert!(actual == expected, "tree {at}: {}", first_difference(expected, &actual));
        changed += usize::from(!expected.is_empty());
        unbroken += usize::from(broken[at] != expected);
    }
    assert!(changed > 60);
    // `git diff-tree` does not look for rewritten files, or the output would show them.
    assert!(unbroken > 10, "{unbroken}");
}
