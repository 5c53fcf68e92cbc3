//! The table of the interface's types.

/// Calls the macro `$each` for every type of the interface: with the tokens `$with`, then the type.
///
/// The words are those of WIT, the names and types are Rust's. A case's value has a name, so that a
/// macro can bind it.
#[macro_export]
macro_rules! interface {
    ($each:path, $with:tt) => {
        $crate::each_type! { $each, $with,
            record Identity { name: String, email: String }
            record Zone { name: String, writable: bool }
            #[derive(Copy)]
            record Limits {
                bytes: u64,
                files: u64,
                file_bytes: u64,
                path_bytes: u32,
                open_files: u32,
                undo_steps: u32,
                undo_bytes: u64,
            }
            record GitSettings { enabled: bool, timeout_ms: u64, max_bytes: u64 }
            record TaskSettings { trailer_prefix: String }
            enum PushMode { Manual, Assisted }
            record Target { kind: String, location: String, branch: Option<String> }
            record Options {
                sandbox: Vec<u8>,
                identity: Option<Identity>,
                committer: Option<Identity>,
                zones: Vec<Zone>,
                toolsets: Vec<String>,
                git: GitSettings,
                tasks: TaskSettings,
                push: PushMode,
                default_target: Option<Target>,
                limits: Limits,
                seed: u64,
            }

            record Fault { kind: FaultKind, message: String, hint: String }
            enum FaultKind {
                Misuse,
                DamagedJournal,
                ForeignJournal,
                MissingAttachment,
                NothingToUndo,
                OutOfSpace,
            }
            record Restoration { records: u64, valid_bytes: u64, preamble: Vec<u8> }

            enum Caller { Agent, User }
            record ToolCall {
                id: String,
                tool: String,
                arguments: String,
                dialect: Option<String>,
                max_bytes: Option<u64>,
                caller: Caller,
                now: u64,
                utc_offset: i32,
                time_allowed: u64,
            }

            record Question { key: Vec<u8>, body: QuestionBody }
            variant QuestionBody {
                Approval(approval: Approval),
                Refs(target: Target),
                Push(push: Push),
                Commits(wanted: CommitsWanted),
                Blobs(wanted: BlobsWanted),
                Comments(answers: Vec<CommentAnswer>),
            }
            record CommentAnswer { comment: String, text: String }
            record Comment {
                id: String,
                target: String,
                reference: String,
                commit: String,
                path: Option<String>,
                lines: Option<CommentLines>,
                must: bool,
                text: String,
                by: String,
                at: u64,
                replies: Vec<CommentReply>,
            }
            record CommentLines { old: bool, first: u32, last: u32, texts: Vec<String> }
            record CommentReply { by: String, agent: bool, text: String, at: u64 }
            record Changes { reason: String, comments: Vec<Comment> }
            record Approval { risk: Risk, summary: String, detail: String, parts: Vec<Part> }
            record Part { tool: String, arguments: String }
            enum Risk { Low, Medium, High }
            record Push { target: String, reference: String, old: Option<String>, new: String, pack_size: u64 }
            record CommitsWanted {
                target: String,
                want: String,
                have: Vec<String>,
                shallow: Vec<String>,
                depth: Option<u32>,
                blobs: bool,
            }
            record BlobsWanted { target: String, blobs: Vec<BlobAt> }
            record BlobAt { commit: String, path: Vec<u8>, id: String }

            record Reference { name: String, id: String, peeled: Option<String> }
            record Refs { target: String, head: Option<String>, references: Vec<Reference> }
            record Landed { target: String, reference: String, old: Option<String>, new: String }
            record Signature { commit: String, text: String }
            record Fetched { packs: Vec<AttachedPack>, shallow: Vec<String> }
            record AttachedPack { pack: Vec<u8>, index: Vec<u8> }
            record Conflict { reason: String, message: String, target_head: Option<String> }
            record Answer { key: Vec<u8>, body: AnswerBody }
            variant AnswerBody {
                Approved,
                Rejected(reason: String),
                Refs(refs: Refs),
                Landed(landed: Landed),
                Conflict(conflict: Conflict),
                Changes(changes: Changes),
                Fetched(fetched: Fetched),
                Comments(comments: Vec<Comment>),
                Signatures(signatures: Vec<Signature>),
                Failed(error: ToolError),
            }

            #[derive(serde::Serialize, serde::Deserialize)]
            record ToolResult { text: String, structured: String, truncated: bool }
            record ToolError { kind: ErrorKind, message: String, hint: String, causes: Vec<String> }
            variant ErrorKind {
                BadArgs,
                UnknownTool,
                NotARepository,
                SandboxViolation,
                NotFound,
                Conflict,
                ExecutionFailed,
                Timeout(timeout: Timeout),
                Cancelled,
                Rejected(reason: String),
                NotPermitted,
                OutOfSpace,
            }
            record Timeout { ms: u64, partial: String }
            variant Step { Done(done: Done), Ask(question: Question) }
            record Done { outcome: Result<ToolResult, ToolError>, record_size: u64, pack_size: u64 }
            record ToolSpec {
                name: String,
                description: String,
                toolsets: Vec<String>,
                schema: String,
                output_schema: String,
                manual: bool,
                read_only: bool,
                destructive: bool,
                idempotent: bool,
                open_world: bool,
            }
            record Undone { calls: Vec<String>, record_size: u64 }
        }
    };
}

/// Calls `$each` for one type after the other.
#[doc(hidden)]
#[macro_export]
macro_rules! each_type {
    ($each:path, $with:tt, $($(#[$attribute:meta])* $kind:ident $Name:ident { $($body:tt)* })*) => {
        $($each! { $with $(#[$attribute])* $kind $Name { $($body)* } })*
    };
}
