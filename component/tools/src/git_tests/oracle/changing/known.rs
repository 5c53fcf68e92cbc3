//! The names in a state that arguments of a call can use.

use fastrand::Rng;

use super::state::State;
use crate::git_tests::oracle::scene::{BRANCHES, TAGS, pick};

/// Names, most of which exist.
pub struct Known {
    /// Files and links of the working tree, tracked paths, and their folders without a slash at the end.
    pub paths: Vec<String>,
    pub folders: Vec<String>,
    /// Short names of local branches.
    pub branches: Vec<String>,
    /// Short names of remote branches, such as `origin/main`.
    pub remotes: Vec<String>,
    pub tags: Vec<String>,
    /// The full ids in reflogs.
    pub commits: Vec<String>,
    /// The number of stashes.
    pub stashes: usize,
    /// The current branch, if HEAD is on one.
    pub current: Option<String>,
}

impl Known {
    pub fn of(state: &State) -> Known {
        let standing = state.of_kind("file").map(|(path, value)| (path, value == "folder"));
        let tracked = state.of_kind("index").map(|(name, _)| (name.rsplit_once(' ').expect("it has a stage").0, false));
        let (mut paths, mut folders) = (Vec::new(), Vec::new());
        for (path, is_folder) in standing.chain(tracked) {
            // A pathspec with a leading colon is magic, and a backslash is an escape.
            if !path.contains('\u{fffd}') && !path.starts_with(':') {
                if is_folder { &mut folders } else { &mut paths }.push(path.to_owned());
            }
        }
        let refs = |prefix: &str| -> Vec<String> {
            state.of_kind("ref").filter_map(|(name, _)| Some(name.strip_prefix(prefix)?.to_owned())).collect()
        };
        let log = |name: &str| state.of_kind("log").find(|(log, _)| *log == name).map_or("", |(_, text)| text);
        let ids = log("HEAD").lines().filter_map(|line| Some(line.split(' ').nth(1)?.to_owned()));
        let tips = state.of_kind("ref").map(|(_, id)| id.to_owned()).filter(|id| !id.starts_with("ref: "));
        // Some refs have invalid contents.
        let is_id = |id: &str| {
            id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) && id.bytes().any(|byte| byte != b'0')
        };
        let mut commits: Vec<String> = ids.chain(tips).filter(|id| is_id(id)).collect();
        commits.sort();
        commits.dedup();
        paths.sort();
        paths.dedup();
        let current = state.0.get("git HEAD").and_then(|head| head.strip_prefix("ref: refs/heads/"));
        Known {
            paths,
            folders,
            branches: refs("refs/heads/"),
            remotes: refs("refs/remotes/"),
            tags: refs("refs/tags/"),
            commits,
            stashes: log("refs/stash").lines().count(),
            current: current.map(str::to_owned),
        }
    }

    /// A working folder, most often the root.
    pub fn folder(&self, random: &mut Rng) -> String {
        match random.usize(..6) {
            0 => some(random, &self.folders).unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// A pathspec relative to `folder`: a path, a folder, a glob, or a pattern without a match.
    pub fn pathspec(&self, random: &mut Rng, folder: &str) -> String {
        let below = |list: &[String]| -> Vec<String> {
            let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            list.iter().filter_map(|path| Some(path.strip_prefix(&prefix)?.to_owned())).collect()
        };
        let path = some(random, &below(&self.paths)).unwrap_or_else(|| ".".to_owned());
        match random.usize(..16) {
            0 => ".".to_owned(),
            1 => "nowhere".to_owned(),
            2 => pick(random, &["*", "*.rs", "a*", "?", "[a-g]", "*/f", "b*.rs", "*.log"]).to_owned(),
            3 => format!("{path}/"),
            4..=6 => some(random, &below(&self.folders)).unwrap_or(path),
            7 => format!("/workspace/{}", some(random, &self.paths).unwrap_or_else(|| "a".to_owned())),
            _ => path,
        }
    }

    /// A branch name: an existing one, a valid one, or an invalid one.
    pub fn branch(&self, random: &mut Rng) -> String {
        match random.usize(..12) {
            0 => pick(random, &["-x", "a b", "x..y", "refs/heads/main", "é", "HEAD", "@", "-", "a/.b", "x.lock"])
                .to_owned(),
            1 => some(random, &self.tags).unwrap_or_else(|| "v9".to_owned()),
            2 | 3 => pick(random, BRANCHES).to_owned(),
            4 => some(random, &self.remotes)
                .and_then(|name| Some(name.split_once('/')?.1.to_owned()))
                .unwrap_or_else(|| "new".to_owned()),
            _ => some(random, &self.branches).unwrap_or_else(|| "main".to_owned()),
        }
    }

    /// A name for a new branch, most often a free one.
    pub fn new_branch(&self, random: &mut Rng) -> String {
        match random.usize(..5) {
            0 => self.branch(random),
            1 => format!("{}/{}", pick(random, BRANCHES), random.usize(..9)),
            _ => format!("{}{}", pick(random, BRANCHES), random.usize(..99)),
        }
    }

    /// A revision.
    pub fn revision(&self, random: &mut Rng) -> String {
        match random.usize(..10) {
            0 => pick(random, &["HEAD", "HEAD~1", "HEAD^2", "@{1}", "nowhere", "-x", "HEAD~99", "@", "HEAD:", ""])
                .to_owned(),
            1 | 2 => some(random, &self.tags).unwrap_or_else(|| pick(random, TAGS).to_owned()),
            3 => some(random, &self.remotes).unwrap_or_else(|| "origin/main".to_owned()),
            4 => format!("{}~1", some(random, &self.branches).unwrap_or_else(|| "main".to_owned())),
            5 => some(random, &self.commits).map_or_else(|| "0".repeat(40), |id| id[..8].to_owned()),
            _ => some(random, &self.commits).unwrap_or_else(|| "0".repeat(40)),
        }
    }
}

/// An item of a list, if it is not empty.
pub fn some(random: &mut Rng, list: &[String]) -> Option<String> {
    (!list.is_empty()).then(|| list[random.usize(..list.len())].clone())
}
