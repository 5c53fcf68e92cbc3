//! After a push was cut off: what its sandbox, other sandboxes and the person can do, until it is settled and then.

use std::fs;

use nix::sys::signal::Signal;

use super::scene::Scene;
use super::trace;

/// The intent is on the disk, and nothing more is sure.
fn is_intended(scene: &Scene) -> bool {
    fs::read(ledger(scene)).is_ok_and(|bytes| bytes.ends_with(b"\n"))
}

/// The landing has written objects; the branch may have moved.
fn has_begun(scene: &Scene) -> bool {
    scene.repo().try_git(&["cat-file", "-e", &scene.new], b"").success
}

/// The branch has the push; worktree, index, journal and outcome may not.
fn has_moved(scene: &Scene) -> bool {
    scene.repo().id("main") == scene.new
}

fn ledger(scene: &Scene) -> std::path::PathBuf {
    scene.cli.home().join("sandboxes/default/pushes.log")
}

#[test]
fn a_sandbox_is_removed_only_after_its_push_is_settled() {
    let scene = Scene::new();
    let Some(()) = scene.cut_off(has_moved) else { return };
    // While the repository cannot be reached, the sandbox knows what has to be done there, and nobody else does.
    let (project, away) = (scene.cli.work().join("project"), scene.cli.work().join("away"));
    fs::rename(&project, &away).unwrap();
    let refused = scene.cli.run(&["rm", "default"]).exits(1);
    assert!(refused.stderr.contains("error: ") && refused.stderr.contains("is not settled"), "{refused:#?}");
    fs::rename(&away, &project).unwrap();
    let removed = scene.cli.run(&["rm", "default"]).ok();
    assert!(removed.stderr.contains("was cut off; it has landed"), "{removed:#?}");
    scene.is_before_or_after("after the branch moved", &removed);
    assert!(has_moved(&scene));
    assert_eq!(scene.cli.run(&["ls"]).ok().stdout, "");
}

#[test]
fn a_sandbox_whose_push_cannot_be_settled_can_be_removed_by_force() {
    let scene = Scene::new();
    let Some(()) = scene.cut_off(is_intended) else { return };
    fs::remove_dir_all(scene.cli.work().join("project")).unwrap();
    scene.cli.run(&["rm", "default"]).exits(1);
    scene.cli.run(&["rm", "default", "--force"]).ok();
}

#[test]
fn a_push_of_another_sandbox_is_settled_by_whatever_command_comes_next() {
    let scene = Scene::new();
    let Some(()) = scene.cut_off(has_moved) else { return };
    let out = scene.cli.run(&["-s", "other", "new"]).ok();
    assert!(out.stderr.contains("was cut off; it has landed"), "{out:#?}");
    scene.is_whole("after the branch moved", &["status"]);
}

#[test]
fn switching_tools_off_does_not_close_a_sandbox_whose_push_was_cut_off() {
    let scene = Scene::new();
    let Some(()) = scene.cut_off(has_moved) else { return };
    let config = scene.cli.home().join("gitgate.toml");
    fs::write(&config, "unattended = true\n[tools.git]\nenabled = false\n").unwrap();
    let read = scene.cli.run(&["call", "read_file", "{\"path\": \"README.md\"}"]).ok();
    assert!(read.stderr.contains("was cut off; it has landed"), "{read:#?}");
    scene.cli.unattended();
    scene.is_whole("after the branch moved", &["status"]);
}

#[test]
fn a_push_that_surely_did_not_land_is_not_in_doubt_wherever_the_branch_is_now() {
    let scene = Scene::new();
    let Some(()) = scene.cut_off(has_begun) else { return };
    let repo = scene.repo();
    assert_eq!(repo.id("main"), scene.old);
    for lock in [".git/index.lock", ".git/refs/heads/main.lock"] {
        let _ = fs::remove_file(repo.root().join(lock));
    }
    repo.write("own.txt", "own\n");
    repo.git(&["add", "own.txt"]);
    repo.git(&["commit", "--quiet", "-m", "Own work"]);
    let status = scene.cli.run(&["status"]).ok();
    assert!(status.stderr.contains("it has not landed"), "{status:#?}");
    assert_eq!(scene.cli.run(&["settle"]).ok().stdout, "Nothing is in doubt\n");
    repo.is_sound();
}

#[test]
fn a_push_in_doubt_keeps_its_branch_until_the_person_has_looked() {
    let scene = Scene::new();
    let Some(()) = scene.cut_off(has_moved) else { return };
    let repo = scene.repo();
    // The person goes on elsewhere, as git says: the lock that the killed process has left is in the way.
    fs::remove_file(repo.root().join(".git/index.lock")).unwrap();
    repo.git(&["reset", "--quiet", "--hard", &scene.old]);
    repo.write("own.txt", "own\n");
    repo.git(&["add", "own.txt"]);
    repo.git(&["commit", "--quiet", "-m", "Own work"]);
    let own = repo.id("main");

    let status = scene.cli.run(&["status"]).ok();
    assert_eq!(status.stderr.matches("is in doubt").count(), 1, "it is told once: {status:#?}");
    let push = scene.cli.run(&scene.push()).exits(4);
    assert!(push.stderr.contains("gitgate settle main"), "{push:#?}");
    scene.cli.run(&["push", &scene.id, "--to", "local:project#other", "--yes"]).ok();

    assert_eq!(scene.cli.run(&["settle", "no-such"]).ok().stdout, "Nothing is in doubt\n");
    let settled = scene.cli.run(&["settle", "main"]).ok();
    assert!(settled.stdout.starts_with("Settled the push of "), "{settled:#?}");
    assert_eq!(scene.cli.run(&["status"]).ok().stderr, "");
    assert_eq!((repo.id("main"), repo.read("own.txt")), (own, "own\n".to_owned()));
    repo.is_sound();
}

#[test]
fn a_signal_during_a_push_waits_for_its_end_and_nothing_is_begun_after_it() {
    let scene = Scene::new();
    scene.restore();
    let calls = [
        serde_json::json!({ "tool": "git_push", "as": "user", "arguments": {
            "commitId": scene.id, "target": { "type": "local", "path": "project" } } }),
        serde_json::json!({ "tool": "write_file", "arguments": { "path": "later.txt", "content": "" } }),
    ];
    let input = scene.cli.folder().join("calls");
    fs::write(&input, calls.map(|call| format!("{call}\n")).concat()).unwrap();
    let batch = || {
        let mut command = scene.cli.command(&["call", "--batch", "--yes"]);
        command.env(trace::INPUT, &input);
        command
    };
    let Some(whole) = trace::run(batch(), None) else { return };
    let mut interrupted = 0;
    // A few moments all over the batch; those before the intent and those after the landing differ, and both are checked.
    for at in (0..whole.changes.len()).step_by(6) {
        scene.restore();
        let run = trace::run(batch(), Some((at, Signal::SIGINT))).expect("it was traced before");
        let status = scene.cli.run(&["status"]);
        scene.is_before_or_after(&format!("interrupted at {at}"), &status);
        let went_on = scene.cli.call("read_file", &serde_json::json!({ "path": "later.txt" })).code == 0;
        if run.code == Some(130) {
            interrupted += 1;
            assert!(!went_on || at > 0, "interrupted at {at}");
        }
        assert!(has_moved(&scene) || !went_on, "interrupted at {at}: what came after was begun");
    }
    assert!(interrupted > 3, "{interrupted} of {} were interrupted", whole.changes.len());
}
