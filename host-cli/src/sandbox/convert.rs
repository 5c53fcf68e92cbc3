//! Converts between the plain types of the interface and those that wasmtime's bindings have.

use host::wit;

use super::component::bindings::exports::gitgate::sandbox::session as bound;

pub(super) fn options(options: &wit::Options) -> bound::Options {
    let wit::Limits { bytes, files, file_bytes, path_bytes, open_files, undo_steps, undo_bytes } = options.limits;
    bound::Options {
        sandbox: options.sandbox.clone(),
        identity: options
            .identity
            .as_ref()
            .map(|who| bound::Identity { name: who.name.clone(), email: who.email.clone() }),
        zones: options
            .zones
            .iter()
            .map(|zone| bound::Zone { name: zone.name.clone(), writable: zone.writable })
            .collect(),
        toolsets: options.toolsets.clone(),
        git: bound::GitSettings {
            enabled: options.git.enabled,
            timeout_ms: options.git.timeout_ms,
            max_bytes: options.git.max_bytes,
        },
        tasks: bound::TaskSettings { trailer_prefix: options.tasks.trailer_prefix.clone() },
        push: match options.push {
            wit::PushMode::Manual => bound::PushMode::Manual,
            wit::PushMode::Assisted => bound::PushMode::Assisted,
        },
        default_target: options.default_target.as_ref().map(|target| bound::Target {
            kind: target.kind.clone(),
            location: target.location.clone(),
            branch: target.branch.clone(),
        }),
        limits: bound::Limits { bytes, files, file_bytes, path_bytes, open_files, undo_steps, undo_bytes },
        seed: options.seed,
    }
}

pub(super) fn call(call: &wit::ToolCall) -> bound::ToolCall {
    bound::ToolCall {
        id: call.id.clone(),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        caller: match call.caller {
            wit::Caller::Agent => bound::Caller::Agent,
            wit::Caller::User => bound::Caller::User,
        },
        now: call.now,
        utc_offset: call.utc_offset,
        time_allowed: call.time_allowed,
    }
}

pub(super) fn answers(answers: &[wit::Answer]) -> Vec<bound::Answer> {
    answers.iter().map(|answer| bound::Answer { key: answer.key.clone(), body: body(&answer.body) }).collect()
}

fn body(body: &wit::AnswerBody) -> bound::AnswerBody {
    match body {
        wit::AnswerBody::Approved => bound::AnswerBody::Approved,
        wit::AnswerBody::Rejected(reason) => bound::AnswerBody::Rejected(reason.clone()),
        wit::AnswerBody::Refs(refs) => bound::AnswerBody::Refs(bound::Refs {
            target: refs.target.clone(),
            head: refs.head.clone(),
            references: refs
                .references
                .iter()
                .map(|one| bound::Reference { name: one.name.clone(), id: one.id.clone(), peeled: one.peeled.clone() })
                .collect(),
        }),
        wit::AnswerBody::Landed(landed) => bound::AnswerBody::Landed(bound::Landed {
            target: landed.target.clone(),
            reference: landed.reference.clone(),
            old: landed.old.clone(),
            new: landed.new.clone(),
        }),
        wit::AnswerBody::Conflict(conflict) => bound::AnswerBody::Conflict(bound::Conflict {
            reason: conflict.reason.clone(),
            message: conflict.message.clone(),
            target_head: conflict.target_head.clone(),
        }),
        wit::AnswerBody::Fetched(fetched) => bound::AnswerBody::Fetched(bound::Fetched {
            packs: fetched
                .packs
                .iter()
                .map(|one| bound::AttachedPack { pack: one.pack.clone(), index: one.index.clone() })
                .collect(),
            shallow: fetched.shallow.clone(),
        }),
        wit::AnswerBody::Failed(error) => bound::AnswerBody::Failed(bound_error(error)),
    }
}

fn bound_error(error: &wit::ToolError) -> bound::ToolError {
    let kind = match &error.kind {
        wit::ErrorKind::BadArgs => bound::ErrorKind::BadArgs,
        wit::ErrorKind::UnknownTool => bound::ErrorKind::UnknownTool,
        wit::ErrorKind::NotARepository => bound::ErrorKind::NotARepository,
        wit::ErrorKind::SandboxViolation => bound::ErrorKind::SandboxViolation,
        wit::ErrorKind::NotFound => bound::ErrorKind::NotFound,
        wit::ErrorKind::Conflict => bound::ErrorKind::Conflict,
        wit::ErrorKind::ExecutionFailed => bound::ErrorKind::ExecutionFailed,
        wit::ErrorKind::Timeout(timeout) => {
            bound::ErrorKind::Timeout(bound::Timeout { ms: timeout.ms, partial: timeout.partial.clone() })
        }
        wit::ErrorKind::Cancelled => bound::ErrorKind::Cancelled,
        wit::ErrorKind::Rejected(reason) => bound::ErrorKind::Rejected(reason.clone()),
        wit::ErrorKind::NotPermitted => bound::ErrorKind::NotPermitted,
        wit::ErrorKind::OutOfSpace => bound::ErrorKind::OutOfSpace,
    };
    bound::ToolError { kind, message: error.message.clone(), hint: error.hint.clone() }
}

