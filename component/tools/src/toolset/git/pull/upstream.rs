//! A pull from the branch that the sandbox's commits go to. It moves the base, re-applies staged
//! commits, and merges uncommitted changes.
//!
//! The merge of the working folder happens once, with everything in it. So conflicts have one set of markers, from a staged commit or from
//! an unstaged change.

use std::collections::BTreeSet;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::index::State;
use patch::tree_merge::{Entry, Kind, Outcome};

use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::change::tree_merge::Sides;
use crate::git::history::{merge_base, rev_list};
use crate::git::staged::ids::Ids;
use crate::git::staged::{fetch, landed};
use crate::git::store::flat_tree::{self, FlatTree};
use crate::git::store::index;
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::{Head, Repo};
use crate::git::store::version::Version;
use crate::git::text::workspace_path;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes::{self, Change};
use crate::git::worktree::sparse::Sparse;
use crate::output::Output;
use crate::session::Context;
use crate::toolset::git::pull::reapply::{Incoming, Reapplied, reapply};
use crate::toolset::git::pull::report::{FileStatus, Report};
use crate::toolset::git::pull::source::Source;
use crate::toolset::git::pull::unresolved;
use crate::toolset::git::pull::update::{Update, newly_in};
use crate::toolset::git::pull::wanted::{Wanted, rules_above};
use crate::toolset::git::pull::work::{self, Work};

pub fn pull(context: &mut Context<'_>, repo: &Repo, source: &Source, wanted: &Wanted) -> Result<Output, Stop> {
    let max_bytes = context.session.options.git.max_bytes;
    let mut report = Report { target: source.target.clone(), branch: source.branch().to_owned(), ..Report::default() };
    let Some(tip) = source.commit else {
        return Ok(report.output(max_bytes));
    };
    fetch::history(context.answers, repo, &source.target, tip)?;
    let tree = flat_tree::load(&mut context.session.caches.trees, repo, repo.tree_of(tip)?, context.deadline)?;
    wanted.select(&tree, context.deadline)?;
    let before = landed::tracked(repo, &source.target, &source.reference)?;
    let old = repo.head()?.id().expect("a pull into a repository without a commit is another");
    let is_forced = match before {
        Some(before) => !is_ancestor(repo, before, tip, context.deadline)?,
        None => false,
    };
    if is_forced {
        ensure_related(repo, source, old, tip, context.deadline)?;
    }
    landed::seen(&context.reflog_signature(), repo, &source.target, &source.reference, tip)?;
    report.commit = Some(tip.to_string());
    report.opening = opening(source, before, tip, is_forced);

    let state = index::load(&mut context.session.caches.index, repo)?;
    unresolved::ensure_none(repo, &state, context.deadline)?;
    let sparse = Sparse::load(repo)?;
    let wider = sparse.as_ref().map(|sparse| sparse.with(wanted.paths().iter().cloned()));
    if let Some(wider) = &wider {
        bring_rules(context, repo, source, tip, &tree, wider)?;
    }
    let folder = Folder { state, is_wider: sparse != wider, sparse: wider };
    let head = repo.head()?;
    let reapplied = match is_ancestor(repo, tip, old, context.deadline)? {
        true => Reapplied::nothing(old),
        false => {
            let former = landed::former(repo, &source.target, &source.reference)?;
            let incoming = Incoming { tip, before, former: &former, is_forced };
            reapply(context, repo, old, &incoming)?
        }
    };
    update(context, repo, &folder, &head, &reapplied, &mut report)?;
    report.moved = reapplied.tip != old;
    if report.moved {
        move_to(context, repo, &head, tip, &reapplied)?;
    }
    report.unstaged = reapplied.unstaged;
    report.landed = reapplied.landed;
    Ok(report.output(max_bytes))
}

/// Whether `descendant` is or reaches `ancestor`.
fn is_ancestor(repo: &Repo, ancestor: ObjectId, descendant: ObjectId, deadline: &Deadline) -> Result<bool, ToolError> {
    Ok(rev_list::between(repo, [ancestor], &BTreeSet::from([descendant]), deadline)?.is_empty())
}

