//! The session toolset: the history of the sandbox, and undo.

pub mod history;
pub mod import;
pub mod undo;
