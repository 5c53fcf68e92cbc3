//! The session toolset: the history of the sandbox, and undo.

mod history;
mod import;
mod undo;

pub(crate) use self::history::SandboxHistory;
pub(crate) use self::import::SandboxImport;
pub(crate) use self::undo::SandboxUndo;
