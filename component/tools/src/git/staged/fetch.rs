//! Fetches commits, trees and blobs that a target has and the sandbox lacks.
//!
//! The host adds the objects before it repeats a call. So a tool asks for missing objects and stops.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use gix::ObjectId;
use patch::sort::sort;

use crate::answer::{Answer, Answers};
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::history::tracking;
use crate::git::staged::targets;
use crate::git::store::repo::{Repo, damaged};
use crate::git::worktree::sparse::Sparse;
use crate::platform;
use crate::question::{BlobAt, BlobsWanted, CommitsWanted, Question};

/// Updates the shallow boundary: adds commits that came without their parents, and removes those whose parents have arrived.
pub fn update_shallow(repo: &Repo, new: &BTreeSet<ObjectId>) -> Result<(), ToolError> {
    let known = repo.shallow()?;
    let mut cut = BTreeSet::new();
    for commit in known.union(new) {
        let found = repo.gix.find_commit(*commit).map_err(|error| damaged(&error))?;
        let mut parents = found.parent_ids();
        if new.contains(commit) || parents.any(|parent| !repo.gix.has_object(parent)) {
            cut.insert(*commit);
        }
    }
    if cut == known {
        return Ok(());
    }
    let file = repo.git_dir().join("shallow");
    let written = match cut.is_empty() {
        true => platform::remove_file(&file),
        false => {
            let lines: String = cut.iter().map(|commit| format!("{commit}\n")).collect();
            platform::put_file(&file, lines.into_bytes(), None)
        }
    };
    written.map_err(|error| ToolError::io(".git/shallow", &error))
}

/// How much to fetch with a commit.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The maximum number of commits, if the target and the sandbox share no history. `None` fetches all.
    pub depth: Option<NonZeroU32>,
    /// Whether to fetch blobs now or only when needed.
    pub blobs: bool,
    /// Whether the sandbox may share history with the target. Then only newer commits are fetched.
    pub related: bool,
}

impl Extent {
    /// Whether to fetch a whole history.
    fn is_whole(&self) -> bool {
        self.depth.is_none() && !self.related
    }
}

/// Ensures that `commit` of `target` is here.
pub fn commit(answers: &Answers, repo: &Repo, target: &str, commit: ObjectId, extent: Extent) -> Result<(), Stop> {
    // An earlier fetch that was undone may have left the commit without its history.
    let is_cut = || Ok::<_, ToolError>(extent.is_whole() && repo.shallow()?.contains(&commit));
    if repo.gix.has_object(commit) && !is_cut()? {
        return Ok(());
    }
    let (have, shallow) = match extent.related {
        true => (tracking::heads(repo)?, repo.shallow()?),
        false => Default::default(),
    };
    let question = Question::Commits(CommitsWanted {
        target: target.to_owned(),
        want: commit,
        depth: extent.depth,
        have: have.into_iter().collect(),
        shallow: shallow.into_iter().collect(),
        blobs: extent.blobs,
    });
    brought(answers.get(question)?)
}

/// Ensures that `commit` of `target` and its trees are here. It fetches everything new, or only this commit if the repository shares no
/// history. A sparse sandbox fetches blobs only when needed.
pub fn history(answers: &Answers, repo: &Repo, target: &str, wanted: ObjectId) -> Result<(), Stop> {
    let is_known = targets::list(repo)?.iter().any(|known| known.target == target);
    let extent = match is_known {
        true => Extent { depth: None, blobs: Sparse::load(repo)?.is_none(), related: true },
        false => Extent { depth: NonZeroU32::new(1), blobs: false, related: true },
    };
    commit(answers, repo, target, wanted, extent)
}

/// Ensures that these blobs of `commit`, each with its path, are here.
pub fn blobs(
    answers: &Answers,
    repo: &Repo,
    target: &str,
    commit: ObjectId,
    wanted: impl IntoIterator<Item = (gix::bstr::BString, ObjectId)>,
    deadline: &Deadline,
) -> Result<(), Stop> {
    let mut seen = BTreeSet::new();
    let mut blobs = Vec::new();
    for (path, id) in wanted {
        deadline.poll()?;
        if seen.insert(id) && !repo.gix.has_object(id) {
            blobs.push(BlobAt { commit, path, id });
        }
    }
    if blobs.is_empty() {
        return Ok(());
    }
    sort(&mut blobs);
    ask_for(answers, BlobsWanted { target: target.to_owned(), blobs })
}

/// Asks for missing blobs.
pub fn ask_for(answers: &Answers, wanted: BlobsWanted) -> Result<(), Stop> {
    brought(answers.get(Question::Blobs(wanted))?)
}

/// The error for an answer that did not bring the objects. If it had, no call would have asked.
fn brought(answer: &Answer) -> Result<(), Stop> {
    let what = match answer {
        Answer::Fetched(_) => "The host sent objects that were not requested",
        _ => "The host did not answer a request for objects with objects",
    };
    Err(ToolError::failed(what).into())
}
