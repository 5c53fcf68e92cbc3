//! Rare merges, one for each decision that random trees may miss.

use fastrand::Rng;
use patch::merge::Labels;
use patch::tree_merge::{Merged, Options, Outcome, merge};

use crate::blobs::{Blobs, Listed, Sorted, as_answer, changes, edited};
use crate::difference::show;
use crate::git::Repo;
use crate::kept::{assert_is_tree, is_kept};
use crate::merge_tree::{Answer, At, merge_trees};
use crate::tree::{EXECUTABLE, FILE, SUBMODULE, SYMLINK, Tree};

/// A path and its entry: `link:`, `commit:`, `run:` or a text. `name*20-3` is twenty lines, the last three of them unusual.
type Files<'a> = &'a [(&'a str, &'a str)];

fn tree(files: Files<'_>) -> Tree {
    let entry = |text: &str| match text.split_once(':') {
        Some(("link", to)) => (SYMLINK, to.as_bytes().to_vec()),
        Some(("commit", digit)) => (SUBMODULE, digit.repeat(40).into_bytes()),
        Some(("run", text)) => (EXECUTABLE, lines(text)),
        _ => (FILE, lines(text)),
    };
    files.iter().map(|(path, text)| (path.as_bytes().to_vec(), entry(text))).collect()
}

fn lines(text: &str) -> Vec<u8> {
    let Some((name, counts)) = text.split_once('*') else {
        return format!("{text}\n").into_bytes();
    };
    let (count, others) = counts.split_once('-').unwrap_or((counts, "0"));
    let [count, others] = [count, others].map(|number| number.parse::<usize>().expect("a number"));
    let line = |at: usize| format!("{name} line {at}{}\n", if at + others >= count { " other" } else { "" });
    (0..count).map(line).collect::<String>().into_bytes()
}

struct Case {
    outcome: Outcome,
    tree: Listed,
    here: Answer,
    git: Option<Answer>,
    ids: Blobs,
}

impl Case {
    fn of(base: Files<'_>, ours: Files<'_>, theirs: Files<'_>) -> Self {
        let trees = [base, ours, theirs].map(tree);
        let names = ["base", "ours", "theirs"].map(str::to_owned);
        let repo = Repo::with_tags(names.clone().into_iter().zip(&trees));
        let at = At::repo(&repo);
        let git = merge_trees(&at, &[], &[names]).pop().expect("there is one");
        let mut ids = Blobs::default();
        let [base, ours, theirs] = trees.each_ref().map(|tree| ids.add(tree));
        let labels = Labels { ours: b"ours", base: b"base", theirs: b"theirs" };
        let options = Options { labels, ..Options::default() };
        let merged = merge(&Sorted::of(&base), &changes(&base, &ours), &changes(&base, &theirs), &mut ids, &options);
        let Merged::Done(outcome) = merged.expect("nothing interrupts it") else { panic!("everything is here") };
        let (here, tree) = (as_answer(&outcome, &ours), edited(&ours, &outcome));
        let three = [&base, &ours, &theirs];
        assert_is_tree(&tree, "a case");
        assert!(is_kept(three, &here, &tree), "something is lost");
        if let Some(git) = git.as_ref().filter(|git| **git != here) {
            show(&at, three, &ids, (&here, &tree), git);
        }
        Self { outcome, tree, here, git, ids }
    }

    /// Checks that the merge equals git's, and has a message with these words, if any are given.
    fn is_as_git(&self, words: &str) {
        assert_eq!(Some(&self.here), self.git.as_ref());
        self.says(words);
    }

    /// Checks that git fails or loses something.
    fn is_not_as_git(&self) {
        assert_ne!(Some(&self.here), self.git.as_ref());
    }

    fn says(&self, words: &str) {
        let texts: Vec<String> = self.outcome.messages.iter().map(|message| message.text.to_string()).collect();
        assert!(words.is_empty() || texts.iter().any(|text| text.contains(words)), "{words} in {texts:#?}");
    }

