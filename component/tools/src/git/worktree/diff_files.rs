//! Compares the working tree with the index in one parallel walk over both.

mod untracked;
mod version;

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat, stat};
use gix::index::{Entry, State};
use patch::sort::{sort, sort_by};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::store::version::Version;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes::{self, Change};
use crate::git::worktree::excludes::{self, Excludes, GITIGNORE};
use crate::platform::{self, Kind};

pub use self::untracked::is_repository;
pub use self::version::{mode, version};

/// What a walk looks for.
pub struct Options<'a> {
    /// Whether to find untracked files.
    pub untracked: bool,
    /// The tracked paths to compare. The walk skips folders that cannot match.
    pub pathspec: &'a Pathspec,
    /// How to decide that a file has changed.
    pub compare: Compare,
}

/// How to decide that a file has changed whose stat differs from the index.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Compare {
    /// By stat: every file that `git add` would read has changed.
    Stat,
    /// By size first, as `git status` does, even if git would store the same content; then by content.
    Size,
    /// By the content that git would store.
    Content,
}

/// The result of a walk.
#[derive(Debug, Default)]
pub struct Scan {
    /// Changed tracked paths, in index order. Unmerged paths are always listed, without regard to the working tree.
    pub changes: Vec<Change>,
    /// Untracked paths as git lists them. A folder without tracked files appears once, with a slash at its end, instead of its files.
    pub untracked: Vec<BString>,
    /// Every untracked file with its size in bytes. A nested repository appears once, with a slash at its end, instead of its files.
    pub untracked_files: Vec<(BString, u64)>,
    /// The number of entries that a sparse checkout leaves out of the working tree.
    pub skipped: usize,
}

/// Compares the working tree of `repo` with `index`.
pub fn scan(
    repo: &Repo,
    index: &Rc<State>,
    attributes: &Attributes<'_>,
    options: &Options<'_>,
    deadline: &Deadline,
) -> Result<Scan, ToolError> {
    let config = repo.gix.config_snapshot();
    let mut walk = Walk {
        repo,
        index,
        attributes,
        options,
        deadline,
        written: index.timestamp().unix_seconds(),
        file_mode: config.boolean("core.fileMode").unwrap_or(true),
        sparse: config.boolean("core.sparseCheckout").unwrap_or(false),
        excludes: match options.untracked {
            true => Some(Excludes::of(repo, deadline)?),
            false => None,
        },
        path: BString::default(),
        scan: Scan::default(),
    };
    walk.folder(0..index.entries().len(), false)?;
    sort(&mut walk.scan.untracked);
    Ok(walk.scan)
}

struct Walk<'a> {
    repo: &'a Repo,
    index: &'a State,
    attributes: &'a Attributes<'a>,
    options: &'a Options<'a>,
    deadline: &'a Deadline,
    /// The time of the index in seconds, the unit that git compares.
    written: i64,
    file_mode: bool,
    sparse: bool,
    excludes: Option<Excludes<'a>>,
    /// The current folder, with a slash at its end; empty for the root.
    path: BString,
    scan: Scan,
}