fn error(error: bound::ToolError) -> wit::ToolError {
    let kind = match error.kind {
        bound::ErrorKind::BadArgs => wit::ErrorKind::BadArgs,
        bound::ErrorKind::UnknownTool => wit::ErrorKind::UnknownTool,
        bound::ErrorKind::NotARepository => wit::ErrorKind::NotARepository,
        bound::ErrorKind::SandboxViolation => wit::ErrorKind::SandboxViolation,
        bound::ErrorKind::NotFound => wit::ErrorKind::NotFound,
        bound::ErrorKind::Conflict => wit::ErrorKind::Conflict,
        bound::ErrorKind::ExecutionFailed => wit::ErrorKind::ExecutionFailed,
        bound::ErrorKind::Timeout(bound::Timeout { ms, partial }) => {
            wit::ErrorKind::Timeout(wit::Timeout { ms, partial })
        }
        bound::ErrorKind::Cancelled => wit::ErrorKind::Cancelled,
        bound::ErrorKind::Rejected(reason) => wit::ErrorKind::Rejected(reason),
        bound::ErrorKind::NotPermitted => wit::ErrorKind::NotPermitted,
        bound::ErrorKind::OutOfSpace => wit::ErrorKind::OutOfSpace,
    };
    wit::ToolError { kind, message: error.message, hint: error.hint }
}

pub(super) fn fault(fault: bound::Fault) -> wit::Fault {
    let kind = match fault.kind {
        bound::FaultKind::Misuse => wit::FaultKind::Misuse,
        bound::FaultKind::DamagedJournal => wit::FaultKind::DamagedJournal,
        bound::FaultKind::ForeignJournal => wit::FaultKind::ForeignJournal,
        bound::FaultKind::MissingAttachment => wit::FaultKind::MissingAttachment,
        bound::FaultKind::NothingToUndo => wit::FaultKind::NothingToUndo,
        bound::FaultKind::OutOfSpace => wit::FaultKind::OutOfSpace,
    };
    wit::Fault { kind, message: fault.message, hint: fault.hint }
}

pub(super) fn restoration(restoration: bound::Restoration) -> wit::Restoration {
    let bound::Restoration { records, valid_bytes, preamble } = restoration;
    wit::Restoration { records, valid_bytes, preamble }
}

pub(super) fn tool(tool: bound::ToolSpec) -> wit::ToolSpec {
    wit::ToolSpec {
        name: tool.name,
        description: tool.description,
        toolsets: tool.toolsets,
        schema: tool.schema,
        output_schema: tool.output_schema,
        manual: tool.manual,
        read_only: tool.read_only,
        destructive: tool.destructive,
        idempotent: tool.idempotent,
        open_world: tool.open_world,
    }
}

pub(super) fn step(step: bound::Step) -> wit::Step {
    match step {
        bound::Step::Done(bound::Done { outcome, record_size }) => {
            let outcome = outcome
                .map(|bound::ToolResult { text, structured, truncated }| wit::ToolResult {
                    text,
                    structured,
                    truncated,
                })
                .map_err(error);
            wit::Step::Done(wit::Done { outcome, record_size })
        }
        bound::Step::Ask(bound::Question { key, body }) => wit::Step::Ask(wit::Question { key, body: question(body) }),
    }
}

fn question(body: bound::QuestionBody) -> wit::QuestionBody {
    match body {
        bound::QuestionBody::Approval(bound::Approval { risk, summary, detail }) => {
            let risk = match risk {
                bound::Risk::Low => wit::Risk::Low,
                bound::Risk::Medium => wit::Risk::Medium,
                bound::Risk::High => wit::Risk::High,
            };
            wit::QuestionBody::Approval(wit::Approval { risk, summary, detail })
        }
        bound::QuestionBody::Refs(bound::Target { kind, location, branch }) => {
            wit::QuestionBody::Refs(wit::Target { kind, location, branch })
        }
        bound::QuestionBody::Push(bound::Push { target, reference, old, new, pack_size }) => {
            wit::QuestionBody::Push(wit::Push { target, reference, old, new, pack_size })
        }
        bound::QuestionBody::Commits(bound::CommitsWanted { target, want, have, shallow, depth, blobs }) => {
            wit::QuestionBody::Commits(wit::CommitsWanted { target, want, have, shallow, depth, blobs })
        }
        bound::QuestionBody::Blobs(bound::BlobsWanted { target, blobs }) => {
            let blob = |bound::BlobAt { commit, path, id }: bound::BlobAt| wit::BlobAt { commit, path, id };
            wit::QuestionBody::Blobs(wit::BlobsWanted { target, blobs: blobs.into_iter().map(blob).collect() })
        }
    }
}
