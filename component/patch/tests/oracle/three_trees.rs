//! Three random trees. The last two derive from the first by changes that collide.

use fastrand::Rng;

use crate::text::{Text, binary};
use crate::tree::{EXECUTABLE, Entry, FILE, SUBMODULE, SYMLINK, Tree};

/// The base and both sides.
pub type Three = [Tree; 3];

/// The size of the trees, and the changes to them.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub files: usize,
    /// The most changes on a side.
    pub most_steps: usize,
    /// One in this many new files is binary.
    pub odd: usize,
    /// The number of different texts that files start from.
    pub texts: usize,
    pub most_lines: usize,
    /// The greatest depth of folders.
    pub depth: usize,
}

const NAMES: &[&str] = &["a", "b", "c", "d", "e", "a-b", "a.c", "f"];
const FOLDERS: &[&str] = &["x", "y", "z", "a", "b", "x-y"];

struct Maker<'r> {
    random: &'r mut Rng,
    shape: Shape,
    texts: Vec<Text>,
}

pub fn three_trees(random: &mut Rng, shape: Shape) -> Three {
    let texts = (0..shape.texts).map(|_| Text::random(random, shape.most_lines)).collect();
    let mut maker = Maker { random, shape, texts };
    let mut base = Tree::new();
    for _ in 0..maker.random.usize(..=shape.files) {
        let (path, entry) = (maker.path(), maker.entry());
        put(&mut base, path, entry);
    }
    let mut common = base.clone();
    if maker.random.usize(..4) == 0 {
        maker.step(&mut common);
    }
    let mut side = || {
        let mut side = common.clone();
        for _ in 0..maker.random.usize(..=shape.most_steps) {
            maker.step(&mut side);
        }
        side
    };
    let (ours, theirs) = (side(), side());
    [base, ours, theirs]
}

/// Applies some random changes to a tree.
pub fn steps(random: &mut Rng, shape: Shape, tree: &mut Tree) {
    let texts = (0..shape.texts).map(|_| Text::random(random, shape.most_lines)).collect();
    let mut maker = Maker { random, shape, texts };
    for _ in 0..=maker.random.usize(..=shape.most_steps) {
        maker.step(tree);
    }
}

/// Inserts an entry, and removes whatever is in its way.
pub fn put(tree: &mut Tree, path: Vec<u8>, entry: Entry) {
    let below = [&path[..], b"/"].concat();
    tree.retain(|other, _| !other.starts_with(&below) && !path.starts_with(&[&other[..], b"/"].concat()));
    tree.insert(path, entry);
}

