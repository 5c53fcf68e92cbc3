//! Compares a pull from the upstream with `git pull --rebase --autostash`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use serde_json::json;

use super::{SCENES, seeds};
use crate::answer::{Answer, Answers, Reference, Refs};
use crate::dispatch::{Finished, Step};
use crate::platform;
use crate::question::Question;
use crate::testing::{Sandbox, git as run_git};

const NAMES: &[&str] = &["a.txt", "b.txt", "docs/c.txt", "docs/d.txt", "src/e.rs", "src/deep/f.rs", "g"];

/// A repository, a sandbox with a clone of it, and another clone for git.
struct Pair {
    sandbox: Sandbox,
    upstream: PathBuf,
    random: Rng,
}

impl Pair {
    fn new(seed: u64) -> Pair {
        let sandbox = Sandbox::new();
        let base = sandbox.root().parent().unwrap().to_owned();
        let mut pair = Pair { sandbox, upstream: base.join("upstream"), random: Rng::with_seed(seed) };
        fs::create_dir(&pair.upstream).unwrap();
        let upstream = pair.upstream.clone();
        git(&upstream, &["init", "-q", "-b", "main"]);
        for name in NAMES {
            let lines: String = (0..12).map(|line| format!("{name} {line}\n")).collect();
            put(&upstream.join(name), &lines);
        }
        commit(&upstream, "Begin");
        let workspace = pair.sandbox.root();
        fs::remove_dir(&workspace).unwrap();
        git(&base, &["clone", "-q", "upstream", workspace.to_str().unwrap()]);
        let known = json!({ "name": "origin", "target": "local:/up", "kind": "local", "location": "/up" });
        put(&workspace.join(".git/gitgate/targets"), &format!("{known}\n"));
        for number in 0..pair.random.usize(0..4) {
            pair.changes(&workspace, 3);
            commit(&workspace, &format!("Ours {number}"));
        }
        for number in 0..pair.random.usize(1..4) {
            pair.changes(&upstream, 3);
            commit(&upstream, &format!("Theirs {number}"));
            if pair.random.u8(0..3) == 0 {
                pair.pick(&workspace);
            }
        }
        if pair.random.bool() {
            pair.changes(&workspace, 3);
        }
        pair
    }

    /// Adds some of the sandbox's commits to upstream as other commits: one of them, all as one, or one that is then reverted.
    fn pick(&mut self, workspace: &Path) {
        let upstream = self.upstream.clone();
        let own = git(workspace, &["rev-list", "origin/main..HEAD"]);
        let own: Vec<&str> = own.lines().collect();
        let Some(picked) = self.random.choice(&own) else { return };
        git(&upstream, &["fetch", "-q", workspace.to_str().unwrap(), "main"]);
        let (command, last) = match self.random.u8(0..4) {
            0 => (vec!["merge", "-q", "--squash", "FETCH_HEAD"], vec!["commit", "-q", "-m", "All of it"]),
            1 => (vec!["cherry-pick", picked], vec!["revert", "--no-edit", "HEAD"]),
            _ => (vec!["cherry-pick", picked], vec!["status"]),
        };
        if !(run_git(&upstream, &command).status.success() && run_git(&upstream, &last).status.success()) {
            run_git(&upstream, &["cherry-pick", "--quit"]);
            git(&upstream, &["reset", "-q", "--hard"]);
        }
    }

    /// Changes a working folder in at most `most` ways.
    fn changes(&mut self, folder: &Path, most: usize) {
        for _ in 0..self.random.usize(1..=most) {
            let path = folder.join(self.random.choice(NAMES).unwrap());
            let Ok(text) = fs::read_to_string(&path) else {
                put(&path, &format!("new {}\n", self.random.u8(..)));
                continue;
            };
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let at = self.random.usize(0..=lines.len().saturating_sub(1));
            match self.random.u8(0..12) {
                0 => fs::remove_file(&path).unwrap(),
                1 => fs::rename(&path, folder.join(format!("moved{}", self.random.u8(0..4)))).unwrap(),
                2 => platform::set_executable(&path, true).unwrap(),
                3..=5 if !lines.is_empty() => drop(lines.remove(at)),
                6..=8 => lines.insert(at, format!("inserted {}", self.random.u8(0..3))),
                _ if !lines.is_empty() => lines[at] = format!("changed {}", self.random.u8(..)),
                _ => {}
            }
            if path.exists() {
                put(&path, &lines.iter().map(|line| format!("{line}\n")).collect::<String>());
            }
        }
    }

