//! Creates a branch at HEAD.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use super::report::Done;
use crate::error::{ErrorKind, ToolError};
use crate::git::history::branch_name::{HEADS, full, interpret, is_allowed, refuse};
use crate::git::history::peeling;
use crate::git::store::abbrev::by_first_digits;
use crate::git::store::config_file;
use crate::git::store::refs::{self, Refs};
use crate::git::store::refspec::{self, Refspecs};
use crate::git::store::repo::Repo;
use crate::git::words::advice::hint;
use crate::session::Context;

/// Creates the branch that a call names `given`.
pub fn create(context: &mut Context<'_>, repo: &Repo, given: &str) -> Result<Done, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    let head = refs.head()?;
    let name = free(&refs, given)?;
    let start = head.as_ref().map_or(BStr::new("HEAD"), |head| head[HEADS.len()..].as_bstr());
    let begin = start_at(&refs, start)?;
    let stdout = make(context, repo, name.as_bstr(), &begin, start)?;
    let Start { commit, stderr, .. } = begin;
    let name = name[HEADS.len()..].to_str_lossy().into_owned();
    Ok(Done { operation: "create", stdout, stderr, name, commit_id: Some(commit.to_string()), ..Done::default() })
}

/// Creates the branch with the full name `name` at `start`, which git's reflog calls `from`. Returns git's output.
pub fn make(context: &Context<'_>, repo: &Repo, name: &BStr, start: &Start, from: &BStr) -> Result<BString, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    let Start { commit, tracked, stderr } = start;
    let with = |error: ToolError| error.behind(stderr);
    let short = name[HEADS.len()..].as_bstr();
    let tracking = match tracked {
        Some(tracked) => Tracking::of(repo, tracked.as_bstr()).map_err(with)?,
        None => None,
    };
    let section = tracking.as_ref().map(|tracking| tracking.section(repo, short)).transpose()?;
    let message = [b"branch: Created from ", from.as_bytes()].concat();
    let who = context.reflog_signature();
    refs::create(&who, &refs, name, *commit, &message).map_err(|error| with(error.behind("fatal: ")))?;
    if let Some(section) = section {
        config_file::add(repo, section.as_bstr())?;
    }
    Ok(tracking.map(|tracking| tracking.told(short)).unwrap_or_default())
}

/// The full name of the branch that a call names `given`. Fails if the branch exists.
pub fn free(refs: &Refs<'_>, given: &str) -> Result<BString, ToolError> {
    let name = allowed(refs, given)?;
    if refs.id(name.as_bstr())?.is_some() {
        let words = format!("fatal: a branch named '{}' already exists", name[HEADS.len()..].as_bstr());
        return Err(ToolError::new(ErrorKind::Conflict, words).hint("Choose another name, or use the existing branch."));
    }
    Ok(name)
}

/// The full name of the branch that a call names `given`, whether it exists or not.
pub fn allowed(refs: &Refs<'_>, given: &str) -> Result<BString, ToolError> {
    let name = full(interpret(refs, given)?.as_bstr());
    match is_allowed(given, name.as_bstr()) {
        true => Ok(name),
        false => Err(refuse(&format!("'{given}' is not a valid branch name"))),
    }
}

/// The start point of a branch.
pub struct Start {
    /// The commit.
    pub commit: ObjectId,
    /// The full name of the ref, if it may be a remote-tracking one.
    pub tracked: Option<BString>,
    /// git's warnings, in lines.
    pub stderr: String,
}

/// The start point named `start`, which is the current branch or HEAD. git looks it up twice: as a revision and as a ref.
pub fn start_at(refs: &Refs<'_>, start: &BStr) -> Result<Start, ToolError> {
    let name = if start == "@" { BStr::new("HEAD") } else { start };
    let meanings = refs.meanings(name)?;
    let mut stderr = meanings.warnings.clone();
    let failed = |stderr: &str, words: String| ToolError::failed(format!("{stderr}fatal: {words}"));
    let by_id = by_id(refs.repo, name);
    let Some((full, id)) = meanings.refs.first().cloned().or_else(|| Some((BString::default(), by_id?))) else {
        return Err(failed(&stderr, format!("not a valid object name: '{start}'"))
            .hint("A branch needs a commit to start at. First make a commit."));
    };
    if name.len() == 40 && by_id.is_some() {
        stderr = refs.warning_of_id(&name.to_str_lossy())?;
    } else {
        stderr.push_str(&refs.warning_of(&start.to_str_lossy(), &meanings));
    }
    stderr.push_str(&meanings.warnings);
    if meanings.refs.len() > 1 {
        return Err(failed(&stderr, format!("ambiguous object name: '{start}'")).hint(
            "A tag or another ref has the same name as the current branch. Rename one of them, or first switch to \
             another branch.",
        ));
    }
    let commit = peeling::peel(refs.repo, id)?;
    stderr.push_str(&commit.complaint);
    let commit = commit.id.ok_or_else(|| failed(&stderr, format!("not a valid branch point: '{start}'")))?;
    Ok(Start { commit, tracked: full.starts_with_str(HEADS).then_some(full), stderr })
}