impl<'a> Walk<'a> {
    /// Compares the folder `self.path` with the index entries below it.
    fn folder(&mut self, entries: Range<usize>, excluded: bool) -> Result<(), ToolError> {
        let list = self.list()?;
        self.enter(&list, excluded)?;
        let mut here = list.iter().peekable();
        let mut next = entries.start;
        loop {
            self.deadline.poll()?;
            let tracked = (next < entries.end).then(|| self.name_at(next));
            let order = match (here.peek(), tracked) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(found), Some(tracked)) => order(found, tracked),
            };
            let found = here.next_if(|_| order.is_le());
            let Some(name) = tracked.filter(|_| order.is_ge()) else {
                if let Some(found) = found {
                    self.not_in_index(found)?;
                }
                continue;
            };
            match (name.strip_suffix(b"/"), found) {
                (Some(name), Some(_)) => {
                    let below = next..self.end_of(name, next, entries.end);
                    next = below.end;
                    if self.passes_over(name) {
                        continue;
                    }
                    let inside = self.is_excluded(name, true)?;
                    self.within(name, |walk| walk.folder(below, inside))?;
                }
                (Some(name), None) => {
                    let end = self.end_of(name, next, entries.end);
                    while next < end {
                        next = self.tracked(next, None)?;
                    }
                }
                (None, Some(found)) => next = self.tracked(next, Some(found))?,
                // The folder of a submodule has another position in the sort order.
                (None, None) => {
                    let folder = find(&list, name);
                    next = self.tracked(next, folder)?;
                }
            }
        }
        if let Some(excludes) = &mut self.excludes {
            excludes.leave();
        }
        Ok(())
    }

    /// Whether nothing in the folder `name` can match.
    fn passes_over(&self, name: &[u8]) -> bool {
        let mut folder = self.join(name);
        folder.push(b'/');
        !self.options.pathspec.may_match_below(folder.as_bstr())
    }

    /// The entries of the current folder in index order, without `.git`.
    fn list(&self) -> Result<Vec<platform::Entry>, ToolError> {
        let real = platform::join(&self.repo.root, &self.path);
        let mut list = platform::list(&real).map_err(|error| ToolError::io(&self.path.to_str_lossy(), &error))?;
        list.retain(|entry| entry.name != b".git");
        sort_by(&mut list, |a, b| key(a).cmp(key(b)));
        Ok(list)
    }

    /// Reads the ignore rules of the current folder.
    fn enter(&mut self, list: &[platform::Entry], excluded: bool) -> Result<(), ToolError> {
        if self.excludes.is_none() {
            return Ok(());
        }
        let rules = list.iter().find(|entry| entry.name == GITIGNORE.as_bytes());
        let path = self.join(GITIGNORE.as_bytes());
        let content = match excluded {
            true => None,
            false => excludes::rules(self.repo, self.index, path.as_bstr(), rules.map(|entry| entry.stat.kind))?,
        };
        if let Some(excludes) = &mut self.excludes {
            excludes.enter(self.path.as_bstr(), content.as_deref(), excluded)?;
        }
        Ok(())
    }

    /// The next component of the path of the entry at `position`, with a slash if more follow.
    fn name_at(&self, position: usize) -> &'a BStr {
        let name = &self.index.entries()[position].path(self.index)[self.path.len()..];
        let end = name.find_byte(b'/').map_or(name.len(), |slash| slash + 1);
        name[..end].as_bstr()
    }

    /// The end of the entries below the folder `name`, which begin at `start`.
    fn end_of(&self, name: &[u8], start: usize, end: usize) -> usize {
        let mut prefix = self.join(name);
        prefix.push(b'/');
        let entries = &self.index.entries()[start..end];
        start + entries.partition_point(|entry| entry.path(self.index).starts_with(&prefix))
    }

    fn join(&self, name: &[u8]) -> BString {
        let mut path = self.path.clone();
        path.extend_from_slice(name);
        path
    }

    fn is_excluded(&self, name: &[u8], is_folder: bool) -> Result<bool, ToolError> {
        let excludes = self.excludes.as_ref();
        excludes.map_or(Ok(false), |excludes| excludes.contains(self.join(name).as_bstr(), is_folder))
    }

    fn within<T>(&mut self, name: &[u8], run: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.extend_from_slice(name);
        self.path.push(b'/');
        let result = run(self);
        self.path.truncate(length);
        result
    }

    /// Compares the entry at `position` with the file found at its path. Returns the next position.
    fn tracked(&mut self, position: usize, found: Option<&platform::Entry>) -> Result<usize, ToolError> {
        let index = self.index;
        let entry = &index.entries()[position];
        let path = entry.path(index);
        self.deadline.poll()?;
        if entry.stage_raw() != 0 {
            let (_, after) = changes::stages(index, position);
            let all = &index.entries()[position..after];
            // git does not see the stages before the first one that matches.
            let counts = |entry: &Entry| self.options.pathspec.matches_mode(path, entry.mode.bits());
            if let Some(first) = all.iter().position(counts) {
                let standing = self.standing(&all[first], path, found)?;
                let (stages, _) = changes::stages(index, position + first);
                self.scan.changes.push(Change { standing, ..Change::unmerged(path.to_owned(), stages) });
            }
            return Ok(after);
        }
        if entry.flags.contains(Flags::SKIP_WORKTREE) && !(self.sparse && found.is_some()) {
            self.scan.skipped += 1;
            return Ok(position + 1);
        }
        if !entry.flags.contains(Flags::ASSUME_VALID) && self.options.pathspec.matches_mode(path, entry.mode.bits()) {
            let new = self.compare(entry, path, found)?;
            let intended = entry.flags.contains(Flags::INTENT_TO_ADD);
            // An intent-to-add entry counts as new, or as deleted.
            let was = !intended || new.is_none();
            let old = was.then(|| Version::object(entry.mode.bits(), entry.id));
            if old != new {
                self.scan.changes.push(Change::new(path.to_owned(), old, new));
            }
        }
        Ok(position + 1)
    }

    /// The version of the file or link at the path of an unmerged entry.
    fn standing(
        &self,
        entry: &Entry,
        path: &BStr,
        found: Option<&platform::Entry>,
    ) -> Result<Option<Version>, ToolError> {
        let Some(found) = found.filter(|found| matches!(found.stat.kind, Kind::File | Kind::Link)) else {
            return Ok(None);
        };
        let content = match found.stat.kind {
            Kind::Link => self.attributes.read_link(path)?,
            _ => self.attributes.read_file(path)?,
        };
        let mode = mode(self.file_mode, entry.mode, &found.stat);
        Ok(Some(Version::worktree(mode.bits(), blob::hash(self.repo, &content)?)))
    }

    /// The version in the working tree at the path of `entry`.
    fn compare(
        &self,
        entry: &Entry,
        path: &BStr,
        found: Option<&platform::Entry>,
    ) -> Result<Option<Version>, ToolError> {
        let Some(found) = found.filter(|found| found.stat.kind != Kind::Other) else {
            return Ok(None);
        };
        let same = Version::object(entry.mode.bits(), entry.id);
        if found.stat.kind == Kind::Folder {
            return Ok((entry.mode == Mode::COMMIT).then_some(same));
        }
        let mode = mode(self.file_mode, entry.mode, &found.stat);
        let known = entry.mode == mode && !entry.flags.contains(Flags::INTENT_TO_ADD);
        if known && is_unchanged(&entry.stat, &found.stat.index, self.written) {
            return Ok(Some(same));
        }
        let sizes = (entry.stat.size, found.stat.index.size);
        let is_changed = match self.options.compare {
            Compare::Stat => true,
            Compare::Size => sizes.0 != 0 && sizes.0 != sizes.1,
            Compare::Content => false,
        };
        if is_changed {
            let unknown = ObjectId::null(self.repo.gix.object_hash());
            return Ok(Some(Version::worktree(mode.bits(), unknown)));
        }
        let content = match found.stat.kind {
            Kind::Link => self.attributes.read_link(path)?,
            _ => self.attributes.read_file(path)?,
        };
        let id = blob::hash(self.repo, &content)?;
        let version = Version::worktree(mode.bits(), id);
        Ok(Some(if version == same { same } else { version }))
    }
}

