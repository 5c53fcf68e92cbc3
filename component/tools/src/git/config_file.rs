//! The repository's own configuration: the few things that the sandbox writes into it.

use gix::bstr::ByteSlice;

use crate::error::ToolError;
use crate::git::repo::Repo;
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

/// Adds sections to the file, unless it has them word for word.
pub fn add_once(repo: &Repo, sections: &str) -> Result<(), ToolError> {
    let path = repo.git_dir().join("config");
    let io = |error: std::io::Error| ToolError::io(".git/config", &error);
    let mut content = platform::read(&path).map_err(io)?.to_vec();
    if content.contains_str(sections) {
        return Ok(());
    }
    if !content.is_empty() && !content.ends_with(b"\n") {
        content.push(b'\n');
    }
    content.extend_from_slice(sections.as_bytes());
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
