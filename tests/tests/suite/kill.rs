//! The command line is killed at any moment of a push: at each system call in turn that changes a file. After the next start of gitgate the
//! target is before the push or after it, never between; the sandbox opens; the person's own files are as they were.

mod syscalls;
mod trace;

use std::path::Path;

use serde_json::json;
use tests::cli::Cli;
use tests::repo::Repo;
use tests::tree::{self, Tree};

/// How many moments are tried where a process may not be traced.
const BLIND: usize = 1000;

const OWN: &str = "fn main() { /* the person is at work here */ }\n";

/// A push that is about to be made, and copies of everything that it will change.
struct Scene {
    cli: Cli,
    saved: std::path::PathBuf,
    id: String,
    old: String,
    new: String,
    /// The worktree without `.git`, before and after.
    before: Tree,
    after: Tree,
}

impl Scene {
    fn new() -> Scene {
        let cli = Cli::default();
        cli.unattended();
        let repo = cli.repository("project");
        cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
        let lines: String = (0..200).map(|n| format!("line {n}\n")).collect();
        for (tool, arguments) in [
            ("edit_file", json!({ "path": "README.md", "old": "history", "new": "a past" })),
            ("write_file", json!({ "path": "new/deep/file.txt", "content": lines })),
            ("write_file", json!({ "path": "run.sh", "content": "#!/bin/sh\n", "executable": false })),
            ("delete_file", json!({ "path": "dos.txt" })),
            ("move_file", json!({ "from": "docs/notes of a day.txt", "to": "notes.txt" })),
        ] {
            cli.call(tool, &arguments).ok();
        }
        let files = ["README.md", "new", "run.sh", "dos.txt", "docs", "notes.txt"];
        let staged = cli.structured("git_stage", &json!({ "files": files, "message": "Change everything" }));
        repo.write("src/main.rs", OWN);
        let saved = cli.folder().join("saved");
        let mut scene = Scene {
            id: staged["commitId"].as_str().unwrap().to_owned(),
            new: staged["commitSha"].as_str().unwrap().to_owned(),
            old: repo.id("main"),
            before: worktree(repo.root()),
            after: Tree::new(),
            saved,
            cli,
        };
        scene.save();
        scene.cli.run(&scene.push()).ok();
        scene.after = worktree(scene.repo().root());
        assert_ne!(scene.before, scene.after);
        scene
    }

    fn push(&self) -> [&str; 5] {
        ["push", &self.id, "--to", "local:project", "--yes"]
    }

    fn repo(&self) -> Repo {
        Repo::at(&self.cli.work().join("project"))
    }

    fn save(&self) {
        std::fs::create_dir(&self.saved).unwrap();
        copy(&self.cli.work(), &self.saved);
        copy(&self.cli.home(), &self.saved);
    }

    /// Puts everything back to the moment before the push.
    fn restore(&self) {
        for (folder, name) in [(self.cli.work(), "work"), (self.cli.home(), "gitgate")] {
            std::fs::remove_dir_all(folder).unwrap();
            copy(&self.saved.join(name), self.cli.folder());
        }
    }

    /// What has to hold when gitgate is started after it was killed. `when` names the moment.
    fn is_whole(&self, when: &str) {
        let status = self.cli.run(&["status"]);
        assert_eq!(status.code, 0, "killed {when}, the sandbox does not open: {status:#?}");
        let repo = self.repo();
        let (head, seen) = (repo.id("main"), worktree(repo.root()));
        let expected = if head == self.new { &self.after } else { &self.before };
        assert!(head == self.old || head == self.new, "killed {when}, main is at {head}\n{status:#?}");
        assert_eq!(
            tree::differing(expected, &seen),
            Vec::<std::path::PathBuf>::new(),
            "killed {when}, main is at {head}, and the worktree is not\n{status:#?}"
        );
        assert_eq!(repo.git(&["status", "--porcelain"]), " M src/main.rs", "killed {when}\n{status:#?}");
        assert_eq!(repo.read("src/main.rs"), OWN, "killed {when}");
        repo.is_sound();
        let again = self.cli.run(&self.push());
        assert_eq!(again.code, 0, "killed {when}, the push cannot be repeated: {again:#?}");
        assert_eq!(repo.id("main"), self.new, "killed {when}");
        assert_eq!(worktree(repo.root()), self.after, "killed {when}");
        assert_eq!(repo.git(&["status", "--porcelain"]), " M src/main.rs", "killed {when}");
        assert_eq!(self.cli.structured("git_status", &json!({}))["staged"], json!([]), "killed {when}");
    }
}

/// The worktree without the repository's own folder.
fn worktree(root: &Path) -> Tree {
    tree::read(root).into_iter().filter(|(path, _)| !path.starts_with(".git")).collect()
}

/// Copies with times and modes, as the index remembers them.
fn copy(from: &Path, into: &Path) {
    let status = std::process::Command::new("cp").arg("-a").arg(from).arg(into).status().unwrap();
    assert!(status.success());
}

// Two tests, so that two moments are tried at a time.

#[test]
fn killed_at_every_even_moment_a_push_is_before_or_after_and_never_between() {
    killed_at_every_other_moment(0);
}

#[test]
fn killed_at_every_odd_moment_a_push_is_before_or_after_and_never_between() {
    killed_at_every_other_moment(1);
}

fn killed_at_every_other_moment(first: usize) {
    let scene = Scene::new();
    scene.restore();
    let moments = match trace::run(scene.cli.command(&scene.push()), None) {
        Some(run) => run.changes.len(),
        None => return killed_blindly(&scene, first),
    };
    assert!(moments > 30, "a push writes more than that: {moments}");
    for at in (first..moments).step_by(2) {
        scene.restore();
        let run = trace::run(scene.cli.command(&scene.push()), Some(at)).expect("it was traced before");
        assert!(run.killed || run.changes.len() <= at, "it was to be killed at change {at}: {run:?}");
        let last = run.changes.last().expect("a push writes");
        scene.is_whole(&format!("at change {at} of {moments}, before {last}"));
    }
}

/// Where a process may not be traced, it is killed at moments that are spread over the time of a push.
fn killed_blindly(scene: &Scene, first: usize) {
    let began = std::time::Instant::now();
    scene.cli.run(&scene.push()).ok();
    let whole = began.elapsed();
    for n in (first..BLIND).step_by(2) {
        scene.restore();
        let mut child = scene.cli.command(&scene.push()).stderr(std::process::Stdio::null()).spawn().unwrap();
        let moment = whole.mul_f64(n as f64 / BLIND as f64);
        std::thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
        scene.is_whole(&format!("after {moment:?}"));
    }
}
