//! The directory of a sandbox on disk.
//!
//! ```text
//! .gitgate-sandbox     the sandbox that owns the directory
//! workspace/           the tools' /workspace
//! undo/                records of what the running call changed
//! kept/                files moved aside to undo an interrupted call
//! ```

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use gate::id::SandboxId;
use serde::{Deserialize, Serialize};

use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::home::Home;
use crate::store::disk::{self, RealDisk};

/// The directory, which exists.
#[derive(Clone, Debug)]
pub struct Place {
    root: PathBuf,
}

/// Marks a directory as gitgate's and names its sandbox.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Owner {
    home: PathBuf,
    sandbox: String,
}

const OWNER: &str = ".gitgate-sandbox";
const WORKSPACE: &str = "workspace";

impl Place {
    /// The directory `root`, an absolute path without links.
    pub fn open(root: &Path) -> Result<Self> {
        if root.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            return Ok(Place { root: root.to_owned() });
        }
        Err(HostError::new(ErrorKind::Damaged, format!("the sandbox's folder {} is missing", root.display()))
            .hint("restore it, or remove the sandbox with `gitgate rm`"))
    }

    /// The folder of /workspace.
    pub fn workspace(&self) -> PathBuf {
        self.root.join(WORKSPACE)
    }

    /// The folder with the running call's records.
    pub fn undo(&self) -> PathBuf {
        self.root.join("undo")
    }

    /// The folder for files moved aside.
    pub fn kept(&self) -> PathBuf {
        self.root.join("kept")
    }

    /// The path as callers know it, or `None` for the repository's own files.
    pub fn shown(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(self.workspace()).ok()?;
        (!below.starts_with(".git")).then(|| format!("/{WORKSPACE}/{}", below.display()))
    }
}

/// A directory claimed for a new sandbox. Whatever was created is removed unless it is finished.
#[derive(Debug)]
pub struct Claimed {
    /// Where it is: absolute, without links.
    pub root: PathBuf,
    /// True if an earlier sandbox of that name left its repository here.
    pub is_taken_over: bool,
    owner: Owner,
    /// Folders that are new, the deepest first.
    made: Vec<PathBuf>,
}

/// Claims the directory `named` for the new sandbox `name`. It must be missing, empty, or left by
/// an earlier sandbox of that name.
pub fn claim(named: &Path, home: &Home, name: &SandboxId) -> Result<Claimed> {
    let root = std::path::absolute(named).doing("find", named)?;
    let made: Vec<PathBuf> =
        root.ancestors().take_while(|folder| folder.symlink_metadata().is_err()).map(Path::to_owned).collect();
    fs::create_dir_all(&root).doing("make", &root)?;
    let owner = Owner { home: home.real()?, sandbox: name.to_string() };
    let mut claimed = Claimed { root, is_taken_over: false, owner, made };
    claimed.root = claimed.root.canonicalize().doing("find", &claimed.root)?;
    home.ensure_apart(&claimed.root)?;
    claimed.is_taken_over = claimed.is_own()?;
    if !claimed.is_taken_over {
        let workspace = claimed.root.join(WORKSPACE);
        fs::create_dir(&workspace).doing("make", &workspace)?;
        claimed.made.insert(0, workspace);
    }
    Ok(claimed)
}

impl Claimed {
    /// True if an earlier sandbox of this name left the directory. Fails if it is neither that nor
    /// empty.
    fn is_own(&self) -> Result<bool> {
        let root = &self.root;
        if fs::read_dir(root).doing("read", root)?.next().is_none() {
            return Ok(false);
        }
        let owner = fs::read_to_string(root.join(OWNER)).ok().and_then(|text| toml::from_str::<Owner>(&text).ok());
        match owner {
            Some(owner) if owner == self.owner => Ok(true),
            Some(owner) => Err(HostError::new(
                ErrorKind::Refused,
                format!("{} belongs to the sandbox '{}' in {}", root.display(), owner.sandbox, owner.home.display()),
            )
            .hint("name a folder that does not exist")),
            None => Err(HostError::new(ErrorKind::Refused, format!("{} is not empty", root.display()))
                .hint("name a folder that does not exist, or an empty one: the sandbox owns everything in it")),
        }
    }

    /// Marks the directory with its owner. From here on it stays.
    pub fn finish(mut self) -> Result<()> {
        let path = self.root.join(OWNER);
        let text = toml::to_string(&self.owner).map_err(|error| {
            HostError::new(ErrorKind::Storage, format!("cannot write {}: {error}", path.display()))
                .hint("choose a home folder whose path is UTF-8")
        })?;
        disk::replace(&RealDisk, &path, |file| file.write_all(text.as_bytes())).doing("write", &path)?;
        self.made.clear();
        Ok(())
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        // Keep a directory that existed before, and whatever others have put into a folder above.
        for (at, folder) in self.made.iter().enumerate() {
            let removed = if at == 0 { fs::remove_dir_all(folder) } else { fs::remove_dir(folder) };
            if let Err(error) = removed {
                tracing::debug!("cannot remove {}: {error}", folder.display());
            }
        }
    }
}
