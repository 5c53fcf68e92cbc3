//! A real repository, and git as the oracle.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use bstr::{BString, ByteSlice};
use patch::ObjectId;
use patch::quote::quote_path;
use tempfile::TempDir;

use crate::tree::{SUBMODULE, Tree};

pub struct Repo {
    folder: TempDir,
    /// All ids in the repository, sorted.
    ids: Vec<ObjectId>,
}

/// A path that differs, as git lists it without renames.
pub struct RawChange {
    pub status: u8,
    pub old: (u32, ObjectId),
    pub new: (u32, ObjectId),
    pub path: BString,
}

impl Repo {
    pub fn empty() -> Self {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let repo = Self { folder, ids: Vec::new() };
        repo.git(["init", "-q", "-b", "main"], b"");
        repo
    }

    /// A repository with tags of these names.
    pub fn with_tags<'t>(trees: impl IntoIterator<Item = (String, &'t Tree)>) -> Self {
        let repo = Self::empty();
        let mut stream = Vec::new();
        for (name, tree) in trees {
            commit(&mut stream, &name, tree);
        }
        repo.git(["fast-import", "--quiet"], &stream);
        repo
    }

    /// A repository with the tags `before` and `after`.
    pub fn with_trees(before: &Tree, after: &Tree) -> Self {
        let mut repo = Self::with_tags([("before".to_owned(), before), ("after".to_owned(), after)]);
        repo.learn_ids();
        repo
    }

    /// Lists all ids, from which [`Repo::abbrev`] computes lengths.
    pub fn learn_ids(&mut self) {
        let listed = self.git(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], b"");
        self.ids = listed.lines().map(id).collect();
        self.ids.sort();
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// git's standard output. Panics if git fails.
    pub fn git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, input: &[u8]) -> Vec<u8> {
        let mut child = Command::new(trial::git())
            .args(["-c", "core.abbrev=7"])
            .args(args)
            .current_dir(self.folder())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").expect("PATH is set"))
            .env("HOME", self.folder())
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("git is installed");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let output = std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input).expect("git reads its input"));
            child.wait_with_output().expect("git ends")
        });
        let errors = output.stderr.as_bstr();
        assert!(output.status.success(), "git {}: {errors}", output.status);
        output.stdout
    }

    /// The differences, by `git diff --raw` with `args`.
    pub fn raw(&self, args: &[&str]) -> Vec<RawChange> {
        let base = ["diff", "--raw", "-z", "--no-abbrev", "--no-renames"];
        let listed = self.git(base.iter().chain(args), b"");
        let mut fields = listed.split(|&byte| byte == 0);
        let mut changes = Vec::new();
        while let Some(head) = fields.next().filter(|head| !head.is_empty()) {
            let parts: Vec<&[u8]> = head[1..].split_str(" ").collect();
            let mode = |at: usize| u32::from_str_radix(&parts[at].to_str_lossy(), 8).expect("a mode is octal");
            changes.push(RawChange {
                status: parts[4][0],
                old: (mode(0), id(parts[2])),
                new: (mode(1), id(parts[3])),
                path: fields.next().expect("a path follows").into(),
            });
        }
        changes
    }

    /// The number of digits that makes `id` unique here, at least seven.
    pub fn abbrev(&self, id: &ObjectId) -> usize {
        let shared = |other: &ObjectId| {
            let (a, b) = (id.to_string(), other.to_string());
            a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
        };
        let at = self.ids.partition_point(|other| other < id);
        let neighbours = &self.ids[at.saturating_sub(1)..(at + 2).min(self.ids.len())];
        neighbours.iter().filter(|other| *other != id).map(|other| shared(other) + 1).max().unwrap_or(0).max(7)
    }
}

pub fn id(hex: &[u8]) -> ObjectId {
    ObjectId::from_hex(hex).expect("git prints ids in hex")
}

fn commit(stream: &mut Vec<u8>, name: &str, tree: &Tree) {
    commit_with_parents(stream, &format!("refs/tags/{name}"), 1, &[], tree);
}

/// A commit for `git fast-import`, which identifies its parents by their marks.
pub fn commit_with_parents(stream: &mut Vec<u8>, name: &str, mark: usize, parents: &[usize], tree: &Tree) {
    let mut line = |text: &[u8]| {
        stream.extend_from_slice(text);
        stream.push(b'\n');
    };
    line(format!("commit {name}").as_bytes());
    line(format!("mark :{mark}").as_bytes());
    line(b"committer A <a@example.com> 1700000000 +0000");
    line(b"data 0");
    for (word, parent) in std::iter::once("from").chain(std::iter::repeat("merge")).zip(parents) {
        line(format!("{word} :{parent}").as_bytes());
    }
    line(b"deleteall");
    for (path, (mode, content)) in tree {
        let path = quote_path(path.as_bstr());
        if *mode == SUBMODULE {
            line(&[b"M 160000 ", &content[..], b" ", &path].concat());
        } else {
            line(&[format!("M {mode:o} inline ").as_bytes(), &path].concat());
            line(format!("data {}", content.len()).as_bytes());
            line(content);
        }
    }
}
