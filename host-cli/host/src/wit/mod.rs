//! The types of the component's interface, as plain values: `wit/sandbox.wit` documents each. Every
//! body converts them to what its engine takes.

mod question;

pub use question::*;
use serde::{Deserialize, Serialize};

/// `identity`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `user.name`
    pub name: String,
    /// `user.email`
    pub email: String,
}

/// `zone`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// One component of a path.
    pub name: String,
    /// Whether tools may write in it.
    pub writable: bool,
}

/// `limits`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of file content.
    pub bytes: u64,
    /// Files, folders and links.
    pub files: u64,
    /// Bytes in one file.
    pub file_bytes: u64,
    /// Bytes in a path.
    pub path_bytes: u32,
    /// Files open at the same time.
    pub open_files: u32,
    /// Calls that undo can take back.
    pub undo_steps: u32,
    /// Bytes kept only for undo.
    pub undo_bytes: u64,
}

/// `git-settings`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitSettings {
    /// Whether the git tools are on.
    pub enabled: bool,
    /// The default time of a git tool.
    pub timeout_ms: u64,
    /// The default size of a git tool's text.
    pub max_bytes: u64,
}

/// `push-mode`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushMode {
    /// Only the user.
    Manual,
    /// An agent may propose a push.
    Assisted,
}

/// `task-settings`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSettings {
    /// What the keys of a record's trailers begin with.
    pub trailer_prefix: String,
}

/// `target`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// `local`, `local-bare`, `github`, `git` or `bundle`.
    pub kind: String,
    /// A path, `OWNER/REPO` or a URL.
    pub location: String,
    /// Without `refs/heads/`.
    pub branch: Option<String>,
}

/// `options`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Sixteen bytes.
    pub sandbox: Vec<u8>,
    /// Who commits.
    pub identity: Option<Identity>,
    /// Zones besides `workspace`.
    pub zones: Vec<Zone>,
    /// The toolsets that are on.
    pub toolsets: Vec<String>,
    /// Settings of the git tools.
    pub git: GitSettings,
    /// Settings of the task tools.
    pub tasks: TaskSettings,
    /// Who may start a push.
    pub push: PushMode,
    /// Where a push goes that names no target.
    pub default_target: Option<Target>,
    /// What the sandbox may hold.
    pub limits: Limits,
    /// Of the randomness inside.
    pub seed: u64,
}

/// `fault`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What programs act on.
    pub kind: FaultKind,
    /// For a person.
    pub message: String,
    /// For a person; may be empty.
    pub hint: String,
}

/// `fault-kind`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The host used the interface out of order.
    Misuse,
    /// A record before the last one is damaged.
    DamagedJournal,
    /// The journal is another sandbox's, or of another version.
    ForeignJournal,
    /// The journal names an attachment that is not there.
    MissingAttachment,
    /// Fewer calls can be undone.
    NothingToUndo,
    /// The limits leave no room.
    OutOfSpace,
}

/// `restoration`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restoration {
    /// Whole records replayed.
    pub records: u64,
    /// Bytes of the journal's intact part.
    pub valid_bytes: u64,
    /// The header of a new journal.
    pub preamble: Vec<u8>,
}

/// `caller`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// An agent.
    Agent,
    /// The person.
    User,
}

/// `tool-call`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The host's id for the call.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// A JSON object.
    pub arguments: String,
    /// Who makes it.
    pub caller: Caller,
    /// Nanoseconds since the Unix epoch.
    pub now: u64,
    /// Seconds east of UTC.
    pub utc_offset: i32,
    /// Nanoseconds that it may take.
    pub time_allowed: u64,
}

/// `tool-result`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// For a model.
    pub text: String,
    /// A JSON object.
    pub structured: String,
    /// Whether `text` was cut.
    pub truncated: bool,
}

/// `tool-error`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    /// What programs act on.
    pub kind: ErrorKind,
    /// What went wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

/// `error-kind`
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ErrorKind {
    BadArgs,
    UnknownTool,
    NotARepository,
    SandboxViolation,
    NotFound,
    Conflict,
    ExecutionFailed,
    /// The call ran out of time.
    Timeout(Timeout),
    Cancelled,
    /// With the person's reason.
    Rejected(String),
    NotPermitted,
    OutOfSpace,
}

impl ErrorKind {
    /// Its name in the interface, which programs act on.
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::BadArgs => "bad-args",
            ErrorKind::UnknownTool => "unknown-tool",
            ErrorKind::NotARepository => "not-a-repository",
            ErrorKind::SandboxViolation => "sandbox-violation",
            ErrorKind::NotFound => "not-found",
            ErrorKind::Conflict => "conflict",
            ErrorKind::ExecutionFailed => "execution-failed",
            ErrorKind::Timeout(_) => "timeout",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::Rejected(_) => "rejected",
            ErrorKind::NotPermitted => "not-permitted",
            ErrorKind::OutOfSpace => "out-of-space",
        }
    }
}

/// `timeout`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeout {
    /// The time that was allowed.
    pub ms: u64,
    /// The text so far.
    pub partial: String,
}

/// `step`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The call is over.
    Done(Done),
    /// It needs an answer.
    Ask(Question),
}

/// `done`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The result or the error.
    pub outcome: Result<ToolResult, ToolError>,
    /// Bytes of the journal record.
    pub record_size: u64,
}

/// `tool-spec`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The toolsets that it is in.
    pub toolsets: Vec<String>,
    /// JSON Schema of its arguments.
    pub schema: String,
    /// JSON Schema of its structured result.
    pub output_schema: String,
    /// Whether only the user may call it.
    pub manual: bool,
    /// Whether it never changes anything.
    pub read_only: bool,
    /// Whether it may remove or replace what is there.
    pub destructive: bool,
    /// Whether the same call made again changes nothing more.
    pub idempotent: bool,
    /// Whether it reaches beyond the sandbox.
    pub open_world: bool,
}
