//! Writing files, links and submodules' folders into the working folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::{State, entry};

use crate::error::ToolError;
use crate::git::absent;
use crate::git::repo::{Repo, damaged};
use crate::paths::unsafe_name;
use crate::platform::{self, Kind};

/// Writes below the root of the working folder. Nothing may stand in the way but a file or link at the very path.
pub struct Writer<'repo> {
    repo: &'repo Repo,
    filter: Option<Filter<'repo>>,
    /// Rules that a sparse sandbox is without, by the folder that they are for, with a slash at its end.
    absent: BTreeMap<BString, ObjectId>,
    last_folder: PathBuf,
}

const NOT_UTF8: &str =
    "Names in a sandbox are UTF-8: rename it in the repository, commit, and open the sandbox from there.";

impl<'repo> Writer<'repo> {
    /// A writer that converts contents by the attributes of `index`.
    pub fn new(repo: &'repo Repo, index: &State) -> Result<Writer<'repo>, ToolError> {
        let entries = index.entries().iter().map(|entry| (entry.path(index), entry.id));
        let rules: Vec<_> = entries.filter(|(path, _)| is_attributes_file(path)).collect();
        let filter = if rules.is_empty() { None } else { Some(Filter::new(repo, index)?) };
        let folder = |path: &BStr| BString::from(&path[..path.len() - GITATTRIBUTES.len()]);
        let absent = rules.into_iter().filter(|(_, id)| !repo.gix.has_object(id)).map(|(path, id)| (folder(path), id));
        Ok(Writer { repo, filter, absent: absent.collect(), last_folder: PathBuf::new() })
    }

    /// Writes one entry, whose content is as git stores it, and gives what the index keeps of it. A submodule has none.
    pub fn write(&mut self, path: &BStr, mode: entry::Mode, content: Vec<u8>) -> Result<entry::Stat, ToolError> {
        let shown = || path.to_str_lossy().into_owned();
        if path.to_str().is_err() {
            return Err(ToolError::failed(format!("A name that is not UTF-8: {}", shown())).hint(NOT_UTF8));
        }
        let io = |error: std::io::Error| ToolError::io_of_commit(&shown(), &error);
        let file = self.repo.real(path).map_err(io)?;
        self.ensure_folder(&file).map_err(io)?;
        if mode != entry::Mode::COMMIT {
            make_way(&file, mode).map_err(io)?;
        }
        if mode == entry::Mode::COMMIT {
            platform::create_dir_all(&file).map_err(io)?;
        } else if mode == entry::Mode::SYMLINK {
            let target = gix::path::from_byte_slice(&content).map_err(|_| {
                ToolError::failed(format!("A link's target that is not UTF-8: {}", shown())).hint(NOT_UTF8)
            })?;
            platform::symlink(target, &file).map_err(io)?;
        } else {
            let content = self.convert(path, content)?;
            platform::put_file(&file, content, Some(mode == entry::Mode::FILE_EXECUTABLE)).map_err(io)?;
        }
        Ok(platform::stat(&file).map_err(io)?.index)
    }

    /// Entries come in order, so most are in the folder of the one before.
    fn ensure_folder(&mut self, file: &Path) -> std::io::Result<()> {
        let folder = file.parent().expect("an entry is below the root");
        if self.last_folder != folder {
            platform::create_dir_all(folder)?;
            self.last_folder = folder.to_owned();
        }
        Ok(())
    }

    fn convert(&mut self, path: &BStr, content: Vec<u8>) -> Result<Vec<u8>, ToolError> {
        let Some(filter) = &mut self.filter else {
            return Ok(content);
        };
        if self.absent.keys().any(|folder| path.starts_with(folder)) {
            return Err(absent::missing(self.repo, self.absent.values().copied().collect()));
        }
        let mut converted =
            filter.pipeline.convert_to_worktree(&content, path, Default::default()).map_err(|error| damaged(&error))?;
        let mut bytes = Vec::new();
        std::io::copy(&mut converted, &mut bytes).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        Ok(bytes)
    }
}

/// Removes what cannot be written to: a link, which would be followed, and whatever is in the place of one.
fn make_way(file: &Path, mode: entry::Mode) -> std::io::Result<()> {
    match platform::stat(file) {
        Ok(stat) if stat.kind == Kind::Link || (mode == entry::Mode::SYMLINK && stat.kind == Kind::File) => {
            platform::remove_file(file)
        }
        _ => Ok(()),
    }
}

/// Refuses a path that no checkout may write.
pub fn check_path(path: &BStr, mode: entry::Mode) -> Result<(), ToolError> {
    let is_unsafe = |name: &[u8]| {
        name.is_empty()
            || name.contains(&0)
            || unsafe_name::alias(name).is_some()
            || (mode == entry::Mode::SYMLINK && unsafe_name::is_gitmodules(name))
    };
    if path.split(|byte| *byte == b'/').any(is_unsafe) {
        return Err(ToolError::invalid_path(&path.to_str_lossy())
            .hint("A commit has a file that no repository should have. It cannot be brought in."));
    }
    Ok(())
}

const GITATTRIBUTES: &str = ".gitattributes";

/// Whether the file at `path` says how others are converted.
fn is_attributes_file(path: &BStr) -> bool {
    let folder = path.strip_suffix(GITATTRIBUTES.as_bytes());
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with(b"/"))
}

/// Converts contents on their way to the working folder: line endings and encodings, as attributes say. No driver is ever configured here.
struct Filter<'repo> {
    pipeline: gix::filter::Pipeline<'repo>,
}

impl<'repo> Filter<'repo> {
    fn new(repo: &'repo Repo, state: &State) -> Result<Filter<'repo>, ToolError> {
        let cache = repo
            .gix
            .attributes_only(state, gix::worktree::stack::state::attributes::Source::IdMapping)
            .map_err(|error| damaged(&error))?;
        let pipeline = gix::filter::Pipeline::new(&repo.gix, cache.detach()).map_err(|error| damaged(&error))?;
        Ok(Filter { pipeline })
    }
}
