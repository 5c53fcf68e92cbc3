//! Converts between the interface's types and the tools' types. The host's counterpart of
//! `component/src/convert.rs`.

use std::num::NonZeroU32;

use tools::answer::{AttachedPack, Conflict, Fetched, Landed, Reference, Refs};
use tools::call::Moment;
use tools::dispatch::Finished;
use tools::options::{GitSettings, Identity, TaskSettings, Toolset};
use tools::question::{BlobAt, BlobsWanted, Key, Target};
use tools::{Answers, Caller, ErrorKind, ObjectId, ToolError};

use crate::error::{ErrorKind as HostKind, HostError, Result as HostResult};
use crate::sandbox::{Question, Step, wit};

pub fn options(options: &wit::Options) -> HostResult<tools::Options> {
    let unknown = |what: &str| {
        HostError::new(HostKind::Usage, format!("cannot open the sandbox: {what}")).hint("rebuild gitgate")
    };
    let toolsets = options.toolsets.iter().map(|name| Toolset::from_name(name).ok_or_else(|| unknown(name)));
    Ok(tools::Options {
        identity: options.identity.clone().map(|wit::Identity { name, email }| Identity { name, email }),
        toolsets: toolsets.collect::<HostResult<_>>()?,
        git: GitSettings {
            enabled: options.git.enabled,
            timeout_ms: options.git.timeout_ms,
            max_bytes: usize::try_from(options.git.max_bytes).map_err(|_| unknown("max_bytes is too large"))?,
        },
        tasks: TaskSettings { trailer_prefix: options.tasks.trailer_prefix.clone() },
        agent_may_propose_push: options.push == wit::PushMode::Assisted,
        default_target: options.default_target.clone().map(|wit::Target { kind, location, branch }| Target {
            kind,
            location,
            branch,
        }),
    })
}

pub fn call(call: &wit::ToolCall) -> tools::ToolCall {
    tools::ToolCall {
        id: call.id.clone(),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        caller: match call.caller {
            wit::Caller::Agent => Caller::Agent,
            wit::Caller::User => Caller::User,
        },
        now: Moment { nanos: call.now, utc_offset: call.utc_offset },
    }
}

/// # Errors
///
/// If a value is malformed.
pub fn answers(given: &[wit::Answer]) -> Result<Answers, ToolError> {
    let mut answers = Answers::default();
    for answer in given {
        let key: Key =
            answer.key.as_slice().try_into().map_err(|_| ToolError::bad_args("an answer's key has 32 bytes"))?;
        answers.add(key, body(&answer.body)?);
    }
    Ok(answers)
}

fn body(body: &wit::AnswerBody) -> Result<tools::Answer, ToolError> {
    Ok(match body {
        wit::AnswerBody::Approved => tools::Answer::Approved,
        wit::AnswerBody::Rejected(reason) => tools::Answer::Rejected(reason.clone()),
        wit::AnswerBody::Refs(refs) => {
            let reference = |reference: &wit::Reference| {
                let peeled = optional_id(reference.peeled.as_deref())?;
                Ok(Reference { name: reference.name.clone(), id: id(&reference.id)?, peeled })
            };
            let references = refs.references.iter().map(reference).collect::<Result<_, ToolError>>()?;
            tools::Answer::Refs(Refs { target: refs.target.clone(), head: refs.head.clone(), references })
        }
        wit::AnswerBody::Landed(landed) => tools::Answer::Landed(Landed {
            target: landed.target.clone(),
            reference: landed.reference.clone(),
            old: optional_id(landed.old.as_deref())?,
            new: id(&landed.new)?,
        }),
        wit::AnswerBody::Conflict(conflict) => tools::Answer::Conflict(Conflict {
            reason: conflict.reason.clone(),
            message: conflict.message.clone(),
            target_head: optional_id(conflict.target_head.as_deref())?,
        }),
        wit::AnswerBody::Fetched(fetched) => tools::Answer::Fetched(Fetched {
            packs: fetched.packs.iter().map(attached).collect::<Result<_, ToolError>>()?,
            shallow: fetched.shallow.iter().map(|hex| id(hex)).collect::<Result<_, ToolError>>()?,
        }),
        wit::AnswerBody::Failed(failure) => tools::Answer::Failed(error_from(failure)),
    })
}

fn attached(attached: &wit::AttachedPack) -> Result<AttachedPack, ToolError> {
    let id = |bytes: &Vec<u8>| {
        bytes.as_slice().try_into().map_err(|_| ToolError::bad_args("an attachment's id has 32 bytes"))
    };
    Ok(AttachedPack { pack: id(&attached.pack)?, index: id(&attached.index)? })
}

fn id(hex: &str) -> Result<ObjectId, ToolError> {
    ObjectId::from_hex(hex.as_bytes()).map_err(|_| ToolError::bad_args(format!("not an object id: {hex}")))
}

fn optional_id(hex: Option<&str>) -> Result<Option<ObjectId>, ToolError> {
    hex.map(id).transpose()
}

