//! The records of a branch, latest first.

use std::cell::RefCell;
use std::rc::Rc;

use gix::ObjectId;
use gix::hashtable::{HashMap, HashSet};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::{History, Limits, Node, Walk};
use crate::git::staged::records::message::Recorded;
use crate::git::store::repo::Repo;

/// Limit of the cache, in commits.
const KEPT: usize = 200_000;

/// The records of known commits (`None` for other commits), and the last trail. Neither ever changes, because a commit's name is a hash of
/// its content and history.
#[derive(Clone, Default)]
pub struct Cache {
    records: Rc<RefCell<HashMap<ObjectId, Option<Rc<Recorded>>>>>,
    last: Rc<RefCell<Option<(ObjectId, Trail)>>>,
}

/// Reads records through the cache.
pub struct Records<'a> {
    /// The records known so far.
    pub cache: &'a Cache,
    /// The prefix of trailer keys. It must stay the same for the life of the cache.
    pub prefix: &'a str,
}

impl Records<'_> {
    /// The record in the commit `id`.
    pub fn read(&self, history: &History<'_>, id: ObjectId) -> Result<Option<Rc<Recorded>>, ToolError> {
        if let Some(known) = self.cache.records.borrow().get(&id) {
            return Ok(known.clone());
        }
        let recorded = Recorded::read(history.commit(id)?.message(), self.prefix).map(Rc::new);
        let mut kept = self.cache.records.borrow_mut();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(id, recorded.clone());
        Ok(recorded)
    }
}

/// A record with its commit.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The commit.
    pub id: ObjectId,
    /// The committer's time, in seconds since the epoch.
    pub time: u64,
    /// The content of the record.
    pub recorded: Rc<Recorded>,
}

/// The number of commits on top of a known trail up to which the trail is extended instead of read again.
const NEAR: usize = 1000;

/// The records of HEAD's branch.
#[derive(Clone, Debug)]
pub struct Trail {
    /// The branch, without `refs/heads/`.
    pub branch: String,
    /// Latest first.
    pub entries: Rc<Vec<Entry>>,
    /// Whether the history here is incomplete.
    pub is_cut: bool,
}

impl Trail {
    /// Reads the trail of HEAD's branch.
    ///
    /// # Errors
    ///
    /// If HEAD is detached.
    pub fn of(
        repo: &Repo,
        history: &History<'_>,
        records: &Records<'_>,
        deadline: &Deadline,
    ) -> Result<Trail, ToolError> {
        let branch = branch(repo)?;
        let Some(head) = repo.head()?.id() else {
            return Ok(Trail { branch, entries: Rc::default(), is_cut: false });
        };
        let last = records.cache.last.borrow().clone().filter(|(_, last)| last.branch == branch);
        let trail = match last {
            Some((known, last)) => match line(history, head, known)? {
                Some(line) => last.followed_by(line, history, records)?,
                None => Trail::walk(branch, head, history, records, deadline)?,
            },
            None => Trail::walk(branch, head, history, records, deadline)?,
        };
        *records.cache.last.borrow_mut() = Some((head, trail.clone()));
        Ok(trail)
    }

    /// Reads all commits that `head` reaches.
    fn walk(
        branch: String,
        head: ObjectId,
        history: &History<'_>,
        records: &Records<'_>,
        deadline: &Deadline,
    ) -> Result<Trail, ToolError> {
        let (mut entries, mut is_cut) = (Vec::new(), false);
        let mut walk = Walk::new(history, [head], HashSet::default(), None, Limits::default(), deadline)?;
        while let Some(node) = walk.next()? {
            is_cut |= history.boundary().contains(&node.id);
            entries.extend(entry(&branch, &node, history, records)?);
        }
        Ok(Trail { branch, entries: Rc::new(entries), is_cut })
    }

    /// Extends the trail by the commits of `line`, latest first.
    fn followed_by(
        self,
        line: Vec<Rc<Node>>,
        history: &History<'_>,
        records: &Records<'_>,
    ) -> Result<Trail, ToolError> {
        let mut latest = Vec::new();
        for node in line {
            latest.extend(entry(&self.branch, &node, history, records)?);
        }
        if latest.is_empty() {
            return Ok(self);
        }
        latest.extend_from_slice(&self.entries);
        Ok(Trail { entries: Rc::new(latest), ..self })
    }

    /// The records of `task`, latest first.
    pub fn task<'t>(&'t self, task: &'t str) -> impl Iterator<Item = &'t Entry> {
        self.entries.iter().filter(move |entry| *entry.recorded.task == *task)
    }

    /// The hint for an incomplete history.
    pub fn hint(&self) -> Option<&'static str> {
        self.is_cut.then_some(
            "The sandbox has only a part of the history. Earlier records of tasks may be missing. A first pull without \
             depth and paths brings the whole history.",
        )
    }
}

/// HEAD's branch, without `refs/heads/`.
pub fn branch(repo: &Repo) -> Result<String, ToolError> {
    repo.head()?.short_branch().ok_or_else(|| {
        ToolError::failed("HEAD is detached: records of tasks belong to a branch")
            .hint("Switch to a branch with git_checkout.")
    })
}

/// The record in `node`, if it is one of `branch`.
fn entry(branch: &str, node: &Node, history: &History<'_>, records: &Records<'_>) -> Result<Option<Entry>, ToolError> {
    let recorded = records.read(history, node.id)?.filter(|recorded| *recorded.branch == *branch);
    Ok(recorded.map(|recorded| Entry { id: node.id, time: node.time, recorded }))
}

/// The commits from `head` down to `known`, without `known`, if they form a short line.
fn line(history: &History<'_>, head: ObjectId, known: ObjectId) -> Result<Option<Vec<Rc<Node>>>, ToolError> {
    let (mut line, mut at) = (Vec::new(), head);
    while at != known {
        let node = history.node(at)?;
        match history.parents(&node) {
            [parent] if line.len() < NEAR => at = *parent,
            _ => return Ok(None),
        }
        line.push(node);
    }
    Ok(Some(line))
}
