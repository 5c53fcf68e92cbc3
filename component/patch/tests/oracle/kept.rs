//! What holds of every merge, whatever git does.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};
use patch::ObjectId;
use patch::tree_merge::{Kind, Outcome};

use crate::blobs::Listed;

/// Nothing that a side has is lost: what is new is in the tree, or among the stages, or was merged, always two to one.
pub fn assert_kept(three: [&Listed; 3], outcome: &Outcome, tree: &Listed, context: &str) {
    let [base, ours, theirs] = three;
    let old: BTreeSet<ObjectId> = base.values().map(|entry| entry.id).collect();
    let stages = outcome.conflicts.values().flatten().flatten();
    let kept: BTreeSet<ObjectId> = tree.values().chain(stages).map(|entry| entry.id).collect();
    let merged = outcome.messages.iter().filter(|message| message.kind == Kind::AutoMerging).count();
    let lost: BTreeSet<ObjectId> = ours
        .values()
        .chain(theirs.values())
        .map(|entry| entry.id)
        .filter(|id| !old.contains(id) && !kept.contains(id))
        .collect();
    assert!(lost.len() <= 2 * merged, "{context}: {lost:?} of {merged} merged");
    let is_untouched = |path: &&BString| ours.get(*path) == base.get(*path) && theirs.get(*path) == base.get(*path);
    for path in base.keys().filter(is_untouched) {
        assert_eq!(tree.get(path), base.get(path), "{context}: nobody touched {path}");
    }
}

/// No path is both a file and a folder.
pub fn assert_is_tree(tree: &Listed, context: &str) {
    for path in tree.keys() {
        for at in path.find_iter("/") {
            assert!(!tree.contains_key(path[..at].as_bstr()), "{context}: {path} is in a file");
        }
    }
}
