//! The repository's own configuration: the few things that the sandbox writes into it.

mod section;

use gix::bstr::{BStr, BString, ByteSlice};

pub use self::section::{Renaming, has_branch};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform;

/// What every new repository has.
pub const NEW: &str =
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";

/// The sections of a remote whose branches are tracked below `refs/remotes/`.
pub fn remote(name: &str, location: &str) -> String {
    format!("[remote {}]\n\turl = {}\n\tfetch = +refs/heads/*:refs/remotes/{name}/*\n", quote(name), quote(location))
}

/// The section of a branch, without `refs/heads/`, whose upstream is `merge`, a full name, at `remote`.
pub fn branch(name: &str, remote: &str, merge: &str) -> String {
    format!("[branch {}]\n\tremote = {remote}\n\tmerge = {}\n", quote(name), quote(merge))
}

/// The section of a branch, without `refs/heads/`, whose upstream is `merge`, a full name, at `remote`, as git writes it for a new branch.
pub fn tracking_branch(name: &BStr, remote: &BStr, merge: &BStr) -> BString {
    let [remote, merge] = [remote, merge].map(quote_where_needed);
    let name = quote_subsection(name);
    [b"[branch ", &name[..], b"]\n\tremote = ", &remote, b"\n\tmerge = ", &merge, b"\n"].concat().into()
}

/// Adds sections to the file, unless it has them word for word.
pub fn add_once(repo: &Repo, sections: &str) -> Result<(), ToolError> {
    match read(repo)?.contains_str(sections) {
        true => Ok(()),
        false => add(repo, sections.into()),
    }
}

fn read(repo: &Repo) -> Result<platform::Contents, ToolError> {
    platform::read(&repo.git_dir().join("config")).map_err(|error| ToolError::io(".git/config", &error))
}

/// Adds sections at the end of the file.
pub fn add(repo: &Repo, sections: &BStr) -> Result<(), ToolError> {
    let path = repo.git_dir().join("config");
    let io = |error: std::io::Error| ToolError::io(".git/config", &error);
    let mut content = read(repo)?.to_vec();
    if !content.is_empty() && !content.ends_with(b"\n") {
        content.push(b'\n');
    }
    content.extend_from_slice(sections);
    platform::put_file(&path, content, None).map_err(io)
}

/// A value or a subsection as git's configuration quotes it (git-config, "Syntax").
fn quote(value: &str) -> String {
    let mut quoted = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The name of a subsection as git writes it into a header.
fn quote_subsection(name: &BStr) -> BString {
    let mut quoted = BString::from("\"");
    for byte in name.bytes() {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(byte);
    }
    quoted.push(b'"');
    quoted
}

/// A value as git writes it: in quotes only where it would be read otherwise without.
fn quote_where_needed(value: &BStr) -> BString {
    let is_odd = value.starts_with(b" ") || value.ends_with(b" ") || value.find_byteset(b";#").is_some();
    let mut quoted = BString::default();
    for byte in value.bytes() {
        match byte {
            b'\n' => quoted.extend_from_slice(b"\\n"),
            b'\t' => quoted.extend_from_slice(b"\\t"),
            b'"' | b'\\' => quoted.extend_from_slice(&[b'\\', byte]),
            _ => quoted.push(byte),
        }
    }
    if is_odd { [b"\"", &quoted[..], b"\""].concat().into() } else { quoted }
}
