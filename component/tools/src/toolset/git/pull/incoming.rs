//! An incoming file, and the existing file at its path.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Mode};
use patch::tree_merge::{self, Driver, MergedText, Options};

use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::change::labels::LABELS;
use crate::git::store::repo::Repo;
use crate::git::store::version::{LINK, SUBMODULE, Version};
use crate::git::store::{blob, missing};
use crate::paths::SandboxPath;
use crate::platform::{self, Kind};
use crate::toolset::git::pull::in_the_way;

/// An incoming file, link or submodule, and the other versions at its path.
pub struct Incoming<'a> {
    pub path: &'a BStr,
    pub version: Version,
    /// The common ancestor of the sandbox's version and this one, if known.
    pub base: Option<Version>,
    /// The sandbox's version, if a sparse working folder leaves it out.
    pub left_out: Option<Version>,
}

impl Incoming<'_> {
    /// Whether the left-out version equals this one or already contains its changes.
    pub fn is_here(&self) -> bool {
        self.left_out.is_some_and(|ours| ours == self.version || self.base == Some(self.version))
    }

    /// The blobs that a merge with the sandbox's version may need.
    pub fn sources(&self) -> impl Iterator<Item = ObjectId> {
        let is_merged = !self.is_here() && self.base != Some(self.version) && self.base != self.left_out;
        let sources = [self.left_out, self.base].into_iter().flatten().filter(move |_| is_merged);
        sources.map(|version| version.id)
    }
}

/// The index entry at `path`, if a sparse working folder leaves it out.
pub fn left_out(repo: &Repo, index: &State, path: &BStr) -> Option<Version> {
    let entry = index.entry_by_path(path).filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE))?;
    repo.stat(path).is_err().then(|| Version::object(entry.mode.bits(), entry.id))
}

/// A file as git stores it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct File {
    /// The mode of a file, executable file or link.
    pub mode: u32,
    /// The content as git would store it.
    pub content: Vec<u8>,
}

impl File {
    /// Reads `version`.
    pub fn read(repo: &Repo, version: Version) -> Result<File, ToolError> {
        match blob::read(repo, version.id)? {
            Some(content) => Ok(File { mode: version.mode, content }),
            None => Err(missing::blobs(repo, [version.id].into())),
        }
    }
}

/// What to do with an incoming file.
#[derive(Debug, Eq, PartialEq)]
pub enum Fate {
    /// Nothing: the file or its changes already exist.
    Same,
    /// Write this file.
    Write(File),
    /// Write this file, which contains conflict markers.
    Conflict(File),
    /// Keep the existing file, because git cannot merge the two.
    Kept,
}

/// Decides about `theirs`. `ours` is the existing file, and `base` the common ancestor if known. `driver` returns the driver to merge texts
/// with.
pub fn fate(
    base: Option<&File>,
    ours: Option<File>,
    theirs: File,
    driver: impl FnOnce() -> Result<Driver, ToolError>,
    deadline: &Deadline,
) -> Result<Fate, Stop> {
    let Some(ours) = ours else {
        return Ok(Fate::Write(theirs));
    };
    if ours == theirs || base == Some(&theirs) {
        return Ok(Fate::Same);
    }
    if base == Some(&ours) {
        return Ok(Fate::Write(theirs));
    }
    let mode = match base {
        Some(base) if base.mode == ours.mode => theirs.mode,
        _ => ours.mode,
    };
    if ours.content == theirs.content && ours.mode & 0o170_000 == theirs.mode & 0o170_000 {
        let is_same = mode == ours.mode;
        return Ok(if is_same { Fate::Same } else { Fate::Write(File { mode, ..theirs }) });
    }
    let base_text = base.filter(|base| base.mode != LINK).map_or(&b""[..], |base| &base.content);
    if ours.mode == LINK || theirs.mode == LINK {
        return Ok(Fate::Kept);
    }
    let poll = || deadline.flow(1024);
    let options = Options { labels: LABELS, deadline: patch::Deadline::new(&poll), ..Options::default() };
    let merged = tree_merge::texts(base_text, &ours.content, &theirs.content, driver()?, &options)
        .map_err(|_| deadline.timeout(String::new()))?;
    let Some(MergedText { content, is_clean }) = merged else {
        return Ok(Fate::Kept);
    };
    let is_same = content == ours.content && mode == ours.mode;
    let file = File { mode, content };
    Ok(match is_clean {
        true if is_same => Fate::Same,
        true => Fate::Write(file),
        false => Fate::Conflict(file),
    })
}

