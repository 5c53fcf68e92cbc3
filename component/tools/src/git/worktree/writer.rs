//! Writes files, links and folders of submodules into the working folder.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::{State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::worktree::attributes::Attributes;
use crate::platform::{self, Inflated, Kind};

/// Writes below the root of the working folder. The only obstacle it removes is a file or link at the exact path.
pub struct Writer<'a> {
    repo: &'a Repo,
    /// The attributes for the conversion of contents, if any applies.
    attributes: Option<Attributes<'a>>,
    last_folder: PathBuf,
}

const NOT_UTF8: &str = "A sandbox supports only UTF-8 names. Ask the user to rename it in the repository, commit, and \
                        open the sandbox again.";

impl<'a> Writer<'a> {
    /// A writer that checks out `index` with the attributes in `index`.
    pub fn of_checkout(repo: &'a Repo, index: &Rc<State>, deadline: &'a Deadline) -> Writer<'a> {
        let attributes = || Attributes::of_checkout(repo, index.clone(), deadline);
        Writer { repo, attributes: converts(repo, index).then(attributes), last_folder: PathBuf::new() }
    }

    /// A writer that moves a working folder with other files to `index`. Attributes of the folder also apply where the index has none.
    pub fn of_switch(repo: &'a Repo, index: &Rc<State>, deadline: &'a Deadline) -> Writer<'a> {
        let attributes = Attributes::of_checkout(repo, index.clone(), deadline);
        Writer { repo, attributes: Some(attributes), last_folder: PathBuf::new() }
    }

    /// A writer that restores single files with the attributes of the working folder, or else those of `index`.
    pub fn of_restore(repo: &'a Repo, index: &Rc<State>, deadline: &'a Deadline) -> Writer<'a> {
        let attributes = Attributes::of(repo, index.clone(), deadline);
        Writer { repo, attributes: Some(attributes), last_folder: PathBuf::new() }
    }

    /// Writes one entry with the content that git stores, and returns the stat for the index. A submodule has no content.
    pub fn write(&mut self, path: &BStr, mode: entry::Mode, content: Vec<u8>) -> Result<entry::Stat, ToolError> {
        let content = self.converted(path, mode, &content)?.unwrap_or(content);
        self.write_as_it_is(path, mode, content)
    }

    /// Like [`write`](Self::write), for the content of the object `id`.
    pub fn write_object(
        &mut self,
        path: &BStr,
        mode: entry::Mode,
        id: ObjectId,
        content: Vec<u8>,
    ) -> Result<entry::Stat, ToolError> {
        match self.converted(path, mode, &content)? {
            Some(converted) => self.write_as_it_is(path, mode, converted),
            None => self.write_unconverted(path, mode, id, content),
        }
    }

    /// Like [`write_object`](Self::write_object), for a content that needs no conversion.
    pub fn write_unconverted(
        &mut self,
        path: &BStr,
        mode: entry::Mode,
        id: ObjectId,
        content: Vec<u8>,
    ) -> Result<entry::Stat, ToolError> {
        match self.packed(mode, id) {
            Some(packed) => self.write_packed(path, mode, packed),
            None => self.write_as_it_is(path, mode, content),
        }
    }

    /// Like [`write_object`](Self::write_object), without reading the content. `None` if the caller must read it.
    pub fn write_unread(
        &mut self,
        path: &BStr,
        mode: entry::Mode,
        id: ObjectId,
    ) -> Result<Option<entry::Stat>, ToolError> {
        if self.attributes.is_some() {
            return Ok(None);
        }
        self.packed(mode, id).map(|packed| self.write_packed(path, mode, packed)).transpose()
    }

    /// Writes one entry with `content` in the form of the working folder.
    pub fn write_as_it_is(
        &mut self,
        path: &BStr,
        mode: entry::Mode,
        content: Vec<u8>,
    ) -> Result<entry::Stat, ToolError> {
        let io = |error: std::io::Error| ToolError::io_of_commit(&path.to_str_lossy(), &error);
        let file = self.make_ready(path, mode)?;
        if mode == entry::Mode::COMMIT {
            platform::create_dir_all(&file).map_err(io)?;
        } else if mode == entry::Mode::SYMLINK {
            let not_utf8 = || ToolError::failed(format!("Link target is not UTF-8: {}", path.to_str_lossy()));
            let target = gix::path::from_byte_slice(&content).map_err(|_| not_utf8().hint(NOT_UTF8))?;
            platform::symlink(target, &file).map_err(io)?;
        } else {
            platform::put_file(&file, content, Some(mode == entry::Mode::FILE_EXECUTABLE)).map_err(io)?;
        }
        Ok(platform::stat(&file).map_err(io)?.index)
    }

    /// Writes a file whose content stays in its pack until it changes. So neither memory nor the journal holds it twice.
    fn write_packed(&mut self, path: &BStr, mode: entry::Mode, content: Inflated) -> Result<entry::Stat, ToolError> {
        let io = |error: std::io::Error| ToolError::io_of_commit(&path.to_str_lossy(), &error);
        let file = self.make_ready(path, mode)?;
        platform::put_inflated(&file, content, mode == entry::Mode::FILE_EXECUTABLE).map_err(io)?;
        Ok(platform::stat(&file).map_err(io)?.index)
    }

    fn packed(&self, mode: entry::Mode, id: ObjectId) -> Option<Inflated> {
        if is_file(mode) { self.repo.packed(id) } else { None }
    }

    /// Clears the way for an entry, and returns its real path.
    fn make_ready(&mut self, path: &BStr, mode: entry::Mode) -> Result<PathBuf, ToolError> {
        let shown = || path.to_str_lossy().into_owned();
        if path.to_str().is_err() {
            return Err(ToolError::failed(format!("Name is not UTF-8: {}", shown())).hint(NOT_UTF8));
        }
        let io = |error: std::io::Error| ToolError::io_of_commit(&shown(), &error);
        let file = self.repo.real(path).map_err(io)?;
        self.ensure_folder(path, &file).map_err(io)?;
        if mode != entry::Mode::COMMIT {
            make_way(&file, mode).map_err(io)?;
        }
        Ok(file)
    }

    /// Creates the parent folder of an entry. Entries come in order, so most share it with the previous one. No parent may be a link: one
    /// may just have been written.
    fn ensure_folder(&mut self, path: &BStr, file: &Path) -> std::io::Result<()> {
        let folder = file.parent().expect("an entry is below the root");
        if self.last_folder != folder {
            for slash in path.find_iter(b"/") {
                match platform::stat(&platform::join(&self.repo.root, path[..slash].as_bstr())) {
                    Ok(stat) if stat.kind == Kind::Folder => {}
                    Ok(_) => return Err(std::io::ErrorKind::NotADirectory.into()),
                    Err(_) => break,
                }
            }
            platform::create_dir_all(folder)?;
            self.last_folder = folder.to_owned();
        }
        Ok(())
    }

    /// Converts git's `content` to the form of the working folder. `None` if both are equal.
    pub fn converted(&self, path: &BStr, mode: entry::Mode, content: &[u8]) -> Result<Option<Vec<u8>>, ToolError> {
        match &self.attributes {
            Some(attributes) if is_file(mode) => attributes.to_worktree(path, content),
            _ => Ok(None),
        }
    }
}

