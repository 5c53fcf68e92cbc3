//! The session toolset: the history of the sandbox, and undo.

pub mod history;
pub mod import;
pub mod receive;
pub mod refs;
pub mod undo;
pub mod upload;