/// The existing file or folder at `path` below `root`, the destination of `version`.
///
/// # Errors
///
/// If a parent is not a folder, or if the path is a file for a submodule or a folder for a file. A link counts as a file: nobody asked to
/// pull anything to its target.
pub fn at_place(root: &SandboxPath, path: &BStr, version: &Version) -> Result<Option<platform::Stat>, ToolError> {
    let shown = |end: usize| format!("{}/{}", root.shown(), path[..end].to_str_lossy());
    for slash in path.find_iter(b"/") {
        match platform::stat(&platform::join(&root.real(), &path[..slash])) {
            Ok(stat) if stat.kind == Kind::Folder => {}
            Ok(_) => return Err(in_the_way(&shown(slash))),
            Err(_) => return Ok(None),
        }
    }
    match platform::stat(&platform::join(&root.real(), path)) {
        Ok(stat) if matches!(stat.kind, Kind::File | Kind::Link) && has_content(version) => Ok(Some(stat)),
        Ok(stat) if stat.kind == Kind::Folder && !has_content(version) => Ok(Some(stat)),
        Ok(_) => Err(in_the_way(&shown(path.len()))),
        Err(_) => Ok(None),
    }
}

/// The mode for this stat.
pub fn mode_of(stat: &platform::Stat) -> u32 {
    match (stat.kind, stat.executable) {
        (Kind::Link, _) => Mode::SYMLINK.bits(),
        (_, true) => Mode::FILE_EXECUTABLE.bits(),
        (_, false) => Mode::FILE.bits(),
    }
}

/// Whether `version` is a file or link, and not a submodule.
pub fn has_content(version: &Version) -> bool {
    version.mode != SUBMODULE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &str) -> File {
        File { mode: 0o100_644, content: content.into() }
    }

    fn fated(base: Option<&File>, ours: Option<File>, theirs: File) -> Fate {
        fate(base, ours, theirs, || Ok(Driver::default()), &Deadline::after(|| 0, u64::MAX)).unwrap()
    }

    #[test]
    fn what_only_one_side_changed_is_taken_from_it() {
        let (a, b) = (file("a\n"), file("b\n"));
        assert_eq!(fated(None, None, a.clone()), Fate::Write(a.clone()));
        assert_eq!(fated(None, Some(a.clone()), a.clone()), Fate::Same);
        assert_eq!(fated(Some(&a), Some(a.clone()), b.clone()), Fate::Write(b.clone()));
        assert_eq!(fated(Some(&a), Some(b.clone()), a.clone()), Fate::Same);
    }

    #[test]
    fn what_both_sides_changed_is_merged_or_stands_between_markers() {
        let (base, ours, theirs) = (file("1\n2\n3\n4\n5\n"), file("one\n2\n3\n4\n5\n"), file("1\n2\n3\n4\nfive\n"));
        assert_eq!(fated(Some(&base), Some(ours), theirs), Fate::Write(file("one\n2\n3\n4\nfive\n")));
        let marked = file("<<<<<<< ours (sandbox)\nmine\n=======\nyours\n>>>>>>> theirs (incoming)\n");
        assert_eq!(fated(None, Some(file("mine\n")), file("yours\n")), Fate::Conflict(marked));
    }

    #[test]
    fn what_is_no_text_is_not_merged() {
        let link = |to: &str| File { mode: 0o120_000, content: to.into() };
        assert_eq!(fated(None, Some(file("a\0")), file("b\n")), Fate::Kept);
        assert_eq!(fated(None, Some(file("a\n")), link("b")), Fate::Kept);
        assert_eq!(fated(Some(&link("a")), Some(link("b")), link("c")), Fate::Kept);
    }

    #[test]
    fn the_executable_bit_follows_the_side_that_changed_it() {
        let executable = |content: &str| File { mode: 0o100_755, content: content.into() };
        let (plain, run) = (file("a\n"), executable("a\n"));
        assert_eq!(fated(Some(&plain), Some(plain.clone()), run.clone()), Fate::Write(run.clone()));
        assert_eq!(fated(Some(&plain), Some(file("b\n")), run), Fate::Write(executable("b\n")));
        assert_eq!(fated(None, Some(executable("a\n")), plain), Fate::Same);
    }
}
