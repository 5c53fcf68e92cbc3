//! Handles to open or closed temporary files.

use std::fmt::Debug;
use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::{AutoRemove, ContainingDirectory};

/// Marks a handle whose file is open for writing.
pub type Writable = NamedTempFile;
/// Marks a handle whose file is closed. The file still exists.
pub type Closed = TempPath;

/// A temporary file. Dropping the handle removes it, unless the file was persisted or taken.
#[derive(Debug)]
#[must_use = "a handle that is dropped at once locks nothing"]
pub struct Handle<F: Debug> {
    /// `None` only after the file was handed on.
    file: Option<F>,
    dir: PathBuf,
    cleanup: AutoRemove,
}

impl<F: Debug> Drop for Handle<F> {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            drop(file);
            self.cleanup.clean_up(&self.dir);
        }
    }
}

impl<F: Debug> Handle<F> {
    fn new_in(dir: &Path, cleanup: AutoRemove, file: F) -> Handle<F> {
        Handle { file: Some(file), dir: dir.to_owned(), cleanup }
    }

    fn hand_on(&mut self) -> F {
        self.file.take().expect("a handle gives its file away only when it is consumed")
    }
}

fn create(
    path: &Path,
    directory: ContainingDirectory,
    cleanup: AutoRemove,
    permissions: Option<Permissions>,
) -> io::Result<Handle<Writable>> {
    let dir = path
        .parent()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a temporary file needs a parent folder"))?;
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a temporary file needs a name"))?;
    directory.ensure(dir)?;
    let mut builder = Builder::new();
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let file = builder.prefix(name).rand_bytes(0).tempfile_in(dir)?;
    Ok(Handle::new_in(dir, cleanup, file))
}

impl Handle<Writable> {
    /// Creates a file at exactly `path`, which must not exist.
    pub fn at(path: impl AsRef<Path>, directory: ContainingDirectory, cleanup: AutoRemove) -> io::Result<Self> {
        create(path.as_ref(), directory, cleanup, None)
    }

    /// As [`at`](Self::at), with these permissions.
    pub fn at_with_permissions(
        path: impl AsRef<Path>,
        directory: ContainingDirectory,
        cleanup: AutoRemove,
        permissions: Permissions,
    ) -> io::Result<Self> {
        create(path.as_ref(), directory, cleanup, Some(permissions))
    }

    /// Creates a file with a unique name in `dir`.
    pub fn new(dir: impl AsRef<Path>, directory: ContainingDirectory, cleanup: AutoRemove) -> io::Result<Self> {
        let dir = dir.as_ref();
        directory.ensure(dir)?;
        let file = NamedTempFile::new_in(dir)?;
        Ok(Handle::new_in(dir, cleanup, file))
    }

    /// Closes the file and keeps it.
    pub fn close(mut self) -> io::Result<Handle<Closed>> {
        let path = self.hand_on().into_temp_path();
        Ok(Handle::new_in(&self.dir, self.cleanup.clone(), path))
    }

    /// Returns the file. The caller must clean it up.
    pub fn take(mut self) -> Option<NamedTempFile> {
        self.file.take()
    }

    /// Calls `once` with the open file.
    pub fn with_mut<T>(&mut self, once: impl FnOnce(&mut NamedTempFile) -> T) -> io::Result<T> {
        Ok(once(self.file.as_mut().expect("a handle gives its file away only when it is consumed")))
    }

    /// Moves the file to `path` and replaces an existing one.
    pub fn persist(mut self, path: impl AsRef<Path>) -> Result<Option<File>, persist::Error<Writable>> {
        match self.hand_on().persist(path) {
            Ok(file) => Ok(Some(file)),
            Err(error) => {
                self.file = Some(error.file);
                Err(persist::Error { error: error.error, handle: self })
            }
        }
    }
}

impl Handle<Closed> {
    /// Creates a file at exactly `path`, which must not exist.
    pub fn at(path: impl AsRef<Path>, directory: ContainingDirectory, cleanup: AutoRemove) -> io::Result<Self> {
        Handle::<Writable>::at(path, directory, cleanup)?.close()
    }

    /// As [`at`](Self::at), with these permissions.
    pub fn at_with_permissions(
        path: impl AsRef<Path>,
        directory: ContainingDirectory,
        cleanup: AutoRemove,
        permissions: Permissions,
    ) -> io::Result<Self> {
        Handle::<Writable>::at_with_permissions(path, directory, cleanup, permissions)?.close()
    }

    /// Returns the path. The caller must clean the file up.
    pub fn take(mut self) -> Option<TempPath> {
        self.file.take()
    }

    /// Moves the file to `path` and replaces an existing one.
    pub fn persist(mut self, path: impl AsRef<Path>) -> Result<(), persist::Error<Closed>> {
        match self.hand_on().persist(path) {
            Ok(()) => Ok(()),
            Err(error) => {
                self.file = Some(error.path);
                Err(persist::Error { error: error.error, handle: self })
            }
        }
    }
}

impl io::Write for Handle<Writable> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.with_mut(|file| file.write(buf))?
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with_mut(io::Write::flush)?
    }
}

impl io::Seek for Handle<Writable> {
    fn seek(&mut self, pos: io::SeekFrom) -> io::Result<u64> {
        self.with_mut(|file| file.seek(pos))?
    }
}

impl io::Read for Handle<Writable> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.with_mut(|file| file.read(buf))?
    }
}

/// See [`Handle::<Writable>::new`].
pub fn new(dir: impl AsRef<Path>, directory: ContainingDirectory, cleanup: AutoRemove) -> io::Result<Handle<Writable>> {
    Handle::<Writable>::new(dir, directory, cleanup)
}

/// See [`Handle::<Writable>::at`].
pub fn writable_at(
    path: impl AsRef<Path>,
    directory: ContainingDirectory,
    cleanup: AutoRemove,
) -> io::Result<Handle<Writable>> {
    Handle::<Writable>::at(path, directory, cleanup)
}

/// See [`Handle::<Writable>::at_with_permissions`].
pub fn writable_at_with_permissions(
    path: impl AsRef<Path>,
    directory: ContainingDirectory,
    cleanup: AutoRemove,
    permissions: Permissions,
) -> io::Result<Handle<Writable>> {
    Handle::<Writable>::at_with_permissions(path, directory, cleanup, permissions)
}

/// See [`Handle::<Closed>::at`].
pub fn mark_at(
    path: impl AsRef<Path>,
    directory: ContainingDirectory,
    cleanup: AutoRemove,
) -> io::Result<Handle<Closed>> {
    Handle::<Closed>::at(path, directory, cleanup)
}

/// See [`Handle::<Closed>::at_with_permissions`].
pub fn mark_at_with_permissions(
    path: impl AsRef<Path>,
    directory: ContainingDirectory,
    cleanup: AutoRemove,
    permissions: Permissions,
) -> io::Result<Handle<Closed>> {
    Handle::<Closed>::at_with_permissions(path, directory, cleanup, permissions)
}

/// A failed persist returns the handle.
pub mod persist {
    use std::fmt::{self, Debug, Display};

    use super::Handle;

    /// A failed move, with its file.
    #[derive(Debug)]
    pub struct Error<F: Debug> {
        /// The filesystem's error.
        pub error: std::io::Error,
        /// The file at its old path.
        pub handle: Handle<F>,
    }

    impl<F: Debug> Display for Error<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            Display::fmt(&self.error, f)
        }
    }

    impl<F: Debug> std::error::Error for Error<F> {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.error)
        }
    }
}
