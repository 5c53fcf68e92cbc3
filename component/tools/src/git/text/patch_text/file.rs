//! A changed path in a structured result.

use gix::bstr::ByteSlice;
use patch::Placed;
use serde::Serialize;

use crate::budget::Room;
use crate::git::text::workspace_path;
use crate::git::worktree::changes::Change;

/// A changed path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct File {
    pub path: String,
    /// Where it was, if it was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[cfg_attr(test, schemars(extend("enum" = ["added", "deleted", "modified", "renamed", "typechange", "unmerged"])))]
    pub status: &'static str,
    /// Lines; absent where only names were asked for, and in a combined diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<bool>,
    /// The hunks of its patch as their headers have them: first line and number of lines before,
    /// and the same after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hunks: Vec<[u32; 4]>,
}

impl File {
    /// A path without line counts.
    pub fn plain(path: String, status: &'static str) -> File {
        File { path, from: None, status, added: None, deleted: None, binary: None, hunks: Vec::new() }
    }

    /// The path of `change`, without line counts.
    pub fn of(change: &Change) -> File {
        let status = match change.letter() {
            'A' => "added",
            'D' => "deleted",
            'R' => "renamed",
            'T' => "typechange",
            'U' => "unmerged",
            _ => "modified",
        };
        let from = change.from.as_ref().map(|from| workspace_path::absolute(from.path.as_bstr()));
        File { from, ..File::plain(workspace_path::absolute(change.path.as_bstr()), status) }
    }
}

/// A hunk in the form of its header: lines count from one. An empty range takes the number of the line before it.
pub fn hunk(placed: &Placed) -> [u32; 4] {
    let start = |lines: &std::ops::Range<u32>| lines.start + u32::from(!lines.is_empty());
    let (old, new) = (&placed.old, &placed.new);
    [start(old), old.end - old.start, start(new), new.end - new.start]
}

/// The number of items that a list has no room for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Omitted {
    pub files: usize,
    /// Hunks of listed and of omitted files.
    pub hunks: usize,
}

/// Cuts `files` to those that there is room for, and returns the number of omitted items. Every listed file comes before any hunk.
pub fn list(files: &mut Vec<File>, room: &mut Room) -> Omitted {
    let hunks: Vec<_> = files.iter_mut().map(|file| std::mem::take(&mut file.hunks)).collect();
    let mut omitted = Omitted { files: room.cut(files), hunks: 0 };
    for (position, mut hunks) in hunks.into_iter().enumerate() {
        omitted.hunks += room.cut(&mut hunks);
        if let Some(file) = files.get_mut(position) {
            file.hunks = hunks;
        }
    }
    omitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_go_before_the_hunks_of_any() {
        let file = |path: &str| File { hunks: vec![[1, 2, 3, 4]; 3], ..File::plain(path.to_owned(), "modified") };
        let plain = serde_json::to_string(&File::plain("a".to_owned(), "modified")).expect("it is a struct");
        let three = 3 * (plain.len() + 1);
        let listed = |bytes: usize| {
            let mut files = vec![file("a"), file("b"), file("c")];
            let omitted = list(&mut files, &mut Room::new(bytes));
            (files.iter().map(|file| file.hunks.len()).collect::<Vec<_>>(), omitted)
        };
        assert_eq!(listed(three - 1), (vec![0, 0], Omitted { files: 1, hunks: 9 }));
        assert_eq!(listed(three), (vec![0, 0, 0], Omitted { files: 0, hunks: 9 }));
        assert_eq!(listed(three + 4 * 10), (vec![3, 1, 0], Omitted { files: 0, hunks: 5 }));
        assert_eq!(listed(1000), (vec![3, 3, 3], Omitted::default()));
    }
}
