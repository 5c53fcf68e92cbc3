//! A sandbox's files on the disk, and how each is kept whole.
//!
//! What is kept, and what may be done to it, `host::store` says. Here is where it goes:
//!
//! | file | what it has |
//! |---|---|
//! | `files` | a sandbox in a folder of files: `host`'s storage |
//! | `checked` | which attachments were found whole |
//! | `lock` | a lock between processes |
//! | `disk` | the steps that can fail |

#[cfg(all(test, unix))]
pub(crate) mod chaos;
pub(crate) mod checked;
pub mod disk;
mod files;
mod lock;

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use host::settings::{HexId, SandboxFile};

pub use files::FileStorage;
pub use host::attachment::{Attachment, AttachmentId};
pub use host::store::{
    Answer, Attachments, Held, Inside, Journal, Kind, LedgerLog, Log, Mark, Pending, Storage, Store, Wait, Waiting,
};
pub use lock::{LockFile, LockedFile};

use crate::error::Result;
use disk::{Disk, RealDisk};

/// What the files in `folder` have of the sandbox whose settings are there.
///
/// # Errors
/// If the settings cannot be read.
pub fn open(folder: &Path) -> Result<Store> {
    open_on(folder, Arc::new(RealDisk))
}

/// As [`open`], on a disk that may fail.
///
/// # Errors
/// If the settings cannot be read.
pub fn open_on(folder: &Path, disk: Arc<dyn Disk>) -> Result<Store> {
    Store::open(Rc::new(FileStorage::open(folder, disk)?))
}

/// What `folder`, which exists, is to have of the sandbox with this id. Its settings need not be there.
///
/// # Errors
/// If its lock cannot be opened.
pub fn begin(folder: &Path, id: HexId) -> Result<Store> {
    Ok(Store::new(Rc::new(FileStorage::open(folder, Arc::new(RealDisk))?), id.name()))
}

/// The settings of the sandbox in `folder`.
///
/// # Errors
/// If they cannot be read.
pub fn settings(folder: &Path) -> Result<SandboxFile> {
    host::store::settings(&FileStorage::open(folder, Arc::new(RealDisk))?)
}

/// Puts settings into `folder`, which exists, durably.
///
/// # Errors
/// If they cannot be written.
pub fn put_settings(folder: &Path, file: &SandboxFile) -> Result<()> {
    let storage = FileStorage::open(folder, Arc::new(RealDisk))?;
    let held = storage.lock(Wait::Not)?;
    host::store::put_settings(&storage, &held, file)
}
