//! The types of the component's interface, as jco has them: records are objects with names in camel
//! case, variants `{tag, val}`, options `undefined`, lists of bytes `Uint8Array`, and numbers of 64
//! bits `bigint`.

use ::host::error::Result;
use ::host::wit;
use wasm_bindgen::JsValue;

use crate::value::{Value, array, bytes, object, optional, variant};

pub fn options(options: &wit::Options) -> JsValue {
    let identity = |who: &wit::Identity| object([("name", text(&who.name)), ("email", text(&who.email))]);
    let zone = |zone: &wit::Zone| object([("name", text(&zone.name)), ("writable", zone.writable.into())]);
    object([
        ("sandbox", bytes(&options.sandbox)),
        ("identity", options.identity.as_ref().map_or(JsValue::UNDEFINED, identity)),
        ("zones", array(&options.zones, zone)),
        ("toolsets", array(&options.toolsets, |name| text(name))),
        (
            "git",
            object([
                ("enabled", options.git.enabled.into()),
                ("timeoutMs", options.git.timeout_ms.into()),
                ("maxBytes", options.git.max_bytes.into()),
            ]),
        ),
        ("tasks", object([("trailerPrefix", text(&options.tasks.trailer_prefix))])),
        (
            "push",
            match options.push {
                wit::PushMode::Manual => "manual",
                wit::PushMode::Assisted => "assisted",
            }
            .into(),
        ),
        ("defaultTarget", options.default_target.as_ref().map_or(JsValue::UNDEFINED, target_of)),
        ("limits", limits(&options.limits)),
        ("seed", options.seed.into()),
    ])
}

fn limits(limits: &wit::Limits) -> JsValue {
    object([
        ("bytes", limits.bytes.into()),
        ("files", limits.files.into()),
        ("fileBytes", limits.file_bytes.into()),
        ("pathBytes", limits.path_bytes.into()),
        ("openFiles", limits.open_files.into()),
        ("undoSteps", limits.undo_steps.into()),
        ("undoBytes", limits.undo_bytes.into()),
    ])
}

fn target_of(target: &wit::Target) -> JsValue {
    object([
        ("kind", text(&target.kind)),
        ("location", text(&target.location)),
        ("branch", optional(target.branch.as_ref())),
    ])
}

pub fn call(call: &wit::ToolCall) -> JsValue {
    object([
        ("id", text(&call.id)),
        ("tool", text(&call.tool)),
        ("arguments", text(&call.arguments)),
        (
            "caller",
            match call.caller {
                wit::Caller::Agent => "agent",
                wit::Caller::User => "user",
            }
            .into(),
        ),
        ("now", call.now.into()),
        ("utcOffset", call.utc_offset.into()),
        ("timeAllowed", call.time_allowed.into()),
    ])
}

pub fn answers(answers: &[wit::Answer]) -> JsValue {
    array(answers, |answer| object([("key", bytes(&answer.key)), ("body", body(&answer.body))]))
}

fn body(body: &wit::AnswerBody) -> JsValue {
    match body {
        wit::AnswerBody::Approved => variant("approved", JsValue::UNDEFINED),
        wit::AnswerBody::Rejected(reason) => variant("rejected", text(reason)),
        wit::AnswerBody::Refs(wit::Refs { target, head, references }) => {
            let reference = |one: &wit::Reference| {
                object([("name", text(&one.name)), ("id", text(&one.id)), ("peeled", optional(one.peeled.as_ref()))])
            };
            let head = optional(head.as_ref());
            let references = array(references, reference);
            variant("refs", object([("target", text(target)), ("head", head), ("references", references)]))
        }
        wit::AnswerBody::Landed(wit::Landed { target, reference, old, new }) => variant(
            "landed",
            object([
                ("target", text(target)),
                ("reference", text(reference)),
                ("old", optional(old.as_ref())),
                ("new", text(new)),
            ]),
        ),
        wit::AnswerBody::Conflict(wit::Conflict { reason, message, target_head }) => variant(
            "conflict",
            object([
                ("reason", text(reason)),
                ("message", text(message)),
                ("targetHead", optional(target_head.as_ref())),
            ]),
        ),
        wit::AnswerBody::Fetched(wit::Fetched { packs, shallow }) => {
            let pack = |one: &wit::AttachedPack| object([("pack", bytes(&one.pack)), ("index", bytes(&one.index))]);
            let shallow = array(shallow, |id| text(id));
            variant("fetched", object([("packs", array(packs, pack)), ("shallow", shallow)]))
        }
        wit::AnswerBody::Failed(error) => variant("failed", error_of(error)),
    }
}

fn error_of(error: &wit::ToolError) -> JsValue {
    let plain = |tag| variant(tag, JsValue::UNDEFINED);
    let kind = match &error.kind {
        wit::ErrorKind::Timeout(wit::Timeout { ms, partial }) => {
            variant("timeout", object([("ms", (*ms).into()), ("partial", text(partial))]))
        }
        wit::ErrorKind::Rejected(reason) => variant("rejected", text(reason)),
        other => plain(other.name()),
    };
    object([("kind", kind), ("message", text(&error.message)), ("hint", text(&error.hint))])
}

fn text(text: &str) -> JsValue {
    text.into()
}

