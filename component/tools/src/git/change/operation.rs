//! Detects unfinished git operations by the files that they leave in `.git`.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};

use crate::error::ToolError;
use crate::git::store::abbrev::Abbrev;
use crate::git::store::repo::Repo;
use crate::platform;

/// The unfinished operations. There can be several.
#[derive(Debug, Default)]
pub struct Operations {
    /// `MERGE_HEAD` exists.
    pub merge: bool,
    /// `rebase-apply` or `rebase-merge` exists.
    pub rebase: Option<Rebase>,
    /// A cherry-pick; the inner option is `CHERRY_PICK_HEAD`.
    pub cherry_pick: Option<Option<ObjectId>>,
    /// A revert; the inner option is `REVERT_HEAD`.
    pub revert: Option<Option<ObjectId>>,
    /// A bisection, and the branch or commit that it started from.
    pub bisect: Option<Option<BString>>,
    /// `CHERRY_PICK_HEAD` exists, no matter which command wrote it. So the next commit is not the user's own.
    pub picked: bool,
}

/// A rebase, or an application of mails.
#[derive(Debug)]
pub enum Rebase {
    /// `git am`.
    Mails {
        /// Whether the current patch is empty.
        is_empty: bool,
    },
    /// `git rebase`.
    Commits {
        /// Whether it has a list of commands.
        interactive: bool,
        /// The branch. `None` if HEAD was detached.
        branch: Option<BString>,
        /// The new base of its commits.
        onto: Option<BString>,
    },
}

impl Operations {
    /// The unfinished operations of `repo`.
    pub fn of(repo: &Repo) -> Result<Operations, ToolError> {
        let merge = read(repo, "MERGE_HEAD")?.is_some();
        let rebase = rebase(repo)?;
        let picked = commit(repo, "CHERRY_PICK_HEAD")?;
        let mut cherry_pick = picked.filter(|_| !merge && rebase.is_none()).map(Some);
        let mut revert = commit(repo, "REVERT_HEAD")?.map(Some);
        match last_command(repo)? {
            Some("pick") => cherry_pick = cherry_pick.or(Some(None)),
            Some(_) => revert = revert.or(Some(None)),
            None => {}
        }
        let bisect = match read(repo, "BISECT_LOG")? {
            Some(_) => Some(branch(repo, "BISECT_START")?),
            None => None,
        };
        Ok(Operations { merge, rebase, cherry_pick, revert, bisect, picked: picked.is_some() })
    }

    /// Whether the next commit ends a merge or a cherry-pick.
    pub fn has_given_commit(&self) -> bool {
        self.merge || self.picked
    }
}

fn rebase(repo: &Repo) -> Result<Option<Rebase>, ToolError> {
    let exists = |name: &str| platform::stat(&repo.git_dir().join(name)).is_ok();
    let commits = |folder: &str, interactive| {
        let branch = |name: &str| branch(repo, &format!("{folder}/{name}"));
        Ok(Some(Rebase::Commits { interactive, branch: branch("head-name")?, onto: branch("onto")? }))
    };
    if exists("rebase-apply/applying") {
        let patch = platform::stat(&repo.git_dir().join("rebase-apply/patch"));
        return Ok(Some(Rebase::Mails { is_empty: patch.is_ok_and(|patch| patch.size == 0) }));
    }
    match (exists("rebase-apply"), exists("rebase-merge")) {
        (true, _) => commits("rebase-apply", false),
        (false, true) => commits("rebase-merge", exists("rebase-merge/interactive")),
        (false, false) => Ok(None),
    }
}

/// The branch or commit that a file names, in short form. `None` for a detached HEAD.
fn branch(repo: &Repo, file: &str) -> Result<Option<BString>, ToolError> {
    let content = read(repo, file)?.unwrap_or_default();
    let name = content.trim_end_with(|end| end == '\n');
    if let Some(short) = name.strip_prefix(b"refs/heads/") {
        return Ok(Some(short.into()));
    }
    if name.is_empty() || name == b"detached HEAD" {
        return Ok(None);
    }
    let id = name.get(..40).and_then(|id| ObjectId::from_hex(id).ok()).filter(|_| !name.starts_with(b"refs/"));
    Ok(Some(match id {
        Some(id) => Abbrev::of(repo)?.short(&id)?.into(),
        None => name.into(),
    }))
}

/// The command in the first line of the todo list of `git cherry-pick` or `git revert`: `pick` or `revert`.
fn last_command(repo: &Repo) -> Result<Option<&'static str>, ToolError> {
    let todo = read(repo, "sequencer/todo")?.unwrap_or_default();
    let first = todo.trim_start_with(|space| " \t\r\n".contains(space));
    let command = first.find_byteset(b" \t").map(|end| &first[..end]);
    Ok(match command {
        Some(b"pick" | b"p") => Some("pick"),
        Some(b"revert") => Some("revert"),
        _ => None,
    })
}

fn commit(repo: &Repo, name: &str) -> Result<Option<ObjectId>, ToolError> {
    let content = read(repo, name)?;
    Ok(content.and_then(|content| ObjectId::from_hex(content.trim_ascii()).ok()))
}

/// The content of the file `name` in `.git`, if it exists.
pub fn read(repo: &Repo, name: &str) -> Result<Option<Vec<u8>>, ToolError> {
    match platform::read(&repo.git_dir().join(name)) {
        Ok(content) => Ok(Some(content.to_vec())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ToolError::io(&format!(".git/{name}"), &error)),
    }
}
