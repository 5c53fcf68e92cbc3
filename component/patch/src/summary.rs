//! `--summary`: created, deleted, renamed paths and changed modes.

use bstr::BStr;

use crate::change::{Change, Side};
use crate::quote::quote_path;
use crate::stat::rename_name;

/// Appends the lines of `git diff --summary` for `change`, such as ` create mode 100644 x`. Appends nothing if only the content changed, or
/// if the path is unmerged.
///
/// With the changes in path order, and after [`shortstat`](crate::stat::shortstat), these are the lines that `git commit` prints. It
/// detects renames at 50 %, and never splits a rewritten file into a deletion and an addition.
pub fn summary(change: &Change<'_>, out: &mut Vec<u8>) {
    match change {
        Change::Add(new) => created_or_deleted("create", new, out),
        Change::Delete(old) => created_or_deleted("delete", old, out),
        Change::Rename { old, new, similarity } => moved("rename", (old, new), *similarity, out),
        Change::Copy { old, new, similarity } => moved("copy", (old, new), *similarity, out),
        Change::Modify { old, new } => mode_change(old, new, Some(new.path), out),
        Change::Unmerged { .. } => {}
    }
}

fn created_or_deleted(verb: &str, side: &Side<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(format!(" {verb} mode {:06o} ", side.mode).as_bytes());
    out.extend_from_slice(&quote_path(side.path));
    out.push(b'\n');
}

fn moved(verb: &str, (old, new): (&Side<'_>, &Side<'_>), similarity: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(format!(" {verb} ").as_bytes());
    out.extend_from_slice(&rename_name(old.path, new.path));
    out.extend_from_slice(format!(" ({similarity}%)\n").as_bytes());
    mode_change(old, new, None, out);
}

/// The line for a changed mode or kind. It omits the name if the line above has one.
fn mode_change(old: &Side<'_>, new: &Side<'_>, name: Option<&BStr>, out: &mut Vec<u8>) {
    if old.mode == new.mode {
        return;
    }
    out.extend_from_slice(format!(" mode change {:06o} => {:06o}", old.mode, new.mode).as_bytes());
    if let Some(name) = name {
        out.push(b' ');
        out.extend_from_slice(&quote_path(name));
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;
    use crate::{Content, ObjectId};

    fn side(path: &str, mode: u32) -> Side<'_> {
        let id = ObjectId::null(gix_hash::Kind::Sha1);
        Side { path: path.into(), mode, id, content: Content::Absent }
    }

    fn printed(change: &Change<'_>) -> String {
        let mut out = Vec::new();
        summary(change, &mut out);
        out.to_str_lossy().into_owned()
    }

    #[test]
    fn a_path_that_stays_with_its_mode_has_no_line() {
        let (old, new) = (side("a", 0o100_644), side("a", 0o100_644));
        assert_eq!(printed(&Change::Modify { old, new }), "");
        assert_eq!(printed(&Change::Unmerged { path: "a".into() }), "");
    }

    #[test]
    fn a_new_kind_is_a_change_of_mode() {
        let (old, new) = (side("é", 0o100_644), side("é", 0o120_000));
        assert_eq!(printed(&Change::Modify { old, new }), " mode change 100644 => 120000 \"\\303\\251\"\n");
    }

    #[test]
    fn the_mode_of_a_moved_file_stands_below_without_a_name() {
        let (old, new) = (side("a/b", 0o100_644), side("a/c", 0o100_755));
        assert_eq!(
            printed(&Change::Rename { old, new, similarity: 90 }),
            " rename a/{b => c} (90%)\n mode change 100644 => 100755\n"
        );
        let new = side("c", 0o100_644);
        assert_eq!(printed(&Change::Copy { old, new, similarity: 100 }), " copy a/b => c (100%)\n");
    }
}
