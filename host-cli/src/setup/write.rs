//! Reads and writes the clients' files: nothing but plain files, and none that somebody else has
//! changed since it was shown.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::plan::Step;
use crate::error::{self, Doing, ErrorKind, HostError, Result};
use crate::store::disk::{self, RealDisk};

/// More than any configuration file that people write.
const LARGEST: u64 = 64 << 20;

/// The files that may be written.
#[derive(Clone, Debug)]
pub struct Files {
    /// Links lead nowhere outside it. `None` for a user's own files, which may be anywhere.
    pub root: Option<PathBuf>,
    /// A git folder, which may be outside the root. Links in it lead nowhere outside it.
    pub git_dir: Option<PathBuf>,
}

impl Files {
    /// The text of a file. `None` if it does not exist.
    pub fn read(&self, path: &Path) -> Result<Option<String>> {
        let real = self.real(path)?;
        let metadata = match fs::metadata(&real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            metadata => metadata.doing("read", &real)?,
        };
        let refused = |what: &str| {
            HostError::new(ErrorKind::Refused, format!("{} {what}", path.display()))
                .hint("put a text file there, or nothing, then try again; nothing has changed")
        };
        if !metadata.is_file() {
            return Err(refused("is no plain file"));
        }
        if metadata.len() > LARGEST {
            return Err(refused("is too large for a configuration file"));
        }
        let bytes = fs::read(&real).doing("read", &real)?;
        String::from_utf8(bytes).map(Some).map_err(|_| refused("is not UTF-8 text"))
    }

    /// Where a file really is, if a link leads to it.
    pub fn link(&self, path: &Path) -> Result<Option<PathBuf>> {
        let real = self.real(path)?;
        Ok((real != path).then_some(real))
    }

    /// The folders that have to be made for a file, outermost first.
    pub fn missing_folders(&self, path: &Path) -> Result<Vec<PathBuf>> {
        let real = self.real(path)?;
        let mut missing: Vec<PathBuf> =
            real.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
        missing.reverse();
        Ok(missing)
    }

    /// Writes or removes a file, whole or not at all. It keeps its permissions.
    pub fn write(&self, step: &Step) -> Result<()> {
        if self.read(&step.file)? != step.before {
            return Err(HostError::new(
                ErrorKind::Refused,
                format!("{} has changed since it was shown", step.file.display()),
            )
            .hint("run the command again, and look at what it shows then"));
        }
        let real = self.real(&step.file)?;
        let Some(text) = &step.after else { return fs::remove_file(&real).doing("remove", &real) };
        let done = match fs::metadata(&real) {
            Ok(metadata) => disk::replace(&RealDisk, &real, |file| {
                file.set_permissions(metadata.permissions())?;
                file.write_all(text.as_bytes())
            }),
            Err(_) => {
                let folder = real.parent().expect("a client's file is in a folder");
                fs::create_dir_all(folder).doing("make", folder)?;
                disk::create(&RealDisk, &real, |file| file.write_all(text.as_bytes()))
            }
        };
        done.doing("write", &real)
    }

    /// The path that is read and written. A link on it that leads out of the root, or nowhere, is an
    /// error.
    fn real(&self, path: &Path) -> Result<PathBuf> {
        let refused = |at: &Path, what: &str| {
            HostError::new(ErrorKind::Refused, format!("{} is a link {what}", at.display()))
                .hint("remove the link, or make the change yourself where it leads; nothing has changed")
        };
        let root = [&self.git_dir, &self.root].into_iter().flatten().find(|root| path.starts_with(root));
        let root = root.or(self.root.as_ref());
        let beginning = root.map_or(path, PathBuf::as_path);
        // The folders above a root are the person's choice, and so are those above a file of theirs.
        let walked: Vec<&Path> = path.ancestors().take_while(|at| *at != beginning || root.is_none()).collect();
        let last = if root.is_some() { walked.len() } else { 1 };
        let mut is_linked = false;
        for at in walked.into_iter().take(last) {
            match fs::symlink_metadata(at) {
                Ok(metadata) if metadata.is_symlink() => {
                    let real = at.canonicalize().map_err(|_| refused(at, "that leads nowhere"))?;
                    if root.is_some_and(|root| !real.starts_with(root)) {
                        return Err(refused(at, "that leads out of the project"));
                    }
                    is_linked = true;
                }
                Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                    return Err(error::io("read", at, &error));
                }
                _ => {}
            }
        }
        if !is_linked {
            return Ok(path.to_owned());
        }
        // What does not exist yet is in a folder that does.
        let there = path.ancestors().find(|at| at.exists()).unwrap_or(path);
        let below = path.strip_prefix(there).expect("it is an ancestor of the path");
        let real = there.canonicalize().doing("find", there)?;
        Ok(if below.as_os_str().is_empty() { real } else { real.join(below) })
    }
}

/// Removes folders that were made for files, if nothing is in them.
pub fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // One that holds something is somebody else's, too.
        let _ = fs::remove_dir(folder);
    }
}