/// Whether the entry is a file, executable or not.
fn is_file(mode: entry::Mode) -> bool {
    mode == entry::Mode::FILE || mode == entry::Mode::FILE_EXECUTABLE
}

/// Whether any setting can convert contents.
fn converts(repo: &Repo, index: &State) -> bool {
    let config = repo.gix.config_snapshot();
    let has_rules = || index.entries().iter().any(|entry| is_attributes_file(entry.path(index)));
    ["core.autocrlf", "core.eol"].iter().any(|key| config.string(*key).is_some())
        || platform::stat(&repo.gix.common_dir().join("info/attributes")).is_ok()
        || has_rules()
}

/// Removes an obstacle to a write: a link, which the write would follow, or a file in the place of a link.
fn make_way(file: &Path, mode: entry::Mode) -> std::io::Result<()> {
    match platform::stat(file) {
        Ok(stat) if stat.kind == Kind::Link || (mode == entry::Mode::SYMLINK && stat.kind == Kind::File) => {
            platform::remove_file(file)
        }
        _ => Ok(()),
    }
}

const GITATTRIBUTES: &str = ".gitattributes";

/// Whether the file at `path` is an attributes file.
fn is_attributes_file(path: &BStr) -> bool {
    let folder = path.strip_suffix(GITATTRIBUTES.as_bytes());
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with(b"/"))
}
