//! Reads the index once, caches it until the file changes, and always writes it whole.

mod encode;

use std::cmp::Ordering;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use gix::index::entry;
use gix::index::{File, State, decode};

use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::platform;

/// The number of bytes of removed paths that may stay in memory, besides as many as the index has.
const COMPACT: usize = 64 << 10;

/// The index that was read last, with the stat of its file.
#[derive(Default)]
pub struct Cache {
    /// The stat of the file when this module read or wrote it.
    stamp: Option<entry::Stat>,
    state: Option<Rc<State>>,
}

/// The index of `repo`. It is empty if there is no file.
///
/// Its timestamp is that of the file: an entry that is not older may have changed since without a change of its stat.
pub fn load(cache: &mut Cache, repo: &Repo) -> Result<Rc<State>, ToolError> {
    let path = path(repo);
    let stamp = match platform::stat(&path) {
        Ok(stat) => stat.index,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            *cache = Cache::default();
            return Ok(Rc::new(State::new(repo.gix.object_hash())));
        }
        Err(error) => return Err(ToolError::io(".git/index", &error)),
    };
    let known = cache.stamp == Some(stamp);
    if known && let Some(state) = &cache.state {
        return Ok(state.clone());
    }
    // The checksum of a file that this module wrote needs no check while its stat is the same.
    let file =
        File::at(path, repo.gix.object_hash(), known, decode::Options::default()).map_err(|error| damaged(&error))?;
    if file.is_sparse() {
        return Err(ToolError::failed("The index has folders in place of files (index.sparse)")
            .hint("Run git sparse-checkout disable where the repository comes from."));
    }
    let state = Rc::new(file.into_parts().0);
    ensure_ordered(&state)?;
    *cache = Cache { stamp: Some(stamp), state: Some(state.clone()) };
    Ok(state)
}

/// Writes `state` as the index of `repo`. Its entries must be sorted.
///
/// This drops extensions that describe the former entries. It takes no lock, because in the component nobody else can write. On a real
/// directory it refuses to write while git holds the lock.
pub fn store(cache: &mut Cache, repo: &Repo, mut state: State) -> Result<(), ToolError> {
    if platform::stat(&path(repo).with_extension("lock")).is_ok() {
        return Err(ToolError::failed("Unable to create '.git/index.lock': File exists.")
            .hint("Another git process seems to be running in this repository. Wait for it, or have the user remove the file."));
    }
    state.remove_tree();
    state.remove_resolve_undo();
    let (file, bytes) = (path(repo), encode::file(&state)?);
    let failed = |error: std::io::Error| ToolError::io(".git/index", &error);
    platform::put_file(&file, bytes, None).map_err(failed)?;
    let stamp = platform::stat(&file).map_err(failed)?.index;
    let written = Duration::new(u64::from(stamp.mtime.secs), stamp.mtime.nsecs);
    state.set_timestamp((SystemTime::UNIX_EPOCH + written).into());
    // gix keeps removed paths in memory until the index is read again.
    let paths: usize = state.entries().iter().map(|entry| entry.path(&state).len()).sum();
    let is_compact = state.path_backing().len() <= 2 * paths + COMPACT;
    *cache = Cache { stamp: Some(stamp), state: is_compact.then(|| Rc::new(state)) };
    Ok(())
}

/// Refuses an index whose entries are unsorted, because lookups in it would fail. git never writes one. The error has the words of `git
/// fsck`: only it checks the order (git's read-cache.c, `check_ce_order`). It accepts two entries of one stage.
fn ensure_ordered(state: &State) -> Result<(), ToolError> {
    for (one, next) in state.entries().iter().zip(state.entries().iter().skip(1)) {
        let message = match one.path(state).cmp(next.path(state)) {
            Ordering::Less => continue,
            Ordering::Equal if one.stage() == entry::Stage::Unconflicted => {
                format!("multiple stage entries for merged file '{}'", one.path(state))
            }
            Ordering::Equal if one.stage_raw() >= next.stage_raw() => {
                format!("unordered stage entries for '{}'", one.path(state))
            }
            Ordering::Equal => continue,
            Ordering::Greater => "unordered stage entries in index".to_owned(),
        };
        return Err(ToolError::failed(format!("fatal: {message}"))
            .hint("The index is damaged, or not git's. The user can remove .git/index and run git reset."));
    }
    Ok(())
}

fn path(repo: &Repo) -> PathBuf {
    repo.gix.index_path()
}