impl Maker<'_> {
    fn folder(&mut self) -> Vec<u8> {
        let depth = self.random.usize(..=self.shape.depth);
        (0..depth).map(|_| format!("{}/", self.random.choice(FOLDERS).unwrap())).collect::<String>().into_bytes()
    }

    fn path(&mut self) -> Vec<u8> {
        let folder = self.folder();
        [&folder[..], self.random.choice(NAMES).unwrap().as_bytes()].concat()
    }

    fn mode(&mut self) -> u32 {
        if self.random.usize(..6) == 0 { EXECUTABLE } else { FILE }
    }

    fn entry(&mut self) -> Entry {
        let mode = self.mode();
        if self.random.usize(..self.shape.odd) == 0 {
            return match self.random.usize(..6) {
                0 => (SYMLINK, self.path()),
                1 | 2 => (SUBMODULE, vec![*self.random.choice(b"123456789abcdef").unwrap(); 40]),
                3 => (mode, Vec::new()),
                _ => (mode, [&[0, 1, 2, 3], &binary(self.random)[..]].concat()),
            };
        }
        let edits = *self.random.choice(&[0, 0, 1, 3]).unwrap();
        let text = self.random.choice(&self.texts).unwrap();
        (mode, text.edited(self.random, edits).bytes())
    }

    /// Changes some lines, or replaces an entry that has no lines.
    fn edited(&mut self, entry: &Entry) -> Entry {
        let (mode, content) = entry;
        match *mode {
            SYMLINK => (SYMLINK, self.path()),
            SUBMODULE => (SUBMODULE, vec![*self.random.choice(b"123456789abcdef").unwrap(); 40]),
            mode if content.contains(&0) => {
                let mut content = content.clone();
                content.push(b'0' + self.random.u8(..10));
                (mode, content)
            }
            mode => {
                let mut lines: Vec<Vec<u8>> = content.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
                for _ in 0..1 + self.random.usize(..3) {
                    let at = self.random.usize(..=lines.len());
                    let new = format!("new {}\n", self.random.usize(..6)).into_bytes();
                    match self.random.usize(..4) {
                        0 if at < lines.len() => drop(lines.remove(at)),
                        1 => lines.insert(at, new),
                        _ if at < lines.len() => lines[at] = new,
                        _ => lines.push(new),
                    }
                }
                (mode, lines.concat())
            }
        }
    }

    fn any(&mut self, tree: &Tree) -> Option<Vec<u8>> {
        let count = tree.len();
        (count > 0).then(|| tree.keys().nth(self.random.usize(..count)).expect("there are so many").clone())
    }

    fn any_folder(&mut self, tree: &Tree) -> Option<Vec<u8>> {
        let path = self.any(tree)?;
        let ends: Vec<usize> = (0..path.len()).filter(|&at| path[at] == b'/').collect();
        (!ends.is_empty()).then(|| path[..=*self.random.choice(&ends).unwrap()].to_vec())
    }

    /// Applies one random change to a tree.
    fn step(&mut self, tree: &mut Tree) {
        let Some(path) = self.any(tree) else {
            let (path, entry) = (self.path(), self.entry());
            return put(tree, path, entry);
        };
        let entry = tree[&path].clone();
        match self.random.usize(..22) {
            0..=3 => {
                let edited = self.edited(&entry);
                tree.insert(path, edited);
            }
            4 | 5 => drop(tree.remove(&path)),
            6..=9 => {
                let to = self.path();
                let entry = if self.random.bool() { self.edited(&entry) } else { entry };
                tree.remove(&path);
                put(tree, to, entry);
            }
            10..=14 => self.move_folder(tree),
            15 => {
                let other = self.any(tree).expect("there is one");
                let other_entry = tree.insert(other, entry).expect("it is there");
                tree.insert(path, other_entry);
            }
            16 => {
                let mode = match entry.0 {
                    FILE => EXECUTABLE,
                    EXECUTABLE => FILE,
                    mode => mode,
                };
                tree.insert(path, (mode, entry.1));
            }
            17 => drop(tree.insert(path, self.entry())),
            18 => {
                // A file becomes a folder.
                tree.remove(&path);
                let entry = if self.random.bool() { entry } else { self.entry() };
                put(tree, [&path[..], b"/", self.random.choice(NAMES).unwrap().as_bytes()].concat(), entry);
            }
            19 => {
                // A folder becomes a file.
                if let Some(mut folder) = self.any_folder(tree) {
                    folder.pop();
                    let entry = if self.random.bool() { entry } else { self.entry() };
                    put(tree, folder, entry);
                }
            }
            _ => {
                let folder = if self.random.bool() { self.any_folder(tree) } else { None };
                let folder = folder.unwrap_or_else(|| self.folder());
                let name = self.random.choice(NAMES).unwrap().as_bytes();
                let deeper = if self.random.usize(..3) == 0 { &b"new/"[..] } else { b"" };
                let entry = self.entry();
                put(tree, [&folder[..], deeper, name].concat(), entry);
            }
        }
    }

    /// Moves a folder or most of it, and sometimes edits the files it moves.
    fn move_folder(&mut self, tree: &mut Tree) {
        let Some(from) = self.any_folder(tree) else {
            return;
        };
        let mut to = self.folder();
        if self.random.usize(..6) > 0 && to.is_empty() {
            to = b"m/".to_vec();
        }
        let stays = *self.random.choice(&[1, 1, 3, 6]).unwrap();
        let paths: Vec<Vec<u8>> = tree.keys().filter(|path| path.starts_with(&from)).cloned().collect();
        for path in paths {
            if stays > 1 && self.random.usize(..stays) == 0 {
                continue;
            }
            let Some(entry) = tree.remove(&path) else {
                continue;
            };
            let entry = if self.random.usize(..3) == 0 { self.edited(&entry) } else { entry };
            put(tree, [&to[..], &path[from.len()..]].concat(), entry);
        }
    }
}
