//! `gix-tempfile` without a registry.
//!
//! The real crate keeps a registry of temporary files, to remove them when a signal ends the process or a fork drops them, and asks for
//! the process id to do so, which panics on WASI. In the component there are no signals and no forks, and a call that does not
//! end well puts the old tree back; the native host settles what a killed push has left from its intent. So a handle
//! here simply owns its file.

pub use gix_fs::dir::{create as create_dir, remove as remove_dir};

pub mod handle;
mod place;

pub use handle::{Handle, mark_at, mark_at_with_permissions, new, writable_at, writable_at_with_permissions};
pub use place::{AutoRemove, ContainingDirectory};
