//! Repository states that two trees cannot produce: a working tree, an index with conflicts.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use bstr::ByteSlice as _;
use patch::quote::quote_status_path;
use patch::{DiffAttribute, Options, rename};

use crate::check::{Ask, Form, Trees, check, check_raw};
use crate::git::Repo;
use crate::tree::{EXECUTABLE, SUBMODULE, SYMLINK, Shape, Tree, trees};
use fastrand::Rng;

fn ask(args: &'static [&'static str], form: Form, renames: bool) -> Ask<'static> {
    Ask { args, form, options: Options::default(), renames: renames.then(rename::Options::default) }
}

/// Writes the tree's files as a checkout would.
pub fn write_worktree(folder: &Path, tree: &Tree) {
    for (path, (mode, content)) in tree {
        let path = folder.join(std::ffi::OsStr::from_bytes(path));
        fs::create_dir_all(path.parent().expect("below the folder")).expect("folders can be made");
        if *mode == SYMLINK {
            symlink(std::ffi::OsStr::from_bytes(content), &path).expect("a symlink can be made");
            continue;
        }
        fs::write(&path, content).expect("a file can be written");
        if *mode == EXECUTABLE {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
        }
    }
}

#[test]
fn a_staged_worktree_against_a_commit() {
    for seed in trial::seeds(500..506) {
        let shape = Shape { files: 40, most_lines: 30, odd: 4, texts: 6 };
        let (before, mut after) = trees(&mut Rng::with_seed(seed), shape);
        after.retain(|_, (mode, _)| *mode != SUBMODULE);
        let repo = Repo::with_trees(&before, &after);
        write_worktree(repo.folder(), &after);
        repo.git(["add", "-A"], b"");
        let trees = Trees { before: &before, after: &after };
        let ends = ["--cached", "before"];
        for ask in [
            ask(&["-M"], Form::Patch, true),
            ask(&["--stat", "-M"], Form::Stat(80), true),
            ask(&["--name-only", "--no-renames"], Form::NameOnly, false),
        ] {
            check(&repo, &trees, &ends, &ask, &format!("seed {seed}"));
        }
    }
}

#[test]
fn unmerged_paths_have_a_line_of_their_own() {
    let repo = Repo::empty();
    let blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    repo.git(["hash-object", "-w", "--stdin"], b"");
    let stages: String = ["a b", "conflict", "x\ty"]
        .iter()
        .flat_map(|path| (1..4).map(move |stage| format!("100644 {blob} {stage}\t{path}\0")))
        .collect();
    repo.git(["update-index", "-z", "--index-info"], stages.as_bytes());
    let nothing = Tree::new();
    let trees = Trees { before: &nothing, after: &nothing };
    for ask in [
        ask(&[], Form::Patch, false),
        ask(&["--stat"], Form::Stat(80), false),
        ask(&["--shortstat"], Form::Shortstat, false),
        ask(&["--name-only"], Form::NameOnly, false),
    ] {
        let empty_tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        assert_eq!(check(&repo, &trees, &["--cached", empty_tree], &ask, "unmerged"), 3);
    }
}

#[test]
fn the_diff_attribute_says_what_is_text() {
    let shape = Shape { files: 40, most_lines: 20, odd: 2, texts: 4 };
    let (before, after) = trees(&mut Rng::with_seed(600), shape);
    let repo = Repo::with_trees(&before, &after);
    let trees = Trees { before: &before, after: &after };
    for (line, attribute) in [("* diff", DiffAttribute::Set), ("* -diff", DiffAttribute::Unset)] {
        fs::write(repo.folder().join(".git/info/attributes"), line).expect("the folder is ours");
        for mut ask in [
            ask(&["--no-renames"], Form::Patch, false),
            ask(&["--no-renames", "--stat"], Form::Stat(80), false),
            Ask {
                options: Options { text: true, ..Options::default() },
                ..ask(&["--no-renames", "--text"], Form::Patch, false)
            },
        ] {
            ask.options.attribute = attribute;
            check(&repo, &trees, &["before", "after"], &ask, line);
        }
    }
}

#[test]
fn a_worktree_against_the_index() {
    for seed in trial::seeds(700..704) {
        let shape = Shape { files: 60, most_lines: 30, odd: 4, texts: 6 };
        let (mut before, mut after) = trees(&mut Rng::with_seed(seed), shape);
        before.retain(|_, (mode, _)| *mode != SUBMODULE);
        after.retain(|_, (mode, _)| *mode != SUBMODULE);
        let repo = Repo::with_trees(&before, &after);
        repo.git(["read-tree", "before"], b"");
        write_worktree(repo.folder(), &after);
        // git lists zeros for files it has not read yet. The tag knows their ids.
        let committed = repo.raw(&["before", "after"]);
        let mut raw = repo.raw(&[]);
        for change in raw.iter_mut().filter(|change| change.status != b'D') {
            let known = committed.iter().find(|other| other.path == change.path);
            change.new = known.expect("the worktree holds what the tag holds").new;
        }
        let trees = Trees { before: &before, after: &after };
        let context = format!("seed {seed}");
        for ask in [ask(&[], Form::Patch, false), ask(&["--stat"], Form::Stat(80), false)] {
            assert!(check_raw(&repo, &raw, &trees, &[], &ask, &context) > 20);
        }
    }
}

#[test]
fn status_quotes_names_of_untracked_files_with_spaces() {
    let shape = Shape { files: 60, most_lines: 2, odd: 9, texts: 1 };
    let (_, mut tree) = trees(&mut Rng::with_seed(800), shape);
    tree.retain(|_, (mode, _)| *mode != SUBMODULE);
    let repo = Repo::empty();
    write_worktree(repo.folder(), &tree);
    let expected = repo.git(["status", "--porcelain", "--untracked-files=all"], b"");
    let lines = tree.keys().map(|path| {
        let quoted = quote_status_path(path.as_bstr());
        [&b"?? "[..], &quoted, b"\n"].concat()
    });
    assert_eq!(lines.collect::<Vec<_>>().concat().as_bstr(), expected.as_bstr());
}
