//! Real texts: the sources of this workspace's dependencies, if the registry holds two versions of a crate, and this crate's own sources
//! with edits, which are always present.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tree::{FILE, Tree};
use fastrand::Rng;

/// The most bytes from the registry on each side, so that the test takes seconds.
const MOST_BYTES: usize = 6 << 20;

pub fn trees() -> (Tree, Tree) {
    let (mut before, mut after) = (Tree::new(), Tree::new());
    own_sources(&mut before, &mut after);
    let mut budget = MOST_BYTES;
    for (name, [old, new]) in pairs_of_versions() {
        let size: usize = [&old, &new].iter().map(|folder| size(folder)).sum();
        if size <= budget {
            budget -= size;
            add(&old, &name, &mut before);
            add(&new, &name, &mut after);
        }
    }
    (before, after)
}

/// This crate's sources against themselves with lines taken out, doubled and swapped.
fn own_sources(before: &mut Tree, after: &mut Tree) {
    let mut own = Tree::new();
    add(Path::new(env!("CARGO_MANIFEST_DIR")), "own", &mut own);
    let mut random = Rng::with_seed(7);
    for (path, (mode, content)) in own {
        let mut lines: Vec<&[u8]> = content.split_inclusive(|&byte| byte == b'\n').collect();
        for _ in 0..=lines.len() / 20 {
            let at = random.usize(..lines.len());
            match random.usize(..3) {
                0 if lines.len() > 1 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[at]),
                _ => {
                    let other = random.usize(..lines.len());
                    lines.swap(at, other);
                }
            }
        }
        after.insert(path.clone(), (mode, lines.concat()));
        before.insert(path, (mode, content));
    }
}

/// The folders of crates with two versions in the registry, by crate name.
fn pairs_of_versions() -> BTreeMap<String, [PathBuf; 2]> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let mut versions: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for registry in home.iter().flat_map(|home| folders(&home.join("registry/src"))) {
        for folder in folders(&registry) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            if let Some((name, _version)) = name.rsplit_once('-') {
                versions.entry(name.to_owned()).or_default().push(folder.clone());
            }
        }
    }
    versions
        .into_iter()
        .filter_map(|(name, mut folders)| {
            folders.sort();
            let [old, new, ..] = <[PathBuf; 2]>::try_from(folders.get(..2)?.to_vec()).ok()?;
            Some((name, [old, new]))
        })
        .collect()
}

/// The subfolders of a folder; none if it does not exist.
fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir()).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()).collect())
        .unwrap_or_default();
    entries.sort();
    entries
}

fn size(folder: &Path) -> usize {
    entries(folder)
        .iter()
        .map(|path| match path.is_dir() {
            true => size(path),
            false => fs::metadata(path).map_or(0, |metadata| usize::try_from(metadata.len()).unwrap_or(usize::MAX)),
        })
        .sum()
}

/// Adds the nonempty files below `folder` to `tree`, below `prefix`.
fn add(folder: &Path, prefix: &str, tree: &mut Tree) {
    for path in entries(folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let below = format!("{prefix}/{name}");
        if path.is_dir() {
            add(&path, &below, tree);
        } else if let Ok(content) = fs::read(&path)
            && !content.is_empty()
        {
            tree.insert(below.into_bytes(), (FILE, content));
        }
    }
}
