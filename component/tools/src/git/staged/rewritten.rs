//! Commits that have landed as other commits. A commit pushed by itself is rewritten on top of the target's branch.
//!
//! `.git/gitgate/landed-as` stores one pair per line: the commit, a space, and the one that landed for it. No undo takes these facts back.
//! A pair counts as long as a tracking ref reaches the landed commit.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::{rev_list, tracking};
use crate::git::staged::ids::Ids;
use crate::git::store::repo::Repo;
use crate::platform;

const FILE: &str = ".git/gitgate/landed-as";

/// A commit by its name at that time, and the commit that landed for it.
pub type Pair = (ObjectId, ObjectId);

/// All pairs, in the order of landing.
pub fn all(repo: &Repo) -> Result<Vec<Pair>, ToolError> {
    let content = match platform::read(&repo.root.join(FILE)) {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(ToolError::io(FILE, &error)),
    };
    let text = String::from_utf8_lossy(&content);
    let id = |hex: &str| ObjectId::from_hex(hex.as_bytes()).ok();
    let pairs = text.lines().map(|line| line.split_once(' ').and_then(|(old, new)| Some((id(old)?, id(new)?))));
    pairs.collect::<Option<_>>().ok_or_else(|| ToolError::failed(format!("{FILE} is damaged")))
}

/// Notes that `commit` has landed as `made`. Noting it twice changes nothing.
pub fn note(repo: &Repo, commit: ObjectId, made: ObjectId) -> Result<(), ToolError> {
    let mut pairs = all(repo)?;
    if pairs.contains(&(commit, made)) {
        return Ok(());
    }
    pairs.push((commit, made));
    let text: String = pairs.iter().map(|(commit, made)| format!("{commit} {made}\n")).collect();
    platform::create_dir_all(&repo.git_dir().join("gitgate"))
        .and_then(|()| platform::put_file(&repo.root.join(FILE), text.into_bytes(), None))
        .map_err(|error| ToolError::io(FILE, &error))
}

/// The commits that landed for `commit`, latest first.
pub fn of(repo: &Repo, commit: ObjectId) -> Result<Vec<ObjectId>, ToolError> {
    let ids = Ids::load(repo)?;
    let pairs = all(repo)?.into_iter().rev();
    Ok(pairs.filter(|(old, _)| ids.successor(*old) == commit).map(|(_, made)| made).collect())
}

/// The commits that have landed as others, by their present names, with the latest landed commit that a tracking ref reaches.
pub fn landed_as(repo: &Repo, deadline: &Deadline) -> Result<BTreeMap<ObjectId, ObjectId>, ToolError> {
    let pairs = all(repo)?;
    if pairs.is_empty() {
        return Ok(BTreeMap::new());
    }
    let made: BTreeSet<ObjectId> = pairs.iter().map(|(_, made)| *made).collect();
    let gone: BTreeSet<ObjectId> =
        rev_list::between(repo, made, &tracking::heads(repo)?, deadline)?.into_iter().collect();
    let ids = Ids::load(repo)?;
    let reached = pairs.into_iter().filter(|(_, made)| !gone.contains(made));
    Ok(reached.map(|(commit, made)| (ids.successor(commit), made)).collect())
}