    /// The entry at a path.
    fn has(&self, path: &str, text: &str) {
        let entry = self.tree.get(path.as_bytes()).unwrap_or_else(|| panic!("{path} is in {:?}", self.tree.keys()));
        let content = self.ids.known.get(&entry.id).map(|content| content.as_slice());
        assert_eq!(content, Some(&tree(&[("", text)])[&b""[..]].1[..]), "{path}");
    }
}

/// A file's name occurs often. Its folder tells where it went, although another file is more similar.
#[test]
fn a_file_goes_where_its_folder_went() {
    let base: Files<'_> = &[("old/x", "x*9"), ("old/Makefile", "m*20"), ("other/Makefile", "o*20"), ("z", "z")];
    let ours: Files<'_> = &[
        ("new/x", "x*9"),
        ("new/Makefile", "m*20-2"),
        ("other/Makefile", "o*20"),
        ("other/s/Makefile", "m*20-1"),
        ("z", "z"),
    ];
    let theirs: Files<'_> =
        &[("old/x", "x*9"), ("old/Makefile", "run:m*20"), ("other/Makefile", "o*20"), ("z", "zz"), ("old/n", "n")];
    Case::of(base, ours, theirs).is_as_git("old/n added in theirs inside a directory that was renamed in ours");
}

/// Once enough files of a folder went somewhere, the others are no candidates any more.
#[test]
fn what_would_only_tell_where_a_folder_went_is_left_out() {
    let known = [("1", "one*9"), ("2", "two*9"), ("3", "three*9"), ("4", "four*9")];
    let at = |folder: &'static str| known.map(|(name, text)| (format!("{folder}/{name}"), text));
    let (old, new) = (at("old"), at("new"));
    let with = |files: &[(String, &'static str)], more: Files<'static>| -> Vec<(String, &'static str)> {
        files.iter().cloned().chain(more.iter().map(|(path, text)| ((*path).to_owned(), *text))).collect()
    };
    let base = with(&old, &[("old/p", "q*20"), ("s", "q*20-5")]);
    let ours = with(&new, &[("q", "q*20-1")]);
    let theirs = with(&old, &[("old/p", "q*20"), ("s", "run:q*20-5"), ("old/n", "n")]);
    let [base, ours, theirs] = [&base, &ours, &theirs]
        .map(|files| files.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>());
    Case::of(&base, &ours, &theirs).is_as_git("suggesting it should perhaps be moved to new/n");
}

/// Each side moves a folder, and one of them moves its folder to the old place of the other.
#[test]
fn what_another_file_would_come_to_stays_where_it_is() {
    let base: Files<'_> = &[("x/a", "a*9"), ("x/b", "b*9"), ("two/o", "o*9")];
    let ours: Files<'_> = &[("x/a", "a*9"), ("x/b", "b*9"), ("x/o", "o*9"), ("x/n", "ours"), ("x/m", "m")];
    let theirs: Files<'_> = &[("y/a", "a*9"), ("y/b", "b*9"), ("two/o", "o*9"), ("two/n", "theirs")];
    Case::of(base, ours, theirs).is_as_git("Avoiding applying two -> x rename to two/n, because x itself was renamed");
}

#[test]
fn a_folder_that_both_sides_moved_takes_nothing_along() {
    let base: Files<'_> = &[("old/1", "one*9"), ("old/2", "two*9"), ("old/3", "three*9")];
    let ours: Files<'_> = &[("a/1", "one*9"), ("a/2", "two*9"), ("old/ours", "n"), ("a/3", "three*9")];
    let theirs: Files<'_> = &[("b/1", "one*9"), ("b/2", "two*9"), ("b/3", "three*9"), ("old/theirs", "m")];
    Case::of(base, ours, theirs).is_as_git("old/1 renamed to a/1 in ours and to b/1 in theirs");
}

#[test]
fn a_name_that_is_taken_gets_a_number() {
    let base: Files<'_> = &[("f", "f"), ("d~theirs", "1")];
    let ours: Files<'_> = &[("f", "f"), ("d/x", "x"), ("d~theirs", "1")];
    let theirs: Files<'_> = &[("f", "f"), ("d", "d"), ("d~theirs", "1")];
    Case::of(base, ours, theirs).is_as_git("moving it to d~theirs_0 instead");
    let more = |files: Files<'static>| [files, &[("d~theirs_0", "2")]].concat();
    let [base, ours, theirs] = [base, ours, theirs].map(more);
    Case::of(&base, &ours, &theirs).is_as_git("moving it to d~theirs_1 instead");
}

/// Two lines that occur 60 to 68 times each: at 64 git changes its algorithm.
#[test]
fn lines_that_stand_often_are_compared_as_git_does() {
    let mut random = Rng::with_seed(64);
    let mut three = [Vec::new(), Vec::new(), Vec::new()];
    for number in 0..270 {
        let count = 60 + number % 9;
        let mut base = ["one", "two"].repeat(count);
        random.shuffle(&mut base);
        let mut side = || {
            let mut side = base.clone();
            for _ in 0..1 + random.usize(..4) {
                let at = random.usize(..side.len() - 9);
                side.splice(at..at + random.usize(..9), vec!["other"; random.usize(..3)]);
            }
            side
        };
        let (ours, theirs) = (side(), side());
        for (files, text) in three.iter_mut().zip([base, ours, theirs]) {
            files.push((format!("{number}"), text.join("\n")));
        }
    }
    let [base, ours, theirs] =
        three.each_ref().map(|files| files.iter().map(|(path, text)| (&**path, &**text)).collect());
    let [base, ours, theirs]: [Vec<(&str, &str)>; 3] = [base, ours, theirs];
    Case::of(&base, &ours, &theirs).is_as_git("Merge conflict in ");
}

/// The walk has no reason to enter `to/sub`, but a file moves there with its folder.
#[test]
fn a_folder_that_was_not_looked_into_keeps_what_it_has() {
    let base: Files<'_> = &[("from/a", "a*9"), ("from/b", "b*9"), ("to/sub/x", "x"), ("to/sub/y", "y"), ("to/c", "c")];
    let ours: Files<'_> = &[("to/a", "a*9"), ("to/b", "b*9"), ("to/sub/x", "x"), ("to/sub/y", "y"), ("to/c", "c")];
    let theirs: Files<'_> = &[
        ("from/a", "a*9"),
        ("from/b", "b*9"),
        ("from/d", "d"),
        ("from/sub/x", "other x"),
        ("from/sub/n", "n"),
        ("to/sub/x", "x"),
        ("to/sub/y", "y"),
        ("to/c", "c"),
    ];
    let case = Case::of(base, ours, theirs);
    case.is_not_as_git();
    for (path, text) in
        [("to/sub/x", "x"), ("to/sub/y", "y"), ("to/sub/n", "n"), ("from/sub/x", "other x"), ("to/d", "d")]
    {
        case.has(path, text);
    }
    case.says("Existing file/dir at to/sub/x in the way of implicit directory rename(s)");
}

/// One side alone turned a file into a folder: the merge takes it unchanged.
#[test]
fn nothing_goes_into_a_folder_that_was_a_file() {
    let base: Files<'_> = &[("from/a", "a*9"), ("from/b", "b*9"), ("to/s", "s"), ("to/c", "c")];
    let ours: Files<'_> = &[("to/a", "a*9"), ("to/b", "b*9"), ("to/s", "s"), ("to/c", "c")];
    let theirs: Files<'_> =
        &[("from/a", "a*9"), ("from/b", "b*9"), ("from/n", "n"), ("from/s/n", "n"), ("to/s/x", "x"), ("to/c", "c")];
    let case = Case::of(base, ours, theirs);
    case.is_not_as_git();
    case.has("to/s/x", "x");
    case.has("from/s/n", "n");
    case.says("Existing file/dir at to/s/n in the way");
}

/// A folder on one side, a file on the other, and new files that move with the folder above.
#[test]
fn a_file_in_the_place_of_a_folder_makes_room() {
    let base: Files<'_> = &[("old/1", "one*9"), ("old/2", "two*9"), ("old/f", "f*9")];
    let ours: Files<'_> = &[("new/1", "one*9"), ("new/2", "two*9"), ("new/f", "f*9-2")];
    let theirs: Files<'_> = &[("old/1", "one*9"), ("old/2", "two*9"), ("old/f/deep", "d"), ("old/n", "n")];
    let case = Case::of(base, ours, theirs);
    case.is_not_as_git();
    case.has("new/f/deep", "d");
    case.has("new/f~ours", "f*9-2");
    case.says("directory in the way of new/f from ours; moving it to new/f~ours instead");
}

/// One side moves a file out of a folder, and the folder's own move takes the file back.
#[test]
fn a_file_that_comes_back_stays() {
    let base: Files<'_> = &[("f", "f*9"), ("sub/g", "g*9"), ("sub/h", "h*9")];
    let ours: Files<'_> = &[("f", "f*9-1"), ("g", "g*9"), ("h", "h*9")];
    let theirs: Files<'_> = &[("sub/f", "run:f*9"), ("sub/g", "g*9"), ("sub/h", "h*9")];
    let case = Case::of(base, ours, theirs);
    case.is_not_as_git();
    case.has("f", "f*9-1");
    assert_eq!(case.outcome.conflicts[b"f".as_slice()].map(|stage| stage.is_some()), [true; 3]);
}

/// A file moves with its folder to the path of another one, which its side moved elsewhere.
#[test]
fn a_file_that_comes_to_where_another_one_left_stays() {
    let base: Files<'_> =
        &[("new/k", "k"), ("new/x", "x*9"), ("old/1", "one*9"), ("old/2", "two*9"), ("old/3", "three*9")];
    let ours: Files<'_> = &[("new/k", "k"), ("new/1", "one*9"), ("new/2", "two*9"), ("new/3", "three*9")];
    let theirs: Files<'_> = &[
        ("new/k", "k"),
        ("away", "x*9"),
        ("old/1", "one*9"),
        ("old/2", "two*9"),
        ("old/3", "three*9"),
        ("old/x", "another x"),
    ];
    let case = Case::of(base, ours, theirs);
    case.is_not_as_git();
    case.has("new/x", "another x");
    case.has("away", "x*9");
    case.says("x renamed to away in theirs, but deleted in ours");
}

