//! Prints the details when a merge differs from git's.

use bstr::{BString, ByteSlice};
use patch::tree_merge::Entry;

use crate::blobs::{Blobs, Listed};
use crate::git::id;
use crate::merge_tree::{Answer, At};

/// The files of a tree in git's repository.
pub fn listed_in(at: &At<'_>, tree: &str) -> Listed {
    let lines = at.run(&["ls-tree", "-r", "-z", "--full-tree", tree]);
    let lines = lines.split_str("\0").filter(|line| !line.is_empty());
    let entry = |line: &[u8]| {
        let (head, path) = line.split_once_str("\t").expect("the path follows");
        let parts: Vec<&[u8]> = head.split_str(" ").collect();
        let mode = u32::from_str_radix(&parts[0].to_str_lossy(), 8).expect("a mode is octal");
        (BString::from(path), Entry { mode, id: id(parts[2]) })
    };
    lines.map(entry).collect()
}

/// Prints the trees, and both answers with the differing contents.
pub fn show(at: &At<'_>, three: [&Listed; 3], blobs: &Blobs, here: (&Answer, &Listed), git: &Answer) {
    for (name, tree) in ["base", "ours", "theirs"].into_iter().zip(three) {
        show_tree(name, tree);
    }
    let by_git = listed_in(at, &git.tree.to_string());
    for (name, answer, tree) in [("here", here.0, here.1), ("git", git, &by_git)] {
        show_tree(name, tree);
        println!("  clean: {}", answer.is_clean);
        for (path, stages) in &answer.conflicts {
            let stages =
                stages.map(|stage| stage.map(|stage| format!("{:o} {}", stage.mode, stage.id.to_hex_with_len(6))));
            println!("  {path} {stages:?}");
        }
        for (kind, paths, text) in &answer.messages {
            println!("  {kind} {paths:?} {text}");
        }
    }
    for (path, entry) in here.1 {
        let other = by_git.get(path).filter(|other| other.id != entry.id);
        if let (Some(other), Some(content)) = (other, blobs.known.get(&entry.id)) {
            println!("{path} here:\n{}", content.as_bstr());
            println!("{path} git:\n{}", at.run(&["cat-file", "blob", &other.id.to_string()]).as_bstr());
        }
    }
}

fn show_tree(name: &str, tree: &Listed) {
    println!("{name}:");
    for (path, entry) in tree {
        println!("  {:o} {} {path}", entry.mode, entry.id.to_hex_with_len(6));
    }
}
