//! The tools. Each is one file, with a folder if it needs more. Each toolset is a folder, and the registry lists all tools.

pub mod filesystem;
pub mod git;
pub mod sandbox;
#[cfg(feature = "shell")]
pub mod shell;
pub mod tasks;
