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

pub(crate) mod checked;
pub mod disk;
#[cfg(all(test, unix))]
pub(crate) mod faults;
mod files;
mod lock;

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use gate::id::SandboxId;

pub use files::FileStorage;
pub use host::attachment::{Attachment, AttachmentId};
pub use host::store::{
    Answer, Attachments, Held, Inside, Journal, LedgerLog, Log, Mark, Pending, Storage, Store, Wait, Waiting,
};
pub use lock::{LockFile, LockedFile};

use crate::error::Result;
use disk::{Disk, RealDisk};

/// What the files in `folder`, which exists, have of `sandbox`.
pub fn open(folder: &Path, sandbox: SandboxId) -> Result<Store> {
    open_on(folder, sandbox, Arc::new(RealDisk))
}

/// As [`open`], on a disk that may fail.
pub fn open_on(folder: &Path, sandbox: SandboxId, disk: Arc<dyn Disk>) -> Result<Store> {
    Ok(Store::new(Rc::new(FileStorage::open(folder, disk)?), sandbox))
}
