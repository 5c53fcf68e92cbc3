//! Invariants of every merge, whatever git does.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};
use patch::ObjectId;
use patch::tree_merge::Kind;

use crate::blobs::Listed;
use crate::merge_tree::Answer;

/// Whether nothing is lost. Each new content must be in the tree or among the stages, except for two of each merge of texts. A path that
/// only one side changed must be as that side has it.
pub fn is_kept(three: [&Listed; 3], answer: &Answer, tree: &Listed) -> bool {
    let [base, ours, theirs] = three;
    let old: BTreeSet<ObjectId> = base.values().map(|entry| entry.id).collect();
    let stages = answer.conflicts.iter().flat_map(|(_, stages)| stages).flatten();
    let kept: BTreeSet<ObjectId> = tree.values().chain(stages).map(|entry| entry.id).collect();
    let merged = answer.messages.iter().filter(|(kind, _, _)| kind == Kind::AutoMerging.name()).count();
    let new = ours.values().chain(theirs.values()).map(|entry| entry.id);
    let lost: BTreeSet<ObjectId> = new.filter(|id| !old.contains(id) && !kept.contains(id)).collect();
    lost.len() <= 2 * merged && !has_missing(three, tree)
}

/// A file that both sides have at its path, at least one of them unchanged, and that the tree does not have as it should.
fn has_missing(three: [&Listed; 3], tree: &Listed) -> bool {
    let [base, ours, theirs] = three;
    let expected = |path: &BString| match (base.get(path), ours.get(path), theirs.get(path)) {
        (Some(base), Some(ours), Some(theirs)) if ours == base => Some(*theirs),
        (Some(base), Some(ours), Some(theirs)) if theirs == base => Some(*ours),
        _ => None,
    };
    base.keys().any(|path| expected(path).is_some_and(|entry| tree.get(path) != Some(&entry)))
}

/// No path is both a file and a folder.
pub fn assert_is_tree(tree: &Listed, context: &str) {
    for path in tree.keys() {
        for at in path.find_iter("/") {
            assert!(!tree.contains_key(path[..at].as_bstr()), "{context}: {path} is in a file");
        }
    }
}
