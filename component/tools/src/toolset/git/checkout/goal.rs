//! The destination of HEAD, as git reads the call's arguments.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::{ErrorKind, ToolError};
use crate::git::history::branch_name::{HEADS, full, interpret, is_allowed};
use crate::git::history::lookup::Lookup;
use crate::git::store::refs::{Meanings, Refs};
use crate::git::store::refspec::{self, Refspecs};
use crate::git::store::repo::{Repo, damaged};
use crate::git::words::advice::hint;
use crate::paths::SandboxPath;
use crate::session::Context;
use crate::toolset::git::branch::create::{self, Start};

/// The destination of HEAD.
pub struct Goal {
    /// git's name for it, in messages and in the reflog.
    pub name: BString,
    /// The full name of the branch. `None` if HEAD becomes detached.
    pub branch: Option<BString>,
    /// The commit. `None` before the first commit.
    pub commit: Option<ObjectId>,
    /// The branch to create.
    pub new: Option<New>,
    /// git's error stream before it does anything.
    pub warnings: BString,
}

/// A branch to create.
pub struct New {
    /// The full name.
    pub branch: BString,
    /// The start point.
    pub start: Start,
    /// git's name for the start point in the branch's reflog.
    pub from: BString,
}

/// A new branch at HEAD.
pub fn of_new_branch(context: &Context<'_>, repo: &Repo, named: &str) -> Result<Goal, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    let branch = create::free(&refs, named)?;
    let name = branch[HEADS.len()..].as_bstr().to_owned();
    let Some(commit) = repo.head()?.id() else {
        return Ok(Goal { name, branch: Some(branch), commit: None, new: None, warnings: BString::default() });
    };
    let start = create::start_at(&refs, "HEAD".into())?;
    let warnings = start.stderr.clone().into();
    let new = New { branch: branch.clone(), start, from: "HEAD".into() };
    Ok(Goal { name, branch: Some(branch), commit: Some(commit), new: Some(new), warnings })
}

/// A new branch at `start`, the commit that `from` names.
pub fn of_branch_at(
    context: &Context<'_>,
    repo: &Repo,
    named: &str,
    from: &str,
    start: Start,
) -> Result<Goal, ToolError> {
    let branch = create::free(&Refs::of(repo, context.deadline), named)?;
    let name = branch[HEADS.len()..].as_bstr().to_owned();
    let commit = Some(start.commit);
    let new = New { branch: branch.clone(), start, from: from.into() };
    Ok(Goal { name, branch: Some(branch), commit, new: Some(new), warnings: BString::default() })
}

/// `named` with the short form for the previous branch expanded, and the name that git then uses
/// (git's builtin/checkout.c, `parse_branchname_arg`).
fn spelt_out<'n>(refs: &Refs<'_>, named: &'n str) -> (&'n str, BString) {
    let spelt = if named == "-" { "@{-1}" } else { named };
    let short = interpret(refs, spelt).unwrap_or_else(|_| spelt.into());
    (spelt, if spelt == "@" { "HEAD".into() } else { short })
}

/// An existing branch, or a branch that exactly one remote has.
pub fn of_branch(context: &Context<'_>, repo: &Repo, named: &str) -> Result<Goal, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    let (named, short) = spelt_out(&refs, named);
    let branch = full(short.as_bstr());
    if is_allowed(named, branch.as_bstr())
        && let Some(id) = refs.id(branch.as_bstr())?
    {
        let commit = peeled(repo, id, short.as_bstr())?;
        let warnings = create::ambiguity(&refs, named, short.as_bstr())?;
        return Ok(Goal { name: short, branch: Some(branch), commit: Some(commit), new: None, warnings });
    }
    let mut lookup = Lookup::new(&refs, String::new());
    if let Some(id) = lookup.meeting(named)? {
        set_up(&mut lookup, short.as_bstr())?;
        peeled(repo, id, short.as_bstr()).map_err(|error| error.behind(&lookup.stderr))?;
        // git looks the name up again to describe it.
        let meanings = lookup.meanings(short.as_bstr())?;
        return Err(no_branch(short.as_bstr(), &meanings, &lookup.stderr));
    }
    if let Some(goal) = remote(&refs, &mut lookup, named)? {
        return Ok(goal);
    }
    Err(ToolError::not_found(format!("{}fatal: invalid reference: {named}", lookup.stderr))
        .hint("Call git_branch to list the branches, or use create_branch to make a new one."))
}

