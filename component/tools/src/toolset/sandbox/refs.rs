//! `sandbox_refs`: what a server of git says of the sandbox's repository before anything is fetched or pushed.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::Kind;
use serde::{Deserialize, Serialize};

use crate::approval::{Annotations, Mode};
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::history::branch_name::HEADS;
use crate::git::history::graph::History;
use crate::git::history::{peeling, rev_list, tracking};
use crate::git::store::refs::{Found, Refs, State};
use crate::git::store::repo::Repo;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// List the branches and tags, as a server of git names them to clients. Only the user can call it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SandboxRefs {
    /// Say of each branch where its pushes begin
    #[serde(default)]
    bases: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Told {
    /// The branch that HEAD names, by its full name; null if HEAD is detached.
    head: Option<String>,
    /// The commit that HEAD leads to; null if there is none yet.
    at: Option<String>,
    refs: Vec<Ref>,
    /// The commits at which the history here ends although they have parents.
    shallow: Vec<String>,
}

/// A branch or a tag.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Ref {
    /// Its full name.
    name: String,
    id: String,
    /// What a tag leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    peeled: Option<String>,
    /// For a branch, if wanted: the newest of its commits that a target has. Everything behind it is proposed anew by each push.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
}

/// The refs that are told.
pub const TOLD: [&str; 2] = [HEADS, "refs/tags/"];

impl Call for SandboxRefs {
    const NAME: &'static str = "sandbox_refs";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Session];
    const ANNOTATIONS: Annotations = Annotations::reads().only(Mode::Manual);
    const HURRIED: bool = false;
    const FILE: &'static str = schema_file!("sandbox_refs");
    type Result = Told;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let repo = context.session.repo()?;
        let head = repo.head()?;
        let landed = tracking::heads(&repo)?;
        let mut refs = Vec::new();
        each(&repo, context.deadline, &mut |name, id| {
            let is_branch = name.starts_with(HEADS);
            let base = if is_branch && self.bases { base(&repo, id, &landed, context.deadline)? } else { None };
            let peeled = peeling::end(&repo, id)?.map(|(end, _)| end).filter(|end| *end != id);
            let hex = |id: ObjectId| id.to_string();
            refs.push(Ref { name: name.to_owned(), id: hex(id), peeled: peeled.map(hex), base: base.map(hex) });
            Ok(())
        })?;
        let text: String = refs.iter().map(|Ref { name, id, .. }| format!("{id}\t{name}\n")).collect();
        let told = Told {
            head: head.branch().map(|branch| branch.to_string()),
            at: head.id().map(|id| id.to_string()),
            refs,
            shallow: repo.shallow()?.iter().map(ToString::to_string).collect(),
        };
        Ok(Output::new::<SandboxRefs>(text, told))
    }
}

/// Calls `take` for each ref that is told. A ref that leads to nothing, and a name that is not UTF-8, are passed over.
pub fn each(
    repo: &Repo,
    deadline: &Deadline,
    take: &mut dyn FnMut(&str, ObjectId) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let refs = Refs::of(repo, deadline);
    for prefix in TOLD {
        refs.each(prefix.into(), &mut |Found { name, state }| match (state, name.to_str()) {
            (State::Whole { id, .. }, Ok(name)) if repo.gix.has_object(id) => take(name, id),
            _ => Ok(()),
        })?;
    }
    Ok(())
}

/// The first commit along the first parents of `tip` that a target has: where what a push of that branch proposes begins.
pub fn base(
    repo: &Repo,
    tip: ObjectId,
    landed: &BTreeSet<ObjectId>,
    deadline: &Deadline,
) -> Result<Option<ObjectId>, ToolError> {
    if !matches!(peeling::end(repo, tip)?, Some((_, Kind::Commit))) {
        return Ok(None);
    }
    let staged: BTreeSet<ObjectId> = rev_list::between(repo, [tip], landed, deadline)?.into_iter().collect();
    let history = History::of(repo, &Default::default())?;
    let mut at = tip;
    while staged.contains(&at) {
        let node = history.node(at)?;
        let Some(first) = history.parents(&node).first() else { return Ok(None) };
        at = *first;
    }
    Ok(Some(at))
}