pub fn fault(value: &Value) -> Result<wit::Fault> {
    let kind = value.field("kind")?.word(&[
        ("misuse", wit::FaultKind::Misuse),
        ("damaged-journal", wit::FaultKind::DamagedJournal),
        ("foreign-journal", wit::FaultKind::ForeignJournal),
        ("missing-attachment", wit::FaultKind::MissingAttachment),
        ("nothing-to-undo", wit::FaultKind::NothingToUndo),
        ("out-of-space", wit::FaultKind::OutOfSpace),
    ])?;
    Ok(wit::Fault { kind, message: value.field("message")?.text()?, hint: value.field("hint")?.text()? })
}

pub fn restoration(value: &Value) -> Result<wit::Restoration> {
    Ok(wit::Restoration {
        records: value.field("records")?.u64()?,
        valid_bytes: value.field("validBytes")?.u64()?,
        preamble: value.field("preamble")?.bytes()?,
    })
}

pub fn tool(value: &Value) -> Result<wit::ToolSpec> {
    Ok(wit::ToolSpec {
        name: value.field("name")?.text()?,
        description: value.field("description")?.text()?,
        toolsets: value.field("toolsets")?.list(Value::text)?,
        schema: value.field("schema")?.text()?,
        output_schema: value.field("outputSchema")?.text()?,
        manual: value.field("manual")?.flag()?,
        read_only: value.field("readOnly")?.flag()?,
        destructive: value.field("destructive")?.flag()?,
        idempotent: value.field("idempotent")?.flag()?,
        open_world: value.field("openWorld")?.flag()?,
    })
}

pub fn step(value: &Value) -> Result<wit::Step> {
    let (tag, val) = value.variant()?;
    match tag.as_str() {
        "done" => {
            let (tag, outcome) = val.field("outcome")?.variant()?;
            let outcome = match tag.as_str() {
                "ok" => Ok(wit::ToolResult {
                    text: outcome.field("text")?.text()?,
                    structured: outcome.field("structured")?.text()?,
                    truncated: outcome.field("truncated")?.flag()?,
                }),
                "err" => Err(tool_error(&outcome)?),
                _ => return Err(outcome.wrong("result")),
            };
            Ok(wit::Step::Done(wit::Done { outcome, record_size: val.field("recordSize")?.u64()? }))
        }
        "ask" => {
            let key = val.field("key")?.bytes()?;
            Ok(wit::Step::Ask(wit::Question { key, body: question(&val.field("body")?)? }))
        }
        _ => Err(value.wrong("step")),
    }
}

fn tool_error(value: &Value) -> Result<wit::ToolError> {
    let (tag, val) = value.field("kind")?.variant()?;
    let kind = match tag.as_str() {
        "bad-args" => wit::ErrorKind::BadArgs,
        "unknown-tool" => wit::ErrorKind::UnknownTool,
        "not-a-repository" => wit::ErrorKind::NotARepository,
        "sandbox-violation" => wit::ErrorKind::SandboxViolation,
        "not-found" => wit::ErrorKind::NotFound,
        "conflict" => wit::ErrorKind::Conflict,
        "execution-failed" => wit::ErrorKind::ExecutionFailed,
        "timeout" => wit::ErrorKind::Timeout(wit::Timeout {
            ms: val.field("ms")?.u64()?,
            partial: val.field("partial")?.text()?,
        }),
        "cancelled" => wit::ErrorKind::Cancelled,
        "rejected" => wit::ErrorKind::Rejected(val.text()?),
        "not-permitted" => wit::ErrorKind::NotPermitted,
        "out-of-space" => wit::ErrorKind::OutOfSpace,
        _ => return Err(val.wrong("kind of error")),
    };
    Ok(wit::ToolError { kind, message: value.field("message")?.text()?, hint: value.field("hint")?.text()? })
}

fn question(value: &Value) -> Result<wit::QuestionBody> {
    let (tag, val) = value.variant()?;
    Ok(match tag.as_str() {
        "approval" => wit::QuestionBody::Approval(wit::Approval {
            risk: val.field("risk")?.word(&[
                ("low", wit::Risk::Low),
                ("medium", wit::Risk::Medium),
                ("high", wit::Risk::High),
            ])?,
            summary: val.field("summary")?.text()?,
            detail: val.field("detail")?.text()?,
        }),
        "refs" => wit::QuestionBody::Refs(wit::Target {
            kind: val.field("kind")?.text()?,
            location: val.field("location")?.text()?,
            branch: val.field("branch")?.optional_text()?,
        }),
        "push" => wit::QuestionBody::Push(wit::Push {
            target: val.field("target")?.text()?,
            reference: val.field("reference")?.text()?,
            old: val.field("old")?.optional_text()?,
            new: val.field("new")?.text()?,
            pack_size: val.field("packSize")?.u64()?,
        }),
        "commits" => wit::QuestionBody::Commits(wit::CommitsWanted {
            target: val.field("target")?.text()?,
            want: val.field("want")?.text()?,
            have: val.field("have")?.list(Value::text)?,
            shallow: val.field("shallow")?.list(Value::text)?,
            depth: val.field("depth")?.option().map(|depth| depth.u32()).transpose()?,
            blobs: val.field("blobs")?.flag()?,
        }),
        "blobs" => wit::QuestionBody::Blobs(wit::BlobsWanted {
            target: val.field("target")?.text()?,
            blobs: val.field("blobs")?.list(|one| {
                Ok(wit::BlobAt {
                    commit: one.field("commit")?.text()?,
                    path: one.field("path")?.bytes()?,
                    id: one.field("id")?.text()?,
                })
            })?,
        }),
        _ => return Err(value.wrong("question")),
    })
}
