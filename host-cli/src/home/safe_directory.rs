//! Repositories of other users that the person has said they use (git-config, `safe.directory`).

use std::path::Path;

use gix::bstr::{BString, ByteSlice};

use super::git_config;

/// Whether the person's own configuration lists `folder`, a canonical path: the worktree of a repository, or the git folder of a bare one. As
/// for git, the configuration of a repository does not count.
pub fn is_safe(folder: &Path) -> bool {
    let listed = git_config::read(None).strings("safe.directory").unwrap_or_default();
    // An empty entry takes back the ones before it.
    let since = listed.iter().rposition(|entry| entry.is_empty()).map_or(0, |at| at + 1);
    listed[since..].iter().any(|entry| lists(entry, folder))
}

fn lists(entry: &BString, folder: &Path) -> bool {
    if entry == "*" {
        return true;
    }
    let (entry, is_prefix) = match entry.strip_suffix(b"/*") {
        Some(above) => (above.as_bstr().to_owned(), true),
        None => (entry.clone(), false),
    };
    let Some(path) = git_config::expanded(gix::config::Path::from(entry)) else { return false };
    // git warns of a relative path, and does not heed it.
    let Some(path) = path.is_absolute().then(|| path.canonicalize().ok()).flatten() else { return false };
    if is_prefix { folder.starts_with(&path) && folder != path } else { folder == path }
}
