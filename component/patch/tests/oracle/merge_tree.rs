//! Runs many merges through `git merge-tree`.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use bstr::{BString, ByteSlice};
use patch::ObjectId;
use patch::tree_merge::Entry;

use crate::blobs::Listed;
use crate::git::{Repo, id};
use crate::kept::is_kept;

/// A merge as git makes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub is_clean: bool,
    pub tree: ObjectId,
    /// Paths with their stages.
    pub conflicts: Vec<(BString, [Option<Entry>; 3])>,
    /// Kind, paths and text.
    pub messages: Vec<(String, Vec<BString>, BString)>,
}

/// The folder that git runs in.
pub struct At<'a> {
    pub folder: &'a Path,
    /// The repository, if it is outside the folder.
    pub repository: Option<&'a Path>,
}

impl<'a> At<'a> {
    pub fn repo(repo: &'a Repo) -> Self {
        Self { folder: repo.folder(), repository: None }
    }

    /// A git without configuration.
    pub fn git(&self) -> Command {
        let mut git = Command::new(trial::git());
        git.current_dir(self.folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").expect("PATH is set"))
            .env("HOME", self.folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(repository) = self.repository {
            git.env("GIT_DIR", repository).env("GIT_WORK_TREE", self.folder);
        }
        git
    }

    pub fn run(&self, args: &[&str]) -> Vec<u8> {
        let output = self.git().args(args).output().expect("git is installed");
        assert!(output.status.success(), "git {args:?}: {}", output.stderr.as_bstr());
        output.stdout
    }
}

/// git's result for each merge `base ours theirs`; `None` if git fails.
pub fn merge_trees(at: &At<'_>, options: &[&str], merges: &[[String; 3]]) -> Vec<Option<Answer>> {
    let mut answers = Vec::new();
    let mut is_near_a_failure = false;
    while answers.len() < merges.len() {
        let next = &merges[answers.len()..];
        let count = if is_near_a_failure { 1 } else { next.len() };
        let lines: String = next[..count].iter().map(|[b, o, t]| format!("{b} -- {o} {t}\n")).collect();
        let mut child = at
            .git()
            .args(options)
            .args(["merge-tree", "--write-tree", "-z", "--messages", "--stdin"])
            .spawn()
            .expect("git is installed");
        let mut stdin = child.stdin.take().expect("it is piped");
        let output = std::thread::scope(|scope| {
            // A git that fails does not read its input to the end.
            scope.spawn(move || drop(stdin.write_all(lines.as_bytes())));
            child.wait_with_output().expect("git ends")
        });
        let mut rest = &output.stdout[..];
        while let Some((answer, after)) = Answer::parse(rest) {
            answers.push(Some(answer));
            rest = after;
        }
        // A git that fails has not written all finished merges.
        let has_failed = !output.status.success();
        if has_failed && is_near_a_failure {
            println!("git fails at {:?}: {}", next[0], output.stderr.as_bstr());
            answers.push(None);
        }
        is_near_a_failure ^= has_failed;
    }
    answers
}

impl Answer {
    /// Whether git put an impossible entry into the tree, or lost something: a path that at most one side touched, or one it lists as in
    /// conflict.
    pub fn is_broken(&self, tree: &Listed, three: [&Listed; 3], here: &Listed) -> bool {
        let entries = || self.conflicts.iter().flat_map(|(_, stages)| stages).flatten();
        let is_live = |stages: &[Option<Entry>; 3]| stages[1].is_some() || stages[2].is_some();
        let is_lost = |path: &BString| here.contains_key(path) && !tree.contains_key(path);
        let [base, ours, theirs] = three;
        let is_copy = |path: &BString| {
            let copy = tree.get(path);
            !base.contains_key(path) && ours.get(path) == copy && theirs.get(path) == copy && here.get(path) != copy
        };
        let is_listed = |path: &BString| self.conflicts.iter().any(|(listed, _)| listed == path);
        entries().any(|entry| entry.mode == 0)
            || tree.keys().any(is_copy)
            || self.messages.iter().any(|(kind, paths, _)| kind.contains("in collision") && !is_listed(&paths[0]))
            || self.messages.iter().any(|(kind, paths, _)| kind.contains("rename suggested") && is_lost(&paths[0]))
            || !is_kept(three, self, tree)
            || self.conflicts.iter().any(|(path, stages)| is_live(stages) && !tree.contains_key(path))
    }

    fn parse(output: &[u8]) -> Option<(Self, &[u8])> {
        let mut fields = Fields(output);
        let is_clean = match fields.next()? {
            b"0" => false,
            b"1" => true,
            other => panic!("not the start of a merge: {}", other.as_bstr()),
        };
        let tree = id(fields.next()?);
        let mut conflicts: Vec<(BString, [Option<Entry>; 3])> = Vec::new();
        loop {
            let field = fields.next()?;
            if field.is_empty() {
                break;
            }
            let (head, path) = field.split_once_str("\t").expect("the path follows");
            let parts: Vec<&[u8]> = head.split_str(" ").collect();
            let mode = u32::from_str_radix(&parts[0].to_str_lossy(), 8).expect("a mode is octal");
            let stage = usize::from(parts[2][0] - b'1');
            if conflicts.last().is_none_or(|(last, _)| last != path) {
                conflicts.push((path.into(), [None; 3]));
            }
            conflicts.last_mut().expect("there is one").1[stage] = Some(Entry { mode, id: id(parts[1]) });
        }
        let mut messages = Vec::new();
        loop {
            let count = fields.next()?;
            if count.is_empty() {
                break;
            }
            let count: usize = count.to_str_lossy().parse().expect("a message starts with the number of its paths");
            let paths = (0..count).map(|_| fields.next().map(BString::from)).collect::<Option<Vec<_>>>()?;
            let kind = fields.next()?.to_str_lossy().into_owned();
            let text = fields.next()?.strip_suffix(b"\n").expect("a message is a line");
            messages.push((kind, paths, text.into()));
        }
        Some((Self { is_clean, tree, conflicts, messages }, fields.0))
    }
}

struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let (field, rest) = self.0.split_once_str("\0")?;
        self.0 = rest;
        Some(field)
    }
}
