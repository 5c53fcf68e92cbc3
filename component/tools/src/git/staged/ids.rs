//! The stable ids of staged commits.
//!
//! A staged commit gets an id that survives rewriting. A file in the repository stores one id per line: the id, a space, and its present
//! commit. It also stores the full name of each rewritten commit as an id. So the old name, or its first digits, means the commit's
//! successor. A commit outside the file has the first digits of its own name as id.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use gix::ObjectId;
use patch::sort::map;

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform;

/// The number of digits of a new id.
const DIGITS: usize = 8;

/// The minimum length of an abbreviated object name in git.
const LEAST_DIGITS: usize = 4;

/// All stored ids.
#[derive(Debug, Default)]
pub struct Ids {
    /// The commit of each id.
    commits: BTreeMap<String, ObjectId>,
    /// The id of each commit that has one.
    names: BTreeMap<ObjectId, String>,
}

/// The meaning of the first digits of ids.
#[derive(Debug, Eq, PartialEq)]
pub enum Prefixed {
    /// No id begins with them.
    Nothing,
    /// All matching ids mean this commit.
    Commit(ObjectId),
    /// The matching ids mean these commits.
    Ambiguous(BTreeSet<ObjectId>),
}

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
        let commits: Option<Vec<_>> = entries.collect();
        commits.map(|commits| Ids::new(map(commits))).ok_or_else(|| ToolError::failed(".git/gitgate/ids is damaged"))
    }

    fn new(commits: BTreeMap<String, ObjectId>) -> Ids {
        let mut names: BTreeMap<ObjectId, String> = BTreeMap::new();
        for (id, commit) in &commits {
            // Prefer the given id: the full name of a former commit is longer.
            match names.get(commit) {
                Some(shorter) if shorter.len() <= id.len() => {}
                _ => {
                    names.insert(*commit, id.clone());
                }
            }
        }
        Ids { commits, names }
    }

    /// Writes the file.
    pub fn store(&self, repo: &Repo) -> Result<(), ToolError> {
        let file = file(repo);
        let mut text = String::new();
        for (id, commit) in &self.commits {
            text.push_str(&format!("{id} {commit}\n"));
        }
        let folder = file.parent().expect("the file is in a folder");
        platform::create_dir_all(folder)
            .and_then(|()| platform::put_file(&file, text.into_bytes(), None))
            .map_err(|error| ToolError::io(".git/gitgate/ids", &error))
    }

    /// The commit that `id` means.
    pub fn commit(&self, id: &str) -> Option<ObjectId> {
        self.commits.get(id).copied()
    }

    /// The successor of `commit`, or itself if it was not rewritten.
    pub fn successor(&self, commit: ObjectId) -> ObjectId {
        self.commit(&commit.to_string()).unwrap_or(commit)
    }

    /// Every commit that has an id, or had one before it was rewritten.
    pub fn commits(&self) -> BTreeSet<ObjectId> {
        let former = self.commits.keys().filter_map(|id| ObjectId::from_hex(id.as_bytes()).ok());
        former.chain(self.commits.values().copied()).collect()
    }

    /// The meaning of `digits` as the beginning of an id.
    pub fn prefixed(&self, digits: &str) -> Prefixed {
        let digits = digits.to_ascii_lowercase();
        if digits.len() < LEAST_DIGITS || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Prefixed::Nothing;
        }
        let from = self.commits.range(digits.clone()..);
        let commits: BTreeSet<ObjectId> =
            from.take_while(|(id, _)| id.starts_with(&digits)).map(|(_, commit)| *commit).collect();
        match commits.first() {
            None => Prefixed::Nothing,
            Some(only) if commits.len() == 1 => Prefixed::Commit(*only),
            Some(_) => Prefixed::Ambiguous(commits),
        }
    }

    /// The id of `commit`.
    pub fn of(&self, commit: ObjectId) -> String {
        self.names.get(&commit).cloned().unwrap_or_else(|| commit.to_hex_with_len(DIGITS).to_string())
    }

    /// Gives an id to `commit`.
    pub fn give(&mut self, commit: ObjectId) -> String {
        let hex = commit.to_hex().to_string();
        let id = (DIGITS..=hex.len())
            .map(|digits| &hex[..digits])
            .find(|id| self.commits.get(*id).is_none_or(|other| *other == commit));
        let id = id.expect("a commit's whole name is taken by itself only").to_owned();
        self.commits.insert(id.clone(), commit);
        self.names.insert(commit, id.clone());
        id
    }

    /// Moves the ids of each rewritten commit to its successor, and adds the commit's full name as another id.
    pub fn rewritten(&mut self, successors: &BTreeMap<ObjectId, ObjectId>) {
        let mut commits = std::mem::take(&mut self.commits);
        for commit in commits.values_mut() {
            *commit = successors.get(commit).copied().unwrap_or(*commit);
        }
        for (old, new) in successors {
            commits.insert(self.of(*old), *new);
            commits.insert(old.to_string(), *new);
        }
        *self = Ids::new(commits);
    }

    /// Removes the ids of `commit`.
    pub fn forget(&mut self, commit: ObjectId) {
        let mut commits = std::mem::take(&mut self.commits);
        commits.retain(|_, known| *known != commit);
        *self = Ids::new(commits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A commit whose name repeats this digit forty times.
    fn commit(digit: char) -> ObjectId {
        ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap()
    }

    #[test]
    fn a_rewritten_commit_keeps_its_id_and_its_former_name() {
        let mut ids = Ids::default();
        let id = ids.give(commit('a'));
        assert_eq!(id, "aaaaaaaa");
        ids.rewritten(&BTreeMap::from([(commit('a'), commit('b'))]));
        ids.rewritten(&BTreeMap::from([(commit('b'), commit('c'))]));
        assert_eq!((ids.commit(&id), ids.of(commit('c'))), (Some(commit('c')), id.clone()));
        for former in ["aaaa", "AAAAaaa", &"a".repeat(9), &"a".repeat(40), "bbbb", &"b".repeat(40)] {
            assert_eq!(ids.prefixed(former), Prefixed::Commit(commit('c')), "{former}");
        }
        ids.forget(commit('c'));
        assert_eq!((ids.commit(&id), ids.prefixed("aaaa")), (None, Prefixed::Nothing));
    }

    #[test]
    fn a_commit_without_an_id_gets_its_own_digits_when_it_is_rewritten() {
        let mut ids = Ids::default();
        ids.rewritten(&BTreeMap::from([(commit('a'), commit('b'))]));
        assert_eq!(ids.of(commit('b')), "aaaaaaaa");
    }

    #[test]
    fn digits_that_begin_the_ids_of_two_commits_are_ambiguous() {
        let mut ids = Ids::default();
        let names = ["1234567800000000000000000000000000000000", "1234000000000000000000000000000000000000"];
        let commits = names.map(|name| ObjectId::from_hex(name.as_bytes()).unwrap());
        for commit in commits {
            ids.give(commit);
        }
        assert_eq!(ids.prefixed("12345"), Prefixed::Commit(commits[0]));
        assert_eq!(ids.prefixed("1234"), Prefixed::Ambiguous(commits.into_iter().collect()));
        assert_eq!(ids.prefixed("123"), Prefixed::Nothing);
        assert_eq!(ids.prefixed("main"), Prefixed::Nothing);
    }
}
