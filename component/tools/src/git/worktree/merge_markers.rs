//! Finds the markers of an unfinished merge in a file of the working folder.

use gix::bstr::BStr;

use crate::git::store::repo::Repo;
use crate::platform::{self, Contents, Kind};

/// The maximum size in bytes of a file to search.
const LARGEST: u64 = 1 << 20;

/// The content of the file at `path` if it has conflict markers. A file that has vanished, is no regular file or is larger than 1 MiB has none.
pub fn search(repo: &Repo, path: &BStr) -> Option<Contents> {
    let place = repo.real(path).ok()?;
    let stat = platform::stat(&place).ok()?;
    if stat.kind != Kind::File || stat.size > LARGEST {
        return None;
    }
    platform::read(&place).ok().filter(|content| patch::conflict::is_marked(content))
}
