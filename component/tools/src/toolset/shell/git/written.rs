//! Paths on git's command line, and as it prints them.

use gix::bstr::{BString, ByteSlice};
use patch::quote::quote_path;

use super::Line;
use super::options::Given;
use crate::paths::SandboxPath;

/// A path that was written in a folder, from the top of the repository.
pub fn from_top(place: &SandboxPath, word: &str) -> String {
    let whole = match word.strip_prefix("/workspace") {
        Some(below) => below.to_owned(),
        None => format!("{}/{word}", place.relative()),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The same as tools take paths, wherever they are called.
pub fn from_root(place: &SandboxPath, words: &[String]) -> Vec<String> {
    let whole = |word: &String| format!("/workspace/{}", from_top(place, word)).trim_end_matches('/').to_owned();
    words.iter().map(whole).collect()
}

/// A path from the top, as it is written in a folder.
pub fn shown(place: &SandboxPath, path: &[u8]) -> BString {
    let folder = place.relative();
    if folder.is_empty() {
        return path.into();
    }
    let mut ups = 0;
    let mut base = folder.as_str();
    loop {
        let prefix = if base.is_empty() { String::new() } else { format!("{base}/") };
        if let Some(rest) = path.strip_prefix(prefix.as_bytes()) {
            return [b"../".repeat(ups).as_slice(), rest].concat().into();
        }
        ups += 1;
        base = base.rsplit_once('/').map_or("", |(above, _)| above);
    }
}

/// A path in quotes as in C, if it has what `core.quotePath` hides.
pub fn quoted(path: &[u8]) -> Vec<u8> {
    quote_path(path.as_bstr()).into_owned().into()
}

/// What is shown of each commit beside what a log has.
pub fn has_changes(given: &Given) -> bool {
    has_patch(given)
        || ["--stat", "--name-only", "--name-status", "--numstat", "--shortstat"].iter().any(|name| given.has(name))
}

/// Whether a patch is asked for.
pub fn has_patch(given: &Given) -> bool {
    given.has("-p") || given.has("-U")
}

/// Prints a path in a line of its own, or up to a NUL with `-z`.
pub fn print_path(line: &mut Line<'_, '_>, given: &Given, path: &[u8]) {
    if given.has("-z") {
        line.out.extend_from_slice(path);
        line.out.push(0);
    } else {
        line.line(quoted(path));
    }
}
