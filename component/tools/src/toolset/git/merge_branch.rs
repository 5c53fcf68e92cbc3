//! `git_merge_branch`: merge a branch into the one that is checked out, as `git merge` does.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use patch::merge::Labels;
use serde::Deserialize;
use serde_json::Value;

use super::integrate::report::{self, Integrated, Made, Status};
use super::integrate::{self, Verb, abort, named};
use crate::approval::{Annotations, Approval, Risk};
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::error::{Stop, ToolError};
use crate::git::change::branch_state;
use crate::git::change::three_way::{ThreeWay, Trees};
use crate::git::change::two_way::{Command, Plan};
use crate::git::change::unfinished::{self, Doing};
use crate::git::history::merge_base;
use crate::git::staged::new_commit::{self, NewCommit};
use crate::git::store::abbrev::Abbrev;
use crate::git::store::index;
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::{Head, Repo};
use crate::git::text::patch_text::form::Form;
use crate::git::words::message;
use crate::git::words::streams::Streams;
use crate::git::worktree::{changes, sparse};
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::SandboxPath;
use crate::platform;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Merge a branch into the current one, as git merge does. On a conflict, resolve the markers, then git_add and git_commit.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitMergeBranch {
    /// Branch or commit to merge
    branch: Option<String>,
    /// Message of the merge commit. Default: git's
    message: Option<String>,
    /// Always make a merge commit (--no-ff)
    #[serde(default)]
    no_ff: bool,
    /// Give up an unfinished merge (--abort)
    #[serde(default)]
    abort: bool,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

impl Call for GitMergeBranch {
    const NAME: &'static str = "git_merge_branch";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(approval);
    const FILE: &'static str = schema_file!("git_merge_branch");
    type Result = Integrated;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let repo = context.repo(&working_dir)?;
        if self.abort {
            let aborted = abort::run(context, &repo, &working_dir, Verb::Merge)?;
            return Ok(Output::new::<GitMergeBranch>("", aborted));
        }
        unfinished::ensure_none(&repo, Doing::Merge)?;
        let Some(branch) = &self.branch else {
            return Err(ToolError::bad_args("branch is required").hint("Name the branch to merge.").into());
        };
        let head = repo.head()?;
        let Some(ours) = head.id() else {
            return Err(ToolError::failed("There is no commit to merge into")
                .hint("Nothing has changed. Make a commit, or switch to the branch with git_checkout.")
                .into());
        };
        let theirs = named::commit(&repo, &working_dir, branch)?;
        let bases = merge_base::of(&repo, ours, theirs, context.deadline)?;
        if bases.contains(&theirs) {
            let current = Integrated::up_to_date(head.short_branch());
            return Ok(Output::new::<GitMergeBranch>("Already up to date.\n", current));
        }
        let merge = Merge { repo: &repo, head: &head, working_dir: &working_dir, branch, sides: (ours, theirs) };
        if bases.contains(&ours) && !self.no_ff {
            return merge.fast_forward(context);
        }
        merge.commit(context, &bases, self.message.as_deref(), self.no_ff)
    }
}

fn approval(arguments: &Value) -> Option<Approval> {
    let summary = match (&arguments["abort"], arguments["branch"].as_str()) {
        (Value::Bool(true), _) => "Give up the unfinished merge".to_owned(),
        (_, branch) => format!("Merge branch '{}'", branch.unwrap_or_default()),
    };
    Some(Approval { risk: Risk::Medium, summary, detail: String::new(), parts: Vec::new() })
}

/// A merge.
struct Merge<'a> {
    repo: &'a Repo,
    head: &'a Head,
    working_dir: &'a SandboxPath,
    branch: &'a str,
    /// HEAD's commit and the other one.
    sides: (ObjectId, ObjectId),
}

