//! One incoming file, and what stands at its place.

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

/// A file, link or submodule that comes in, and what is known of its path.
pub struct Incoming<'a> {
    pub path: &'a BStr,
    pub version: Version,
    /// What the sandbox's version and this one were made from, if that is known.
    pub base: Option<Version>,
    /// What the sandbox has there, where a sparse working folder is without it.
    pub left_out: Option<Version>,
}

impl Incoming<'_> {
    /// Whether what is left out is this, or has it already.
    pub fn is_here(&self) -> bool {
        self.left_out.is_some_and(|ours| ours == self.version || self.base == Some(self.version))
    }

    /// What may have to be read to merge it with what the sandbox has.
    pub fn sources(&self) -> impl Iterator<Item = ObjectId> {
        let is_merged = !self.is_here() && self.base != Some(self.version) && self.base != self.left_out;
        let sources = [self.left_out, self.base].into_iter().flatten().filter(move |_| is_merged);
        sources.map(|version| version.id)
    }
}

/// What the index has at `path` and a sparse working folder is without.
pub fn left_out(repo: &Repo, index: &State, path: &BStr) -> Option<Version> {
    let entry = index.entry_by_path(path).filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE))?;
    repo.stat(path).is_err().then(|| Version::object(entry.mode.bits(), entry.id))
}

/// A file as git has it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct File {
    /// File, executable file or link.
    pub mode: u32,
    /// As git would store it.
    pub content: Vec<u8>,
}

impl File {
    /// What stands behind `version`.
    pub fn read(repo: &Repo, version: Version) -> Result<File, ToolError> {
        match blob::read(repo, version.id)? {
            Some(content) => Ok(File { mode: version.mode, content }),
            None => Err(missing::blobs(repo, [version.id].into())),
        }
    }
}

/// What is to be done about an incoming file.
#[derive(Debug, Eq, PartialEq)]
pub enum Fate {
    /// It is there already, or what it changes is.
    Same,
    /// This is to be written.
    Write(File),
    /// This is to be written, and has conflicts in it.
    Conflict(File),
    /// What is there cannot be merged with it, and stays.
    Kept,
}

/// What becomes of `theirs`, where `ours` is what is there, and `base` what both were made from, if that is known.
/// `driver` says how their texts are merged.
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

/// What stands at `path` below `root`, where `version` is to be, and nothing but folders above it.
///
/// # Errors
///
/// If there is anything else above it, or in its place what is no folder for a submodule, or one for a file. Links are not followed: where they lead, nobody said that anything is to
/// be pulled.
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

/// The mode of what has this stat.
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
