//! A push that is about to happen, with a way to restore that moment again and again.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use nix::sys::signal::Signal;
use serde_json::json;
use tests::cli::{Cli, Out};
use tests::repo::Repo;
use tests::tree::{self, Tree};

use super::moment::Moment;
use super::trace;

/// The person's unsaved work meanwhile.
const OWN: &str = "fn main() { /* the person is at work here */ }\n";

/// A push that is about to happen, and copies of everything it will change.
pub struct Scene {
    pub cli: Cli,
    saved: PathBuf,
    pub id: String,
    /// The head of `main` before the push, and after it.
    pub old: String,
    pub new: String,
    /// The worktree without `.git`, before and after.
    before: Tree,
    after: Tree,
}

impl Scene {
    pub fn new() -> Scene {
        Scene::opened(&[])
    }

    /// The same with a sandbox on disk, beside the project.
    pub fn on_disk() -> Scene {
        Scene::opened(&["--on-disk", "disk"])
    }

    fn opened(how: &[&str]) -> Scene {
        let cli = Cli::default();
        cli.unattended();
        let repo = cli.repository("project");
        let new = ["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"];
        cli.run(&[&new, how].concat()).ok();
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

    pub fn push(&self) -> [&str; 5] {
        ["push", &self.id, "--to", "local:project", "--yes"]
    }

    pub fn repo(&self) -> Repo {
        Repo::at(&self.cli.work().join("project"))
    }

    fn save(&self) {
        std::fs::create_dir(&self.saved).unwrap();
        copy(&self.cli.work(), &self.saved);
        copy(&self.cli.home(), &self.saved);
    }

    /// Restores the moment before the push.
    pub fn restore(&self) {
        for (folder, name) in [(self.cli.work(), "work"), (self.cli.home(), "gitgate")] {
            std::fs::remove_dir_all(folder).unwrap();
            copy(&self.saved.join(name), self.cli.folder());
        }
    }

    /// Leaves a push cut off at the first change to a file where `moment` is reached. Where a process may not be traced, cuts it off
    /// somewhere between that moment and the next.
    pub fn cut_off(&self, moment: Moment) {
        self.restore();
        let Some(whole) = trace::run(self.cli.command(&self.push()), None) else { return self.cut_off_blindly(moment) };
        assert!(moment.is_reached(self), "{moment:?} is reached when the push is over");
        let (mut not_yet, mut already) = (0, whole.changes.len());
        while already - not_yet > 1 {
            let at = not_yet.midpoint(already);
            self.kill_at(at);
            if moment.is_reached(self) { already = at } else { not_yet = at }
        }
        self.kill_at(already);
        assert!(moment.is_reached(self) && !moment.is_passed(self));
    }

    fn kill_at(&self, change: usize) {
        self.restore();
        let push = self.cli.command(&self.push());
        trace::run(push, Some((change, Signal::SIGKILL))).expect("it was traced before");
    }

    fn cut_off_blindly(&self, moment: Moment) {
        for _ in 0..1000 {
            self.restore();
            let mut push = self.cli.command(&self.push()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            while !moment.is_reached(self) && push.try_wait().unwrap().is_none() {
                std::thread::yield_now();
            }
            push.kill().unwrap();
            push.wait().unwrap();
            if moment.is_reached(self) && !moment.is_passed(self) {
                return;
            }
        }
        panic!("a thousand pushes were killed, and none of them at {moment:?}");
    }

    /// The invariants once gitgate was killed and restarted, with any command `next`. `when` names the moment.
    pub fn is_whole(&self, when: &str, next: &[&str]) {
        self.is_before_or_after(when, &self.start(when, next));
        self.goes_on(when);
    }

    /// Starts gitgate after the kill.
    pub fn start(&self, when: &str, next: &[&str]) -> Out {
        let out = self.cli.run(next);
        assert_eq!(out.code, 0, "killed {when}, gitgate does not start: {out:#?}");
        out
    }

    /// Everything is intact, and the push can happen.
    pub fn goes_on(&self, when: &str) {
        for look in [&["log", "--verify"][..], &["fsck"]] {
            let out = self.cli.run(look);
            assert!(out.code == 0, "killed {when}, {look:?} says: {out:#?}");
        }
        let again = self.cli.run(&self.push());
        assert_eq!(again.code, 0, "killed {when}, the push cannot be repeated: {again:#?}");
        let repo = self.repo();
        assert_eq!(repo.id("main"), self.new, "killed {when}");
        assert_eq!(worktree(repo.root()), self.after, "killed {when}");
        assert_eq!(repo.git(&["status", "--porcelain"]), " M src/main.rs", "killed {when}");
        assert_eq!(self.cli.structured("git_status", &json!({}))["staged"], json!([]), "killed {when}");
    }

    /// The repository has none of the push or all of it, and the person's work.
    pub fn is_before_or_after(&self, when: &str, status: &Out) {
        let repo = self.repo();
        let (head, seen) = (repo.id("main"), worktree(repo.root()));
        let expected = if head == self.new { &self.after } else { &self.before };
        assert!(head == self.old || head == self.new, "killed {when}, main is at {head}\n{status:#?}");
        assert_eq!(
            tree::differing(expected, &seen),
            Vec::<PathBuf>::new(),
            "killed {when}, main is at {head}, and the worktree is not\n{status:#?}"
        );
        assert_eq!(repo.git(&["status", "--porcelain"]), " M src/main.rs", "killed {when}\n{status:#?}");
        assert_eq!(repo.read("src/main.rs"), OWN, "killed {when}");
        repo.is_sound();
    }
}

/// The worktree without the repository's own folder.
fn worktree(root: &Path) -> Tree {
    tree::read(root).into_iter().filter(|(path, _)| !path.starts_with(".git")).collect()
}

/// Copies with times and modes, because the index records them.
pub fn copy(from: &Path, into: &Path) {
    let status = std::process::Command::new("cp").arg("-a").arg(from).arg(into).status().unwrap();
    assert!(status.success());
}
