//! Two random trees. The second derives from the first.

use std::collections::BTreeMap;

use crate::text::{Text, binary};
use fastrand::Rng;

pub const FILE: u32 = 0o100_644;
pub const EXECUTABLE: u32 = 0o100_755;
pub const SYMLINK: u32 = 0o120_000;
pub const SUBMODULE: u32 = 0o160_000;

/// Mode and content; for a submodule the hex id.
pub type Entry = (u32, Vec<u8>);
/// Entries by path.
pub type Tree = BTreeMap<Vec<u8>, Entry>;

const NAMES: &[&str] = &[
    "a",
    "b.rs",
    "Makefile",
    "with space",
    " lead",
    "tail ",
    "quote\"",
    "back\\slash",
    "tab\t",
    "new\nline",
    "é",
    "中文.md",
    "\x01\x1b[31m",
    "\x7f",
    "-dash",
    "{brace => x}",
    "a_rather_long_file_name_for_a_small_screen.txt",
    "mod.rs",
    "mod.rs~",
    "=",
    "x\r",
    "\u{202e}",
];
const FOLDERS: &[&str] = &[
    "",
    "",
    "src/",
    "src/deep/",
    "docs/a b/",
    "lib/é/",
    "one/two/three/",
    "one/three/",
    "two/three/",
    "a-folder-with-a-long-name/and-another-one-below-it/and-a-third/",
];

pub fn path(random: &mut Rng) -> Vec<u8> {
    let number = if random.usize(..2) == 0 { format!("{}", random.usize(..30)) } else { String::new() };
    let folder = random.choice(FOLDERS).unwrap();
    format!("{folder}{}{number}", random.choice(NAMES).unwrap()).into_bytes()
}

pub fn submodule(random: &mut Rng) -> Entry {
    let id = (0..40).map(|_| *random.choice(b"0123456789abcdef").unwrap()).collect();
    (SUBMODULE, id)
}

fn file_mode(random: &mut Rng) -> u32 {
    if random.usize(..6) == 0 { EXECUTABLE } else { FILE }
}

/// An entry that is not text.
fn odd_entry(random: &mut Rng) -> Entry {
    match random.usize(..5) {
        0 => (SYMLINK, path(random)),
        1 => submodule(random),
        2 => (file_mode(random), Vec::new()),
        _ => (file_mode(random), binary(random)),
    }
}

/// The size of the trees, and how much they differ.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub files: usize,
    pub most_lines: usize,
    /// One in this many files is binary.
    pub odd: usize,
    /// New files start from this many different texts, so that they resemble each other.
    pub texts: usize,
}

/// The trees before and after.
pub fn trees(random: &mut Rng, shape: Shape) -> (Tree, Tree) {
    let texts: Vec<Text> = (0..shape.texts).map(|_| Text::random(random, shape.most_lines)).collect();
    let (mut before, mut after) = (Tree::new(), Tree::new());
    for _ in 0..shape.files {
        let (from, to) = (path(random), path(random));
        if random.usize(..shape.odd) == 0 {
            odd_pair(random, (from, to), &mut before, &mut after);
            continue;
        }
        let many = 1 + random.usize(..12);
        let edits = *random.choice(&[0, 1, 2, 6, many, 60, shape.most_lines / 3]).unwrap();
        let touched = random.usize(..4);
        let old = random.choice(&texts).unwrap().edited(random, touched);
        let new =
            if random.usize(..8) == 0 { Text::random(random, shape.most_lines) } else { old.edited(random, edits) };
        let (old_mode, new_mode) = (file_mode(random), file_mode(random));
        match random.usize(..10) {
            0 => drop(before.insert(from, (old_mode, old.bytes()))),
            1 => drop(after.insert(to, (new_mode, new.bytes()))),
            2..=5 => {
                before.insert(from.clone(), (old_mode, old.bytes()));
                after.insert(from, (new_mode, new.bytes()));
            }
            _ => {
                before.insert(from, (old_mode, old.bytes()));
                after.insert(to, (new_mode, new.bytes()));
            }
        }
    }
    (before, after)
}

fn odd_pair(random: &mut Rng, (from, to): (Vec<u8>, Vec<u8>), before: &mut Tree, after: &mut Tree) {
    let old = odd_entry(random);
    let new = match random.usize(..4) {
        0 => old.clone(),
        1 if old.0 == FILE => (EXECUTABLE, [&old.1[..], b"more"].concat()),
        2 => (FILE, Text::random(random, 20).bytes()),
        _ => odd_entry(random),
    };
    match random.usize(..6) {
        0 => drop(before.insert(from, old)),
        1 => drop(after.insert(to, new)),
        2 => {
            before.insert(from, old);
            after.insert(to, new);
        }
        _ => {
            before.insert(from.clone(), old);
            after.insert(from, new);
        }
    }
}
