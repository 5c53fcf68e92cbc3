//! Converts between the interface's types and the tools'. The component uses it, and so does the host
//! for a sandbox on a directory.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

use std::num::NonZeroU32;

use dialect::Dialect;
use tools::answer::{
    AttachedPack, Changes, Comment, CommentLines, CommentReply, CommitSignature, Conflict, Fetched, Landed, Reference,
    Refs,
};
use tools::approval::Mode;
use tools::call::Moment;
use tools::options::{GitSettings, Identity, TaskSettings, Toolset};
use tools::question::{BlobAt, BlobsWanted, CommentAnswer, Key, Target};
use tools::{Answers, Caller, ObjectId, ToolError};

/// The options of the tools.
///
/// # Errors
///
/// What is wrong with a value.
pub fn options(options: &wit::Options) -> Result<tools::Options, String> {
    let toolset = |name: &String| Toolset::from_name(name).ok_or_else(|| format!("unknown toolset: {name}"));
    let identity = |wit::Identity { name, email }| Identity { name, email };
    Ok(tools::Options {
        identity: options.identity.clone().map(identity),
        committer: options.committer.clone().map(identity),
        toolsets: options.toolsets.iter().map(toolset).collect::<Result<_, _>>()?,
        git: GitSettings {
            enabled: options.git.enabled,
            timeout_ms: options.git.timeout_ms,
            max_bytes: usize::try_from(options.git.max_bytes).map_err(|_| "max-bytes is too large")?,
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

/// A call.
pub fn call(call: wit::ToolCall) -> tools::ToolCall {
    let caller = match call.caller {
        wit::Caller::Agent => Caller::Agent,
        wit::Caller::User => Caller::User,
    };
    let now = Moment { nanos: call.now, utc_offset: call.utc_offset };
    // A dialect that this component does not know is as good as none: it only chooses the names in hints.
    let dialect = call.dialect.as_deref().and_then(Dialect::from_name);
    let max_bytes = call.max_bytes.map(|most| usize::try_from(most).unwrap_or(usize::MAX).max(1));
    tools::ToolCall { id: call.id, tool: call.tool, arguments: call.arguments, dialect, max_bytes, caller, now }
}

/// The answers that a call has so far.
///
/// # Errors
///
/// The host's error, if an answer is malformed.
pub fn answers(given: Vec<wit::Answer>) -> Result<Answers, ToolError> {
    let mut answers = Answers::default();
    for answer in given {
        let key: Key = answer.key.try_into().map_err(|_| ToolError::bad_args("an answer's key has 32 bytes"))?;
        answers.add(key, body(answer.body)?);
    }
    Ok(answers)
}

fn body(body: wit::AnswerBody) -> Result<tools::Answer, ToolError> {
    Ok(match body {
        wit::AnswerBody::Approved => tools::Answer::Approved,
        wit::AnswerBody::Rejected(reason) => tools::Answer::Rejected(reason),
        wit::AnswerBody::Refs(refs) => {
            let reference = |reference: wit::Reference| {
                Ok(Reference {
                    name: reference.name,
                    id: id(&reference.id)?,
                    peeled: reference.peeled.as_deref().map(id).transpose()?,
                })
            };
            let references = refs.references.into_iter().map(reference).collect::<Result<_, ToolError>>()?;
            tools::Answer::Refs(Refs { target: refs.target, head: refs.head, references })
        }
        wit::AnswerBody::Landed(landed) => tools::Answer::Landed(Landed {
            target: landed.target,
            reference: landed.reference,
            old: landed.old.as_deref().map(id).transpose()?,
            new: id(&landed.new)?,
        }),
        wit::AnswerBody::Conflict(conflict) => tools::Answer::Conflict(Conflict {
            reason: conflict.reason,
            message: conflict.message,
            target_head: conflict.target_head.as_deref().map(id).transpose()?,
        }),
        wit::AnswerBody::Changes(wit::Changes { reason, comments: list }) => {
            tools::Answer::Changes(Changes { reason, comments: comments(list)? })
        }
        wit::AnswerBody::Comments(list) => tools::Answer::Comments(comments(list)?),
        wit::AnswerBody::Signatures(list) => {
            let signature = |one: wit::Signature| Ok(CommitSignature { commit: id(&one.commit)?, text: one.text });
            tools::Answer::Signatures(list.into_iter().map(signature).collect::<Result<_, ToolError>>()?)
        }
        wit::AnswerBody::Fetched(fetched) => tools::Answer::Fetched(Fetched {
            packs: fetched.packs.into_iter().map(attached).collect::<Result<_, ToolError>>()?,
            shallow: fetched.shallow.iter().map(|hex| id(hex)).collect::<Result<_, ToolError>>()?,
        }),
        wit::AnswerBody::Failed(failure) => tools::Answer::Failed(error_from(failure)),
    })
}

fn comments(list: Vec<wit::Comment>) -> Result<Vec<Comment>, ToolError> {
    let reply = |wit::CommentReply { by, agent, text, at }| CommentReply { by, agent, text, at };
    let lines = |wit::CommentLines { old, first, last, texts }| CommentLines { old, first, last, texts };
    let comment = |comment: wit::Comment| {
        Ok(Comment {
            id: comment.id,
            target: comment.target,
            reference: comment.reference,
            commit: id(&comment.commit)?,
            path: comment.path,
            lines: comment.lines.map(lines),
            must: comment.must,
            text: comment.text,
            by: comment.by,
            at: comment.at,
            replies: comment.replies.into_iter().map(reply).collect(),
        })
    };
    list.into_iter().map(comment).collect()
}

fn attached(attached: wit::AttachedPack) -> Result<AttachedPack, ToolError> {
    let id = |bytes: Vec<u8>| bytes.try_into().map_err(|_| ToolError::bad_args("an attachment's id has 32 bytes"));
    Ok(AttachedPack { pack: id(attached.pack)?, index: id(attached.index)? })
}

fn id(hex: &str) -> Result<ObjectId, ToolError> {
    ObjectId::from_hex(hex.as_bytes()).map_err(|_| ToolError::bad_args(format!("not an object id: {hex}")))
}

fn error_from(error: wit::ToolError) -> ToolError {
    ToolError::new(error.kind, error.message).hint(error.hint)
}

/// Why a call failed.
pub fn error(error: ToolError) -> wit::ToolError {
    let causes = error.causes();
    let ToolError { kind, message, hint, .. } = error;
    wit::ToolError { kind, message, hint, causes }
}

/// A question, and the bytes that go with it.
pub fn question(question: tools::Question) -> (wit::Question, Vec<u8>) {
    let key = question.key().to_vec();
    let (body, out) = match question {
        tools::Question::Approval(approval) => {
            let risk = match approval.risk {
                tools::approval::Risk::Low => wit::Risk::Low,
                tools::approval::Risk::Medium => wit::Risk::Medium,
                tools::approval::Risk::High => wit::Risk::High,
            };
            let part = |part: tools::question::Part| wit::Part { tool: part.tool, arguments: part.arguments };
            let parts = approval.parts.into_iter().map(part).collect();
            let (summary, detail) = (approval.summary, approval.detail);
            (wit::QuestionBody::Approval(wit::Approval { risk, summary, detail, parts }), Vec::new())
        }
        tools::Question::Refs(Target { kind, location, branch }) => {
            (wit::QuestionBody::Refs(wit::Target { kind, location, branch }), Vec::new())
        }
        tools::Question::Push(push) => {
            let shown = wit::Push {
                target: push.target,
                reference: push.reference,
                old: push.old.map(|id| id.to_string()),
                new: push.new.to_string(),
                pack_size: push.pack.len() as u64,
            };
            (wit::QuestionBody::Push(shown), push.pack)
        }
        tools::Question::Commits(wanted) => {
            let hex = |ids: &[ObjectId]| ids.iter().map(ToString::to_string).collect();
            let shown = wit::CommitsWanted {
                target: wanted.target,
                want: wanted.want.to_string(),
                have: hex(&wanted.have),
                shallow: hex(&wanted.shallow),
                depth: wanted.depth.map(NonZeroU32::get),
                blobs: wanted.blobs,
            };
            (wit::QuestionBody::Commits(shown), Vec::new())
        }
        tools::Question::Blobs(BlobsWanted { target, blobs }) => {
            let blob = |BlobAt { commit, path, id }: BlobAt| wit::BlobAt {
                commit: commit.to_string(),
                path: path.into(),
                id: id.to_string(),
            };
            let blobs = blobs.into_iter().map(blob).collect();
            (wit::QuestionBody::Blobs(wit::BlobsWanted { target, blobs }), Vec::new())
        }
        tools::Question::Comments(answers) => {
            let answer = |CommentAnswer { comment, text }| wit::CommentAnswer { comment, text };
            (wit::QuestionBody::Comments(answers.into_iter().map(answer).collect()), Vec::new())
        }
    };
    (wit::Question { key, body }, out)
}

/// What a call came to.
pub fn result(finished: tools::dispatch::Finished) -> wit::ToolResult {
    wit::ToolResult { text: finished.text, structured: finished.structured.into_json(), truncated: finished.truncated }
}

/// A tool. Whether only the user may call it, `is_manual` says of its mode.
pub fn tool(tool: &tools::Tool, is_manual: impl FnOnce(Mode) -> bool) -> wit::ToolSpec {
    let annotations = &tool.annotations;
    let described = tool.described();
    wit::ToolSpec {
        name: tool.name.to_owned(),
        toolsets: tool.toolsets.iter().map(|toolset| toolset.name().to_owned()).collect(),
        schema: described.input_schema().to_owned(),
        output_schema: described.output_schema().to_owned(),
        description: described.description,
        manual: is_manual(annotations.mode),
        read_only: annotations.read_only,
        destructive: annotations.destructive,
        idempotent: annotations.idempotent,
        open_world: annotations.open_world,
    }
}
