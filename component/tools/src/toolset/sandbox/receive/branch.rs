//! Moves a branch to what is pushed.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::BStr;
use gix::objs::Kind;
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};
use gix::refs::{FullName, Target};

use super::{Place, Push, own};
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::change::branch_state;
use crate::git::change::unfinished::{self, Doing};
use crate::git::history::branch_name::HEADS;
use crate::git::history::{peeling, rev_list};
use crate::git::staged::targets;
use crate::git::store::refs::{self, Refs, reflog};
use crate::git::store::repo::{Repo, damaged};
use crate::session::Context;
use crate::toolset::git::checkout::switch;
use crate::toolset::git::pull::MADE_ANEW;
use crate::toolset::sandbox::refs::base;

/// What shall become of a branch.
pub struct Wanted<'a> {
    /// Its full name.
    pub name: &'a str,
    /// Where its pushes begin, as far as the client knows.
    pub old: Option<ObjectId>,
    /// What it shall lead to.
    pub new: Option<ObjectId>,
    /// Who pushes.
    pub by: &'a str,
}

/// What a push does to a branch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Moved {
    /// Nothing: it leads there already.
    Not,
    /// It gets more commits, or is new.
    On { new: ObjectId, from: Option<ObjectId> },
    /// What the same person has pushed before is replaced.
    Aside { new: ObjectId, from: ObjectId },
}

/// What a push would do, or why it may not, in words that git shows beside the branch.
pub fn check(
    repo: &Repo,
    wanted: &Wanted<'_>,
    landed: &BTreeSet<ObjectId>,
    deadline: &Deadline,
) -> Result<Result<Moved, String>, ToolError> {
    let refused = |why: &str| Ok(Err(why.to_owned()));
    let Some(short) = wanted.name.strip_prefix(HEADS) else {
        return refused(match wanted.name.starts_with("refs/tags/") {
            true => "tags are not proposed: push a branch, and ask the user to tag it",
            false => "only branches are proposed: push to refs/heads/",
        });
    };
    if !refs::is_valid(wanted.name.as_bytes(), false) || short == "HEAD" || short.starts_with('-') {
        return refused("this is no name of a branch");
    }
    let Some(new) = wanted.new else {
        return refused("a branch is not deleted by a push: ask the user to reject what you have proposed");
    };
    if !matches!(peeling::end(repo, new)?, Some((end, Kind::Commit)) if end == new) {
        return refused("a branch leads to a commit");
    }
    let refs = Refs::of(repo, deadline);
    let from = refs.id(wanted.name.into())?;
    let begins = match from {
        Some(from) => base(repo, from, landed, deadline)?,
        None => None,
    };
    if begins != wanted.old {
        return refused("stale info: fetch first, since the branch has moved");
    }
    let descends = |from: ObjectId| {
        Ok::<_, ToolError>(rev_list::between(repo, [from], &BTreeSet::from([new]), deadline)?.is_empty())
    };
    if let Some(begins) = begins
        && !descends(begins)?
    {
        return refused("non-fast-forward: the target has commits that yours do not build on; fetch and rebase first");
    }
    let Some(from) = from else {
        if refs.ensure_available(wanted.name.into()).is_err() {
            return refused("another branch's name is in the way");
        }
        return Ok(Ok(Moved::On { new, from: None }));
    };
    if from == new {
        return Ok(Ok(Moved::Not));
    }
    if descends(from)? {
        return Ok(Ok(Moved::On { new, from: Some(from) }));
    }
    // Everything that is left aside has to be their own.
    let is_own = match before_pushes(repo, wanted.name.into(), from, wanted.by)? {
        Before::Nothing => true,
        Before::Commit(before) => before != from && descends(before)?,
        Before::MadeAnew(moves) => {
            let aside = rev_list::between(repo, [from], &BTreeSet::from([new]), deadline)?;
            let own = own::brought(repo, &moves, landed, deadline)?;
            aside.iter().all(|commit| own.contains(commit))
        }
    };
    match is_own {
        true => Ok(Ok(Moved::Aside { new, from })),
        false => refused("the sandbox has commits on this branch that you have not pushed; fetch and rebase first"),
    }
}

