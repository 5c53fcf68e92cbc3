//! `git_cherry_pick`: apply the change of a commit.

use serde::Deserialize;
use serde_json::Value;

use super::integrate::Verb;
use super::integrate::report::Integrated;
use super::picking::{self, Asked};
use crate::approval::{Annotations, Approval, Risk};
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::error::Stop;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Apply the change of one commit on HEAD, as git cherry-pick does. On a conflict, resolve the markers, then git_add and git_commit.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitCherryPick {
    /// Commit to apply
    commit: Option<String>,
    /// Parent of a merge to compare with, from 1 (-m)
    mainline: Option<u32>,
    /// Give up an unfinished one (--abort)
    #[serde(default)]
    abort: bool,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

impl Call for GitCherryPick {
    const NAME: &'static str = "git_cherry_pick";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(approval);
    const FILE: &'static str = schema_file!("git_cherry_pick");
    type Result = Integrated;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let repo = context.repo(&working_dir)?;
        let Self { commit, mainline, abort, .. } = &self;
        let asked =
            Asked { verb: Verb::Pick, tool: Self::NAME, commit: commit.as_deref(), mainline: *mainline, abort: *abort };
        let (text, integrated) = picking::run(context, &repo, &working_dir, &asked)?;
        Ok(Output::new::<GitCherryPick>(text, integrated).max_bytes(context.session.options.git.max_bytes))
    }
}

fn approval(arguments: &Value) -> Option<Approval> {
    let summary = match (&arguments["abort"], arguments["commit"].as_str()) {
        (Value::Bool(true), _) => "Give up the unfinished cherry-pick".to_owned(),
        (_, commit) => format!("Cherry-pick commit '{}'", commit.unwrap_or_default()),
    };
    Some(Approval { risk: Risk::Medium, summary, detail: String::new(), parts: Vec::new() })
}
