//! The files of a commit, and the parts of random ones.

use std::collections::BTreeMap;

/// A file or link in a tree.
#[derive(Clone, Debug)]
pub struct File {
    pub mode: &'static str,
    pub content: Vec<u8>,
}

pub type Tree = BTreeMap<String, File>;

pub const NAMES: &[&str] = &["f", "g.rs", "d/f", "d/e/h", "[x]*", "d/é", "with space", "d.x", "-dash"];
pub const WORDS: &[&str] =
    &["fn main() {", "    let x = 1;", "    x", "}", "", "one", "two", "\tthree", "$Id$", "日本"];
pub const AUTHORS: &[&str] = &[
    "A <a@x>",
    "A <other@x>",
    "Zoë Quinn <zoe@x>",
    "日本 太郎 <taro@x>",
    "e\u{301}\u{1f600} <mark@x>",
    "Somebody With A Long Name <long@x>",
    "<nameless@x>",
    "tab\there <tab@x>",
];
pub const ZONES: &[&str] = &["+0000", "+0530", "-0330", "+1400", "-1200", "-0000", "+0059"];

/// Inserts a file, and removes anything in the way.
pub fn insert(tree: &mut Tree, path: &str, file: File) {
    tree.retain(|other, _| !path.starts_with(&format!("{other}/")) && !other.starts_with(&format!("{path}/")));
    tree.insert(path.to_owned(), file);
}

/// The lines of a file, each with its newline.
pub fn lines(content: &[u8]) -> Vec<Vec<u8>> {
    content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}
