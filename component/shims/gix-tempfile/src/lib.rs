//! `gix-tempfile` without a registry.
//!
//! The real crate keeps a registry of temporary files, so that it can remove them when a signal ends the process or a fork drops them. It
//! asks for the process id, which panics on WASI. The component has no signals and no forks, and a call that fails restores the old tree.
//! After a killed push, the native host settles the leftovers from the push's intent. So here a handle simply owns its file.

pub use gix_fs::dir::{create as create_dir, remove as remove_dir};

pub mod handle;
mod place;

pub use handle::{Handle, mark_at, mark_at_with_permissions, new, writable_at, writable_at_with_permissions};
pub use place::{AutoRemove, ContainingDirectory};
