//! Lines of reflogs.

use std::path::PathBuf;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::refs::store::WriteReflog;

use crate::error::ToolError;
use crate::git::identity;
use crate::git::repo::Repo;
use crate::platform::{self, Kind};
use crate::session::Context;

/// The refs that have a log from the beginning (git-config, "core.logAllRefUpdates").
const LOGGED: [&str; 3] = ["refs/heads/", "refs/remotes/", "refs/notes/"];

/// Where the log of the ref `name` is.
pub fn path(repo: &Repo, name: &BStr) -> PathBuf {
    platform::join(&repo.git_dir().join("logs"), name)
}

/// The lines of the log of `name`, if it has one.
pub fn read(repo: &Repo, name: &BStr) -> Result<Option<Vec<u8>>, ToolError> {
    let path = path(repo, name);
    if !platform::stat(&path).is_ok_and(|stat| stat.kind == Kind::File) {
        return Ok(None);
    }
    let content = platform::read(&path).map_err(|error| ToolError::io(&format!(".git/logs/{name}"), &error))?;
    Ok(Some(content.to_vec()))
}

/// Whether a line is to be written to the log of `name`: if there is one, or one is to be begun.
pub fn is_written(repo: &Repo, name: &BStr) -> bool {
    let begins = match repo.gix.refs.write_reflog {
        WriteReflog::Always => true,
        WriteReflog::Normal => name == "HEAD" || LOGGED.iter().any(|prefix| name.starts_with_str(prefix)),
        WriteReflog::Disable => false,
    };
    begins || platform::stat(&path(repo, name)).is_ok_and(|stat| stat.kind == Kind::File)
}

/// The line that says that a ref was `old` and is `new`, for the reason `message`, which has no line feed.
pub fn line(context: &Context<'_>, old: ObjectId, new: ObjectId, message: &[u8]) -> Vec<u8> {
    let signature = identity::reflog_signature(context);
    let mut time = gix::date::parse::TimeBuf::default();
    let mut line = format!("{old} {new} ").into_bytes();
    let written = signature.to_ref(&mut time).trim().write_to(&mut line);
    written.expect("an identity without line feeds, written to memory, is written");
    if !message.is_empty() {
        line.push(b'\t');
        line.extend_from_slice(message);
    }
    line.push(b'\n');
    line
}
