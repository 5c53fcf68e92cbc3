//! Stashes changes (`git stash push`).

use std::rc::Rc;

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::{BString, ByteSlice};
use gix::objs;
use gix::refs::Target;
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefLog};

use super::drop;
use super::endangered::Kept;
use super::entries::{self, Entry, STASH};
use super::snapshot::{self, Tracked};
use super::{clean, indexed, report, reset, untracked};
use crate::error::ToolError;
use crate::git::history::graph::History;
use crate::git::store::abbrev::Abbrev;
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::refs::{self, reflog};
use crate::git::store::repo::{Head, Repo};
use crate::git::store::{commit_object, flat_tree, index};
use crate::git::text::pretty::subject::{skip_blank_lines, subject};
use crate::git::words::identity::Signatures;
use crate::git::words::streams::Streams;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::content::Contents;
use crate::git::worktree::{changes, diff_files, sparse};
use crate::output::Output;
use crate::paths::SandboxPath;
use crate::session::Context;

/// Stashes the changes of tracked files, and with `with_untracked` untracked files too.
pub fn run(
    context: &mut Context<'_>,
    repo: &Repo,
    working_dir: &SandboxPath,
    message: &str,
    with_untracked: bool,
) -> Result<Output, ToolError> {
    let deadline = context.deadline;
    let loaded = index::load(&mut context.session.caches.index, repo)?;
    let old = sparse::present(repo, &loaded);
    indexed::ensure_merged(&old)?;
    let head = repo.head()?;
    let Some(commit) = head.id() else {
        return Err(ToolError::failed("You do not have the initial commit yet")
            .hint("Nothing has changed. First make a commit with git_add and git_commit."));
    };
    let head_tree = repo.tree_of(commit)?;
    let flat = flat_tree::load(&mut context.session.caches.trees, repo, head_tree, deadline)?;
    let staged = changes::tree_to_index(&flat, &old, deadline)?;
    let attributes = Attributes::of(repo, old.clone(), deadline);
    let options = diff_files::Options {
        untracked: with_untracked,
        pathspec: &Pathspec::all(),
        compare: diff_files::Compare::Size,
    };
    let scan = diff_files::scan(repo, &old, &attributes, &options, deadline)?;
    if !snapshot::has_changes(&staged, &scan.changes, &old) && scan.untracked_files.is_empty() {
        // From now on, files that exist outside the sparse checkout belong to it.
        if !Rc::ptr_eq(&loaded, &old) {
            index::store(&mut context.session.caches.index, repo, old.as_ref().clone())?;
        }
        return Ok(report::nothing_saved());
    }
    let mut streams = Streams::default();
    let index_tree = edit_tree(repo, head_tree, &snapshot::edits(&staged))?;
    let untracked_tree = match with_untracked {
        true => Some(untracked::save(repo, &scan.untracked_files, &mut streams, deadline)?),
        false => None,
    };
    let attributes = Attributes::of(repo, old.clone(), deadline);
    let contents = Contents { repo, attributes: &attributes };
    let (staged, unstaged) = (staged.as_slice(), scan.changes.as_slice());
    let tracked = Tracked { contents: &contents, index: &old, head: &flat, staged, unstaged, deadline };
    let tree = tracked.tree(index_tree, &mut streams)?;
    let cleaning = match with_untracked {
        true => clean::plan(repo, &old, working_dir.relative().as_str().into(), deadline)?,
        false => clean::Cleaning::default(),
    };
    let plan = reset::plan(context, &contents, &old, &flat, unstaged, &mut streams)?;
    let untracked = with_untracked.then(|| scan.untracked_files.iter().map(|(path, _)| path.as_bstr()).collect());
    Kept { repo, index: &old, tree, untracked, deadline }.ensure_room(plan.entries())?;
    let commits = Commits { repo, by: signatures(context), on: on(context, repo, &head, commit)?, head: commit };
    let (id, title) = commits.write(message, tree, index_tree, untracked_tree)?;
    store(context, repo, id, &title, &commits.by.committer)?;
    streams.line(&[b"Saved working directory and index state ", &title]);
    if cleaning.spares_working_dir {
        streams.line(&[b"Refusing to remove current working directory"]);
    }
    cleaning.run(repo, deadline)?;
    plan.run(context, repo, &mut streams)?;
    reset::note(context, repo, &head)?;
    let max_bytes = context.session.options.git.max_bytes;
    let entry = Entry::new(0, id, &reflog::one_line(&title), max_bytes);
    report::saved(context, repo, streams, entry, (head_tree, tree, untracked_tree))
}

