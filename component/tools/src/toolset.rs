//! The tools: one file a tool, with a folder where it needs more. Each toolset is a folder; the registry lists them all.

pub mod filesystem;
pub mod git;
pub mod sandbox;
pub mod tasks;
