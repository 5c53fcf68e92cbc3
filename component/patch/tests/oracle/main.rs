//! git is the oracle: both git and the crate print random and real trees.

mod blobs;
mod check;
mod combined;
mod combined_cases;
mod corpus;
mod difference;
mod driver_lines;
mod drivers;
mod git;
mod history;
mod kept;
mod merge_cases;
mod merge_tree;
mod merges;
mod renames;
mod rewriting;
mod summaries;
mod text;
mod three_trees;
mod tree;
mod tree_merges;
mod unusual;

use bstr::ByteSlice as _;
use check::{Ask, Form, Trees, check};
use fastrand::Rng;
use git::Repo;
use patch::{Abbrev, Options, rename};
use tree::{Shape, trees};

/// The diffs to compare for every pair of trees.
fn asks() -> Vec<Ask<'static>> {
    let plain = Options::default();
    let with_context = |context| Options { context, ..plain };
    let renames = Some(rename::Options::default());
    let ask = |args, form, options, renames| Ask { args, form, options, renames };
    vec![
        ask(&["-M"], Form::Patch, plain, renames),
        ask(&["-M", "-U0"], Form::Patch, with_context(0), renames),
        ask(&["--no-renames", "-U1"], Form::Patch, with_context(1), None),
        ask(&["-M", "-U10"], Form::Patch, with_context(10), renames),
        ask(&["-M", "-U2000000000"], Form::Patch, with_context(2_000_000_000), renames),
        ask(&["--no-renames", "--text"], Form::Patch, Options { text: true, ..plain }, None),
        ask(
            &["--no-renames", "--full-index", "--src-prefix=old dir/", "--dst-prefix=\"n\"/"],
            Form::Patch,
            Options { abbrev: Abbrev::Full, prefixes: (b"old dir/".as_bstr(), b"\"n\"/".as_bstr()), ..plain },
            None,
        ),
        ask(&["--stat", "-M"], Form::Stat(80), plain, renames),
        ask(&["--stat=40", "-M"], Form::Stat(40), plain, renames),
        ask(&["--stat=1", "--no-renames"], Form::Stat(1), plain, None),
        ask(&["-U0", "-s", "--stat=150", "--no-renames"], Form::Stat(150), with_context(0), None),
        ask(&["--stat", "-M", "--text"], Form::Stat(80), Options { text: true, ..plain }, renames),
        ask(&["--shortstat", "-M"], Form::Shortstat, plain, renames),
        ask(&["--shortstat", "--summary", "-M"], Form::Summary, plain, renames),
        ask(&["--summary", "--shortstat", "--no-renames"], Form::Summary, plain, None),
        ask(&["--name-only", "-M"], Form::NameOnly, plain, renames),
        ask(
            &["-M80%"],
            Form::Patch,
            plain,
            Some(rename::Options { minimum_score: 48_000, ..rename::Options::default() }),
        ),
        ask(
            &["-M100%"],
            Form::Patch,
            plain,
            Some(rename::Options { minimum_score: rename::MAX_SCORE, ..rename::Options::default() }),
        ),
        ask(&["-M", "-l3"], Form::Patch, plain, Some(rename::Options { limit: 3, ..rename::Options::default() })),
    ]
}

/// Compares all diffs for `rounds` pairs of random trees. Returns the number of changes compared.
fn rounds(shape: Shape, usual: std::ops::Range<u64>) -> usize {
    let asks = asks();
    let mut compared = 0;
    for seed in trial::seeds(usual) {
        let (before, after) = trees(&mut Rng::with_seed(seed), shape);
        let repo = Repo::with_trees(&before, &after);
        let trees = Trees { before: &before, after: &after };
        for ask in &asks {
            let context = format!("seed {seed} of {shape:?}");
            compared += check(&repo, &trees, &["before", "after"], ask, &context);
        }
    }
    compared
}

#[test]
fn many_small_files() {
    let shape = Shape { files: 60, most_lines: 40, odd: 4, texts: 12 };
    assert!(rounds(shape, 0..12) > 2000 || !trial::has_usual_seeds());
}

#[test]
fn files_that_resemble_each_other() {
    let shape = Shape { files: 80, most_lines: 30, odd: 40, texts: 2 };
    assert!(rounds(shape, 100..108) > 2000 || !trial::has_usual_seeds());
}

#[test]
fn nothing_but_odd_files() {
    let shape = Shape { files: 40, most_lines: 10, odd: 1, texts: 1 };
    assert!(rounds(shape, 200..206) > 500 || !trial::has_usual_seeds());
}

#[test]
fn few_large_files() {
    let shape = Shape { files: 12, most_lines: 3000, odd: 50, texts: 3 };
    assert!(rounds(shape, 300..306) > 500 || !trial::has_usual_seeds());
}

#[test]
fn one_file_or_none() {
    let shape = Shape { files: 1, most_lines: 12, odd: 6, texts: 1 };
    assert!(rounds(shape, 400..412) > 50 || !trial::has_usual_seeds());
}

#[test]
fn real_texts() {
    let (before, after) = corpus::trees();
    let repo = Repo::with_trees(&before, &after);
    let trees = Trees { before: &before, after: &after };
    for ask in &asks() {
        let compared = check(&repo, &trees, &["before", "after"], ask, "real texts");
        assert!(compared > 20);
    }
}
