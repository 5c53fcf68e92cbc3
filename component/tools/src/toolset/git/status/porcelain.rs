//! Formats `git status --porcelain=1`, with or without `-b`.

use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};
use patch::quote::quote_status_path;

use super::collect::Status;
use crate::git::store::repo::Head;

/// The letters before a path, and its former path.
struct Line<'a> {
    letters: [u8; 2],
    from: Option<&'a BString>,
}

/// The whole output.
pub fn text(status: &Status, branch: bool) -> Vec<u8> {
    let mut out = Vec::new();
    if branch {
        header(status, &mut out);
    }
    for (path, line) in lines(status) {
        out.extend_from_slice(&line.letters);
        out.push(b' ');
        if let Some(from) = line.from {
            out.extend_from_slice(&quote_status_path(from.as_bstr()));
            out.extend_from_slice(b" -> ");
        }
        out.extend_from_slice(&quote_status_path(path));
        out.push(b'\n');
    }
    for path in &status.scan.untracked {
        out.extend_from_slice(b"?? ");
        out.extend_from_slice(&quote_status_path(path.as_bstr()));
        out.push(b'\n');
    }
    out
}

/// The lines of tracked paths, in order.
fn lines(status: &Status) -> BTreeMap<&BStr, Line<'_>> {
    let mut lines = BTreeMap::new();
    let sides = [status.merged_staged().collect::<Vec<_>>(), status.merged_unstaged().collect()];
    for (side, changes) in sides.into_iter().enumerate() {
        for change in changes {
            let line = lines.entry(change.path.as_bstr()).or_insert(Line { letters: *b"  ", from: None });
            line.letters[side] = u8::try_from(change.letter()).expect("git's letters are ASCII");
            if let Some(from) = &change.from {
                line.from = Some(&from.path);
            }
        }
    }
    for (path, letters) in status.unmerged() {
        let letters = letters.as_bytes();
        let line = Line { letters: [letters[0], letters[1]], from: None };
        lines.insert(path.as_bstr(), line);
    }
    lines
}

fn header(status: &Status, out: &mut Vec<u8>) {
    out.extend_from_slice(b"## ");
    if matches!(status.head, Head::Unborn { .. }) {
        out.extend_from_slice(b"No commits yet on ");
    }
    match status.head.branch() {
        None => out.extend_from_slice(b"HEAD (no branch)"),
        Some(name) => {
            let short = name.strip_prefix(b"refs/heads/").unwrap_or(name);
            out.extend_from_slice(short);
            upstream(status, out);
        }
    }
    out.push(b'\n');
}

fn upstream(status: &Status, out: &mut Vec<u8>) {
    let Some(upstream) = &status.upstream else {
        return;
    };
    out.extend_from_slice(b"...");
    out.extend_from_slice(&upstream.name);
    let distance = match upstream.distance {
        None => " [gone]".to_owned(),
        Some(distance) => match (distance.ahead, distance.behind) {
            (0, 0) => String::new(),
            (0, behind) => format!(" [behind {behind}]"),
            (ahead, 0) => format!(" [ahead {ahead}]"),
            (ahead, behind) => format!(" [ahead {ahead}, behind {behind}]"),
        },
    };
    out.extend_from_slice(distance.as_bytes());
}