/// The start point that `from` names, whose commit is known. Unless `tracks` is false, a branch there tracks a remote's.
pub fn start_of(refs: &Refs<'_>, from: &str, commit: ObjectId, tracks: bool) -> Result<Start, ToolError> {
    let meanings = refs.meanings(from.into())?;
    let full = meanings.refs.into_iter().next().map(|(full, _)| full);
    let tracked = full.filter(|full| tracks && full.starts_with(b"refs/remotes/"));
    Ok(Start { commit, tracked, stderr: meanings.warnings })
}

/// git's warnings if `name`, which means `meant`, is ambiguous. git looks it up twice: as a revision and as a ref.
pub fn ambiguity(refs: &Refs<'_>, name: &str, meant: &BStr) -> Result<BString, ToolError> {
    let meanings = refs.meanings(meant)?;
    let mut warnings = meanings.warnings.clone();
    if ObjectId::from_hex(name.as_bytes()).is_ok() {
        warnings = refs.warning_of_id(name)?;
    } else {
        warnings.push_str(&refs.warning_of(name, &meanings));
    }
    warnings.push_str(&meanings.warnings);
    Ok(warnings.into())
}

/// The object with this id, present or not, or the one whose id begins with these digits.
fn by_id(repo: &Repo, name: &BStr) -> Option<ObjectId> {
    ObjectId::from_hex(name).ok().or_else(|| by_first_digits(repo, name))
}

/// The remote of a remote-tracking branch. A branch that starts there tracks the remote's branch
/// (git-config, "branch.autoSetupMerge").
struct Tracking {
    remote: BString,
    /// The full name of the remote's branch.
    merge: BString,
}

impl Tracking {
    /// The only remote that fetches to `tracked`, a full name, if any.
    fn of(repo: &Repo, tracked: &BStr) -> Result<Option<Tracking>, ToolError> {
        refspec::ensure_valid(repo)?;
        let of_remote = |remote: BString| {
            let merge = Refspecs::of(repo, remote.as_bstr()).source(tracked)?;
            Some(Tracking { remote, merge })
        };
        let mut all: Vec<Tracking> = refspec::remotes(repo).into_iter().filter_map(of_remote).collect();
        if all.len() < 2 {
            return Ok(all.pop());
        }
        let list: String = all.iter().map(|tracking| format!("  {}\n", tracking.remote)).collect();
        let advice = hint(&format!(
            "There are multiple remotes whose fetch refspecs map to the remote\ntracking ref '{tracked}':\n{list}\n\
             This is typically a configuration error.\n\nTo support setting up tracking branches, ensure that\ndifferent remotes' \
             fetch refspecs map into different\ntracking namespaces."
        ));
        let words = format!("fatal: not tracking: ambiguous information for ref '{tracked}'\n{}", advice.trim_end());
        Err(ToolError::failed(words).hint("Ask the user to change the remotes' fetch refspecs."))
    }

    /// The new configuration section of the branch `short`.
    fn section(&self, repo: &Repo, short: &BStr) -> Result<BString, ToolError> {
        if config_file::has_branch(repo, short)? {
            return Err(ToolError::failed(format!("the configuration already has a section for branch '{short}'"))
                .hint("Choose another name, or ask the user to remove the section."));
        }
        Ok(config_file::tracking_branch(short, self.remote.as_bstr(), self.merge.as_bstr()))
    }

    /// git's message about it.
    fn told(&self, short: &BStr) -> BString {
        let theirs = self.merge.strip_prefix(HEADS.as_bytes()).unwrap_or(&self.merge).as_bstr();
        let theirs = BString::from([&self.remote[..], b"/", theirs].concat());
        [b"branch '", short.as_bytes(), b"' set up to track '", &theirs, b"'.\n"].concat().into()
    }
}
