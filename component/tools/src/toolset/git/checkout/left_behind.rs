//! The message about the commit that a detached HEAD leaves (builtin/checkout.c, `orphaned_commit_warning`).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::History;
use crate::git::history::rev_list;
use crate::git::store::abbrev::Abbrev;
use crate::git::store::repo::{Repo, damaged};
use crate::git::text::pretty::subject::{skip_blank_lines, subject};

/// How many commits a longer list shows.
const LISTED: usize = 4;

/// The previous position of HEAD, or the commits that no ref will reach once HEAD is at `new`.
pub fn told(repo: &Repo, old: ObjectId, new: ObjectId, deadline: &Deadline) -> Result<Vec<u8>, ToolError> {
    let mut hidden = tips(repo, deadline)?;
    hidden.insert(new);
    let lost = rev_list::between(repo, [old], &hidden, deadline)?.into_iter().collect();
    let lost = as_walked(repo, old, lost, deadline)?;
    if lost.is_empty() {
        return described(repo, "Previous HEAD position was ", old);
    }
    let count = lost.len();
    let (commits, them) = if count == 1 { ("commit", "it") } else { ("commits", "them") };
    let mut text =
        format!("Warning: you are leaving {count} {commits} behind, not connected to\nany of your branches:\n\n")
            .into_bytes();
    for commit in lost.iter().take(LISTED) {
        text.extend(listed(repo, *commit)?);
    }
    match count {
        0..=LISTED => {}
        5 => text.extend(listed(repo, lost[LISTED])?),
        _ => text.extend_from_slice(format!(" ... and {} more.\n", count - LISTED).as_bytes()),
    }
    let short = Abbrev::of(repo)?.short(&old)?;
    text.extend_from_slice(
        format!(
            "\nIf you want to keep {them} by creating a new branch, this may be a good time\nto do so with:\n\n git branch \
             <new-branch-name> {short}\n\n"
        )
        .as_bytes(),
    );
    Ok(text)
}

/// The commits `lost` in git's order of a walk from `old`: the latest first, and of equal times the first found.
fn as_walked(
    repo: &Repo,
    old: ObjectId,
    mut lost: BTreeSet<ObjectId>,
    deadline: &Deadline,
) -> Result<Vec<ObjectId>, ToolError> {
    let history = History::of(repo, &Default::default())?;
    let mut pending = BTreeMap::new();
    let mut walked = Vec::with_capacity(lost.len());
    let mut found = vec![old];
    loop {
        deadline.poll()?;
        for id in found.drain(..).filter(|id| lost.remove(id)) {
            pending.insert((Reverse(history.node(id)?.time), walked.len() + pending.len()), id);
        }
        let Some((_, id)) = pending.pop_first() else { return Ok(walked) };
        walked.push(id);
        let node = history.node(id)?;
        found.extend(history.parents(&node));
    }
}

/// A line of the list. git prints no space after a commit without a subject (pretty.c, `pp_commit`).
fn listed(repo: &Repo, commit: ObjectId) -> Result<Vec<u8>, ToolError> {
    let line = described(repo, "  ", commit)?;
    Ok([line.trim_ascii_end(), b"\n"].concat())
}

/// `words`, then the short id and subject of the commit.
pub fn described(repo: &Repo, words: &str, commit: ObjectId) -> Result<Vec<u8>, ToolError> {
    let history = History::of(repo, &Default::default())?;
    let commit_read = history.commit(commit)?;
    let short = Abbrev::of(repo)?.short(&commit)?;
    let mut line = format!("{words}{short} ").into_bytes();
    line.extend(subject(skip_blank_lines(commit_read.message())).0);
    line.push(b'\n');
    Ok(line)
}

/// The commits to which refs point.
fn tips(repo: &Repo, deadline: &Deadline) -> Result<BTreeSet<ObjectId>, ToolError> {
    let mut tips = BTreeSet::new();
    let refs = repo.gix.references().map_err(|error| damaged(&error))?;
    for reference in refs.all().map_err(|error| damaged(&error))? {
        deadline.poll_units(4)?;
        let Ok(mut reference) = reference else { continue };
        let Ok(id) = reference.peel_to_id() else { continue };
        if id.header().is_ok_and(|header| header.kind() == gix::objs::Kind::Commit) {
            tips.insert(id.detach());
        }
    }
    Ok(tips)
}
