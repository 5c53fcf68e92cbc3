//! What the next commit concludes, as `git commit` takes it from the files in `.git`: a merge, a cherry-pick or a revert.

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::ByteSlice;

use crate::error::ToolError;
use crate::git::change::operation;
use crate::git::store::repo::{Repo, damaged};

/// What a commit concludes.
#[derive(Debug)]
pub struct Concluded {
    /// The commits that were merged.
    pub merged: Vec<ObjectId>,
    /// The author of the commit that was picked.
    pub author: Option<Signature>,
    /// What the reflog calls the commit.
    pub log: &'static str,
}

impl Concluded {
    /// As the repository has it now.
    ///
    /// # Errors
    ///
    /// If `.git` cannot be read, or the picked commit.
    pub fn of(repo: &Repo) -> Result<Concluded, ToolError> {
        let ids = |file: &str| -> Result<Vec<ObjectId>, ToolError> {
            let content = operation::read(repo, file)?.unwrap_or_default();
            Ok(content.lines().filter_map(|line| ObjectId::from_hex(line.trim_ascii()).ok()).collect())
        };
        let merged = ids("MERGE_HEAD")?;
        let picked = ids("CHERRY_PICK_HEAD")?.into_iter().next();
        let author = picked.map(|picked| author(repo, picked)).transpose()?;
        let log = match (merged.is_empty(), picked) {
            (false, _) => "commit (merge)",
            (true, Some(_)) => "commit (cherry-pick)",
            (true, None) => "commit",
        };
        Ok(Concluded { merged, author, log })
    }
}

/// The author of a commit, whom a pick of it keeps.
pub fn author(repo: &Repo, commit: ObjectId) -> Result<Signature, ToolError> {
    let object = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let author = object.author().map_err(|error| damaged(&error))?;
    author.to_owned().map_err(|error| damaged(&error))
}
