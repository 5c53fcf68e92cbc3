//! The session toolset: the history of the sandbox, and undo.

pub mod history;
pub mod import;
mod named;
pub mod receive;
pub mod refs;
pub mod undo;
pub mod upload;
