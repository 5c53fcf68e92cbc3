//! The visible state of a repository: everything that a call can change.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use gix::bstr::ByteSlice;
use gix::index::entry::Flags;

use crate::platform::{self, Kind};
use crate::testing::Sandbox;

/// All values by kind and name: `file a/b`, `index a/b 0`, `ref refs/heads/main`, `log HEAD`, `config`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct State(pub BTreeMap<String, String>);

/// Files at the top of `.git` outside the state: it has their content in another form, or nothing reads them again.
const LEFT_OUT: &[&str] = &["index", "packed-refs", "config", "description", "COMMIT_EDITMSG", "index.lock", "gc.log"];

impl State {
    /// The state of the repository in `sandbox`.
    pub fn of(sandbox: &Sandbox) -> State {
        let mut state = State::default();
        state.files(&sandbox.root(), "");
        state.index(&sandbox.real(".git/index"));
        state.refs(&sandbox.real(".git"));
        state
    }

    /// Only the index of the repository.
    pub fn of_index(sandbox: &Sandbox) -> State {
        let mut state = State::default();
        state.index(&sandbox.real(".git/index"));
        state
    }

    /// The values of `kind`, by name.
    pub fn of_kind<'s>(&'s self, kind: &str) -> impl Iterator<Item = (&'s str, &'s str)> {
        let prefix = format!("{kind} ");
        let all = self.0.iter();
        all.filter_map(move |(key, value)| Some((key.strip_prefix(&prefix)?, value.as_str())))
    }

    /// Whether the index has an entry both at a path and below it, which only a manual conflict causes.
    pub fn has_collisions(&self) -> bool {
        let paths: BTreeSet<&str> =
            self.of_kind("index").map(|(name, _)| name.rsplit_once(' ').expect("it has a stage").0).collect();
        paths.iter().any(|path| path.match_indices('/').any(|(slash, _)| paths.contains(&path[..slash])))
    }

    /// The paths of index entries with this flag.
    pub fn flagged(&self, flag: Flags) -> Vec<String> {
        let has_flag = |value: &str| {
            let bits = value.rsplit(' ').next().and_then(|bits| bits.parse().ok()).unwrap_or_default();
            Flags::from_bits_retain(bits).contains(flag)
        };
        let entries = self.of_kind("index").filter(|(_, value)| has_flag(value));
        entries.map(|(name, _)| name.rsplit_once(' ').expect("it has a stage").0.to_owned()).collect()
    }

    /// The differences from `other`, in lines.
    pub fn differences(&self, other: &State) -> String {
        let names: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let mut lines = String::new();
        for name in names {
            let (one, two) = (self.0.get(name), other.0.get(name));
            if one != two {
                let shown = |value: Option<&String>| value.map_or("(nothing)".to_owned(), |value| format!("{value:?}"));
                lines.push_str(&format!("{name}\n    git:  {}\n    here: {}\n", shown(one), shown(two)));
            }
        }
        lines
    }

    /// The number of paths that differ from `before`, in the index and with `files` also in the working tree.
    pub fn changed_paths(&self, before: &State, files: bool) -> usize {
        let paths = |state: &State| {
            let mut entries: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for (name, value) in state.of_kind("index") {
                let (path, stage) = name.rsplit_once(' ').expect("a stage stands behind the path");
                // A flag that hides a file from git is not a change.
                let (value, flags) = value.rsplit_once(' ').expect("flags stand behind the id");
                let flags = flags.parse::<u32>().expect("they are a number") & Flags::INTENT_TO_ADD.bits();
                entries.entry(path.to_owned()).or_default().push(format!("{stage} {value} {flags}"));
            }
            let standing = state.of_kind("file").filter(|(_, value)| files && *value != "folder");
            for (path, value) in standing {
                entries.entry(path.to_owned()).or_default().push(value.to_owned());
            }
            entries
        };
        // Untracked files that a tracked one has replaced do not count.
        let tracked = |state: &State| -> BTreeSet<String> {
            let names =
                state.of_kind("index").map(|(name, _)| name.rsplit_once(' ').expect("it has a stage").0.to_owned());
            names.collect()
        };
        let names: BTreeSet<String> = tracked(before).into_iter().chain(tracked(self)).collect();
        let (before, after) = (paths(before), paths(self));
        names.iter().filter(|name| before.get(*name) != after.get(*name)).count()
    }

    fn files(&mut self, root: &Path, folder: &str) {
        let mut entries = platform::list(&root.join(folder)).expect("it is a folder");
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries {
            let path = format!("{folder}{}", entry.name.as_bstr());
            if path == ".git" {
                continue;
            }
            let real = root.join(&path);
            let value = match entry.stat.kind {
                Kind::Folder if real.join(".git").exists() => "repository".to_owned(),
                Kind::Folder => "folder".to_owned(),
                Kind::Link => format!("link {}", fs::read_link(&real).expect("it is a link").display()),
                _ => {
                    let mode = if entry.stat.executable { "executable" } else { "plain" };
                    format!("{mode} {}", fs::read(&real).expect("it is a file").as_bstr())
                }
            };
            self.0.insert(format!("file {path}"), value);
            // A nested repository has its own state.
            if entry.stat.kind == Kind::Folder && !real.join(".git").exists() {
                self.files(root, &format!("{path}/"));
            }
        }
    }

    fn index(&mut self, path: &Path) {
        if !path.exists() {
            return;
        }
        let file = gix::index::File::at(path, gix::hash::Kind::Sha1, true, gix::index::decode::Options::default());
        let file = file.expect("it is an index");
        for entry in file.entries() {
            let told = Flags::INTENT_TO_ADD | Flags::SKIP_WORKTREE | Flags::ASSUME_VALID;
            let flags = entry.flags.intersection(told);
            let name = format!("index {} {}", entry.path(&file), entry.stage_raw());
            self.0.insert(name, format!("{:o} {} {}", entry.mode.bits(), entry.id, flags.bits()));
        }
    }

    fn refs(&mut self, git: &Path) {
        if let Ok(packed) = fs::read_to_string(git.join("packed-refs")) {
            let lines = packed.lines().filter(|line| !line.starts_with(['#', '^']));
            for (id, name) in lines.filter_map(|line| line.split_once(' ')) {
                self.0.insert(format!("ref {name}"), id.to_owned());
            }
        }
        for entry in fs::read_dir(git).expect("it is a folder") {
            let entry = entry.expect("it can be listed");
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_file() && !LEFT_OUT.contains(&name.as_str()) {
                self.text(&format!("git {name}"), &entry.path());
            }
        }
        self.text("config", &git.join("config"));
        self.below("ref", git, "refs");
        self.below("log", &git.join("logs"), "");
        self.below("info", &git.join("info"), "");
    }

    /// Adds every file below `folder` of `base`.
    fn below(&mut self, kind: &str, base: &Path, folder: &str) {
        let Ok(entries) = fs::read_dir(base.join(folder)) else { return };
        for entry in entries {
            let entry = entry.expect("it can be listed");
            let name = entry.file_name().to_string_lossy().into_owned();
            let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            match entry.path().is_dir() {
                true => self.below(kind, base, &name),
                false => self.text(&format!("{kind} {name}"), &entry.path()),
            }
        }
    }

    fn text(&mut self, name: &str, path: &Path) {
        let content = fs::read(path).expect("it is a file");
        self.0.insert(name.to_owned(), content.trim_ascii_end().as_bstr().to_string());
    }
}
