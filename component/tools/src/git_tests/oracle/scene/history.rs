//! A history that is planned first, and then created by one `git fast-import`.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

use super::words::{self, pick};

/// A blob, link or submodule: its mode, and its content or its commit's id.
pub type File = (u32, Vec<u8>);
pub type Tree = BTreeMap<String, File>;

/// The commit of submodules. It does not exist.
pub const SUBMODULE_AT: &str = "0e6bd5fcca6bdc4a4d2d4d2b94e8e9f3bb0a6b4c";

/// Planned commits, branches and tags.
pub struct History {
    /// The tree of each commit.
    pub commits: Vec<Tree>,
    /// The newest commit of each branch. The current branch may have none.
    pub branches: BTreeMap<String, usize>,
    pub current: String,
    stream: Vec<u8>,
    /// The number of annotated tags. Their marks follow those of commits.
    annotated: usize,
    tags: BTreeSet<String>,
    tail: Vec<u8>,
}

/// The first mark of a tag.
const TAG_MARKS: usize = 1_000_000;

impl Default for History {
    fn default() -> History {
        History {
            commits: Vec::new(),
            branches: BTreeMap::new(),
            current: "main".to_owned(),
            stream: Vec::new(),
            annotated: 0,
            tags: BTreeSet::new(),
            tail: Vec::new(),
        }
    }
}

impl History {
    /// The newest commit of the current branch.
    pub fn tip(&self) -> Option<usize> {
        self.branches.get(&self.current).copied()
    }

    /// The tree of the current branch.
    pub fn tree(&self) -> Tree {
        self.tip().map(|tip| self.commits[tip].clone()).unwrap_or_default()
    }

    /// A random commit.
    pub fn some(&self, random: &mut Rng) -> Option<usize> {
        (!self.commits.is_empty()).then(|| random.usize(..self.commits.len()))
    }

    /// Adds a commit to the current branch. Its parents are the branch's newest commit and `others`.
    pub fn commit(&mut self, random: &mut Rng, tree: Tree, others: &[usize]) {
        let parents: Vec<usize> = self.tip().into_iter().chain(others.iter().copied()).collect();
        let stream = &mut self.stream;
        line(stream, &format!("commit refs/heads/{}\nmark :{}", self.current, self.commits.len() + 1));
        for role in ["author", "committer"] {
            line(stream, &format!("{role} {}", person(random, self.commits.len())));
        }
        let message = match random.usize(..16) {
            0 => {
                line(stream, "encoding ISO-8859-1");
                b"Caf\xe9\n\nna\xefve\n".to_vec()
            }
            _ => pick(random, words::MESSAGES).as_bytes().to_vec(),
        };
        data(stream, &message);
        for (number, parent) in parents.iter().enumerate() {
            line(stream, &format!("{} :{}", if number == 0 { "from" } else { "merge" }, parent + 1));
        }
        line(stream, "deleteall");
        for (path, (mode, content)) in &tree {
            if *mode == 0o160_000 {
                line(stream, &format!("M 160000 {SUBMODULE_AT} {}", quoted(path)));
            } else {
                line(stream, &format!("M {mode:o} inline {}", quoted(path)));
                data(stream, content);
            }
        }
        line(stream, "");
        self.branches.insert(self.current.clone(), self.commits.len());
        self.commits.push(tree);
    }

    /// A lightweight tag of a commit, unless the name is taken.
    pub fn lightweight(&mut self, name: &str, commit: usize) {
        if !self.tags.insert(name.to_owned()) {
            return;
        }
        line(&mut self.tail, &format!("reset refs/tags/{name}\nfrom :{}\n", commit + 1));
    }

    /// An annotated tag of a commit, or with `nested` of another tag, if there is one.
    pub fn annotated(&mut self, random: &mut Rng, name: &str, commit: usize, nested: bool) {
        if !self.tags.insert(name.to_owned()) {
            return;
        }
        let from = if nested && self.annotated > 0 { TAG_MARKS + self.annotated } else { commit + 1 };
        self.annotated += 1;
        let tail = &mut self.tail;
        line(tail, &format!("tag {name}\nmark :{}\nfrom :{from}", TAG_MARKS + self.annotated));
        line(tail, &format!("tagger {}", person(random, 3)));
        data(tail, pick(random, words::MESSAGES).as_bytes());
    }

    /// A note on a commit.
    pub fn note(&mut self, commit: usize, text: &str) {
        let tail = &mut self.tail;
        line(tail, "commit refs/notes/commits\ncommitter N <n@example.com> 1700000000 +0000");
        data(tail, b"Notes\n");
        line(tail, &format!("N inline :{}", commit + 1));
        data(tail, text.as_bytes());
    }

    /// The input for `git fast-import`.
    pub fn stream(&self) -> Vec<u8> {
        let mut stream = self.stream.clone();
        for (name, commit) in &self.branches {
            line(&mut stream, &format!("reset refs/heads/{name}\nfrom :{}\n", commit + 1));
        }
        stream.extend_from_slice(&self.tail);
        line(&mut stream, "done");
        stream
    }
}

/// A person and a time, mostly later than the commits before.
fn person(random: &mut Rng, number: usize) -> String {
    let day = 86_400;
    let late = if random.usize(..5) == 0 { random.i64(-40 * day..4 * day) } else { random.i64(0..day) };
    let seconds = 1_700_000_000 + day * i64::try_from(number).expect("a scene is small") + late;
    format!("{} {seconds} {}", pick(random, words::PEOPLE), pick(random, words::ZONES))
}

fn line(stream: &mut Vec<u8>, text: &str) {
    stream.extend_from_slice(text.as_bytes());
    stream.push(b'\n');
}

fn data(stream: &mut Vec<u8>, content: &[u8]) {
    line(stream, &format!("data {}", content.len()));
    stream.extend_from_slice(content);
    stream.push(b'\n');
}

fn quoted(path: &str) -> String {
    let path = path.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{path}\"")
}

/// Puts `file` at `path`, and removes anything in the way.
pub fn put(tree: &mut Tree, path: &str, file: File) {
    let below = format!("{path}/");
    tree.retain(|other, _| !other.starts_with(&below) && !path.starts_with(&format!("{other}/")));
    tree.insert(path.to_owned(), file);
}
