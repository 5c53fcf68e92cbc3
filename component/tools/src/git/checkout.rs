//! Writing a tree into an empty working folder, and the index that goes with it.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::{State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::flat_tree;
use crate::git::repo::{Caches, Repo, damaged};
use crate::paths::unsafe_name;
use crate::platform;

/// Writes every file of `tree` below the root of the working folder, which is empty, and gives the index.
pub fn checkout(caches: &mut Caches, repo: &Repo, tree: ObjectId, deadline: &Deadline) -> Result<State, ToolError> {
    let tree = flat_tree::load(caches, repo, tree, deadline)?;
    let files = || (0..tree.len()).filter_map(|at| tree.get(at));
    let mut state = State::new(gix::hash::Kind::Sha1);
    for (path, version) in files() {
        let mode = entry::Mode::from_bits_truncate(version.mode);
        check_path(path, mode)?;
        state.dangerously_push_entry(entry::Stat::default(), version.id, entry::Flags::empty(), mode, path);
    }
    let filter =
        if files().any(|(path, _)| is_attributes_file(path)) { Some(Filter::new(repo, &state)?) } else { None };
    // Every blob is read once: keeping them would only cost memory.
    let mut objects = gix::Repository::clone(&repo.gix);
    objects.object_cache_size(0);
    let mut writer = Writer { repo, objects: &objects, filter, last_folder: PathBuf::new() };
    let (entries, backing) = state.entries_mut_and_pathbacking();
    for entry in entries {
        deadline.poll_units(8)?;
        let path = entry.path_in(backing);
        entry.stat = writer.write(path, entry.mode, entry.id)?;
    }
    Ok(state)
}

/// Refuses a path that no checkout may write.
fn check_path(path: &BStr, mode: entry::Mode) -> Result<(), ToolError> {
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

fn is_attributes_file(path: &BStr) -> bool {
    path == ".gitattributes" || path.ends_with(b"/.gitattributes")
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

struct Writer<'repo> {
    repo: &'repo Repo,
    objects: &'repo gix::Repository,
    filter: Option<Filter<'repo>>,
    last_folder: PathBuf,
}

const NOT_UTF8: &str =
    "Names in a sandbox are UTF-8: rename it in the repository, commit, and open the sandbox from there.";

impl Writer<'_> {
    /// Writes one entry and gives what the index keeps of it.
    fn write(&mut self, path: &BStr, mode: entry::Mode, id: ObjectId) -> Result<entry::Stat, ToolError> {
        let shown = || path.to_str_lossy().into_owned();
        let relative = gix::path::from_bstr(path)
            .map_err(|_| ToolError::failed(format!("A name that is not UTF-8: {}", shown())).hint(NOT_UTF8))?;
        let file = self.repo.root.join(relative);
        self.ensure_folder(&file).map_err(|error| ToolError::io(&shown(), &error))?;
        let io = |error: std::io::Error| ToolError::io(&shown(), &error);
        if mode == entry::Mode::COMMIT {
            platform::create_dir_all(&file).map_err(io)?;
        } else {
            let mut blob = self.objects.find_blob(id).map_err(|error| damaged(&error))?;
            let content = blob.take_data();
            if mode == entry::Mode::SYMLINK {
                let target = gix::path::from_byte_slice(&content).map_err(|_| {
                    ToolError::failed(format!("A link's target that is not UTF-8: {}", shown())).hint(NOT_UTF8)
                })?;
                platform::symlink(target, &file).map_err(io)?;
            } else {
                let content = self.convert(path, content)?;
                platform::put_file(&file, content, Some(mode == entry::Mode::FILE_EXECUTABLE)).map_err(io)?;
            }
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
        let mut converted =
            filter.pipeline.convert_to_worktree(&content, path, Default::default()).map_err(|error| damaged(&error))?;
        let mut bytes = Vec::new();
        std::io::copy(&mut converted, &mut bytes).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        Ok(bytes)
    }
}
