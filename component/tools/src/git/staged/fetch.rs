//! Fetching commits with their trees, and blobs, that a target has and the sandbox lacks.
//!
//! Objects are there before the host repeats a call, so a tool asks for what is missing and stops.

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

/// Commits without their parents, as `.git/shallow` lists them.
pub fn shallow(repo: &Repo) -> Result<BTreeSet<ObjectId>, ToolError> {
    let commits = repo.gix.shallow_commits().map_err(|error| damaged(&error))?;
    Ok(commits.iter().flat_map(|commits| commits.iter()).copied().collect())
}

/// Records the shallow boundary: commits that came without their parents are added, and those whose
/// parents have arrived are removed.
pub fn update_shallow(repo: &Repo, new: &BTreeSet<ObjectId>) -> Result<(), ToolError> {
    let known = shallow(repo)?;
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

/// How much is to come in with a commit.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The most commits of history, where the target knows none that the sandbox has; all without.
    pub depth: Option<NonZeroU32>,
    /// Whether blobs come along, or when they are needed.
    pub blobs: bool,
    /// Whether the sandbox may have history of the target: then what follows it is enough.
    pub related: bool,
}

impl Extent {
    /// Whether all of a history is to come, whatever there is of it.
    fn is_whole(&self) -> bool {
        self.depth.is_none() && !self.related
    }
}

/// Sees to it that `commit` of `target` is here.
pub fn commit(answers: &Answers, repo: &Repo, target: &str, commit: ObjectId, extent: Extent) -> Result<(), Stop> {
    // What was brought for a part of it, and taken back, is no whole history.
    let is_cut = || Ok::<_, ToolError>(extent.is_whole() && shallow(repo)?.contains(&commit));
    if repo.gix.has_object(commit) && !is_cut()? {
        return Ok(());
    }
    let (have, shallow) = match extent.related {
        true => (tracking::heads(repo)?, shallow(repo)?),
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

/// Ensures that `commit` of `target` and its trees are here. It fetches everything new, or only
/// this commit if the repository has no history in common. A sparse sandbox fetches blobs only
/// where it needs them.
pub fn history(answers: &Answers, repo: &Repo, target: &str, wanted: ObjectId) -> Result<(), Stop> {
    let is_known = targets::list(repo)?.iter().any(|known| known.target == target);
    let extent = match is_known {
        true => Extent { depth: None, blobs: Sparse::load(repo)?.is_none(), related: true },
        false => Extent { depth: NonZeroU32::new(1), blobs: false, related: true },
    };
    commit(answers, repo, target, wanted, extent)
}

/// Sees to it that these blobs of `commit`, each with its path, are here.
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

/// Asks for blobs that are not here.
pub fn ask_for(answers: &Answers, wanted: BlobsWanted) -> Result<(), Stop> {
    brought(answers.get(Question::Blobs(wanted))?)
}

/// An error, as what has been asked for is not here: had it been brought, nobody would have asked.
fn brought(answer: &Answer) -> Result<(), Stop> {
    let what = match answer {
        Answer::Fetched(_) => "The host sent objects that were not requested",
        _ => "The host did not answer a request for objects with objects",
    };
    Err(ToolError::failed(what).into())
}
