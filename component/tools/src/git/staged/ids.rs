//! The short ids of staged commits.
//!
//! A commit that was staged gets an id that stays when it is rewritten. The ids are kept in a file of the repository, one line each: the
//! id, a space, and the commit that it means now. The whole name of a commit that was rewritten stands there as an id, too: whoever still
//! has it, or its first digits, means what took the commit's place. A commit that is not in the file has the first digits of its own name
//! as its id.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use gix::ObjectId;
use patch::sort::map;

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform;

/// Digits of a new id.
const DIGITS: usize = 8;

/// Digits that git takes for the beginning of an object's name.
const LEAST_DIGITS: usize = 4;

/// All ids that were given.
#[derive(Debug, Default)]
pub struct Ids {
    /// What each id means.
    commits: BTreeMap<String, ObjectId>,
    /// The id of each commit that has one.
    names: BTreeMap<ObjectId, String>,
}

/// What the first digits of ids mean.
#[derive(Debug, Eq, PartialEq)]
pub enum Prefixed {
    /// They begin no id.
    Nothing,
    /// All ids that begin so mean this commit.
    Commit(ObjectId),
    /// The ids that begin so mean these commits.
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
            // The whole name of what a commit was before is longer than any id that was given.
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

    /// What has taken the place of `commit`; itself, unless it was rewritten.
    pub fn successor(&self, commit: ObjectId) -> ObjectId {
        self.commit(&commit.to_string()).unwrap_or(commit)
    }

    /// Every commit that has an id, or had it before it was rewritten.
    pub fn commits(&self) -> BTreeSet<ObjectId> {
        let former = self.commits.keys().filter_map(|id| ObjectId::from_hex(id.as_bytes()).ok());
        former.chain(self.commits.values().copied()).collect()
    }

    /// What `digits` mean, as the beginning of ids.
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

    /// Gives `commit` an id.
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

    /// Lets every id of a commit that was rewritten, and the commit's whole name, mean the one that took its place.
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

    /// Takes the ids of `commit` away.
    pub fn forget(&mut self, commit: ObjectId) {
        let mut commits = std::mem::take(&mut self.commits);
        commits.retain(|_, known| *known != commit);
        *self = Ids::new(commits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A commit whose name is this digit forty times.
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