/// The branch and commit that every message of an entry mentions.
struct On {
    branch: BString,
    commit: BString,
}

fn on(context: &Context<'_>, repo: &Repo, head: &Head, commit: ObjectId) -> Result<On, ToolError> {
    let branch = head.branch().map(|name| name.strip_prefix(b"refs/heads/").unwrap_or(b"(no branch)"));
    let branch: BString = branch.unwrap_or(b"(no branch)").into();
    let history = History::of(repo, &context.session.caches.history)?;
    let object = history.commit(commit)?;
    let title = subject(skip_blank_lines(object.message())).0;
    let short = Abbrev::of(repo)?.short(&commit)?;
    let commit = [branch.as_slice(), b": ", short.as_bytes(), b" ", &title].concat();
    Ok(On { branch, commit: commit.trim_ascii_end().into() })
}

/// Author and committer of an entry. Without an identity git uses a placeholder.
fn signatures(context: &Context<'_>) -> Signatures {
    context.signatures().unwrap_or_else(|_| {
        let nobody = Signature { name: "git stash".into(), email: "git@stash".into(), time: context.now().git_time() };
        Signatures { author: nobody.clone(), committer: nobody }
    })
}

/// Writes the commits of an entry.
struct Commits<'a> {
    repo: &'a Repo,
    by: Signatures,
    on: On,
    head: ObjectId,
}

impl Commits<'_> {
    /// Writes the commits. Returns the commit that stands for the entry, and its message.
    fn write(
        &self,
        message: &str,
        tree: ObjectId,
        index: ObjectId,
        untracked: Option<ObjectId>,
    ) -> Result<(ObjectId, BString), ToolError> {
        let on = |what: &str| [what.as_bytes(), b" on ", &self.on.commit].concat();
        let line = |what: &str| [on(what).as_slice(), b"\n"].concat().into();
        let mut parents = vec![self.head, self.commit(index, &[self.head], line("index"))?];
        if let Some(untracked) = untracked {
            parents.push(self.commit(untracked, &[], line("untracked files"))?);
        }
        let title: BString = match message {
            "" => on("WIP").into(),
            message => [b"On ", self.on.branch.as_slice(), b": ", message.as_bytes()].concat().into(),
        };
        Ok((self.commit(tree, &parents, title.clone())?, title))
    }

    fn commit(&self, tree: ObjectId, parents: &[ObjectId], message: BString) -> Result<ObjectId, ToolError> {
        commit_object::write(
            self.repo,
            &objs::Commit {
                tree,
                parents: parents.iter().copied().collect(),
                author: self.by.author.clone(),
                committer: self.by.committer.clone(),
                encoding: None,
                message,
                extra_headers: Vec::new(),
            },
        )
    }
}

/// Makes `id` the latest entry. Does nothing if it already is, which happens if two calls stash the same at the same moment.
fn store(context: &Context<'_>, repo: &Repo, id: ObjectId, title: &BString, who: &Signature) -> Result<(), ToolError> {
    if reflog::lines(repo, STASH.into())?.is_none() {
        drop::forget(context, repo)?;
    }
    if entries::tip(repo)? == Some(id) {
        return Ok(());
    }
    let log = LogChange { mode: RefLog::AndReference, force_create_reflog: true, message: reflog::one_line(title) };
    let change = Change::Update { log, expected: PreviousValue::Any, new: Target::Object(id) };
    refs::edit_as(who, repo, drop::edit(change))
}
