//! One line a path that says what happened to it: `--name-only`, `--name-status`
//! and `--summary`.

use bstr::{BStr, ByteSlice};

use crate::change::{Change, Side};
use crate::quote::quote_path;
use crate::stat::rename_name;

/// Appends the line of `--name-only`: the path after the change, or the one that is gone.
pub fn name_only(change: &Change<'_>, out: &mut Vec<u8>) {
    line(out, b"", &quote_path(change.path()));
}

/// Appends the line of `--name-status`: a letter, for renames and copies with the similarity in three
/// digits, and the path or both paths.
pub fn name_status(change: &Change<'_>, out: &mut Vec<u8>) {
    let letter = match change {
        Change::Add(_) => "A".to_owned(),
        Change::Delete(_) => "D".to_owned(),
        Change::Modify { .. } if change.is_type_change() => "T".to_owned(),
        Change::Modify { .. } => "M".to_owned(),
        Change::Rename { similarity, .. } => format!("R{similarity:03}"),
        Change::Copy { similarity, .. } => format!("C{similarity:03}"),
        Change::Unmerged { .. } => "U".to_owned(),
    };
    out.extend_from_slice(letter.as_bytes());
    if let Change::Rename { old, .. } | Change::Copy { old, .. } = change {
        out.push(b'\t');
        out.extend_from_slice(&quote_path(old.path));
    }
    out.push(b'\t');
    line(out, b"", &quote_path(change.path()));
}

/// Appends the lines of `--summary`, as `git commit` shows them too: paths made, gone or renamed, and
/// modes changed. Nothing for a change of content alone.
pub fn summary(change: &Change<'_>, out: &mut Vec<u8>) {
    match change {
        Change::Add(new) => made_or_gone("create", new, out),
        Change::Delete(old) => made_or_gone("delete", old, out),
        Change::Modify { old, new } => {
            let mut name = b" ".to_vec();
            name.extend_from_slice(&quote_path(new.path));
            mode_change(old, new, name.as_bstr(), out);
        }
        Change::Rename { old, new, similarity } => moved("rename", old, new, *similarity, out),
        Change::Copy { old, new, similarity } => moved("copy", old, new, *similarity, out),
        Change::Unmerged { .. } => {}
    }
}

fn made_or_gone(verb: &str, side: &Side<'_>, out: &mut Vec<u8>) {
    let start = format!(" {verb} mode {:06o} ", side.mode);
    line(out, start.as_bytes(), &quote_path(side.path));
}

fn moved(verb: &str, old: &Side<'_>, new: &Side<'_>, similarity: u8, out: &mut Vec<u8>) {
    let mut name = rename_name(old.path, new.path);
    name.extend_from_slice(format!(" ({similarity}%)").as_bytes());
    line(out, format!(" {verb} ").as_bytes(), name.as_bstr());
    mode_change(old, new, b"".as_bstr(), out);
}

fn mode_change(old: &Side<'_>, new: &Side<'_>, name: &BStr, out: &mut Vec<u8>) {
    if old.mode != new.mode {
        let start = format!(" mode change {:06o} => {:06o}", old.mode, new.mode);
        line(out, start.as_bytes(), name);
    }
}

fn line(out: &mut Vec<u8>, start: &[u8], end: &BStr) {
    out.extend_from_slice(start);
    out.extend_from_slice(end);
    out.push(b'\n');
}
