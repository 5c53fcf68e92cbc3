//! Kills calls on a real directory at every change they make to a file. After the next start, each call has happened completely or not at
//! all.

use std::fs;
use std::path::Path;

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tests::cli::Cli;
use tests::repo::Repo;
use tests::tree::{self, Tree};

use super::scene::copy;
use super::trace;

/// Calls with every kind of change, one after the other in one process.
fn calls() -> Vec<Value> {
    let call = |tool: &str, arguments: Value| json!({ "tool": tool, "arguments": arguments });
    vec![
        call("write_file", json!({ "path": "new/deep/file", "content": "1\n", "executable": true })),
        call("write_file", json!({ "path": "run.sh", "content": "2\n" })),
        call("delete_file", json!({ "path": "docs", "recursive": true })),
        call("move_file", json!({ "from": "src", "to": "moved/src" })),
        call("git_stage", json!({ "files": ["new", "docs", "run.sh"], "message": "Stage" })),
        call("git_discard", json!({ "commitId": "HEAD" })),
    ]
}

/// The whole visible state of the sandbox.
#[derive(Debug, PartialEq)]
struct State {
    worktree: Tree,
    status: String,
    log: String,
    reflog: String,
    tree: String,
}

struct Scene {
    cli: Cli,
    command: Vec<String>,
    /// Before the first call, and after each of them.
    states: Vec<State>,
}

impl Scene {
    fn new() -> Scene {
        let cli = Cli::default();
        cli.repository("project");
        cli.run(&["new", "--on-disk", "disk", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
        let saved = cli.folder().join("saved");
        fs::create_dir(&saved).unwrap();
        copy(&cli.work(), &saved);
        copy(&cli.home(), &saved);
        let input = cli.folder().join("calls");
        let lines: String = calls().iter().map(|call| format!("{call}\n")).collect();
        fs::write(&input, lines).unwrap();
        let mut scene =
            Scene { cli, command: ["call", "--batch", "--yes"].map(str::to_owned).to_vec(), states: Vec::new() };
        scene.states.push(scene.state());
        for call in calls() {
            scene.cli.run(&["call", call["tool"].as_str().unwrap(), &call["arguments"].to_string(), "--yes"]).ok();
            scene.states.push(scene.state());
        }
        assert!(scene.states.windows(2).all(|states| states[0] != states[1]), "every call changes something");
        scene
    }

    fn restore(&self) {
        for (folder, name) in [(self.cli.work(), "work"), (self.cli.home(), "gitgate")] {
            fs::remove_dir_all(folder).unwrap();
            copy(&self.cli.folder().join("saved").join(name), self.cli.folder());
        }
    }

    fn run(&self, signal_at: Option<(usize, Signal)>) -> Option<trace::Run> {
        let command: Vec<&str> = self.command.iter().map(String::as_str).collect();
        let mut command = self.cli.command(&command);
        command.env(trace::INPUT, self.cli.folder().join("calls"));
        trace::run(command, signal_at)
    }

    fn disk(&self) -> std::path::PathBuf {
        self.cli.work().join("disk")
    }

    fn state(&self) -> State {
        let git = Repo::at(&self.disk().join("workspace"));
        let worktree = tree::read(git.root());
        State {
            worktree: worktree.into_iter().filter(|(path, _)| !path.starts_with(".git")).collect(),
            status: git.git(&["status", "--porcelain", "--branch"]),
            log: git.git(&["log", "--format=%s"]),
            reflog: git.git(&["reflog", "--format=%gs"]),
            tree: git.id("HEAD^{tree}"),
        }
    }

    /// Checks the state after a kill and one more start. `when` names the moment. Returns the number of calls that happened.
    fn is_whole(&self, when: &str) -> usize {
        let next = self.cli.run(&["status"]);
        assert_eq!(next.code, 0, "{when}: {next:#?}");
        let state = self.state();
        let made = self.states.iter().position(|known| *known == state);
        let made = made.unwrap_or_else(|| panic!("{when}: between two calls\n{next:#?}\n{state:#?}"));
        Repo::at(&self.disk().join("workspace")).is_sound();
        let names: Vec<_> = fs::read_dir(self.disk()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(!names.iter().any(|name| name == "undo" || name == "kept"), "{when}: {names:?}");
        assert_eq!(locks(&self.disk()), Vec::<String>::new(), "{when}");
        let history = self.cli.structured("sandbox_history", &json!({}));
        assert_eq!(history["count"], json!(made + 1), "{when}: the import, and each call that was made");
        // Nothing blocks the next change.
        self.cli.call("write_file", &json!({ "path": "after", "content": "x\n" })).ok();
        self.cli.call("git_stage", &json!({ "files": ["after"], "message": "After" })).ok();
        made
    }
}

fn locks(folder: &Path) -> Vec<String> {
    let paths = tree::read(folder).into_keys().map(|path| path.display().to_string());
    paths.filter(|path| path.ends_with(".lock") || path.ends_with(".new") || path.ends_with(".part")).collect()
}

#[test]
fn killed_at_an_even_change_a_call_on_disk_is_made_or_not() {
    killed_at_every_other_change(0);
}

#[test]
fn killed_at_an_odd_change_a_call_on_disk_is_made_or_not() {
    killed_at_every_other_change(1);
}

fn killed_at_every_other_change(first: usize) {
    let scene = Scene::new();
    scene.restore();
    let Some(whole) = scene.run(None) else { return };
    assert_eq!(scene.is_whole("never"), calls().len());
    let changes = whole.changes.len();
    assert!(changes > 60, "six calls write more than that: {changes}");
    let mut made = 0;
    let step = trial::times(6, 2);
    for at in (first..changes).step_by(step) {
        scene.restore();
        let run = scene.run(Some((at, Signal::SIGKILL))).expect("it was traced before");
        let last = run.changes.last().expect("calls write");
        let now = scene.is_whole(&format!("killed at change {at} of {changes}, before {last}"));
        assert!(now >= made, "later, fewer calls were made: {now} of {made}");
        made = now;
    }
    assert_eq!(made, calls().len());
}

#[test]
fn what_somebody_writes_after_a_call_was_cut_off_is_not_lost() {
    let scene = Scene::new();
    scene.restore();
    let Some(whole) = scene.run(None) else { return };
    let file = scene.disk().join("workspace/run.sh");
    // The moment where the second call has put its file in place but has not ended.
    let mut cut_off = (0..whole.changes.len()).filter(|at| {
        scene.restore();
        scene.run(Some((*at, Signal::SIGKILL))).expect("it was traced before");
        fs::read_to_string(&file).unwrap() == "2\n" && scene.disk().join("undo/log").exists()
    });
    cut_off.next().expect("there is such a moment");
    std::thread::sleep(std::time::Duration::from_millis(50));
    fs::write(&file, "mine\n").unwrap();
    let status = scene.cli.run(&["status"]).ok();
    let kept = scene.disk().join("kept/1-run.sh");
    assert!(status.stderr.contains(&format!("is now in {}", kept.display())), "{status:#?}");
    assert_eq!(fs::read_to_string(kept).unwrap(), "mine\n");
    assert_eq!(fs::read_to_string(file).unwrap(), "#!/bin/sh\necho run\n");
}
