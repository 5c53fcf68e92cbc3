//! `git_tag`: list, create and delete tags.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::objs;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::integrate::named;
use crate::approval::{Annotations, Approval, Risk};
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::budget::{Room, brief, is_zero};
use crate::error::{ErrorKind, Stop, ToolError};
use crate::git::history::peeling;
use crate::git::store::abbrev::Abbrev;
use crate::git::store::refs::{self, Refs, State};
use crate::git::store::repo::{Repo, damaged};
use crate::git::words::message;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// List the tags, or create or delete one, as git tag does. A push takes no tags along.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitTag {
    /// Create a tag with this name
    create: Option<String>,
    /// Commit to tag. Default: HEAD
    commit: Option<String>,
    /// Message, which makes an annotated tag (-m)
    message: Option<String>,
    /// Delete this tag (-d)
    delete: Option<String>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

/// A tag.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tag {
    name: String,
    /// The commit. Absent for a tag of something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_sha: Option<String>,
    /// An annotated tag's.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// The tags, or the one that the call is about.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tags {
    #[cfg_attr(test, schemars(extend("enum" = ["list", "create", "delete"])))]
    action: &'static str,
    tags: Vec<Tag>,
    /// Tags that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    tags_omitted: usize,
}

/// The prefix of a tag's full name.
const TAGS: &str = "refs/tags/";

impl Call for GitTag {
    const NAME: &'static str = "git_tag";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(approval);
    const FILE: &'static str = schema_file!("git_tag");
    type Result = Tags;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let repo = context.repo(&working_dir)?;
        let refs = Refs::of(&repo, context.deadline);
        match (&self.delete, &self.create) {
            (Some(name), _) => Ok(delete(context, &repo, &refs, name)?),
            (None, Some(name)) => {
                let target = named::object(&repo, &working_dir, self.commit.as_deref().unwrap_or("HEAD"))?;
                Ok(create(context, &repo, &refs, name, target, self.message.as_deref())?)
            }
            (None, None) => Ok(list(context, &repo, &refs)?),
        }
    }
}

fn approval(arguments: &Value) -> Option<Approval> {
    let named = |argument: &str| arguments[argument].as_str();
    let summary = match (named("delete"), named("create")) {
        (Some(name), _) => format!("Delete tag '{name}'"),
        (None, Some(name)) => format!("Create tag '{name}'"),
        (None, None) => return None,
    };
    Some(Approval { risk: Risk::Medium, summary, detail: String::new(), parts: Vec::new() })
}

/// The full name of the tag, if it can have it.
fn full(name: &str) -> Result<BString, ToolError> {
    let full: BString = format!("{TAGS}{name}").into();
    match !name.starts_with('-') && name != "HEAD" && refs::is_valid(&full, false) {
        true => Ok(full),
        false => Err(ToolError::bad_args(format!("fatal: '{name}' is not a valid tag name."))
            .hint("Use letters, digits, -, _, . and /.")),
    }
}

fn create(
    context: &Context<'_>,
    repo: &Repo,
    refs: &Refs<'_>,
    name: &str,
    target: ObjectId,
    text: Option<&str>,
) -> Result<Output, ToolError> {
    let full = full(name)?;
    if refs.id(full.as_bstr())?.is_some() {
        return Err(ToolError::new(ErrorKind::Conflict, format!("fatal: tag '{name}' already exists"))
            .hint("Nothing has changed. Choose another name, or delete that tag first."));
    }
    let id = match text {
        None => target,
        Some(text) => {
            let tag = objs::Tag {
                target,
                target_kind: repo.gix.find_header(target).map_err(|error| damaged(&error))?.kind(),
                name: name.into(),
                tagger: Some(context.signatures()?.committer),
                message: message::clean(text)?,
                signature: None,
            };
            repo.gix.write_object(&tag).map_err(|error| damaged(&error))?.detach()
        }
    };
    refs::create(&context.reflog_signature(), refs, full.as_bstr(), id, b"")
        .map_err(|error| error.behind("fatal: "))?;
    let tag = read(context, repo, name.to_owned(), id)?;
    Ok(Output::new::<GitTag>("", Tags { action: "create", tags: vec![tag], tags_omitted: 0 }))
}

fn delete(context: &Context<'_>, repo: &Repo, refs: &Refs<'_>, name: &str) -> Result<Output, ToolError> {
    let found = full(name).ok().map(|full| refs.id(full.as_bstr()).map(|id| id.map(|id| (full, id))));
    let Some((full, id)) = found.transpose()?.flatten() else {
        return Err(ToolError::not_found(format!("error: tag '{name}' not found."))
            .hint("Call git_tag without arguments to list the tags."));
    };
    let tag = read(context, repo, name.to_owned(), id)?;
    refs::delete(&context.reflog_signature(), refs, full.as_bstr(), b"")?;
    let text = format!("Deleted tag '{name}' (was {})\n", Abbrev::of(repo)?.short(&id)?);
    Ok(Output::new::<GitTag>(text, Tags { action: "delete", tags: vec![tag], tags_omitted: 0 }))
}

fn list(context: &Context<'_>, repo: &Repo, refs: &Refs<'_>) -> Result<Output, ToolError> {
    let max_bytes = context.session.options.git.max_bytes;
    let (mut tags, mut text) = (Vec::new(), Vec::new());
    refs.each(TAGS.into(), &mut |found| {
        context.deadline.poll_units(8)?;
        let State::Whole { id, .. } = found.state else { return Ok(()) };
        let short = found.name[TAGS.len()..].as_bstr();
        text.extend_from_slice(short);
        text.push(b'\n');
        tags.push(read(context, repo, short.to_str_lossy().into_owned(), id)?);
        Ok(())
    })?;
    let tags_omitted = Room::new(max_bytes).cut(&mut tags);
    Ok(Output::new::<GitTag>(text, Tags { action: "list", tags, tags_omitted }).max_bytes(max_bytes))
}

fn read(context: &Context<'_>, repo: &Repo, name: String, id: ObjectId) -> Result<Tag, ToolError> {
    let commit = peeling::end(repo, id)?.filter(|(_, kind)| *kind == objs::Kind::Commit);
    let object = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
    let annotation = object.and_then(|object| object.try_into_tag().ok());
    let message = annotation.and_then(|tag| {
        let tag = tag.decode().ok()?;
        Some(brief(&message::text(tag.message), context.session.options.git.max_bytes))
    });
    Ok(Tag { name, commit_sha: commit.map(|(id, _)| id.to_string()), message })
}
