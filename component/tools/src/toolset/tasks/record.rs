//! `task_record`: commit that a step of a task is done.

mod asked;

use gix::bstr::{BString, ByteSlice};
use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::budget::{Room, brief, is_zero};
use crate::error::{Stop, ToolError};
use crate::git::change::unfinished::{self, Doing};
use crate::git::history::graph::History;
use crate::git::staged::new_commit;
use crate::git::staged::records::chart::{self, State};
use crate::git::staged::records::id::ensure_id;
use crate::git::staged::records::message::Draft;
use crate::git::staged::records::step::{Outcome, Step, status};
use crate::git::staged::records::trail::{self, Trail};
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::index_edit::{self, Edits, Slot};
use crate::git::store::repo::Repo;
use crate::git::store::{flat_tree, index};
use crate::git::text::summary;
use crate::git::words::message;
use crate::git::worktree::{changes, staged_paths};
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};
use crate::toolset::tasks::reading::records;

/// Record how a step of a task went, as a commit that takes all changes along, or those of `files`.
/// Records are append-only.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskRecord {
    /// The task's id, such as T001
    task: String,
    /// The step that was done. `complete` ends the task
    step: Step,
    /// How it ended
    result: Outcome,
    /// What was done, in one line
    #[cfg_attr(test, schemars(length(min = 1)))]
    subject: String,
    /// What whoever tries again should know
    #[serde(default)]
    body: String,
    /// Which attempt this is, from 0. Default: counted
    retry: Option<u32>,
    /// Path of a report
    report: Option<String>,
    /// Path of the tests' output
    test_log: Option<String>,
    /// Path of the review's output
    review_log: Option<String>,
    /// Files and folders to commit. Default: all that changed
    files: Option<Vec<String>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    task: String,
    /// The state of the task from now on.
    state: State,
    /// As the subject has it, such as test-fail.
    status: &'static str,
    /// What other tools name the commit by.
    id: String,
    /// Its name in git.
    commit_sha: String,
    /// The whole message, with its trailers.
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry: Option<u32>,
    file_count: usize,
    files: Vec<summary::File>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
    created_at: String,
}

impl Call for TaskRecord {
    const NAME: &'static str = "task_record";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Tasks];
    const ANNOTATIONS: Annotations = Annotations::asks(asked::approval);
    const FILE: &'static str = schema_file!("task_record");
    type Result = Recorded;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        ensure_id(&self.task)?;
        let repo = context.session.repo()?;
        unfinished::ensure_none(&repo, Doing::Record)?;
        let branch = trail::branch(&repo)?;
        let retry = self.retry(context, &repo)?;
        let prefix = context.session.options.tasks.trailer_prefix.clone();
        let message = self.draft(&branch, retry).message(&prefix)?;
        let signatures = context.signatures()?;
        let old_index = index::load(&mut context.session.caches.index, &repo)?;
        let edits = match &self.files {
            Some(files) => {
                let named = staged_paths::named(&context.session.zones, files)?;
                staged_paths::select(&repo, &old_index, &named, context.deadline)?
            }
            None => {
                unfinished::ensure_merged(&old_index)?;
                staged_paths::select(&repo, &old_index, &[BString::default()], context.deadline)?
            }
        };
        let (head, old_tree) = (repo.head()?, repo.head_tree()?);
        let flat = flat_tree::load(&mut context.session.caches.trees, &repo, old_tree, context.deadline)?;
        let changed = edits.iter().filter(|(path, slot)| {
            let version = flat.find(path.as_bstr());
            version.map(|version| (version.mode, version.id)) != slot.map(|slot| (slot.mode.bits(), slot.id))
        });
        let mut changed: Edits = changed.map(|(path, slot)| (path.clone(), *slot)).collect();
        if self.files.is_none() {
            // A path that git_add removed from the index has no entry there.
            let gone = (0..flat.len()).filter_map(|at| flat.get(at)).filter(|(path, _)| !edits.contains_key(*path));
            changed.extend(gone.map(|(path, _)| (path.to_owned(), None)));
        }
        let tree = if changed.is_empty() { old_tree } else { edit_tree(&repo, old_tree, &changed)? };
        let (id, short_id) = new_commit::on_head(&repo, &signatures, &head, tree, &message, context.deadline)?;
        // Most records change no file, and an index is large.
        let stale = |(path, slot): &(BString, Option<Slot>)| index_edit::slot(&old_index, path.as_bstr()) != *slot;
        let stale: Edits = edits.into_iter().filter(stale).collect();
        if !stale.is_empty() {
            let mut state = old_index.as_ref().clone();
            index_edit::apply(&mut state, &stale);
            index::store(&mut context.session.caches.index, &repo, state)?;
        }
        let changes = changes::tree_to_tree(&repo, old_tree, tree, context.deadline)?;
        let mut files = summary::files(&repo, &changes, context.deadline)?;
        let mut text = format!("Recorded {short_id} {}\n", message::subject(&message).to_str_lossy());
        files.iter().for_each(|file| text.push_str(&format!("{}\n", file.line())));
        let max_bytes = context.session.options.git.max_bytes;
        let file_count = files.len();
        let files_omitted = Room::new(max_bytes).cut(&mut files);
        let recorded = Recorded {
            state: State::after(self.step, self.result),
            status: status(self.step, self.result),
            task: self.task,
            id: short_id,
            commit_sha: id.to_string(),
            message: brief(&message::text(&message), max_bytes),
            retry,
            file_count,
            files,
            files_omitted,
            created_at: context.now().rfc3339(),
        };
        Ok(Output::new::<TaskRecord>(text, recorded).max_bytes(max_bytes))
    }
}

impl TaskRecord {
    /// The number of this attempt.
    fn retry(&self, context: &Context<'_>, repo: &Repo) -> Result<Option<u32>, ToolError> {
        if self.retry.is_some() || self.step == Step::Complete {
            return Ok(self.retry);
        }
        let history = History::of(repo, &context.session.caches.history)?;
        let trail = Trail::of(repo, &history, &records(context.session), context.deadline)?;
        Ok(Some(chart::of(&trail, &self.task).map_or(0, |progress| progress.attempt())))
    }

    fn draft<'a>(&'a self, branch: &'a str, retry: Option<u32>) -> Draft<'a> {
        Draft {
            branch,
            task: &self.task,
            step: self.step,
            outcome: self.result,
            subject: &self.subject,
            body: &self.body,
            retry,
            report: self.report.as_deref(),
            test_log: self.test_log.as_deref(),
            review_log: self.review_log.as_deref(),
        }
    }
}
