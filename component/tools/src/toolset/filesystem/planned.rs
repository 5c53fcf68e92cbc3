//! Files as a call will leave them. They are written once nothing can fail any more, so a call changes all of them or none.

use crate::error::ToolError;
use crate::paths::{Access, SandboxPath};
use crate::platform::{self, Kind};
use crate::session::Context;

/// The files that a call changes, in the order in which it names them first.
#[derive(Default)]
pub struct Planned {
    files: Vec<File>,
}

/// A file, and what becomes of it.
pub struct File {
    /// Its path, with links resolved.
    pub path: SandboxPath,
    /// Its path as the caller named it.
    pub named: String,
    /// Whether it was there before the call.
    pub existed: bool,
    /// What is in it. `None` if it is not there, or is there no more.
    pub content: Option<Vec<u8>>,
    executable: Option<bool>,
    changed: bool,
}

impl Planned {
    /// The file `named`. It need not exist.
    pub fn file(&mut self, context: &Context<'_>, named: &str) -> Result<&mut File, ToolError> {
        let path = super::resolve(context, named, Access::Write)?;
        super::require_file_name(named)?;
        if let Some(at) = self.files.iter().position(|file| file.path == path) {
            return Ok(&mut self.files[at]);
        }
        let content = match platform::stat(&path.real()) {
            Ok(stat) => {
                super::require_file(stat.kind, named)?;
                Some(platform::read(&path.real()).map_err(|error| ToolError::io(named, &error))?.to_vec())
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(ToolError::io(named, &error)),
        };
        let existed = content.is_some();
        self.files.push(File { path, named: named.to_owned(), existed, content, executable: None, changed: false });
        Ok(self.files.last_mut().expect("it was just added"))
    }

    /// Writes those that have changed.
    pub fn write(&self) -> Result<(), ToolError> {
        for file in self.files.iter().filter(|file| file.changed) {
            let failed = |error| ToolError::io(&file.named, &error);
            match &file.content {
                Some(content) => {
                    super::make_parents(&file.path)?;
                    platform::put_file(&file.path.real(), content.clone(), file.executable).map_err(failed)?;
                }
                None if file.existed => platform::remove_file(&file.path.real()).map_err(failed)?,
                None => {}
            }
        }
        Ok(())
    }
}

impl File {
    /// What is in it now.
    pub fn present(&self) -> Result<&[u8], ToolError> {
        let missing = || ToolError::io(&self.named, &std::io::ErrorKind::NotFound.into());
        self.content.as_deref().ok_or_else(missing)
    }

    /// Puts `content` into it. Checked before anything is written: a few bytes in many places may need more room than there is.
    pub fn put(&mut self, content: Vec<u8>) -> Result<(), ToolError> {
        self.ensure_room(content.len())?;
        self.content = Some(content);
        self.changed = true;
        Ok(())
    }

    /// Refuses a content of `size` bytes that no file can have.
    pub fn ensure_room(&self, size: usize) -> Result<(), ToolError> {
        match size as u64 <= platform::file_bytes() {
            true => Ok(()),
            false => Err(ToolError::io(&self.named, &std::io::ErrorKind::FileTooLarge.into())),
        }
    }

    /// Takes it away, and returns what was in it and whether it was executable.
    pub fn take(&mut self) -> Result<(Vec<u8>, bool), ToolError> {
        self.present()?;
        let is_executable = match self.executable {
            Some(executable) => executable,
            None => platform::stat(&self.path.real()).is_ok_and(|stat| stat.kind == Kind::File && stat.executable),
        };
        self.changed = true;
        Ok((self.content.take().expect("it is present"), is_executable))
    }

    /// Gives it the mode that the file had which it was moved from.
    pub fn set_executable(&mut self, executable: bool) {
        self.executable = Some(executable);
    }
}