/// Whether the stat `found` equals the one in the index and is older than the index (in seconds). Otherwise a later change could be
/// invisible.
pub fn is_unchanged(known: &Stat, found: &Stat, written: i64) -> bool {
    let is_old = i64::from(known.mtime.secs) < written;
    // The device of a mounted folder can change while its files do not.
    let known = Stat { dev: found.dev, ..*known };
    known == *found && is_old
}

/// Whether git takes the stat `found` as equal to the one in the index before it reads the file. git compares whole seconds, and ignores
/// the device.
pub fn looks_unchanged(known: &Stat, found: &Stat) -> bool {
    let options = stat::Options { trust_ctime: true, check_stat: true, use_nsec: false, use_stdev: false };
    known.matches(found, options)
}

/// The sort key of a folder's entry in index order: its name, and a slash for a folder.
fn key(entry: &platform::Entry) -> impl Iterator<Item = &u8> {
    let slash: &[u8] = match entry.stat.kind {
        Kind::Folder => b"/",
        _ => b"",
    };
    entry.name.iter().chain(slash)
}

fn order(found: &platform::Entry, tracked: &BStr) -> Ordering {
    key(found).cmp(tracked.iter())
}

/// The folder `name` in a list in index order.
fn find<'l>(list: &'l [platform::Entry], name: &BStr) -> Option<&'l platform::Entry> {
    let sought = name.iter().chain(b"/");
    let at = list.binary_search_by(|entry| key(entry).cmp(sought.clone()));
    at.ok().map(|at| &list[at])
}