/// Refuses, in git's words, to pull from another repository that stands where the sandbox's own stood. A shallow history may hide what both
/// have in common, so nothing is refused there.
fn ensure_related(
    repo: &Repo,
    source: &Source,
    ours: ObjectId,
    theirs: ObjectId,
    deadline: &Deadline,
) -> Result<(), ToolError> {
    if !repo.shallow()?.is_empty() || !merge_base::of(repo, ours, theirs, deadline)?.is_empty() {
        return Ok(());
    }
    Err(ToolError::failed("refusing to merge unrelated histories").hint(format!(
        "Nothing has changed. The branch {} of {} has no commit in common with this sandbox: another repository may stand there now, or \
         its whole history was rewritten. Ask the user, who can make a new sandbox from it.",
        source.branch(),
        source.target
    )))
}

/// Fetches the attribute and ignore files of a sparse sandbox, so that later reads of its files need no target.
fn bring_rules(
    context: &Context<'_>,
    repo: &Repo,
    source: &Source,
    tip: ObjectId,
    tree: &FlatTree,
    sparse: &Sparse,
) -> Result<(), Stop> {
    let files = (0..tree.len()).filter_map(|at| tree.get(at)).filter(|(path, _)| sparse.contains(path));
    let rules = rules_above(tree, &files.collect::<Vec<_>>());
    let blobs = rules.into_iter().map(|(path, version)| (path.to_owned(), version.id));
    fetch::blobs(context.answers, repo, &source.target, tip, blobs, context.deadline)
}

/// The working folder before the pull, and the wanted one.
struct Folder {
    /// The index.
    state: Rc<State>,
    /// The wanted files. `None` for all.
    sparse: Option<Sparse>,
    /// Whether the call wants files in addition to the previous ones.
    is_wider: bool,
}

/// Updates the working folder and the index to the new HEAD.
fn update(
    context: &mut Context<'_>,
    repo: &Repo,
    Folder { state, sparse, is_wider }: &Folder,
    head: &Head,
    reapplied: &Reapplied,
    report: &mut Report,
) -> Result<(), ToolError> {
    let old_tree = repo.head_tree()?;
    let new_tree = repo.tree_of(reapplied.tip)?;
    let is_complete = || sparse.as_ref().is_none_or(|sparse| newly_in(repo, state, sparse).next().is_none());
    if head.id() == Some(reapplied.tip) && !is_wider && is_complete() {
        return Ok(());
    }
    let attributes = Attributes::of(repo, state.clone(), context.deadline);
    let merge = Merge::of(context, repo, (old_tree, new_tree), reapplied, state, &attributes)?;
    let mut sides = Sides::worktree(repo, &attributes, &merge.ours);
    let base = flat_tree::load(&mut context.session.caches.trees, repo, merge.base, context.deadline)?;
    let outcome = sides.merge(base, &merge.ours, &merge.theirs, context.deadline)?;
    let tree = flat_tree::load(&mut context.session.caches.trees, repo, new_tree, context.deadline)?;
    let update = Update {
        repo,
        tree: &tree,
        state,
        attributes: &attributes,
        sparse: sparse.as_ref(),
        ours: &merge.ours,
        only_in_index: &merge.only_in_index,
        sides: &sides,
    };
    let moved = changes::tree_to_tree(repo, old_tree, new_tree, context.deadline)?;
    let written = update.run(&outcome, &moved, context.deadline)?;
    index::store(&mut context.session.caches.index, repo, written.index)?;
    report.files =
        written.files.into_iter().map(|(path, status)| (workspace_path::absolute(path.as_ref()), status)).collect();
    let is_theirs = |path: &BString, edit: &Entry| {
        tree.find(path.as_bstr()).is_some_and(|version| (version.mode, version.id) == (edit.mode, edit.id))
    };
    // The merge of the folder may succeed where that of a commit fails, for example if a later commit replaced a file that was moved.
    let doubtful = reapplied
        .conflicts
        .iter()
        .filter(|path| outcome.edits.get(*path).and_then(Option::as_ref).is_some_and(|edit| !is_theirs(path, edit)));
    tell(report, &outcome, doubtful);
    if let Some(sparse) = sparse.as_ref().filter(|_| *is_wider) {
        sparse.store(repo)?;
        context.session.forget();
    }
    Ok(())
}

