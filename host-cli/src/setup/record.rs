//! What a set-up has written, kept in the home folder until it is taken back.
//!
//! The files are private: what stood in a client's file before may hold its secrets.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::change::Taken;
use super::{ignore, markdown};
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::store::disk::{self, RealDisk};

/// The version of the format.
const VERSION: u32 = 1;

/// What a set-up has written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    version: u32,
    /// The files.
    pub written: Vec<Written>,
    /// Folders that were made for them, outermost first.
    pub folders: Vec<PathBuf>,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// The file.
    pub file: PathBuf,
    /// Its text before. `None` if it did not exist.
    pub former: Option<String>,
    /// The texts that it may have been left with. As long as it has one of them, the former text
    /// comes back.
    pub left: Vec<String>,
    /// What takes back what was added, once somebody else has changed the file, too.
    pub undo: Undo,
}

/// What takes an addition back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undo {
    /// In JSON.
    Json(Vec<Taken>),
    /// In TOML.
    Toml(Vec<Taken>),
    /// In Markdown.
    Section(markdown::Taken),
    /// In a file of patterns for git.
    Ignored(ignore::Taken),
    /// The whole file is gitgate's. Once somebody else has changed it, it is theirs.
    Whole,
}

impl Record {
    /// A record of these files and folders.
    pub fn new(written: Vec<Written>, folders: Vec<PathBuf>) -> Self {
        Record { version: VERSION, written, folders }
    }

    /// Reads the record at `path`. `None` if there is none.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            text => text.doing("read", path)?,
        };
        let damaged = |what: String| {
            HostError::new(ErrorKind::Damaged, format!("{} {what}", path.display()))
                .hint("take gitgate's entries out of the client's files yourself, then remove this file")
        };
        let record: Record = serde_json::from_str(&text).map_err(|error| damaged(format!("is damaged: {error}")))?;
        match record.version {
            VERSION => Ok(Some(record)),
            other => Err(damaged(format!("has version {other}, which this gitgate does not know"))),
        }
    }

    /// Writes it to `path`, durably. A record of nothing goes away.
    pub fn write(&self, path: &Path) -> Result<()> {
        if self.written.is_empty() {
            return match fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).doing("remove", path),
                _ => Ok(()),
            };
        }
        let folder = path.parent().expect("a record is in the home folder");
        disk::private_folder(folder).doing("make", folder)?;
        let text = serde_json::to_vec_pretty(self).expect("it has only string keys");
        disk::replace(&RealDisk, path, |file| file.write_all(&text)).doing("write", path)
    }
}
