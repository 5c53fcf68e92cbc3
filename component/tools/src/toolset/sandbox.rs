//! The session toolset: what happened in the sandbox, and taking it back.

mod history;
mod import;
mod undo;

pub(crate) use self::history::SandboxHistory;
pub(crate) use self::import::SandboxImport;
pub(crate) use self::undo::SandboxUndo;
