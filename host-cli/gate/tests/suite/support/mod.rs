//! Repositories made by git, packs built by hand, and the objects of both as a target returns them.

pub mod git_server;
pub mod github;
#[cfg(target_os = "linux")]
pub mod measured;
pub mod packer;
pub mod planted;
pub mod pushing;

use std::{
    cell::Cell,
    collections::HashMap,
    path::Path,
    process::{Command, Stdio},
};

use bytes::Bytes;
use fastrand::Rng;
use gate::{Fault, objects::Objects};
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

/// A repository in a temporary folder, on branch `main`, without any of the machine's configuration.
pub struct Repo {
    dir: tempfile::TempDir,
    clock: Cell<u64>,
}

impl Repo {
    pub fn new() -> Self {
        let repo = Repo { dir: tempfile::tempdir().unwrap(), clock: Cell::new(1_700_000_000) };
        repo.git(&["init", "-q", "-b", "main", "."]);
        repo
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A git command in the repository, pinned.
    pub fn command(&self, args: &[&str]) -> Command {
        let date = format!("{} +0100", self.clock.get());
        let mut command = Command::new(trial::git());
        command
            .current_dir(self.dir.path())
            .args(args)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.dir.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LC_ALL", "C")
            .envs([("GIT_AUTHOR_NAME", "A U Thor"), ("GIT_AUTHOR_EMAIL", "author@example.com")])
            .envs([("GIT_COMMITTER_NAME", "C O Mitter"), ("GIT_COMMITTER_EMAIL", "committer@example.com")])
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date);
        command
    }

    pub fn git(&self, args: &[&str]) -> Vec<u8> {
        self.git_with(args, b"")
    }

    /// Runs git with `input`; fails the test if git fails.
    pub fn git_with(&self, args: &[&str], input: &[u8]) -> Vec<u8> {
        use std::io::Write;
        let mut child =
            self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    pub fn remove(&self, path: &str) -> &Self {
        std::fs::remove_file(self.dir.path().join(path)).unwrap();
        self
    }

    /// Commits everything in the worktree.
    pub fn commit(&self, message: &str) -> ObjectId {
        self.clock.set(self.clock.get() + 60);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.id("HEAD")
    }

    pub fn id(&self, revision: &str) -> ObjectId {
        hex(self.git(&["rev-parse", "--verify", revision]).trim_ascii())
    }

    /// A whole pack of the objects that `revisions` select, such as `main ^HEAD~1`.
    pub fn pack(&self, revisions: &[&str]) -> Bytes {
        self.pack_with(&["--delta-base-offset"], revisions)
    }

    pub fn pack_with(&self, options: &[&str], revisions: &[&str]) -> Bytes {
        let args: Vec<&str> = ["pack-objects", "-q", "--revs", "--stdout"].iter().chain(options).copied().collect();
        self.git_with(&args, revisions.join("\n").as_bytes()).into()
    }

    /// The objects that `revisions` reach, as a target returns them.
    pub fn objects(&self, revisions: &[&str]) -> Store {
        let args: Vec<&str> = ["rev-list", "--objects", "--no-object-names"].iter().chain(revisions).copied().collect();
        let ids = self.git(&args);
        let mut rest = &self.git_with(&["cat-file", "--batch"], &ids)[..];
        let mut store = Store::default();
        while !rest.is_empty() {
            let (head, after) = rest.split_at(rest.iter().position(|byte| *byte == b'\n').unwrap());
            let words: Vec<&str> = str::from_utf8(head).unwrap().split(' ').collect();
            let (content, after) = after[1..].split_at(words[2].parse().unwrap());
            store
                .0
                .insert(hex(words[0].as_bytes()), (Kind::from_bytes(words[1].as_bytes()).unwrap(), content.to_vec()));
            rest = &after[1..];
        }
        store
    }
}

/// A repository whose pack has long delta chains, every kind of object, and some large contents.
pub fn rich_repo() -> Repo {
    let repo = Repo::new();
    let mut random = Rng::with_seed(7);
    let mut lines: Vec<String> = (0..2000).map(|line| format!("line {line} {:x}", random.u64(..))).collect();
    repo.write("empty", "").write("bin", (0..300_000).map(|_| random.u8(..)).collect::<Vec<_>>());
    for round in 0..40 {
        let at = random.usize(..lines.len());
        lines[at] = format!("changed in round {round}");
        repo.write("dir/long.txt", lines.join("\n"));
        repo.write(&format!("dir/sub/{round}.txt"), format!("file {round}\n"));
        repo.commit(&format!("round {round}"));
    }
    repo.git(&["tag", "-a", "-m", "a tag", "v1"]);
    repo
}

/// Objects in memory.
#[derive(Default, Clone)]
pub struct Store(pub HashMap<ObjectId, (Kind, Vec<u8>)>);

impl Objects for Store {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        Ok(self.0.get(id).map(|(kind, content)| {
            out.clear();
            out.extend_from_slice(content);
            *kind
        }))
    }
}

pub fn hex(hex: &[u8]) -> ObjectId {
    ObjectId::from_hex(hex).unwrap()
}
