//! A tree whose contents move around: rewritten, swapped, spread over other files, or of another
//! kind.

use fastrand::Rng;

use crate::text::binary;
use crate::three_trees::put;
use crate::tree::{EXECUTABLE, Entry, FILE, SUBMODULE, SYMLINK, Tree, path, submodule};

/// Few names, some of them folders in others, so that paths collide.
const PATHS: &[&str] = &["a", "a/b", "b", "b.rs/a", "a b", "q\"", "é/a", "d/e/b", "d/b", "c", "x/m", "y/m", "d/k", "k"];

/// Applies some changes to `tree`, and leaves at most this many files.
pub fn steps(random: &mut Rng, most_files: usize, tree: &mut Tree) {
    let mut maker = Maker { random };
    for _ in 0..=maker.random.usize(..most_files) {
        maker.step(tree);
    }
    while tree.len() > most_files {
        let gone = maker.any(tree).expect("there are many");
        tree.remove(&gone);
    }
}

struct Maker<'r> {
    random: &'r mut Rng,
}

impl Maker<'_> {
    fn path(&mut self) -> Vec<u8> {
        match self.random.usize(..4) {
            0 => path(self.random),
            _ => self.random.choice(PATHS).expect("there are some").as_bytes().to_vec(),
        }
    }

    fn any(&mut self, tree: &Tree) -> Option<Vec<u8>> {
        let at = self.random.usize(..tree.len().max(1));
        tree.keys().nth(at).cloned()
    }

    /// Lines that are unique, or that many files have.
    fn lines(&mut self, count: usize) -> Vec<u8> {
        let variety = *self.random.choice(&[3, 60, 100_000]).expect("there are some");
        let line = |number| format!("line {number} of some text\n");
        (0..count).map(|_| line(self.random.usize(..variety))).collect::<String>().into_bytes()
    }

    /// Few lines, about 400 bytes, or many lines.
    fn content(&mut self) -> Vec<u8> {
        match self.random.usize(..14) {
            0 => Vec::new(),
            1 => binary(self.random),
            2 => {
                let mut text = self.lines(30);
                text.insert(7, 0);
                text
            }
            3..=5 => {
                let mut text = self.lines(24);
                text.truncate(self.random.usize(390..410));
                text
            }
            6 | 7 => {
                let count = self.random.usize(..12);
                self.lines(count)
            }
            8 => self.lines(300),
            _ => {
                let count = self.random.usize(20..60);
                self.lines(count)
            }
        }
    }

    fn mode(&mut self) -> u32 {
        if self.random.usize(..5) == 0 { EXECUTABLE } else { FILE }
    }

    fn entry(&mut self) -> Entry {
        match self.random.usize(..16) {
            0 => submodule(self.random),
            1 | 2 => {
                let target = match self.random.usize(..3) {
                    0 => self.path(),
                    _ => self.content(),
                };
                // Neither git nor a file system allows a link without a target, or with a NUL in
                // it.
                let target: Vec<u8> = target.into_iter().filter(|&byte| byte != 0).collect();
                (SYMLINK, if target.is_empty() { b"x".to_vec() } else { target })
            }
            _ => (self.mode(), self.content()),
        }
    }

    /// `content` with about this share of its lines.
    fn kept(&mut self, content: &[u8], share: usize) -> Vec<u8> {
        let mut kept = Vec::new();
        let replaces = self.random.bool();
        for line in content.split_inclusive(|&byte| byte == b'\n') {
            if self.random.usize(..100) < share {
                kept.extend_from_slice(line);
            } else if replaces {
                kept.extend(self.lines(1));
            }
        }
        kept
    }

    fn edited(&mut self, content: &[u8]) -> Vec<u8> {
        let share = self.random.usize(30..75);
        match self.random.usize(..12) {
            0 => [content, &self.content()].concat(),
            1 => [&self.content(), content].concat(),
            2 => content[..content.len() * share / 100].to_vec(),
            3 => content.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect(),
            4 => self.content(),
            5 | 6 => self.kept(content, 90),
            _ => self.kept(content, share),
        }
    }

    fn step(&mut self, tree: &mut Tree) {
        let (Some(one), Some(other)) = (self.any(tree), self.any(tree)) else {
            let (path, entry) = (self.path(), self.entry());
            return put(tree, path, entry);
        };
        let (mode, content) = tree[&one].clone();
        let to = self.path();
        match self.random.usize(..20) {
            0..=2 => {
                let entry = self.entry();
                put(tree, to, entry);
            }
            3 => drop(tree.remove(&one)),
            4 => {
                let entry = self.entry();
                tree.insert(one, entry);
            }
            5 if mode != SUBMODULE && !content.is_empty() && !content.contains(&0) => {
                // A file becomes a link to the same blob, or a link becomes a file.
                let mode = if mode == SYMLINK { FILE } else { SYMLINK };
                tree.insert(one, (mode, content));
            }
            6 if mode == FILE => drop(tree.insert(one, (EXECUTABLE, content))),
            7..=9 => {
                let second = tree[&other].clone();
                tree.insert(one, second);
                tree.insert(other, (mode, content));
            }
            _ if mode != FILE && mode != EXECUTABLE => {
                // It moves, or stays and gets a copy.
                if self.random.bool() {
                    tree.remove(&one);
                }
                put(tree, to, (mode, content));
            }
            10..=12 => {
                tree.remove(&one);
                let content = if self.random.bool() { content } else { self.edited(&content) };
                let mode = self.mode();
                put(tree, to, (mode, content));
            }
            13..=15 => {
                // It moves, and something else takes its place.
                let (moved, left) = (self.edited(&content), self.edited(&content));
                let moved = if self.random.bool() { content } else { moved };
                let left = if self.random.bool() { self.content() } else { left };
                put(tree, to, (mode, moved));
                put(tree, one, (mode, left));
            }
            16 => {
                let content = self.edited(&content);
                put(tree, to, (mode, content));
            }
            _ => {
                let content = self.edited(&content);
                tree.insert(one, (mode, content));
            }
        }
    }
}
