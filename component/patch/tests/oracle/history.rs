//! Repeats the merges of a whole history.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout};

use bstr::{BStr, ByteSlice};
use fastrand::Rng;
use patch::merge::Labels;
use patch::tree_merge::{Driver, Merged, Objects, Options, merge};
use patch::{Interrupted, ObjectId};

use crate::blobs::{Blobs, Sorted, as_answer, changes, edited, hashed};
use crate::difference::{listed_in, show};
use crate::git::{Repo, commit_with_parents};
use crate::merge_tree::{At, merge_trees};
use crate::three_trees::{Shape, three_trees};
use crate::tree::Tree;

/// Reads the blobs of a repository through one git process.
struct Stored {
    git: Child,
    asked: ChildStdin,
    answers: BufReader<ChildStdout>,
    written: BTreeMap<ObjectId, Vec<u8>>,
}

impl Stored {
    fn of(at: &At<'_>) -> Self {
        let mut git = at.git().args(["cat-file", "--batch"]).spawn().expect("git is installed");
        let asked = git.stdin.take().expect("it is piped");
        let answers = BufReader::new(git.stdout.take().expect("it is piped"));
        Self { git, asked, answers, written: BTreeMap::new() }
    }

    fn end(self) {
        let Self { mut git, asked, .. } = self;
        drop(asked);
        git.wait().expect("git ends");
    }
}

impl Objects for Stored {
    type Error = Interrupted;

    fn blob(&mut self, _: &BStr, id: &ObjectId) -> Result<Option<Vec<u8>>, Interrupted> {
        if let Some(content) = self.written.get(id) {
            return Ok(Some(content.clone()));
        }
        writeln!(self.asked, "{id}").expect("git reads");
        let mut head = String::new();
        self.answers.read_line(&mut head).expect("git answers");
        let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        let mut content = vec![0; size.expect("the object is there") + 1];
        self.answers.read_exact(&mut content).expect("git answers");
        content.pop();
        Ok(Some(content))
    }

    fn write(&mut self, content: &[u8]) -> Result<ObjectId, Interrupted> {
        let id = hashed("blob", content);
        self.written.insert(id, content.to_vec());
        Ok(id)
    }

    fn driver(&mut self, _: &BStr) -> Result<Driver, Interrupted> {
        Ok(Driver::default())
    }
}

/// Repeats all merges of a history, each with its first merge base, and merges random pairs of commits. Returns the number of merges, and
/// how many of them conflict.
fn compare(folder: &Path, picked: usize) -> (usize, usize) {
    // Without the files of a working tree, no attributes apply.
    let empty = tempfile::tempdir().expect("a temporary folder can be made");
    let at = At { folder: empty.path(), repository: Some(folder) };
    let merges = at.run(&["rev-list", "--all", "--merges", "--parents"]);
    let mut asked = Vec::new();
    for line in ByteSlice::lines(&*merges) {
        let ids: Vec<&str> = line.to_str().expect("ids are hex").split(' ').collect();
        let [_, ours, theirs] = ids[..] else { continue };
        let bases = at.run(&["merge-base", "--all", ours, theirs]);
        if let Some(base) = ByteSlice::lines(&*bases).next() {
            asked.push([base.to_str_lossy().into_owned(), ours.to_owned(), theirs.to_owned()]);
        }
    }
    let commits = at.run(&["rev-list", "--all"]);
    let commits: Vec<String> = ByteSlice::lines(&*commits).map(|line| line.to_str_lossy().into_owned()).collect();
    let mut random = Rng::with_seed(5);
    asked.extend((0..picked).map(|_| [(); 3].map(|()| random.choice(&commits).expect("there is one").clone())));
    let answers = merge_trees(&at, &[], &asked);
    let mut objects = Stored::of(&at);
    let (mut unclean, mut wrong) = (0, Vec::new());
    for (names, answer) in asked.iter().zip(answers) {
        let [base, ours, theirs] = names.each_ref().map(|name| listed_in(&at, name));
        let [base_label, our_label, their_label] = names.each_ref().map(|name| name.as_bytes());
        let labels = Labels { ours: our_label, base: base_label, theirs: their_label };
        let options = Options { labels, ..Options::default() };
        let merged =
            merge(&Sorted::of(&base), &changes(&base, &ours), &changes(&base, &theirs), &mut objects, &options);
        let Merged::Done(outcome) = merged.expect("nothing interrupts it") else { panic!("everything is here") };
        let (here, tree) = (as_answer(&outcome, &ours), edited(&ours, &outcome));
        let Some(answer) = answer else {
            println!("git fails at {names:?}");
            continue;
        };
        unclean += usize::from(!answer.is_clean);
        if here != answer {
            println!("{names:?} differs");
            let blobs = Blobs { known: objects.written.clone(), ..Blobs::default() };
            show(&at, [&base, &ours, &theirs], &blobs, (&here, &tree), &answer);
            wrong.push(names);
        }
        objects.written.clear();
    }
    objects.end();
    println!("{} merges, {unclean} not clean", asked.len());
    assert!(wrong.is_empty(), "{} differ: {wrong:?}", wrong.len());
    (asked.len(), unclean)
}

/// A history of branches that merge again and again, each time with a random side's tree.
fn generated(merges: usize) -> Repo {
    let mut random = Rng::with_seed(77);
    let shape = Shape { files: 60, most_steps: 5, odd: 20, texts: 12, most_lines: 40, depth: 3 };
    let mut heads: Vec<(usize, Tree)> = vec![(1, three_trees(&mut random, shape)[0].clone())];
    let mut stream = Vec::new();
    commit_with_parents(&mut stream, "refs/heads/main", 1, &[], &heads[0].1);
    let mut mark = 1;
    for _ in 0..merges {
        let (at, tree) = random.choice(&heads).expect("there is one").clone();
        let mut sides = Vec::new();
        for _ in 0..2 {
            mark += 1;
            let mut side = tree.clone();
            crate::three_trees::steps(&mut random, shape, &mut side);
            commit_with_parents(&mut stream, "refs/heads/main", mark, &[at], &side);
            sides.push((mark, side));
        }
        mark += 1;
        let merged = sides[0].1.clone();
        commit_with_parents(&mut stream, "refs/heads/main", mark, &[sides[0].0, sides[1].0], &merged);
        heads = vec![(mark, merged), sides.swap_remove(1)];
    }
    let repo = Repo::empty();
    repo.git(["fast-import", "--quiet", "--force"], &stream);
    repo
}

#[test]
fn the_merges_of_a_generated_history() {
    let repo = generated(120);
    let (merges, unclean) = compare(&repo.folder().join(".git"), 60);
    assert!(merges >= 60, "{merges}");
    assert!(unclean > 10, "{unclean}");
}

/// Checks your own history: set `GITGATE_TEST_HISTORY` to the path of its repository.
#[test]
fn the_merges_of_a_history_of_ones_own() {
    let Some(path) = std::env::var_os("GITGATE_TEST_HISTORY").map(PathBuf::from) else {
        println!("skipped: GITGATE_TEST_HISTORY is not set");
        return;
    };
    let at = At { folder: &path, repository: None };
    let found = at.run(&["rev-parse", "--path-format=absolute", "--git-common-dir"]);
    compare(Path::new(found.to_str().expect("its path is UTF-8").trim_end()), 500);
}
