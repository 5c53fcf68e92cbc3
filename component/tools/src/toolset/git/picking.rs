//! What `git_cherry_pick` and `git_revert` share: they bring in the change of one commit, or take it back, as one new commit.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use patch::merge::Labels;

use super::integrate::report::{self, Integrated, Made, Status};
use super::integrate::{self, Verb, abort, named};
use crate::error::{Stop, ToolError};
use crate::git::change::three_way::Trees;
use crate::git::change::unfinished::{self, Doing};
use crate::git::change::{branch_state, replay};
use crate::git::history::graph::{Cache, History};
use crate::git::staged::new_commit::{self, NewCommit};
use crate::git::store::abbrev::Abbrev;
use crate::git::store::repo::{Repo, damaged};
use crate::git::text::patch_text::form::Form;
use crate::git::text::pretty::subject::{skip_blank_lines, subject};
use crate::git::words::advice;
use crate::git::words::dates::{self, DateForm};
use crate::git::words::identity::Signatures;
use crate::git::words::message;
use crate::git::words::streams::Streams;
use crate::paths::SandboxPath;
use crate::session::Context;

/// What a call asks for.
pub struct Asked<'a> {
    /// Which of the two it is.
    pub verb: Verb,
    /// The tool, for hints.
    pub tool: &'static str,
    /// The commit.
    pub commit: Option<&'a str>,
    /// Which parent of a merge counts, from 1.
    pub mainline: Option<u32>,
    /// Whether to give up an unfinished one.
    pub abort: bool,
}

/// A commit whose change is brought in or taken back.
struct Picked {
    id: ObjectId,
    parent: Option<ObjectId>,
    is_merge: bool,
    message: BString,
    /// `bdd23c9`
    short: String,
    subject: BString,
}

/// Runs it. Returns git's output, and the result.
///
/// # Errors
///
/// In git's words, if anything would be lost or nothing is left to commit. Nothing has changed then.
pub fn run(
    context: &mut Context<'_>,
    repo: &Repo,
    working_dir: &SandboxPath,
    asked: &Asked<'_>,
) -> Result<(Vec<u8>, Integrated), Stop> {
    let verb = asked.verb;
    if asked.abort {
        return Ok((Vec::new(), abort::run(context, repo, working_dir, verb)?));
    }
    unfinished::ensure_none(repo, if verb == Verb::Pick { Doing::Pick } else { Doing::Revert })?;
    let Some(commit) = asked.commit else {
        return Err(ToolError::bad_args("commit is required").hint("git_log shows commits and their ids.").into());
    };
    let head = repo.head()?;
    let Some(ours) = head.id() else {
        return Err(ToolError::failed(format!("There is no commit to {} onto", verb.command()))
            .hint("Nothing has changed. Make a commit first.")
            .into());
    };
    let picked = Picked::of(repo, named::commit(repo, working_dir, commit)?, asked)?;
    let mut by = context.signatures()?;
    let message = match verb {
        Verb::Revert => reverting(&picked),
        Verb::Pick | Verb::Merge => picked.message.clone(),
    };
    let (own, parent) = (repo.tree_of(picked.id)?, replay::tree_below(repo, picked.parent)?);
    let name = format!("{} ({})", picked.short, picked.subject);
    let parent_name = match picked.parent {
        Some(_) => format!("parent of {name}"),
        None => "(empty tree)".to_owned(),
    };
    let (base, theirs, labels) = match verb {
        Verb::Revert => (own, parent, (name.as_bytes(), parent_name.as_bytes())),
        Verb::Pick | Verb::Merge => (parent, own, (parent_name.as_bytes(), name.as_bytes())),
    };
    let labels = Labels { ours: b"HEAD", base: labels.0, theirs: labels.1 };
    let before = repo.tree_of(ours)?;
    let sides = Trees { base, ours: before, theirs, labels };
    let mut streams = Streams::default();
    let merged = integrate::trees(context, repo, working_dir, verb, &sides, &mut streams)?;
    let max_bytes = context.session.options.git.max_bytes;
    if !merged.outcome.is_clean {
        let file = if verb == Verb::Pick { "CHERRY_PICK_HEAD" } else { "REVERT_HEAD" };
        branch_state::point(repo, file, picked.id)?;
        let paths: Vec<&BStr> = merged.outcome.conflicts.keys().map(|path| path.as_bstr()).collect();
        branch_state::prepare_message(repo, message.as_bstr(), &paths)?;
        let could_not = if verb == Verb::Pick { "apply" } else { "revert" };
        let subject = picked.subject.as_bytes();
        streams.error_line(&[
            b"error: could not ",
            could_not.as_bytes(),
            b" ",
            picked.short.as_bytes(),
            b"... ",
            subject,
        ]);
        streams.err.extend_from_slice(conflict_advice(verb).as_bytes());
        let conflict = Integrated::conflict(head.short_branch(), &merged.outcome, asked.tool, max_bytes);
        return Ok((streams.text(), conflict));
    }
    // A commit that was empty from the start has nothing to say here either.
    if merged.tree == before {
        return Err(ToolError::failed(format!("The {} is empty: HEAD has its changes already", verb.command()))
            .hint("Nothing has changed.")
            .into());
    }
    if verb == Verb::Pick {
        by.author = named::author(repo, picked.id)?;
    }
    let log = format!("{}: {}", verb.command(), message::subject(&message).to_str_lossy());
    let new = NewCommit { tree: merged.tree, message: &message, more_parents: Vec::new(), log };
    let (id, short_id) = new_commit::create(repo, &by, &head, new, context.deadline)?;
    branch_state::forget(repo)?;
    let trees = (before, merged.tree);
    streams.out.extend(title(context, repo, id, &message, &by)?);
    streams.out.extend(report::changed(context, repo, trees, Form::Summary)?);
    let made = Made { status: Status::Committed, head: (id, Some(short_id)), message: Some(message.as_bstr()), trees };
    Ok((streams.text(), Integrated::made(context, repo, &made)?))
}