/// git takes the two entries at the new path for versions of one file, and fails.
#[test]
fn a_link_that_became_a_submodule_collides() {
    let base: Files<'_> = &[("l", "link:to"), ("z", "z")];
    let ours: Files<'_> = &[("new", "link:to"), ("z", "z")];
    let theirs: Files<'_> = &[("l", "commit:1"), ("new", "text"), ("z", "z")];
    let case = Case::of(base, ours, theirs);
    assert_eq!(case.git, None);
    assert_eq!(case.tree[b"l".as_slice()].mode, SUBMODULE);
    case.has("new", "link:to");
    case.has("new~theirs", "text");
}

/// One side moved a file. The other side changed it, and has a copy of the old content at the new path.
#[test]
fn a_change_is_not_dropped_for_a_copy() {
    let base: Files<'_> = &[("f", "f*9"), ("z", "z")];
    let ours: Files<'_> = &[("f", "f*9-2"), ("copy", "f*9"), ("z", "z")];
    let theirs: Files<'_> = &[("copy", "f*9"), ("z", "z")];
    let case = Case::of(base, ours, theirs);
    case.is_not_as_git();
    case.has("copy", "f*9-2");
    assert!(case.outcome.is_clean);
    // With the sides swapped, git agrees.
    Case::of(base, theirs, ours).is_as_git("");
}

/// As before, but the content that both sides have there changed as well.
#[test]
fn what_comes_of_a_copy_is_clean_only_if_it_is() {
    let base: Files<'_> = &[("f", "f*9"), ("z", "z")];
    let ours: Files<'_> = &[("copy", "f*9-1"), ("z", "z")];
    let theirs: Files<'_> = &[("f", "f*8"), ("copy", "f*9-1"), ("z", "z")];
    for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
        let case = Case::of(base, ours, theirs);
        case.is_not_as_git();
        assert_eq!(case.outcome.conflicts.keys().collect::<Vec<_>>(), ["copy"]);
        case.says("rename of f -> copy has content conflicts AND collides with another path");
    }
}