/// Both sides of the merge, and their base.
struct Merge {
    base: ObjectId,
    ours: Vec<Change>,
    theirs: Vec<Change>,
    only_in_index: Vec<(BString, Version)>,
}

impl Merge {
    /// The changes of the working folder and of the new HEAD against the old HEAD. After a commit that does not apply, the base is that
    /// commit's parent instead. Then everything the sandbox changed since is merged with the commit to which it did not apply.
    fn of(
        context: &mut Context<'_>,
        repo: &Repo,
        (old, new): (ObjectId, ObjectId),
        reapplied: &Reapplied,
        state: &Rc<State>,
        attributes: &Attributes<'_>,
    ) -> Result<Merge, ToolError> {
        let (base, theirs) = match reapplied.first_conflict {
            Some((base, onto)) => (base, repo.tree_of(onto)?),
            None => (old, new),
        };
        let Work { changes: mine, only_in_index } = work::of(context, repo, state, attributes)?;
        let theirs = changes::tree_to_tree(repo, base, theirs, context.deadline)?;
        let ours = work::after(changes::tree_to_tree(repo, base, old, context.deadline)?, &mine);
        // If a deleted file exists again, untracked, its current content counts.
        let ours = work::after(ours, &work::untracked_at(repo, state, attributes, &theirs)?);
        Ok(Merge { base, ours, theirs, only_in_index })
    }
}

/// What stands in the reflog of a branch whose staged commits a pull has made anew, on top of what came.
pub const MADE_ANEW: &str = "pull: re-applied staged commits";

/// Moves HEAD, and assigns the ids of staged commits to their new versions.
fn move_to(
    context: &Context<'_>,
    repo: &Repo,
    head: &Head,
    incoming: ObjectId,
    reapplied: &Reapplied,
) -> Result<(), ToolError> {
    let how = if reapplied.tip == incoming { "pull: Fast-forward" } else { MADE_ANEW };
    let (who, refs) = (context.reflog_signature(), Refs::of(repo, context.deadline));
    refs::move_head(&who, &refs, head, reapplied.tip, how)?;
    let mut ids = Ids::load(repo)?;
    for gone in &reapplied.gone {
        ids.forget(*gone);
    }
    ids.rewritten(&reapplied.successors);
    ids.store(repo)
}

/// git's lines about the tracking ref.
fn opening(source: &Source, before: Option<ObjectId>, tip: ObjectId, is_forced: bool) -> String {
    let branch = source.branch();
    let remote = source.known.as_ref().map_or("", |known| &known.name);
    let range = match before {
        Some(before) if before == tip => return format!("From {}\n", source.target),
        Some(before) if is_forced => format!(
            " + {}...{} {branch} -> {remote}/{branch}  (forced update)",
            before.to_hex_with_len(7),
            tip.to_hex_with_len(7)
        ),
        Some(before) => {
            format!("   {}..{}  {branch} -> {remote}/{branch}", before.to_hex_with_len(7), tip.to_hex_with_len(7))
        }
        None => format!(" * [new branch]      {branch} -> {remote}/{branch}"),
    };
    format!("From {}\n{range}\n", source.target)
}

/// Reports conflicts, and git's messages about those that the files do not show.
fn tell<'a>(report: &mut Report, outcome: &'a Outcome, doubtful: impl Iterator<Item = &'a BString>) {
    for path in outcome.conflicts.keys().chain(doubtful) {
        let status = report.files.entry(workspace_path::absolute(path.as_ref())).or_insert(FileStatus::Unmerged);
        if *status != FileStatus::Conflict {
            *status = FileStatus::Unmerged;
        }
    }
    let said = outcome.messages.iter().filter(|message| !matches!(message.kind, Kind::AutoMerging | Kind::Contents));
    report.notes.extend(said.map(|message| message.text.to_string().replace('\n', "\\n")));
}
