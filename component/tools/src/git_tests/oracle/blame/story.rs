//! The commits of a random history with a few files, as a stream for `git fast-import`.

use fastrand::Rng;

use super::tree::{AUTHORS, File, NAMES, Tree, WORDS, ZONES, insert, lines};

/// The history so far.
pub struct Story {
    pub random: Rng,
    pub stream: Vec<u8>,
    /// The tree of each commit. Marks count from one.
    trees: Vec<Tree>,
    /// The tips of branches.
    heads: Vec<usize>,
    time: u64,
}

impl Story {
    /// Creates `commits` commits. The last ones are the tips of `main` and `side`.
    pub fn new(mut random: Rng, commits: usize) -> Story {
        let time = 1_700_000_000 + random.u64(..50_000_000);
        let mut story = Story { random, stream: Vec::new(), trees: Vec::new(), heads: Vec::new(), time };
        story.root();
        for _ in 1..commits {
            story.step();
        }
        let main = *story.random.choice(&story.heads).unwrap();
        let side = *story.random.choice(&story.heads).unwrap();
        story
            .stream
            .extend(format!("reset refs/heads/main\nfrom :{main}\n\nreset refs/heads/side\nfrom :{side}\n\n").bytes());
        story.stream.extend(format!("tag v1\nfrom :{main}\ntagger T <t@x> 1 +0000\ndata 3\none\n").bytes());
        story
    }

    fn root(&mut self) {
        let mut tree = Tree::new();
        for _ in 0..self.random.usize(1..5) {
            self.put(&mut tree);
        }
        let mark = self.commit(&[], tree);
        self.heads.push(mark);
    }

    fn step(&mut self) {
        let at = self.random.usize(..self.heads.len());
        match self.random.usize(..24) {
            0 => self.root(),
            1..=3 => {
                // A branch from a random commit.
                let from = self.random.usize(1..=self.trees.len());
                let mark = self.edited(&[from], from);
                self.heads.push(mark);
            }
            4..=8 if self.heads.len() > 1 => {
                let mut parents = vec![self.heads.remove(at)];
                for _ in 0..self.random.usize(1..3) {
                    if !self.heads.is_empty() {
                        let other = self.random.usize(..self.heads.len());
                        parents.push(self.heads.remove(other));
                    }
                }
                let mark = self.merge(&parents);
                self.heads.push(mark);
            }
            _ => {
                let from = self.heads[at];
                self.heads[at] = self.edited(&[from], from);
            }
        }
    }

    fn edited(&mut self, parents: &[usize], from: usize) -> usize {
        let mut tree = self.trees[from - 1].clone();
        for _ in 0..self.random.usize(1..4) {
            self.change(&mut tree);
        }
        self.commit(parents, tree)
    }

    /// Merges each path from either side, or lines from both.
    fn merge(&mut self, parents: &[usize]) -> usize {
        let sides: Vec<Tree> = parents.iter().map(|mark| self.trees[mark - 1].clone()).collect();
        let mut tree = Tree::new();
        for path in sides.iter().flat_map(|side| side.keys()) {
            let files: Vec<&File> = sides.iter().filter_map(|side| side.get(path)).collect();
            let mut file = (*self.random.choice(&files).unwrap()).clone();
            if self.random.usize(..3) == 0 {
                let other = &self.random.choice(&files).unwrap().content;
                file.content = self.mixed(&file.content, other);
            }
            insert(&mut tree, path, file);
        }
        if self.random.usize(..4) == 0 {
            self.change(&mut tree);
        }
        self.commit(parents, tree)
    }

    fn mixed(&mut self, ours: &[u8], theirs: &[u8]) -> Vec<u8> {
        let (mut ours, mut theirs) = (lines(ours).into_iter(), lines(theirs).into_iter());
        let mut mixed = Vec::new();
        for _ in 0..30 {
            let side = if self.random.bool() { &mut ours } else { &mut theirs };
            mixed.extend(side.next().unwrap_or_default());
            if self.random.usize(..8) == 0 {
                mixed.extend(self.line());
            }
        }
        mixed
    }

