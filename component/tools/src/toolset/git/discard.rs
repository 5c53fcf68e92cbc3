//! `git_discard`: remove a staged commit, but keep its changes in the working folder.

use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::error::Stop;
use crate::git::change::unfinished::{self, Doing};
use crate::git::staged::restack::{self, Restack};
use crate::git::staged::staged_commit;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Discard a staged commit. Its changes stay in the files, uncommitted.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GitDiscard {
    /// Id of a staged commit, or a revision
    commit_id: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Discarded {
    /// The id of the staged commit.
    discarded: String,
    hint: String,
}

impl Call for GitDiscard {
    const NAME: &'static str = "git_discard";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git];
    const ANNOTATIONS: Annotations = Annotations::writes().destructive();
    const FILE: &'static str = schema_file!("git_discard");
    type Result = Discarded;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let repo = context.session.repo()?;
        unfinished::ensure_none(&repo, Doing::Discard)?;
        let doomed = staged_commit::find(&repo, &self.commit_id, context.deadline)?;
        let later = restack::later(&repo, &doomed, context.deadline)?;
        let mut line = Restack::onto(match doomed.parents.as_slice() {
            [] => None,
            [parent] => Some(*parent),
            _ => return Err(restack::merge_error(&doomed).into()),
        });
        line.put(&later, &doomed.short_id, &mut context.replayer(&repo))?;
        line.finish(
            &repo,
            &[doomed.id],
            &context.reflog_signature(),
            &mut context.session.caches.index,
            context.deadline,
        )?;
        let subject = staged_commit::subject(&doomed);
        let hint = "Its changes are still in the working folder, uncommitted.".to_owned();
        let text = format!("Discarded staged commit {} \"{subject}\"\n{hint}\n", doomed.short_id);
        Ok(Output::new::<GitDiscard>(text, Discarded { discarded: doomed.short_id, hint }))
    }
}
