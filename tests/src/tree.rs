//! Folders as values, to compare two states.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One file, folder or link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Folder,
    /// With its content, and whether it is executable.
    File(Vec<u8>, bool),
    Link(PathBuf),
}

/// Everything below a folder, by relative path.
pub type Tree = BTreeMap<PathBuf, Entry>;

/// Reads a folder.
pub fn read(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    visit(folder, Path::new(""), &mut tree);
    tree
}

fn visit(root: &Path, below: &Path, tree: &mut Tree) {
    let folder = root.join(below);
    for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let entry = entry.expect("the folder was opened");
        let path = below.join(entry.file_name());
        let full = root.join(&path);
        let metadata = fs::symlink_metadata(&full).unwrap_or_else(|error| panic!("{}: {error}", full.display()));
        let value = if metadata.is_dir() {
            visit(root, &path, tree);
            Entry::Folder
        } else if metadata.is_symlink() {
            Entry::Link(fs::read_link(&full).expect("it is a link"))
        } else {
            Entry::File(
                fs::read(&full).unwrap_or_else(|error| panic!("{}: {error}", full.display())),
                executable(&metadata),
            )
        };
        tree.insert(path, value);
    }
}

#[cfg(unix)]
fn executable(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn executable(_: &fs::Metadata) -> bool {
    false
}

/// Paths at which two trees differ.
pub fn differing(before: &Tree, after: &Tree) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        before.iter().filter(|(path, entry)| after.get(*path) != Some(entry)).map(|(path, _)| path.clone()).collect();
    paths.extend(after.keys().filter(|path| !before.contains_key(*path)).cloned());
    paths
}

/// Asserts that both trees are equal.
#[track_caller]
pub fn assert_same(before: &Tree, after: &Tree, what: &str) {
    assert_eq!(differing(before, after), Vec::<PathBuf>::new(), "{what} has changed");
}
