//! After a push was cut off: what its sandbox, other sandboxes and the person can do, before it is settled and afterwards.

use std::fs;
use std::time::Instant;

use nix::sys::signal::Signal;
use serde_json::json;

use super::moment::Moment;
use super::scene::Scene;
use super::trace;

#[test]
fn a_sandbox_is_removed_only_after_its_push_is_settled() {
    let scene = Scene::new();
    scene.cut_off(Moment::Moved);
    // While the repository is unreachable, only the sandbox knows what remains to do there.
    let (project, away) = (scene.cli.work().join("project"), scene.cli.work().join("away"));
    fs::rename(&project, &away).unwrap();
    let refused = scene.cli.run(&["rm", "default"]).exits(1);
    assert!(refused.stderr.contains("error: ") && refused.stderr.contains("is not settled"), "{refused:#?}");
    fs::rename(&away, &project).unwrap();
    let removed = scene.cli.run(&["rm", "default"]).ok();
    assert!(removed.stderr.contains("was interrupted; it has landed"), "{removed:#?}");
    scene.is_before_or_after("after the branch moved", &removed);
    assert!(Moment::Moved.is_reached(&scene));
    assert_eq!(scene.cli.run(&["ls"]).ok().stdout, "");
}

#[test]
fn a_sandbox_whose_push_cannot_be_settled_can_be_removed_by_force() {
    let scene = Scene::new();
    scene.cut_off(Moment::Intended);
    fs::remove_dir_all(scene.cli.work().join("project")).unwrap();
    scene.cli.run(&["rm", "default"]).exits(1);
    scene.cli.run(&["rm", "default", "--force"]).ok();
}

#[test]
fn a_push_of_another_sandbox_is_settled_by_whatever_command_comes_next() {
    let scene = Scene::new();
    scene.cut_off(Moment::Moved);
    let journal = scene.cli.home().join("sandboxes/default/journal");
    let whole = fs::read(&journal).unwrap();
    fs::write(&journal, [&whole[..], b"torn"].concat()).unwrap();
    let out = scene.cli.run(&["-s", "other", "new", "--empty"]).ok();
    assert!(out.stderr.contains("was interrupted; it has landed"), "{out:#?}");
    assert!(out.stderr.contains("journal.torn"), "what else is found out there is told, too: {out:#?}");
    scene.is_whole("after the branch moved", &["status"]);
}

#[test]
fn switching_tools_off_does_not_close_a_sandbox_whose_push_was_cut_off() {
    let scene = Scene::new();
    scene.cut_off(Moment::Moved);
    let config = scene.cli.home().join("gitgate.toml");
    fs::write(&config, "unattended = true\n[tools.git]\nenabled = false\n").unwrap();
    let read = scene.cli.run(&["call", "read_file", "{\"path\": \"README.md\"}"]).ok();
    assert!(read.stderr.contains("was interrupted; it has landed"), "{read:#?}");
    scene.cli.unattended();
    scene.is_whole("after the branch moved", &["status"]);
}

#[test]
fn a_push_that_surely_did_not_land_is_not_in_doubt_wherever_the_branch_is_now() {
    let scene = Scene::new();
    scene.cut_off(Moment::Begun);
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
    assert_eq!(scene.cli.run(&["settle"]).ok().stdout, "No push is in doubt\n");
    repo.is_sound();
}

#[test]
fn a_push_in_doubt_keeps_its_branch_until_the_person_has_looked() {
    let scene = Scene::new();
    scene.cut_off(Moment::Moved);
    let repo = scene.repo();
    // The person continues on another branch, as git advises: the killed process left a lock behind.
    fs::remove_file(repo.root().join(".git/index.lock")).unwrap();
    repo.git(&["reset", "--quiet", "--hard", "main~2"]);
    let own = repo.id("main");

    let status = scene.cli.run(&["status"]).ok();
    assert_eq!(status.stderr.matches("is in doubt").count(), 1, "it is told once: {status:#?}");
    // From there the push would be a fast-forward: only the doubt blocks it.
    let push = scene.cli.run(&scene.push()).exits(1);
    let error = push.stderr.split_once("error: ").expect("it ends with its error").1;
    assert!(error.contains("is in doubt") && error.contains("gitgate -s default settle main"), "{push:#?}");
    assert_eq!(repo.id("main"), own);
    scene.cli.run(&["push", &scene.id, "--to", "local:project#other", "--yes"]).ok();

    assert_eq!(scene.cli.run(&["settle", "no-such"]).ok().stdout, "No push is in doubt\n");
    let settled = scene.cli.run(&["settle", "main"]).ok();
    assert!(settled.stdout.starts_with("Settled the push of "), "{settled:#?}");
    assert_eq!(scene.cli.run(&["status"]).ok().stderr, "");
    assert_eq!(repo.id("main"), own);
    scene.cli.run(&scene.push()).ok();
    assert_eq!(repo.id("main"), scene.new);
    repo.is_sound();
}

