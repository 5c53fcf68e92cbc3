//! Where HEAD is to go: what a call names, as git reads it.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::revision::plumbing::Spec;

use crate::error::{ErrorKind, ToolError};
use crate::git::advice::hint;
use crate::git::branch::create::{self, Start};
use crate::git::branch::name::{HEADS, full, interpret, is_allowed};
use crate::git::diff::revision::Revisions;
use crate::git::merge_base;
use crate::git::refs::{Meanings, Refs};
use crate::git::refspec::{self, Refspecs};
use crate::git::repo::{Repo, damaged};
use crate::paths::SandboxPath;
use crate::session::Context;

/// Where HEAD is to go.
pub struct Goal {
    /// How git names it, in its words and in the log.
    pub name: BString,
    /// The branch, by its full name; none, if HEAD is to be detached.
    pub branch: Option<BString>,
    /// The commit; none before the first one.
    pub commit: Option<ObjectId>,
    /// The branch that has to be made for it.
    pub new: Option<New>,
    /// What git says on its error stream before it does anything.
    pub warnings: BString,
}

/// A branch that is to be made.
pub struct New {
    /// Its full name.
    pub branch: BString,
    /// Where it begins.
    pub start: Start,
    /// How git names that in the branch's log.
    pub from: BString,
}

/// A new branch, made where HEAD is.
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

/// `named` without its short form for the branch before, and what git takes for its name then (git's builtin/checkout.c, `parse_branchname_arg`).
fn spelt_out<'n>(refs: &Refs<'_>, named: &'n str) -> (&'n str, BString) {
    let spelt = if named == "-" { "@{-1}" } else { named };
    let short = interpret(refs, spelt).unwrap_or_else(|_| spelt.into());
    (spelt, if spelt == "@" { "HEAD".into() } else { short })
}

/// A branch that there is, or that one remote has.
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
    let revisions = Revisions::new(repo, String::new(), true, []);
    let meant = meant(&revisions, named, context);
    if let Ok(Some(id)) = meant {
        let meanings = refs.meanings(short.as_bstr())?;
        let warnings = looked_up(&refs, &meanings, revisions, named)?;
        peeled(repo, id, short.as_bstr()).map_err(|error| error.behind(&warnings))?;
        return Err(no_branch(short.as_bstr(), &meanings, &warnings));
    }
    if let Some(goal) = remote(&refs, named)? {
        return Ok(goal);
    }
    let mut ignored = ignored(&refs, named)?;
    if let Err(error) = meant {
        match said_before(&error) {
            Some(said) => ignored.push_str(said),
            None => return Err(error),
        }
    }
    for kept in kept_by_remotes(&refs, named) {
        ignored.push_str(&refs.meanings(kept.as_bstr())?.warnings);
    }
    Err(ToolError::not_found(format!("{ignored}fatal: invalid reference: {named}"))
        .hint("git_branch lists the branches that there are; create_branch makes a new one."))
}

/// A revision: HEAD is detached at its commit, unless it is the name of a branch.
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
    let revisions = Revisions::new(repo, working_dir.relative(), true, []);
    let found = match known {
        Some(id) => id,
        None => one(&refs, &revisions, spelt, context)?,
    };
    let warnings: BString = match known {
        Some(_) => create::ambiguity(&refs, spelt, short.as_bstr())?,
        None => looked_up(&refs, &refs.meanings(short.as_bstr())?, revisions, spelt)?.into(),
    };
    let commit = peeled(repo, found, short.as_bstr()).map_err(|error| error.behind(&warnings.to_str_lossy()))?;
    Ok(Goal { name: short, branch: branch.filter(|_| known.is_some()), commit: Some(commit), new: None, warnings })
}

/// The one object that a revision means, if it does; of two with three dots between, where they parted.
fn meant(revisions: &Revisions<'_>, named: &str, context: &Context<'_>) -> Result<Option<ObjectId>, ToolError> {
    Ok(match revisions.parse(named)? {
        Spec::Include(id) => Some(id),
        Spec::Merge { theirs, ours } => {
            let bases = merge_base::of(revisions.repo, theirs, ours, context.deadline)?;
            <[ObjectId; 1]>::try_from(bases).map(|[base]| base).ok()
        }
        _ => None,
    })
}

/// The same, and what git says where there is none.
fn one(refs: &Refs<'_>, revisions: &Revisions<'_>, named: &str, context: &Context<'_>) -> Result<ObjectId, ToolError> {
    let invalid = |said: &str| {
        ToolError::not_found(format!("{said}fatal: invalid reference: {named}").trim_end())
            .hint("git_log shows commits and their ids; git_branch lists branches.")
    };
    // A whole name is one, whether there is such an object or not.
    if let Ok(id) = ObjectId::from_hex(named.as_bytes()) {
        return Ok(id);
    }
    match meant(revisions, named, context) {
        Ok(id) => id.ok_or_else(|| invalid("")),
        // Of what it does not know at all, git says here only that.
        Err(error) => match said_before(&error) {
            Some(said) => Err(invalid(&[&ignored(refs, named)?, said].concat())),
            None => Err(error),
        },
    }
}