impl Merge<'_> {
    /// Moves the branch ahead.
    fn fast_forward(&self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let (repo, deadline, (ours, theirs)) = (self.repo, context.deadline, self.sides);
        let trees = [repo.tree_of(ours)?, repo.tree_of(theirs)?];
        let loaded = index::load(&mut context.session.caches.index, repo)?;
        unfinished::ensure_merged(&loaded)?;
        let present = sparse::present(repo, &loaded);
        let changes = changes::tree_to_tree(repo, trees[0], trees[1], deadline)?;
        let plan = Plan::new(repo, &present, trees, changes, self.working_dir, deadline)?
            .map_err(|rejected| rejected.error(rejected.text(Command::Merge).trim_end()))?;
        let abbrev = Abbrev::of(repo)?;
        let mut text = format!("Updating {}..{}\n", abbrev.short(&ours)?, abbrev.short(&theirs)?).into_bytes();
        let carried = plan.carry_out()?;
        index::store(&mut context.session.caches.index, repo, carried.index)?;
        branch_state::point(repo, "ORIG_HEAD", ours)?;
        let log = format!("merge {}: Fast-forward", self.branch);
        refs::move_head(&context.reflog_signature(), &Refs::of(repo, deadline), self.head, theirs, &log)?;
        text.extend_from_slice(b"Fast-forward\n");
        let trees = (trees[0], trees[1]);
        text.extend(report::changed(context, repo, trees, Form::StatAndSummary)?);
        let made = Made { status: Status::FastForward, head: (theirs, None), message: None, trees };
        Ok(Output::new::<GitMergeBranch>(text, Integrated::made(context, repo, &made)?))
    }

    /// Makes a merge commit, unless there are conflicts.
    fn commit(
        &self,
        context: &mut Context<'_>,
        bases: &[ObjectId],
        message: Option<&str>,
        no_ff: bool,
    ) -> Result<Output, Stop> {
        let (repo, deadline, (ours, theirs)) = (self.repo, context.deadline, self.sides);
        let by = context.signatures()?;
        let message = match message {
            Some(message) => message::clean(message)?,
            None => self.message(context)?,
        };
        let (base, label) = self.base(context, bases)?;
        let trees = (repo.tree_of(ours)?, repo.tree_of(theirs)?);
        let labels = Labels { ours: b"HEAD", base: label.as_bytes(), theirs: self.branch.as_bytes() };
        let sides = Trees { base, ours: trees.0, theirs: trees.1, labels };
        let mut streams = Streams::default();
        let merged = integrate::trees(context, repo, self.working_dir, Verb::Merge, &sides, &mut streams)?;
        branch_state::point(repo, "ORIG_HEAD", ours)?;
        if !merged.outcome.is_clean {
            branch_state::point(repo, "MERGE_HEAD", theirs)?;
            let mode: &[u8] = if no_ff { b"no-ff" } else { b"" };
            platform::put_file(&repo.git_dir().join("MERGE_MODE"), mode.to_vec(), None)
                .map_err(|error| ToolError::io(".git/MERGE_MODE", &error))?;
            let paths: Vec<&BStr> = merged.outcome.conflicts.keys().map(|path| path.as_bstr()).collect();
            branch_state::prepare_message(repo, message.as_bstr(), &paths)?;
            streams.line(&[b"Automatic merge failed; fix conflicts and then commit the result."]);
            let max_bytes = context.session.options.git.max_bytes;
            let branch = self.head.short_branch();
            let conflict = Integrated::conflict(branch, &merged.outcome, GitMergeBranch::NAME, max_bytes);
            return Ok(Output::new::<GitMergeBranch>(streams.text(), conflict).max_bytes(max_bytes));
        }
        let log = format!("merge {}: Merge made by the 'ort' strategy.", self.branch);
        let new = NewCommit { tree: merged.tree, message: &message, more_parents: vec![theirs], log };
        let (id, short_id) = new_commit::create(repo, &by, self.head, new, deadline)?;
        branch_state::forget(repo)?;
        streams.line(&[b"Merge made by the 'ort' strategy."]);
        let trees = (trees.0, merged.tree);
        streams.out.extend(report::changed(context, repo, trees, Form::StatAndSummary)?);
        let message = Some(message.as_bstr());
        let made = Made { status: Status::Committed, head: (id, Some(short_id)), message, trees };
        let max_bytes = context.session.options.git.max_bytes;
        let integrated = Integrated::made(context, repo, &made)?;
        Ok(Output::new::<GitMergeBranch>(streams.text(), integrated).max_bytes(max_bytes))
    }

    /// The tree that both sides began with, and its name in conflict markers.
    fn base(&self, context: &mut Context<'_>, bases: &[ObjectId]) -> Result<(ObjectId, String), ToolError> {
        let repo = self.repo;
        match bases {
            [] => Err(ToolError::failed("fatal: refusing to merge unrelated histories")
                .hint("Nothing has changed. The commits have no common beginning.")),
            [base] => Ok((repo.tree_of(*base)?, Abbrev::of(repo)?.short(base)?)),
            // git merges the bases first, the oldest with the next one.
            [newer, older] => {
                let [base] = merge_base::of(repo, *older, *newer, context.deadline)?[..] else {
                    return Err(too_crossed());
                };
                let labels = Labels {
                    ours: b"Temporary merge branch 1",
                    base: b"merged common ancestors",
                    theirs: b"Temporary merge branch 2",
                };
                let (ours, theirs) = (repo.tree_of(*older)?, repo.tree_of(*newer)?);
                let sides = Trees { base: repo.tree_of(base)?, ours, theirs, labels };
                let caches = &mut context.session.caches;
                let (index, trees) = (&mut caches.index, &mut caches.trees);
                let working_dir = self.working_dir;
                let mut merge = ThreeWay { repo, index, trees, working_dir, deadline: context.deadline };
                let base = merge.virtual_base(&sides)?.ok_or_else(too_crossed)?;
                Ok((base, "merged common ancestors".to_owned()))
            }
            _ => Err(too_crossed()),
        }
    }

    /// git's message: `Merge branch 'topic' into side` (fmt-merge-msg.c).
    fn message(&self, context: &Context<'_>) -> Result<BString, ToolError> {
        let what = named::of_merge(context, self.repo, self.branch)?;
        let into = match self.head.short_branch().as_deref() {
            Some("main" | "master") => String::new(),
            Some(branch) => format!(" into {branch}"),
            None => " into HEAD".to_owned(),
        };
        Ok(format!("Merge {what}{into}\n").into())
    }
}

fn too_crossed() -> ToolError {
    ToolError::failed("The branches were merged into each other too often to merge them here").hint(
        "Nothing has changed. Merge a commit before the last merges first, or ask the user to merge them with git.",
    )
}