    pub fn change(&mut self, tree: &mut Tree) {
        let paths: Vec<String> = tree.keys().cloned().collect();
        let Some(path) = self.random.choice(&paths).cloned() else { return self.put(tree) };
        match self.random.usize(..16) {
            0 | 1 => self.put(tree),
            2 if tree.len() > 1 => drop(tree.remove(&path)),
            3..=5 => {
                // A rename, with or without an edit.
                let mut file = tree.remove(&path).expect("it is there");
                if self.random.bool() {
                    file.content = self.edit(&file.content);
                }
                let to = self.name();
                insert(tree, &to, file);
            }
            6 => {
                let file = tree[&path].clone();
                let to = self.name();
                insert(tree, &to, file);
            }
            7 => {
                let mode = *self.random.choice(&["100644", "100755", "100644", "120000"]).unwrap();
                tree.get_mut(&path).expect("it is there").mode = mode;
            }
            8 => {
                // Other line endings.
                let file = tree.get_mut(&path).expect("it is there");
                let text = String::from_utf8_lossy(&file.content).into_owned();
                let other = if text.contains('\r') { text.replace('\r', "") } else { text.replace('\n', "\r\n") };
                file.content = other.into_bytes();
            }
            _ => {
                let content = self.edit(&tree[&path].content);
                tree.get_mut(&path).expect("it is there").content = content;
            }
        }
    }

    pub fn edit(&mut self, content: &[u8]) -> Vec<u8> {
        let mut lines = lines(content);
        for _ in 0..self.random.usize(1..4) {
            let at = self.random.usize(..=lines.len());
            let to = (at + self.random.usize(..3)).min(lines.len());
            match self.random.usize(..6) {
                0 => drop(lines.drain(at..to)),
                1 | 2 => lines.insert(at, self.line()),
                3 => {
                    let moved: Vec<_> = lines.drain(at..to).collect();
                    let there = self.random.usize(..=lines.len());
                    lines.splice(there..there, moved);
                }
                _ if at < lines.len() => lines[at] = self.line(),
                _ => lines.push(self.line()),
            }
        }
        let mut content = lines.concat();
        match self.random.usize(..24) {
            0 => drop(content.pop()),
            1 => content.push(0),
            2 => content.clear(),
            _ => {}
        }
        content
    }

    fn line(&mut self) -> Vec<u8> {
        let word = *self.random.choice(WORDS).unwrap();
        let end = if self.random.usize(..30) == 0 { "\r\n" } else { "\n" };
        let number = if self.random.bool() { self.random.usize(..9).to_string() } else { String::new() };
        format!("{word}{number}{end}").into_bytes()
    }

    fn put(&mut self, tree: &mut Tree) {
        let mut content = Vec::new();
        for _ in 0..self.random.usize(..14) {
            content.extend(self.line());
        }
        let path = self.name();
        insert(tree, &path, File { mode: "100644", content });
    }

    pub fn name(&mut self) -> String {
        (*self.random.choice(NAMES).unwrap()).to_owned()
    }

    fn commit(&mut self, parents: &[usize], tree: Tree) -> usize {
        let mark = self.trees.len() + 1;
        self.time += self.random.u64(..100_000);
        let skewed = self.random.usize(..6) == 0;
        let time = if skewed { self.time - self.random.u64(..2_000_000) } else { self.time };
        let out = &mut self.stream;
        out.extend(format!("commit refs/marks/{mark}\nmark :{mark}\n").bytes());
        let author = *self.random.choice(AUTHORS).unwrap();
        let zone = *self.random.choice(ZONES).unwrap();
        let (encoding, author) = match self.random.usize(..16) {
            0 => ("encoding ISO-8859-1\n", b"Zo\xeb <zoe@x>".to_vec()),
            1 => ("", b"Zo\xeb <zoe@x>".to_vec()),
            _ => ("", author.as_bytes().to_vec()),
        };
        out.extend(b"author ");
        out.extend(author);
        out.extend(format!(" {} {zone}\ncommitter C <c@x> {time} +0000\n{encoding}", time - 1000).bytes());
        out.extend(format!("data 2\n{}\n", mark % 10).bytes());
        for (at, parent) in parents.iter().enumerate() {
            out.extend(format!("{} :{parent}\n", if at == 0 { "from" } else { "merge" }).bytes());
        }
        out.extend(b"deleteall\n");
        for (path, file) in &tree {
            let content = if file.mode == "120000" && file.content.is_empty() { b"f" } else { &file.content[..] };
            out.extend(format!("M {} inline \"{path}\"\ndata {}\n", file.mode, content.len()).bytes());
            out.extend(content);
            out.push(b'\n');
        }
        self.trees.push(tree);
        mark
    }

    /// The number of commits.
    pub fn commits(&self) -> usize {
        self.trees.len()
    }
}
