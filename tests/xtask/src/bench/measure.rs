//! The measurements on one repository. gitgate is a running host, except for imports and where the operation says otherwise. git starts as
//! a new process for each call, as an agent would start it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::changes::{self, Change};
use super::durable;
use super::generate::{self, Shape};
use super::host::Host;
use super::mcp;
use super::memory;
use super::pages::Pages;
use super::peers::Peer;
use super::place::{Place, git};
use super::reads::{self, Read};
use super::scripts;
use super::tasks;
use super::timing::{Pair, median, pair, spawn, time};

/// Rounds for short, medium and long operations.
pub const ROUNDS: [usize; 3] = [21, 9, 3];
/// Files to change at a time.
pub const FILES: usize = 10;
/// Files of a large push.
const MANY_FILES: usize = 1000;
/// Commits over which to measure the growth of the journal.
const STAGES: usize = 1000;

/// The results for one repository.
pub struct Results {
    pub name: &'static str,
    /// Operations, in the order of the table.
    pub times: Vec<(&'static str, Pair)>,
    /// Peak memory in bytes: of the host, after everything else, and of an import.
    pub memory: [Option<u64>; 2],
    /// Size of the pack and the worktree in bytes.
    pub content: u64,
    /// Growth of the journal in bytes after a thousand stages of one file.
    pub journal: u64,
    /// Operations repeated without anything in between.
    pub again: Vec<(&'static str, Duration)>,
    /// Times of other implementations for some operations, repeated in the same way.
    pub peers: Vec<Peer>,
    /// Times of gitgate and the others in Chromium, once measured.
    pub pages: Option<Pages>,
}

impl Results {
    /// The running host's time for a repeated operation.
    pub fn again(&self, operation: &str) -> Option<Duration> {
        self.again.iter().find(|(name, _)| *name == operation).map(|(_, took)| *took)
    }
}

/// Measures everything.
pub fn all(gitgate: &Path, folder: &Path, shape: &Shape) -> Result<Results> {
    let repo = generate::path(folder, shape);
    let place = Place::new(gitgate, &folder.join("work"))?;
    let source = format!("local:{}", repo.display());
    let clone = place.folder.join("clone");
    // Compiles the component for this machine, only once.
    spawn(place.gitgate("warm").args(["new", "--empty"]))?;
    let mut times = vec![("import, against `git clone --no-local`", import(&place, &repo, &source)?)];
    let import_peak = memory::run(&mut place.opening("bench", &source))?;
    spawn(git(&place.folder).args(["clone", "--quiet", "--no-local"]).arg(&repo).arg(&clone))?;
    let bare = Bares::new(&place, &repo)?;

    times.push((
        "status, a whole process",
        pair(ROUNDS[0], |_| {
            let git = time(|| spawn(git(&clone).args(["status", "--porcelain=v1", "-b"])))?;
            Ok((git, time(|| spawn(place.gitgate("bench").args(["call", "git_status"])))?))
        })?,
    ));
    times.extend(mcp::all(&place, &generate::name(0))?);
    let mut bench = Bench { host: Host::start(place.gitgate("bench"))?, clone, rounds: 0 };
    let reads = reads::all(&generate::name(0));
    times.extend(bench.read(&reads)?);
    times.extend(scripts::all(&mut bench.host, &bench.clone, ROUNDS[1])?);
    let mut again = bench.read_again(&reads)?;
    again.extend(scripts::again(&mut bench.host, ROUNDS[1])?);
    bench.other_branch()?;
    times.push(bench.changing(&changes::checkout())?);
    again.push(bench.changing_again(&changes::checkout())?);
    bench.change(FILES, 0)?;
    times.push(("status, 10 files changed", bench.status()?));
    times.push(("diff of 10 files", bench.diff()?));
    times.push(bench.changing(&changes::stash())?);
    again.push(bench.changing_again(&changes::stash())?);
    let commit = changes::commit(&changed_files());
    times.push(bench.changing(&commit)?);
    again.push(bench.changing_again(&commit)?);
    times.push(("stage of 10 files, against `git add` and `git commit`", bench.stage()?));
    times.push(("push of 10 files to a bare repository", bench.push(&bare, FILES, ROUNDS[1])?));
    times
        .push(("push of 1,000 files, checked, compared and digested twice", bench.push(&bare, MANY_FILES, ROUNDS[2])?));
    times.push((
        "a call that writes a file, against write and sync of its record alone",
        durable::append(&mut bench.host, &place.sandbox("bench"))?,
    ));
    let peak = bench.host.peak();
    let journal = bench.journal(&place.sandbox("bench").join("journal"))?;
    bench.host.end()?;
    times.extend(tasks::all(&place, &repo)?);
    times.push(("status, a whole process, after 10,000 calls more", durable::open(&place, &bench.clone)?));
    let content = generate::pack_bytes(&repo)? + worktree_bytes(&repo)?;
    Ok(Results {
        name: shape.name,
        times,
        memory: [peak, import_peak],
        content,
        journal,
        again,
        peers: Vec::new(),
        pages: None,
    })
}

fn import(place: &Place, repo: &Path, source: &str) -> Result<Pair> {
    let clone = place.folder.join("import");
    pair(ROUNDS[2], |_| {
        let cloned = time(|| spawn(git(&place.folder).args(["clone", "--quiet", "--no-local"]).arg(repo).arg(&clone)))?;
        std::fs::remove_dir_all(&clone)?;
        let imported = time(|| spawn(place.gitgate("import").args(["new", "--from", source])))?;
        spawn(place.gitgate("import").args(["rm", "import"]))?;
        Ok((cloned, imported))
    })
}

/// Two bare repositories, one to push to for each of git and gitgate.
struct Bares {
    git: PathBuf,
    gitgate: PathBuf,
}

impl Bares {
    fn new(place: &Place, repo: &Path) -> Result<Bares> {
        let bares = Bares { git: place.folder.join("git.git"), gitgate: place.folder.join("gitgate.git") };
        for bare in [&bares.git, &bares.gitgate] {
            spawn(git(&place.folder).args(["clone", "--quiet", "--bare", "--no-local"]).arg(repo).arg(bare))?;
        }
        Ok(bares)
    }
}

/// A sandbox in a running host, and a clone of the same repository.
struct Bench {
    host: Host,
    clone: PathBuf,
    /// How often files were changed for a commit or stash.
    rounds: usize,
}

impl Bench {
    /// Changes the same files in both, differently in each `round`.
    fn change(&mut self, files: usize, round: usize) -> Result<()> {
        for name in names(files) {
            let content = content(&name, round);
            std::fs::write(self.clone.join(&name), &content)?;
            self.host.call("write_file", &json!({ "path": name, "content": content }))?;
        }
        Ok(())
    }

    fn status(&mut self) -> Result<Pair> {
        pair(ROUNDS[0], |_| {
            let git = time(|| spawn(git(&self.clone).args(["status", "--porcelain=v1", "-b"])))?;
            Ok((git, self.host.timed("git_status", &json!({}))?.0))
        })
    }

    fn diff(&mut self) -> Result<Pair> {
        pair(ROUNDS[0], |_| {
            let git = time(|| spawn(git(&self.clone).arg("diff")))?;
            Ok((git, self.host.timed("git_diff", &json!({ "unified": 3, "max_bytes": 5_000_000 }))?.0))
        })
    }

    /// The reading calls, in a working tree without changes.
    fn read(&mut self, reads: &[Read]) -> Result<Vec<(&'static str, Pair)>> {
        let measured = reads.iter().map(|read| {
            let times = pair(ROUNDS[0], |_| {
                let git = time(|| spawn(git(&self.clone).args(&read.command)))?;
                let (took, structured) = self.host.timed(read.tool, &read.arguments)?;
                read.check(&structured)?;
                Ok((git, took))
            })?;
            Ok((read.operation, times))
        });
        measured.collect()
    }

    /// The same calls repeated without anything in between, as `peers` measures.
    fn read_again(&mut self, reads: &[Read]) -> Result<Vec<(&'static str, Duration)>> {
        let measured = reads.iter().map(|read| {
            let times = (0..ROUNDS[0]).map(|_| Ok(self.host.timed(read.tool, &read.arguments)?.0));
            Ok((read.operation, median(times.collect::<Result<_>>()?)))
        });
        measured.collect()
    }

    /// Creates the other branch in both.
    fn other_branch(&mut self) -> Result<()> {
        spawn(git(&self.clone).args(["branch", changes::OTHER, changes::OTHER_AT]))?;
        changes::other_branch().iter().try_for_each(|(tool, arguments)| self.host.call(tool, arguments).map(drop))
    }

    fn changing(&mut self, change: &Change) -> Result<(&'static str, Pair)> {
        let times = pair(ROUNDS[1], |_| {
            self.prepare(change)?;
            let git = time(|| change.commands.iter().try_for_each(|command| spawn(git(&self.clone).args(command))))?;
            Ok((git, time(|| self.call_all(change))?))
        })?;
        Ok((change.operation, times))
    }

    fn changing_again(&mut self, change: &Change) -> Result<(&'static str, Duration)> {
        let times = (0..ROUNDS[1]).map(|_| {
            self.prepare(change)?;
            time(|| self.call_all(change))
        });
        let median = median(times.collect::<Result<_>>()?);
        Ok((change.operation, median))
    }

    fn prepare(&mut self, change: &Change) -> Result<()> {
        if change.changes_files {
            self.rounds += 1;
            self.change(FILES, self.rounds)?;
        }
        Ok(())
    }

    fn call_all(&mut self, change: &Change) -> Result<()> {
        change.calls.iter().try_for_each(|(tool, arguments)| self.host.call(tool, arguments).map(drop))
    }

    fn stage(&mut self) -> Result<Pair> {
        pair(ROUNDS[1], |round| {
            self.change(FILES, 500 + round)?;
            let git = time(|| self.git_commit(FILES))?;
            Ok((git, time(|| self.gitgate_commit(FILES).map(drop))?))
        })
    }

    fn git_commit(&self, files: usize) -> Result<()> {
        spawn(git(&self.clone).arg("add").args(names(files)))?;
        spawn(git(&self.clone).args(["commit", "--quiet", "-m", "Change"]))
    }

    fn gitgate_commit(&mut self, files: usize) -> Result<String> {
        let staged =
            self.host.call("git_stage", &json!({ "files": names(files).collect::<Vec<_>>(), "message": "Change" }))?;
        staged["commitId"].as_str().map(str::to_owned).context("a staged commit has an id")
    }

    fn push(&mut self, bares: &Bares, files: usize, rounds: usize) -> Result<Pair> {
        let target = json!({ "type": "local-bare", "path": bares.gitgate });
        let mut one = |round: usize| {
            self.change(files, 1000 * files + round)?;
            self.git_commit(files)?;
            let id = self.gitgate_commit(files)?;
            let git = time(|| spawn(git(&self.clone).args(["push", "--quiet"]).arg(&bares.git).arg("main")))?;
            let push = || {
                let pushed = self.host.call("git_push", &json!({ "commitId": id, "target": target }))?;
                ensure!(pushed["status"] == "success", "the push has not landed: {pushed}");
                Ok(())
            };
            Ok((git, time(push)?))
        };
        // The first push also sends everything staged before.
        one(0)?;
        pair(rounds, |round| one(1 + round))
    }

    fn journal(&mut self, journal: &Path) -> Result<u64> {
        let length = || anyhow::Ok(std::fs::metadata(journal)?.len());
        let before = length()?;
        let name = names(1).next().expect("there are ten");
        for n in 0..STAGES {
            self.host.call("write_file", &json!({ "path": name, "content": format!("{n}\n") }))?;
            self.host.call("git_stage", &json!({ "files": [name], "message": "Change" }))?;
        }
        Ok(length()?.saturating_sub(before))
    }
}

/// The content of a file after a change.
pub fn content(name: &str, round: usize) -> String {
    format!("{name} in round {round}\n{}", "a line of text\n".repeat(40))
}

/// The files to change, spread evenly over all files.
pub fn names(count: usize) -> impl Iterator<Item = String> {
    let step = if count > FILES { 1 } else { 97 };
    (0..count).map(move |n| generate::name(n * step))
}

/// The files to change for a commit or stash. The first one has the long history.
pub fn changed_files() -> Vec<String> {
    names(FILES).collect()
}

fn worktree_bytes(repo: &Path) -> Result<u64> {
    let output = git(repo).args(["ls-tree", "-r", "-l", "HEAD"]).output()?;
    let listed = String::from_utf8(output.stdout)?;
    Ok(listed.lines().filter_map(|line| line.split_whitespace().nth(3)?.parse::<u64>().ok()).sum())
}
