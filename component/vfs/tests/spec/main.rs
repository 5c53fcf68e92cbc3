//! The specification of the filesystem, tested through its public interface.

mod changes;
mod comparing;
mod delta;
mod directories;
mod files;
mod graft;
mod guards;
mod hostile;
mod journal;
mod life;
mod limits;
#[cfg(unix)]
mod posix;
mod replay;
#[cfg(target_os = "wasi")]
mod std_fs;
mod support;
mod timeline;
mod tree_dump;