/// What stands in the reflog of a branch that `by` has pushed.
fn message(by: &str) -> String {
    format!("push: {by}")
}

/// What somebody's latest pushes found, one after the other, with nothing between them but pulls that applied staged commits again.
enum Before {
    /// No branch: they made it.
    Nothing,
    /// The branch at this commit. If somebody else moved it last, it is still there.
    Commit(ObjectId),
    /// A pull has applied staged commits again. These moves have happened, the oldest first.
    MadeAnew(Vec<own::Move>),
}

/// What was before the latest pushes by `by` to the branch, which is `at` that commit.
fn before_pushes(repo: &Repo, name: &BStr, at: ObjectId, by: &str) -> Result<Before, ToolError> {
    let (lines, pushed) = (reflog::lines(repo, name)?.unwrap_or_default(), reflog::one_line(message(by).as_bytes()));
    let (mut moves, mut before) = (Vec::new(), Some(at));
    for line in lines.iter().rev().take_while(|line| line.message == pushed || line.message == MADE_ANEW) {
        if before != Some(line.new) {
            break;
        }
        before = (!line.old.is_null()).then_some(line.old);
        moves.push(own::Move { by_pull: line.message == MADE_ANEW, old: before, new: line.new });
    }
    moves.reverse();
    Ok(match before {
        _ if moves.iter().any(|one| one.by_pull) => Before::MadeAnew(moves),
        Some(before) => Before::Commit(before),
        None => Before::Nothing,
    })
}

/// Moves the branch.
///
/// # Errors
///
/// If files have changed that it would change, too.
pub fn make(context: &mut Context<'_>, repo: &Repo, wanted: &Wanted<'_>, moved: Moved) -> Result<(), ToolError> {
    let (new, from) = match moved {
        Moved::Not => return Ok(()),
        Moved::On { new, from } => (new, from),
        Moved::Aside { new, from } => (new, Some(from)),
    };
    let who = context.reflog_signature();
    let message = message(wanted.by);
    let head = repo.head()?;
    if head.branch().is_some_and(|branch| *branch == wanted.name) {
        unfinished::ensure_none(repo, Doing::Switch)?;
        let root = context.session.zones.workspace();
        switch::bring(context, repo, new, &root, |_| Ok(()))?;
        refs::move_head(&who, &Refs::of(repo, context.deadline), &head, new, &message)?;
        return branch_state::forget(repo);
    }
    let Some(from) = from else {
        return refs::create(&who, &Refs::of(repo, context.deadline), wanted.name.into(), new, message.as_bytes());
    };
    let log = LogChange { mode: RefLog::AndReference, force_create_reflog: false, message: message.into() };
    let expected = PreviousValue::MustExistAndMatch(Target::Object(from));
    let name = FullName::try_from(wanted.name).map_err(|error| damaged(&error))?;
    let change = Change::Update { log, expected, new: Target::Object(new) };
    refs::edit_as(&who, repo, RefEdit { change, name, deref: false })
}

/// The arguments of `git_push` that propose the branch. The one that is checked out goes where the sandbox's pushes go, another one to the
/// branch of its own name there.
pub fn proposing(context: &Context<'_>, repo: &Repo, name: &str) -> Result<Push, ToolError> {
    let short = name.strip_prefix(HEADS).unwrap_or(name);
    if repo.head()?.branch().is_some_and(|branch| *branch == name) {
        return Ok(Push { commit_id: "HEAD".to_owned(), target: None });
    }
    let place = targets::place(None, &context.session.options, repo)?;
    let (path, repo) = match place.kind.starts_with("local") {
        true => (Some(place.location), None),
        false => (None, Some(place.location)),
    };
    let target = Some(Place { r#type: place.kind, path, repo, branch: short.to_owned() });
    Ok(Push { commit_id: name.to_owned(), target })
}
