//! Errors that a caller can act on: a kind for programs, a message in git's words where git has
//! them, and a hint.
//!
//! Every text that more than one tool uses is made here.

mod limits;

use std::fmt;

use crate::past::Horizon;
use crate::question::Question;

/// What went wrong, for programs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ErrorKind {
    /// The arguments are not what the schema says, or contradict each other.
    BadArgs,
    /// No such tool exists, or it is disabled.
    UnknownTool,
    /// The working folder is not in a repository.
    NotARepository,
    /// A path leads out of the zones, into a read-only zone, or to `.git`.
    SandboxViolation,
    /// A file, a commit or a branch that does not exist.
    NotFound,
    /// Uncommitted changes or a moved branch are in the way.
    Conflict,
    /// Anything else that git would have failed for.
    ExecutionFailed,
    /// The call ran out of time.
    Timeout {
        /// The time limit.
        ms: u64,
        /// The text produced so far.
        partial: String,
    },
    /// The host cancelled the call.
    Cancelled,
    /// A person rejected the call.
    Rejected {
        /// The person's reason.
        reason: String,
    },
    /// This caller may not use this tool.
    NotPermitted,
    /// The call would exceed a limit of the sandbox.
    OutOfSpace,
}

impl ErrorKind {
    /// The kind's name in `--json` output and in the interface.
    pub fn name(&self) -> &'static str {
        wit::error_kind_name!(self, ErrorKind)
    }
}

/// Why a call failed. Nothing has changed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ToolError {
    /// For programs.
    pub kind: ErrorKind,
    /// For people and models: what happened.
    pub message: String,
    /// What to do about it. Empty if nothing can be done.
    pub hint: String,
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {}

impl ToolError {
    /// An error without a hint.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> ToolError {
        ToolError { kind, message: message.into(), hint: String::new() }
    }

    /// The same error, with what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> ToolError {
        self.hint = hint.into();
        self
    }

    /// The same error, with `before` in front of its message.
    pub fn behind(mut self, before: &str) -> ToolError {
        self.message.insert_str(0, before);
        self
    }

    /// The arguments are wrong.
    pub fn bad_args(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorKind::BadArgs, message)
    }

    /// What git would print after `fatal: ` or `error: `.
    pub fn failed(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorKind::ExecutionFailed, message)
    }

    /// A named thing does not exist.
    pub fn not_found(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorKind::NotFound, message)
    }

    /// A path outside the sandbox (SRD appendix B).
    pub fn outside(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("Path outside sandbox: {path}"))
            .hint("Use a path below /workspace, such as /workspace/notes.md, or a path relative to /workspace.")
    }

    /// A path that leads to a repository's own folder.
    pub fn git_folder(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("Path inside .git: {path}"))
            .hint("File tools cannot access .git. Use the git tools.")
    }

    /// A path that no repository may have, in git's words.
    pub fn invalid_path(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("invalid path '{path}'"))
    }

    /// A path in a read-only zone.
    pub fn read_only_zone(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("Read-only zone: {path}"))
            .hint("Write below /workspace instead.")
    }

    /// The root of a zone, which no tool moves or deletes.
    pub fn zone_root(path: &str) -> ToolError {
        ToolError::new(ErrorKind::SandboxViolation, format!("Cannot move or delete the root of a zone: {path}"))
            .hint("Name a file or folder inside the zone.")
    }

    /// A folder outside every repository (SRD appendix B).
    pub fn not_a_repository(path: &str) -> ToolError {
        ToolError::new(ErrorKind::NotARepository, format!("Not a git repository: {path}"))
            .hint("The repository is at /workspace. Omit working_dir, or name a folder below /workspace.")
    }

    /// The caller asked to undo more calls than the `possible` ones. `horizon` says what stops
    /// undo.
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

    /// A failure to write a commit's file at `path`, which no caller named.
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
        match error.kind() {
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
        }
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
}