/// What git says of a revision before the words for one that means nothing.
fn said_before(error: &ToolError) -> Option<&str> {
    error.message.rfind("fatal: bad revision '").map(|end| &error.message[..end])
}

/// What git says where it looks `named` up, which is no branch's name: as a revision, and as a ref, which `meanings` is. What is no ref is looked
/// up once more for its commit (git's builtin/checkout.c, `setup_branch_path`), but for two of which the meeting is meant.
fn looked_up(refs: &Refs<'_>, meanings: &Meanings, revisions: Revisions<'_>, named: &str) -> Result<String, ToolError> {
    let unresolved = &meanings.warnings;
    let said = match without_suffixes(named) == named && sides(named).is_none() {
        true => revisions.warnings(),
        false => ignored(refs, named)? + &revisions.warnings(),
    };
    Ok(match (meanings.refs.is_empty(), sides(named)) {
        (true, None) => [unresolved, said.as_str(), unresolved, unresolved, &said].concat(),
        (true, Some(_)) => said,
        (false, _) => [unresolved, said.as_str(), unresolved].concat(),
    })
}

/// The two names with three dots between.
fn sides(named: &str) -> Option<[&str; 2]> {
    named.split("...").collect::<Vec<_>>().try_into().ok()
}

/// What git says of refs that lead nowhere, by whose names `named` begins.
fn ignored(refs: &Refs<'_>, named: &str) -> Result<String, ToolError> {
    let mut warnings = String::new();
    for name in sides(named).map_or(vec![named], Vec::from) {
        warnings.push_str(&refs.meanings(without_suffixes(name).into())?.warnings);
        // Behind what means nothing, git does not look.
        if Revisions::new(refs.repo, String::new(), true, []).parse(name).is_err() {
            break;
        }
    }
    Ok(warnings)
}

/// The name that a revision begins with: without the path behind a colon, and the ancestors and kinds that it goes on to (git's object-name.c,
/// `get_oid_1`).
fn without_suffixes(revision: &str) -> &str {
    let mut name = revision.split_once(':').map_or(revision, |(name, _)| name);
    loop {
        let before = match name.strip_suffix('}') {
            Some(kind) => kind.rfind("^{").map(|at| &name[..at]),
            None => name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix(['~', '^']),
        };
        match before {
            Some(before) => name = before,
            None => return name,
        }
    }
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

/// Why HEAD does not go to what is no branch: with `branch` a call says that it means one. `warnings` is what git says before.
fn no_branch(named: &BStr, meanings: &Meanings, warnings: &str) -> ToolError {
    // To say what it is, git looks the name up once more.
    let warnings = [warnings, &meanings.warnings].concat();
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
    ToolError::new(ErrorKind::NotFound, message).hint("Name it as commit to detach HEAD there.")
}

/// Where each remote's branch of that name is kept here, if it is.
fn kept_by_remotes(refs: &Refs<'_>, named: &str) -> Vec<BString> {
    let theirs = full(named.into());
    let kept = |remote: BString| Refspecs::of(refs.repo, remote.as_bstr()).destination(theirs.as_bstr());
    refspec::remotes(refs.repo).into_iter().filter_map(kept).collect()
}

/// The branch of that name that one remote has, which is made here first.
fn remote(refs: &Refs<'_>, named: &str) -> Result<Option<Goal>, ToolError> {
    let mut found = Vec::new();
    for kept in kept_by_remotes(refs, named) {
        if let Some(id) = refs.id(kept.as_bstr())? {
            found.push((kept, id));
        }
    }
    if found.len() > 1 {
        let advice = hint(
            "If you meant to check out a remote tracking branch on, e.g. 'origin',\nyou can do so by fully qualifying the name with \
             the --track option:\n\n    git checkout --track origin/<name>\n\nIf you'd like to always have checkouts of an ambiguous \
             <name> prefer\none remote, e.g. the 'origin' remote, consider setting\ncheckout.defaultRemote=origin in your config.",
        );
        let message = format!("{advice}fatal: '{named}' matched multiple ({}) remote tracking branches", found.len());
        return Err(
            ToolError::failed(message).hint("Make the branch with create_branch, or check out one of them as commit.")
        );
    }
    let Some((kept, id)) = found.pop() else { return Ok(None) };
    let branch = create::free(refs, named)?;
    let commit = peeled(refs.repo, id, named.into())?;
    let start = Start { commit, tracked: Some(kept.clone()), stderr: String::new() };
    let new = New { branch: branch.clone(), start, from: kept };
    Ok(Some(Goal {
        name: named.into(),
        branch: Some(branch),
        commit: Some(commit),
        new: Some(new),
        warnings: BString::default(),
    }))
}
