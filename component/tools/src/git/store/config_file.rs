//! Writes the few sections that the sandbox adds to the repository's own configuration.

mod section;

use gix::bstr::{BStr, BString, ByteSlice};

pub use self::section::{Renaming, has_branch};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform;

/// The configuration of a new repository.
pub const NEW: &str =
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";

/// The section of a remote whose branches are tracked below `refs/remotes/`.
pub fn remote(name: &str, location: &str) -> String {
    format!("[remote {}]\n\turl = {}\n\tfetch = +refs/heads/*:refs/remotes/{name}/*\n", quote(name), quote(location))
}

/// The section of the branch `name` (without `refs/heads/`) with the upstream `merge`, a full name, at `remote`.
pub fn branch(name: &str, remote: &str, merge: &str) -> String {
    format!("[branch {}]\n\tremote = {remote}\n\tmerge = {}\n", quote(name), quote(merge))
}

/// Like [`branch`], but in the format that git writes for a new branch.
pub fn tracking_branch(name: &BStr, remote: &BStr, merge: &BStr) -> BString {
    let [remote, merge] = [remote, merge].map(quote_where_needed);
    let name = quote_subsection(name);
    [b"[branch ", &name[..], b"]\n\tremote = ", &remote, b"\n\tmerge = ", &merge, b"\n"].concat().into()
}

/// Appends sections, unless the file has the same text already.
pub fn add_once(repo: &Repo, sections: &str) -> Result<(), ToolError> {
    match read(repo)?.contains_str(sections) {
        true => Ok(()),
        false => add(repo, sections.into()),
    }
}

fn read(repo: &Repo) -> Result<platform::Contents, ToolError> {
    platform::read(&repo.git_dir().join("config")).map_err(|error| ToolError::io(".git/config", &error))
}

/// Appends sections to the file.
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

/// Quotes a value or a subsection (git-config, "Syntax").
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

/// Quotes the name of a subsection as git does in a header.
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

/// Quotes a value as git does: only if it would be read differently without quotes.
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