/// A revision. Detaches HEAD at its commit, unless the name is a branch.
pub fn of_commit(
    context: &Context<'_>,
    repo: &Repo,
    named: &str,
    working_dir: &SandboxPath,
) -> Result<Goal, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    let (spelt, short) = spelt_out(&refs, named);
    let branch = Some(full(short.as_bstr())).filter(|branch| is_allowed(spelt, branch.as_bstr()));
    let known = branch.as_ref().map(|branch| refs.id(branch.as_bstr())).transpose()?.flatten();
    let mut lookup = Lookup::new(&refs, working_dir.relative());
    let found = match known {
        Some(id) => id,
        None => lookup.meeting(spelt)?.ok_or_else(|| {
            ToolError::not_found(format!("{}fatal: invalid reference: {spelt}", lookup.stderr).trim_end())
                .hint("Call git_log to see commits and their ids, or git_branch to list branches.")
        })?,
    };
    let warnings: BString = match known {
        Some(_) => create::ambiguity(&refs, spelt, short.as_bstr())?,
        None => {
            set_up(&mut lookup, short.as_bstr())?;
            lookup.stderr.into()
        }
    };
    let commit = peeled(repo, found, short.as_bstr()).map_err(|error| error.behind(&warnings.to_str_lossy()))?;
    Ok(Goal { name: short, branch: branch.filter(|_| known.is_some()), commit: Some(commit), new: None, warnings })
}

/// Looks up the found name once more: as a ref or, if there is none, as a commit (git's
/// builtin/checkout.c, `setup_branch_path`).
fn set_up(lookup: &mut Lookup<'_>, name: &BStr) -> Result<(), ToolError> {
    if lookup.meanings(name)?.refs.is_empty() {
        lookup.object(&name.to_str_lossy())?;
    }
    Ok(())
}

fn peeled(repo: &Repo, id: ObjectId, named: &BStr) -> Result<ObjectId, ToolError> {
    let unreadable = || ToolError::not_found(format!("fatal: unable to read tree ({id})"));
    let object = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?.ok_or_else(unreadable)?;
    let end = object.peel_tags_to_end().map_err(|error| damaged(&error))?;
    match end.kind {
        gix::objs::Kind::Commit => Ok(end.id),
        gix::objs::Kind::Tree => {
            Err(ToolError::bad_args(format!("fatal: Cannot switch branch to a non-commit '{named}'")))
        }
        _ => Err(unreadable()),
    }
}

/// The error for a `branch` argument that names no branch. `warnings` is what git prints first.
fn no_branch(named: &BStr, meanings: &Meanings, warnings: &str) -> ToolError {
    let what = match meanings.refs.as_slice() {
        [(full, _)] => match (full.strip_prefix(b"refs/tags/"), full.strip_prefix(b"refs/remotes/")) {
            (Some(tag), _) => format!("tag '{}'", tag.as_bstr()),
            (_, Some(remote)) => format!("remote branch '{}'", remote.as_bstr()),
            _ => format!("'{full}'"),
        },
        _ => format!("commit '{named}'"),
    };
    let advice = hint("If you want to detach HEAD at the commit, try again with the --detach option.");
    let message = format!("{warnings}fatal: a branch is expected, got {what}\n{}", advice.trim_end());
    ToolError::new(ErrorKind::NotFound, message).hint("Pass it as commit to detach HEAD there.")
}

/// The branch of that name on the only remote that has it, or on the preferred remote (git-config,
/// "checkout.defaultRemote"). The switch creates it locally.
fn remote(refs: &Refs<'_>, lookup: &mut Lookup<'_>, named: &str) -> Result<Option<Goal>, ToolError> {
    let config = refs.repo.gix.config_snapshot();
    let preferred = config.string("checkout.defaultRemote");
    let theirs = full(named.into());
    let mut found = Vec::new();
    for remote in refspec::remotes(refs.repo) {
        let Some(kept) = Refspecs::of(refs.repo, remote.as_bstr()).destination(theirs.as_bstr()) else { continue };
        if let Some(id) = lookup.object(&kept.to_str_lossy())? {
            found.push((remote, kept, id));
        }
    }
    let count = found.len();
    if count > 1 {
        found.retain(|(remote, ..)| preferred.as_ref().is_some_and(|preferred| **preferred == *remote));
    }
    if count > 1 && found.is_empty() {
        let advice = hint(
            "If you meant to check out a remote tracking branch on, e.g. 'origin',\nyou can do so by fully qualifying the name with \
             the --track option:\n\n    git checkout --track origin/<name>\n\nIf you'd like to always have checkouts of an ambiguous \
             <name> prefer\none remote, e.g. the 'origin' remote, consider setting\ncheckout.defaultRemote=origin in your config.",
        );
        let stderr = &lookup.stderr;
        let message = format!("{stderr}{advice}fatal: '{named}' matched multiple ({count}) remote tracking branches");
        return Err(
            ToolError::failed(message).hint("Make the branch with create_branch, or pass one of them as commit.")
        );
    }
    let Some((_, kept, id)) = found.pop() else { return Ok(None) };
    set_up(lookup, kept.as_bstr())?;
    let branch = create::free(refs, named)?;
    let commit = peeled(refs.repo, id, named.into())?;
    let start = Start { commit, tracked: Some(kept.clone()), stderr: String::new() };
    let new = New { branch: branch.clone(), start, from: kept };
    Ok(Some(Goal {
        name: named.into(),
        branch: Some(branch),
        commit: Some(commit),
        new: Some(new),
        warnings: lookup.stderr.as_str().into(),
    }))
}
