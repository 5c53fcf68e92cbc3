//! The short ids of staged commits.
//!
//! A commit that was staged gets an id that stays when it is rewritten. The ids are kept in a file of the repository, one line each: the
//! id, a space, and the commit that it means now. A commit that is not in the file has the first digits of its own name as its id.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gix::ObjectId;

use crate::error::ToolError;
use crate::git::repo::Repo;
use crate::platform;

/// Digits of a new id.
const DIGITS: usize = 8;

/// All ids that were given.
#[derive(Debug, Default)]
pub struct Ids(BTreeMap<String, ObjectId>);

fn file(repo: &Repo) -> PathBuf {
    repo.git_dir().join("gitgate/ids")
}

impl Ids {
    /// Reads the file.
    pub fn load(repo: &Repo) -> Result<Ids, ToolError> {
        let content = match platform::read(&file(repo)) {
            Ok(content) => content,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Ids::default()),
            Err(error) => return Err(ToolError::io(".git/gitgate/ids", &error)),
        };
        let text = String::from_utf8_lossy(&content);
        let entries = text.lines().map(|line| {
            let (id, commit) = line.split_once(' ')?;
            Some((id.to_owned(), ObjectId::from_hex(commit.as_bytes()).ok()?))
        });
        entries.collect::<Option<_>>().map(Ids).ok_or_else(|| ToolError::failed(".git/gitgate/ids is damaged"))
    }

    /// Writes the file.
    pub fn store(&self, repo: &Repo) -> Result<(), ToolError> {
        let file = file(repo);
        let mut text = String::new();
        for (id, commit) in &self.0 {
            text.push_str(&format!("{id} {commit}\n"));
        }
        let folder = file.parent().expect("the file is in a folder");
        std::fs::create_dir_all(folder)
            .and_then(|()| platform::put_file(&file, text.into_bytes(), None))
            .map_err(|error| ToolError::io(".git/gitgate/ids", &error))
    }

    /// The commit that `id` means.
    pub fn commit(&self, id: &str) -> Option<ObjectId> {
        self.0.get(id).copied()
    }

    /// The id of `commit`.
    pub fn of(&self, commit: ObjectId) -> String {
        let given = self.0.iter().find(|(_, known)| **known == commit);
        given.map_or_else(|| commit.to_hex_with_len(DIGITS).to_string(), |(id, _)| id.clone())
    }

    /// Gives `commit` an id.
    pub fn give(&mut self, commit: ObjectId) -> String {
        let hex = commit.to_hex().to_string();
        let id = (DIGITS..=hex.len())
            .map(|digits| &hex[..digits])
            .find(|id| self.0.get(*id).is_none_or(|other| *other == commit));
        let id = id.expect("a commit's whole name is taken by itself only").to_owned();
        self.0.insert(id.clone(), commit);
        id
    }

    /// Lets `id` mean `commit`, which stands for the one that it meant before.
    pub fn keep(&mut self, id: &str, commit: ObjectId) {
        self.0.insert(id.to_owned(), commit);
    }

    /// Takes the ids of `commit` away.
    pub fn forget(&mut self, commit: ObjectId) {
        self.0.retain(|_, known| *known != commit);
    }
}