fn error_from(error: &wit::ToolError) -> ToolError {
    let kind = match &error.kind {
        wit::ErrorKind::BadArgs => ErrorKind::BadArgs,
        wit::ErrorKind::UnknownTool => ErrorKind::UnknownTool,
        wit::ErrorKind::NotARepository => ErrorKind::NotARepository,
        wit::ErrorKind::SandboxViolation => ErrorKind::SandboxViolation,
        wit::ErrorKind::NotFound => ErrorKind::NotFound,
        wit::ErrorKind::Conflict => ErrorKind::Conflict,
        wit::ErrorKind::ExecutionFailed => ErrorKind::ExecutionFailed,
        wit::ErrorKind::Timeout(timeout) => ErrorKind::Timeout { ms: timeout.ms, partial: timeout.partial.clone() },
        wit::ErrorKind::Cancelled => ErrorKind::Cancelled,
        wit::ErrorKind::Rejected(reason) => ErrorKind::Rejected { reason: reason.clone() },
        wit::ErrorKind::NotPermitted => ErrorKind::NotPermitted,
        wit::ErrorKind::OutOfSpace => ErrorKind::OutOfSpace,
    };
    ToolError { kind, message: error.message.clone(), hint: error.hint.clone() }
}

pub fn error(error: ToolError) -> wit::ToolError {
    let kind = match error.kind {
        ErrorKind::BadArgs => wit::ErrorKind::BadArgs,
        ErrorKind::UnknownTool => wit::ErrorKind::UnknownTool,
        ErrorKind::NotARepository => wit::ErrorKind::NotARepository,
        ErrorKind::SandboxViolation => wit::ErrorKind::SandboxViolation,
        ErrorKind::NotFound => wit::ErrorKind::NotFound,
        ErrorKind::Conflict => wit::ErrorKind::Conflict,
        ErrorKind::ExecutionFailed => wit::ErrorKind::ExecutionFailed,
        ErrorKind::Timeout { ms, partial } => wit::ErrorKind::Timeout(wit::Timeout { ms, partial }),
        ErrorKind::Cancelled => wit::ErrorKind::Cancelled,
        ErrorKind::Rejected { reason } => wit::ErrorKind::Rejected(reason),
        ErrorKind::NotPermitted => wit::ErrorKind::NotPermitted,
        ErrorKind::OutOfSpace => wit::ErrorKind::OutOfSpace,
    };
    wit::ToolError { kind, message: error.message, hint: error.hint }
}

pub fn question(question: tools::Question) -> Step {
    let key = question.key().to_vec();
    let question = match question {
        tools::Question::Approval(approval) => {
            let risk = match approval.risk {
                tools::approval::Risk::Low => wit::Risk::Low,
                tools::approval::Risk::Medium => wit::Risk::Medium,
                tools::approval::Risk::High => wit::Risk::High,
            };
            Question::Approval(wit::Approval { risk, summary: approval.summary, detail: approval.detail })
        }
        tools::Question::Refs(Target { kind, location, branch }) => {
            Question::Refs(wit::Target { kind, location, branch })
        }
        tools::Question::Commits(wanted) => {
            let hex = |ids: &[ObjectId]| ids.iter().map(ToString::to_string).collect();
            Question::Commits(wit::CommitsWanted {
                target: wanted.target,
                want: wanted.want.to_string(),
                have: hex(&wanted.have),
                shallow: hex(&wanted.shallow),
                depth: wanted.depth.map(NonZeroU32::get),
                blobs: wanted.blobs,
            })
        }
        tools::Question::Blobs(BlobsWanted { target, blobs }) => {
            let blob = |BlobAt { commit, path, id }: BlobAt| wit::BlobAt {
                commit: commit.to_string(),
                path: path.into(),
                id: id.to_string(),
            };
            Question::Blobs(wit::BlobsWanted { target, blobs: blobs.into_iter().map(blob).collect() })
        }
        tools::Question::Push(push) => Question::Push {
            push: wit::Push {
                target: push.target,
                reference: push.reference,
                old: push.old.map(|id| id.to_string()),
                new: push.new.to_string(),
                pack_size: push.pack.len() as u64,
            },
            pack: push.pack.into(),
        },
    };
    Step::Ask { key, question }
}

pub fn result(finished: Finished) -> wit::ToolResult {
    wit::ToolResult { text: finished.text, structured: finished.structured.into_json(), truncated: finished.truncated }
}

/// The call is over and leaves no journal record.
pub fn done(outcome: Result<wit::ToolResult, wit::ToolError>) -> Step {
    Step::Done { outcome, record_size: 0 }
}

pub fn tool(tool: &tools::Tool) -> wit::ToolSpec {
    let annotations = &tool.annotations;
    let described = tool.described();
    wit::ToolSpec {
        name: tool.name.to_owned(),
        toolsets: tool.toolsets.iter().map(|toolset| toolset.name().to_owned()).collect(),
        schema: described.input_schema().to_owned(),
        output_schema: described.output_schema().to_owned(),
        description: described.description,
        manual: annotations.mode != tools::approval::Mode::Both,
        read_only: annotations.read_only,
        destructive: annotations.destructive,
        idempotent: annotations.idempotent,
        open_world: annotations.open_world,
    }
}
