//! Errors that a caller can act on: a kind for programs, a message in git's words where git has
//! them, and a hint.
//!
//! This module holds every error text that more than one tool uses.

mod cause;
mod limits;

use std::error::Error;
use std::fmt;

pub use wit::{ErrorKind, Timeout};

pub use self::cause::Cause;
use crate::past::Horizon;
use crate::question::Question;

/// Why a call failed. A failed call changes nothing.
#[derive(Clone, Debug)]
pub struct ToolError {
    /// For programs.
    pub kind: ErrorKind,
    /// For people and models: what happened.
    pub message: String,
    /// What the caller can do about it. Empty if nothing helps.
    pub hint: String,
    /// The error below it, for developers only.
    pub cause: Option<Box<Cause>>,
}

/// Two errors are equal if a caller cannot tell them apart.
impl PartialEq for ToolError {
    fn eq(&self, other: &ToolError) -> bool {
        (&self.kind, &self.message, &self.hint) == (&other.kind, &other.message, &other.hint)
    }
}

impl Eq for ToolError {}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

impl ToolError {
    /// An error without a hint.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> ToolError {
        ToolError { kind, message: message.into(), hint: String::new(), cause: None }
    }

    /// Adds a hint to the error.
    pub fn hint(mut self, hint: impl Into<String>) -> ToolError {
        self.hint = hint.into();
        self
    }

    /// Keeps `error` as the cause.
    pub fn caused_by(mut self, error: &(dyn Error + 'static)) -> ToolError {
        self.cause = Some(Box::new(Cause::of(error)));
        self
    }

    /// What the errors below it said, the nearest first.
    pub fn causes(&self) -> Vec<String> {
        std::iter::successors(self.source(), |error| (**error).source()).map(ToString::to_string).collect()
    }

    /// Prepends `before` to the message.
    pub fn behind(mut self, before: &str) -> ToolError {
        self.message.insert_str(0, before);
        self
    }

    /// The arguments are wrong.
    pub fn bad_args(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorKind::BadArgs, message)
    }

    /// A failure with the text that git would print after `fatal: ` or `error: `.
    pub fn failed(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorKind::ExecutionFailed, message)
    }

    /// A named thing does not exist.
    pub fn not_found(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorKind::NotFound, message)
    }

    /// The path is outside the sandbox (SRD appendix B).
    pub fn outside(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("Path outside sandbox: {path}"))
            .hint("Use a path below /workspace, such as /workspace/notes.md, or a path relative to /workspace.")
    }

    /// The path leads into a repository's own folder.
    pub fn git_folder(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("Path inside .git: {path}"))
            .hint("File tools cannot access .git. Use the git tools.")
    }

    /// No repository may contain this path. The message is git's.
    pub fn invalid_path(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("invalid path '{path}'"))
    }

    /// The path is in a read-only zone.
    pub fn read_only_zone(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("Read-only zone: {path}"))
            .hint("Write below /workspace instead.")
    }

    /// The path is the root of a zone, which no tool moves or deletes.
    pub fn zone_root(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("Cannot move or delete the root of a zone: {path}"))
            .hint("Name a file or folder inside the zone.")
    }

    /// The folder is in no repository (SRD appendix B).
    pub fn not_a_repository(path: &str) -> ToolError {
        ToolError::new(ErrorKind::NotARepository, format!("Not a git repository: {path}"))
            .hint("The repository is at /workspace. Omit working_dir, or name a folder below /workspace.")
    }

    /// The caller wants to undo more than the `possible` calls. `horizon` says what limits undo.
    pub fn cannot_undo(possible: usize, horizon: &Horizon) -> ToolError {
        let why = match horizon {
            Horizon::Beginning => String::new(),
            Horizon::Kept => " The sandbox keeps no older calls for undo.".to_owned(),
            Horizon::Call(tool) => format!(" Undo cannot go back past {tool}."),
            Horizon::Zones => " Undo cannot go back to a time when the sandbox had other zones.".to_owned(),
        };
        match possible {
            0 => ToolError::failed("There is nothing to undo"),
            1 => ToolError::failed("Only 1 call can be undone"),
            possible => ToolError::failed(format!("Only {possible} calls can be undone")),
        }
        .hint(format!("Nothing has changed.{why} Call sandbox_history to see which calls you can undo."))
    }

    /// Writing a file of a commit to `path` failed. The caller did not name that path.
    pub fn io_of_commit(path: &str, error: &std::io::Error) -> ToolError {
        let error = ToolError::io(path, error);
        match error.kind {
            ErrorKind::BadArgs => {
                let hint =
                    format!("{} Rename it in the source repository, or pull paths that leave it out.", error.hint);
                ToolError { kind: ErrorKind::ExecutionFailed, hint, ..error }
            }
            _ => error,
        }
    }

    /// A filesystem error at `path`, as the caller named it.
    pub fn io(path: &str, error: &std::io::Error) -> ToolError {
        use std::io::ErrorKind as Io;
        let told = match error.kind() {
            Io::NotFound => ToolError::not_found(format!("No such file or directory: {path}"))
                .hint("Call list_files to see what exists."),
            Io::StorageFull | Io::QuotaExceeded => limits::full(),
            Io::FileTooLarge => limits::file_too_large(path),
            Io::IsADirectory => ToolError::failed(format!("Is a directory: {path}"))
                .hint("Name a file in it. Call list_files to see its files."),
            Io::NotADirectory => ToolError::failed(format!("Not a directory: {path}")),
            Io::DirectoryNotEmpty => ToolError::failed(format!("Directory not empty: {path}"))
                .hint("Set recursive to true to delete its contents too."),
            Io::AlreadyExists => ToolError::failed(format!("File exists: {path}")),
            Io::ReadOnlyFilesystem => ToolError::read_only_zone(path),
            Io::InvalidFilename => limits::name_too_long(path),
            _ => ToolError::failed(format!("{path}: {}", plain(error))),
        };
        told.caused_by(error)
    }
}

/// The system's message without the error number, which differs between systems.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// Why a tool's `run` ended without a result.
#[derive(Debug)]
pub enum Stop {
    /// It failed.
    Failed(ToolError),
    /// It needs an answer first.
    Ask(Box<Question>),
}

impl From<ToolError> for Stop {
    fn from(error: ToolError) -> Stop {
        Stop::Failed(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_s_words_stand_without_its_number() {
        let system = std::io::Error::from_raw_os_error(4);
        let message = ToolError::io("/workspace/a", &system).message;
        let words = message.strip_prefix("/workspace/a: ").expect("the path comes first");
        assert!(
            !words.is_empty() && system.to_string().starts_with(words) && !message.contains("os error"),
            "{message}"
        );
        let own = std::io::Error::other("of another kind");
        assert_eq!(ToolError::io("/workspace/a", &own).message, "/workspace/a: of another kind");
    }

    #[test]
    fn an_error_keeps_what_it_comes_from() {
        let below = std::io::Error::other("the disk is gone");
        let error = ToolError::io("/workspace/a", &below).hint("Nothing has changed.");
        assert_eq!(error.causes()[0], below.to_string());
        assert_eq!(error.source().map(ToString::to_string), Some(below.to_string()));
        assert_eq!(error, ToolError { cause: None, ..error.clone() }, "no caller sees it");
        assert_eq!(ToolError::failed("by itself").causes(), Vec::<String>::new());
    }
}