impl Picked {
    fn of(repo: &Repo, id: ObjectId, asked: &Asked<'_>) -> Result<Picked, ToolError> {
        let object = repo.gix.find_commit(id).map_err(|error| damaged(&error))?;
        let parents: Vec<ObjectId> = object.parent_ids().map(gix::Id::detach).collect();
        let failed = |words: String| {
            let command = asked.verb.command();
            ToolError::failed(format!("error: {words}\nfatal: {command} failed"))
                .hint("Nothing has changed. mainline says which parent of a merge counts: 1 is the branch that it was made on.")
        };
        let number = asked.mainline.unwrap_or(1);
        let parent = match parents.len() {
            0 | 1 if number == 1 => parents.first().copied(),
            2.. if asked.mainline.is_none() => {
                return Err(failed(format!("commit {id} is a merge but no -m option was given.")));
            }
            _ => match parents.get((number as usize).wrapping_sub(1)) {
                Some(parent) => Some(*parent),
                None => return Err(failed(format!("commit {id} does not have parent {number}"))),
            },
        };
        // git re-encodes it, and drops blank lines before it.
        let commit = History::of(repo, &Cache::default())?.commit(id)?;
        let message: BString = skip_blank_lines(commit.message()).into();
        let short = Abbrev::of(repo)?.short(&id)?;
        let subject = message::subject(&message).into();
        Ok(Picked { id, parent, is_merge: parents.len() > 1, message, short, subject })
    }
}

/// git's message for a revert (sequencer.c, `refer_to_commit`).
fn reverting(picked: &Picked) -> BString {
    let Picked { id, subject, .. } = picked;
    let first = match subject.strip_prefix(b"Revert \"") {
        // A revert of a revert brings the commit back.
        Some(rest) if !rest.starts_with(b"Revert \"") => format!("Reapply \"{}", rest.as_bstr()),
        _ => format!("Revert \"{subject}\""),
    };
    let reversed = picked.parent.filter(|_| picked.is_merge);
    let reversed = reversed.map_or_else(String::new, |parent| format!(", reversing\nchanges made to {parent}"));
    format!("{first}\n\nThis reverts commit {id}{reversed}.\n").into()
}

/// `[main 1234567] a subject`, and who and when, if that is not said by the commit's making (builtin/commit.c, `print_commit_summary`).
fn title(
    context: &Context<'_>,
    repo: &Repo,
    id: ObjectId,
    message: &BString,
    by: &Signatures,
) -> Result<Vec<u8>, ToolError> {
    let branch = repo.head()?.short_branch().unwrap_or_else(|| "detached HEAD".to_owned());
    let short = Abbrev::of(repo)?.short(&id)?;
    let mut title = format!("[{branch} {short}] ").into_bytes();
    title.extend_from_slice(&subject(message).0);
    title.push(b'\n');
    let Signatures { author, committer } = by;
    if (&author.name, &author.email) != (&committer.name, &committer.email) {
        title.extend([b" Author: ", author.name.as_slice(), b" <", &author.email, b">\n"].concat());
    }
    let date = dates::show(author.time, DateForm::Default, context.now())?;
    title.extend_from_slice(format!(" Date: {date}\n").as_bytes());
    Ok(title)
}

/// git's advice after a conflict (sequencer.c, `print_advice`).
fn conflict_advice(verb: Verb) -> String {
    let command = format!("git {}", verb.command());
    advice::advice(
        &format!(
            "After resolving the conflicts, mark them with\n\"git add/rm <pathspec>\", then run\n\"{command} --continue\".\n\
             You can instead skip this commit with \"{command} --skip\".\nTo abort and get back to the state before \"{command}\",\n\
             run \"{command} --abort\"."
        ),
        "mergeConflict",
    )
}
