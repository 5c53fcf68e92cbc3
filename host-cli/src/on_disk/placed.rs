//! Packs that were stored for a call and that the call has put into the repository: there they are needed, and nowhere else.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// What tells packs apart: their length, and the hash of the rest at their end (git's gitformat-pack).
#[derive(PartialEq, Eq)]
struct Name(u64, Vec<u8>);

/// The bytes of the hash.
const HASH: u64 = 20;

impl Name {
    fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let len = file.metadata()?.len();
        file.seek(SeekFrom::Start(len.saturating_sub(HASH)))?;
        let mut hash = Vec::new();
        file.take(HASH).read_to_end(&mut hash)?;
        Ok(Name(len, hash))
    }
}

/// Whether the pack `stored` is in the repository of `workspace`, too, and would be there even if the machine lost its power now.
pub fn is_placed(workspace: &Path, stored: &Path) -> io::Result<bool> {
    let folder = workspace.join(".git/objects/pack");
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        entries => entries?,
    };
    let name = Name::of(stored)?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pack") && Name::of(&path)? == name {
            File::open(&path)?.sync_all()?;
            File::open(&folder)?.sync_all()?;
            return Ok(true);
        }
    }
    Ok(false)
}