    fn pull(&mut self) -> Finished {
        let tip = git(&self.upstream, &["rev-parse", "main"]);
        self.sandbox.git(&["fetch", "-q", self.upstream.to_str().unwrap(), "main"]);
        let id = gix::ObjectId::from_hex(tip.trim().as_bytes()).unwrap();
        let reference = Reference { name: "refs/heads/main".to_owned(), id, peeled: None };
        let refs = Refs {
            target: "local:/up".to_owned(),
            head: Some("refs/heads/main".to_owned()),
            references: vec![reference],
        };
        let mut answers = Answers::default();
        loop {
            match self.sandbox.calling("git_pull", json!({})).answers(answers.clone()).step() {
                Step::Done(outcome) => return outcome.unwrap(),
                Step::Ask(question) => match *question {
                    Question::Refs(_) => answers.add(question.key(), Answer::Refs(refs.clone())),
                    other => panic!("everything is here: {other:?}"),
                },
            }
        }
    }
}

fn put(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = run_git(folder, arguments);
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "--allow-empty", "-m", message]);
}

/// Every file of a working folder: whether it is executable, and its content.
fn files(folder: &Path) -> BTreeMap<String, (bool, String)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in platform::list(&next).unwrap().into_iter().filter(|entry| entry.name != b".git") {
            let path = platform::join(&next, &entry.name);
            match entry.stat.kind {
                platform::Kind::Folder => folders.push(path),
                _ => {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    files.insert(name, (entry.stat.executable, fs::read_to_string(path).unwrap()));
                }
            }
        }
    }
    files
}

#[test]
fn a_pull_of_the_upstream_is_gits_pull_with_rebase_and_autostash() {
    let (mut clean, mut stopped) = (0, 0);
    for seed in seeds(SCENES).flat_map(|seed| seed * 3..seed * 3 + 3) {
        let mut pair = Pair::new(seed);
        let workspace = pair.sandbox.root();
        let twin = workspace.parent().unwrap().join("twin");
        git(workspace.parent().unwrap(), &["clone", "-q", "--no-local", "upstream", "twin"]);
        // The twin is equal except for its path.
        fs::remove_dir_all(&twin).unwrap();
        let copied = std::process::Command::new("cp").arg("-a").arg(&workspace).arg(&twin).status().unwrap();
        assert!(copied.success());
        let theirs = run_git(&twin, &["pull", "-q", "--rebase", "--autostash"]);
        let said = String::from_utf8_lossy(&theirs.stderr).into_owned();
        let ours = pair.pull();
        let name = format!("GITGATE_SEED={seed}: {said}\n{}", ours.text);
        if !theirs.status.success() {
            let stop = run_git(&twin, &["log", "-1", "--format=%s", "REBASE_HEAD"]);
            if !stop.status.success() {
                assert!(said.contains("untracked working tree files would be overwritten"), "{name}");
                continue;
            }
            let stop = String::from_utf8(stop.stdout).unwrap();
            assert_eq!(ours.structured()["unstaged"][0]["message"], json!(stop.trim_end()), "{name}");
            stopped += 1;
            continue;
        }
        let log = |folder: &Path| git(folder, &["log", "--format=%s %an %at %T", "origin/main..HEAD"]);
        assert_eq!(log(&workspace), log(&twin), "{name}");
        if said.contains("resulted in conflicts") {
            assert!(!ours.structured()["conflicts"].as_array().unwrap().is_empty(), "{name}");
            continue;
        }
        assert_eq!(ours.structured()["conflicts"], json!([]), "{name}");
        assert_eq!(files(&workspace), files(&twin), "{name}");
        clean += 1;
    }
    assert!(!trial::has_usual_seeds() || (clean > 5 && stopped > 2), "{clean} {stopped}");
}
