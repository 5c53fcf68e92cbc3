//! What the next commit concludes, as `git commit` takes it from the files in `.git`: a merge, a cherry-pick or a revert.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::Kind;

use crate::error::ToolError;
use crate::git::change::operation;
use crate::git::store::repo::{Repo, damaged};

/// What a commit concludes.
#[derive(Debug)]
pub struct Concluded {
    /// The commits that were merged.
    pub merged: Vec<ObjectId>,
    /// The commit that was picked, whose author the new one keeps.
    pub picked: Option<ObjectId>,
    /// What the reflog calls the commit.
    pub log: &'static str,
}

impl Concluded {
    /// As the repository has it now.
    ///
    /// # Errors
    ///
    /// If a file names something else than commits: a commit without a side of its merge would lose that.
    pub fn of(repo: &Repo) -> Result<Concluded, ToolError> {
        let merged = commits(repo, "MERGE_HEAD")?;
        // A merge wins over a pick, as in git.
        let picked = if merged.is_empty() { commits(repo, "CHERRY_PICK_HEAD")?.into_iter().next() } else { None };
        let log = match (merged.is_empty(), picked) {
            (false, _) => "commit (merge)",
            (true, Some(_)) => "commit (cherry-pick)",
            (true, None) => "commit",
        };
        Ok(Concluded { merged, picked, log })
    }
}

/// The commits that a file in `.git` names, a line each. A merge of a tag names the tag.
fn commits(repo: &Repo, file: &str) -> Result<Vec<ObjectId>, ToolError> {
    let content = operation::read(repo, file)?.unwrap_or_default();
    let commit = |line: &[u8]| {
        let id = ObjectId::from_hex(line.trim_ascii()).ok()?;
        Some(repo.gix.try_find_object(id).ok()??.peel_to_kind(Kind::Commit).ok()?.id)
    };
    let commits: Option<Vec<ObjectId>> = content.lines().map(commit).collect();
    commits.ok_or_else(|| damaged(&std::io::Error::other(format!(".git/{file} names no commit"))))
}