#[test]
fn a_push_that_cannot_be_settled_says_what_is_in_the_way_and_ends_by_the_persons_word() {
    let scene = Scene::new();
    scene.cut_off(Moment::Moved);
    let repo = scene.repo();
    // Another git holds the index lock, or died with it.
    fs::write(repo.root().join(".git/index.lock"), "").unwrap();
    let status = scene.cli.run(&["status"]).ok();
    assert!(status.stderr.contains("was interrupted and cannot be settled yet: "), "{status:#?}");
    assert!(status.stderr.contains("index.lock"), "{status:#?}");
    scene.cli.call("write_file", &json!({ "path": "more.txt", "content": "more\n" })).ok();
    scene.cli.call("git_stage", &json!({ "files": ["more.txt"], "message": "More" })).ok();
    let refused = scene.cli.run(&["push", "--to", "local:project", "--yes"]).exits(1);
    let error = refused.stderr.split_once("error: ").expect("it ends with its error").1;
    assert!(error.contains("is not settled") && error.contains("gitgate -s default settle main"), "{refused:#?}");

    assert_eq!(scene.cli.run(&["settle"]).ok().stdout, "No push is in doubt\n", "its branch must be named");
    let settled = scene.cli.run(&["settle", "main"]).ok();
    assert!(settled.stdout.starts_with("Settled the push of "), "{settled:#?}");
    assert_eq!(scene.cli.run(&["status"]).ok().stderr, "");
    assert_eq!(repo.id("main"), scene.new);
    repo.is_sound();
}

/// The number of moments to test where a process may not be traced.
const SPREAD: usize = 30;

#[test]
fn a_signal_during_a_push_waits_for_its_end_and_nothing_is_begun_after_it() {
    let scene = Scene::new();
    scene.restore();
    let calls = [
        json!({ "tool": "git_push", "as": "user", "arguments": {
            "commitId": scene.id, "target": { "type": "local", "path": "project" } } }),
        json!({ "tool": "write_file", "arguments": { "path": "later.txt", "content": "" } }),
    ];
    let input = scene.cli.folder().join("calls");
    fs::write(&input, calls.map(|call| format!("{call}\n")).concat()).unwrap();
    let batch = || {
        let mut command = scene.cli.command(&["call", "--batch", "--as", "user", "--yes"]);
        command.env(trace::INPUT, &input);
        command
    };
    // A few moments all over the batch. Moments before the intent and after the landing differ, and both are checked.
    let moments = trace::run(batch(), None).map_or(SPREAD, |whole| whole.changes.len().div_ceil(6));
    scene.restore();
    let began = Instant::now();
    trace::untraced(batch()).output().unwrap();
    let whole = began.elapsed();
    let (mut interrupted, mut certain) = (0, 0);
    for n in 0..moments {
        scene.restore();
        let (code, surely) = match trace::run(batch(), Some((n * 6, Signal::SIGINT))) {
            // A push writes the outcome last. A signal well before that arrives before the next call. This takes time on a busy machine.
            Some(run) => (run.code, run.changes.iter().skip(n * 6 + 60).any(|change| change.contains("audit.log"))),
            None => (trace::run_blindly(batch(), whole.mul_f64(n as f64 / moments as f64), Signal::SIGINT), false),
        };
        let status = scene.cli.run(&["status"]);
        scene.is_before_or_after(&format!("interrupted at {n} of {moments}"), &status);
        let went_on = scene.cli.call("read_file", &json!({ "path": "later.txt" })).code == 0;
        interrupted += usize::from(code == Some(130));
        certain += usize::from(surely);
        assert!(!surely || (code == Some(130) && !went_on), "interrupted at {n} of {moments}: {code:?}");
        assert!(Moment::Moved.is_reached(&scene) || !went_on, "at {n} of {moments}: what came after was begun");
    }
    assert!(
        interrupted > 3 && (certain > 3 || moments == SPREAD),
        "{interrupted} of {moments} were interrupted, {certain} for sure"
    );
}
