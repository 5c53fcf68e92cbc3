//! Landings that fail and are undone, and the proof that they leave when they are cut off.

use super::crash::{Original, state, until};
use super::support::*;
use crate::remote::land::disk::Disk;
use crate::remote::land::execute::execute;
use crate::remote::land::recover::recover;
use crate::remote::{LandError, Recovered};
use std::fs;

#[test]
fn an_empty_folder_makes_way_for_a_log() {
    for log in ["refs/heads/main", "HEAD"] {
        let scene = Scene::new(&["a=a\n"]);
        let log = scene.repo.join(".git/logs").join(log);
        fs::remove_file(&log).unwrap();
        fs::create_dir_all(log.join("empty/deep")).unwrap();
        let push = scene.push("main", &["a=b\n"]);
        scene.land(&push).unwrap();
        scene.assert_landed(&push, "");
        assert!(fs::read_to_string(&log).unwrap().ends_with("gitgate: push\n"));
    }
}

#[test]
fn a_log_that_cannot_be_written_undoes_the_landing() {
    for log in ["refs/heads/main", "HEAD"] {
        let scene = Scene::new(&["a=a\n"]);
        let log = scene.repo.join(".git/logs").join(log);
        fs::remove_file(&log).unwrap();
        fs::create_dir_all(&log).unwrap();
        fs::write(log.join("file"), "x").unwrap();
        let push = scene.push("main", &["a=b\n"]);
        let before = state(&scene.repo);
        assert!(matches!(scene.land(&push), Err(LandError::Failed(_))));
        assert_eq!(state(&scene.repo), before);
    }
}

#[test]
fn an_undo_that_fails_gives_up_the_locks_and_is_finished_by_recovery() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n"]);
    let plan = scene.plan(&push).unwrap();
    let before = state(&scene.repo);
    let log = scene.repo.join(".git/logs/HEAD");
    let half_written = scene.repo.join(format!(".git/objects/tmp_obj_gitgate_{}", plan.nonce));
    let aside = scene.temp.path().join("log");
    // Once the objects are written, what is in the way of the logs and of cleaning up comes to be.
    let hook = |step: &'static str| {
        if step == "append" && !half_written.exists() {
            fs::rename(&log, &aside).unwrap();
            fs::create_dir_all(log.join("taken")).unwrap();
            fs::write(log.join("taken/file"), "").unwrap();
            fs::create_dir(&half_written).unwrap();
        }
        Ok(())
    };
    let result = execute(&Disk::watched(&hook), &scene.target(), &push.pack, &plan);
    assert!(matches!(result, Err(LandError::Unfinished { landed: false, .. })), "{result:?}");
    assert!(!scene.repo.join(".git/index.lock").exists() && !scene.repo.join(".git/refs/heads/main.lock").exists());

    let again = recover(&Disk::new(), &scene.target(), &plan, push.old);
    assert!(again.is_err(), "what is in the way is still there");
    fs::remove_dir(&half_written).unwrap();
    fs::remove_dir_all(&log).unwrap();
    fs::rename(&aside, &log).unwrap();
    let report = recover(&Disk::new(), &scene.target(), &plan, push.old).unwrap();
    assert_eq!(report.state, Recovered::NotLanded);
    assert_eq!(state(&scene.repo), before);
}

/// After a landing was cut off, the person moves the branch where neither end of the push has it.
#[test]
fn a_landing_that_surely_did_not_move_the_branch_is_not_in_doubt() {
    let mut proven = 0;
    for original in Original::all().into_iter().filter(|original| original.push.old.is_some()).take(2) {
        let plan = original.scene.plan(&original.push).unwrap();
        let repo = original.scene.repo.clone();
        let tree = git(&repo, &["rev-parse", &format!("{}^{{tree}}", original.push.reference)]);
        let person = git(&repo, &["commit-tree", tree.trim(), "-m", "person"]);
        let person = person.trim();
        let id = gix::ObjectId::from_hex(person.as_bytes()).unwrap();
        let git_dir = if repo.join(".git").exists() { repo.join(".git") } else { repo.clone() };
        let branch = git_dir.join(&original.push.reference);
        let lock = branch.with_extension("lock");
        for at in 0.. {
            // The branch is moved by a program that knows of no lock, or by git once the person removed the lock; recovery
            // runs through, or is cut off and called again. By turns, as every run makes all durable.
            let (remove_lock, cut) = if at % 3 == 0 { (false, usize::MAX) } else { (at % 2 == 1, at % 11) };
            original.reset();
            let target = original.target();
            let done = until(at, |disk| execute(disk, &target, &original.push.pack, &plan).unwrap()).is_some();
            let landed = original.tip() == Some(original.push.new);
            let begun = has_own_folder(&git_dir);
            let removed = remove_lock && lock.exists();
            if removed {
                fs::remove_file(&lock).unwrap();
            }
            fs::write(&branch, format!("{person}\n")).unwrap();

            let report = until(cut, |disk| recover(disk, &target, &plan, Some(id)).unwrap());
            let over = report.is_none() && !has_own_folder(&git_dir);
            let report = report.unwrap_or_else(|| recover(&Disk::new(), &target, &plan, Some(id)).unwrap());
            if landed || !begun {
                assert_eq!(report.state, Recovered::InDoubt, "cut off at {at}");
            } else if !removed && !over {
                assert_eq!(report.state, Recovered::NotLanded, "cut off at {at}, and again at {cut}");
                proven += 1;
            }
            assert_nothing_left(&repo);
            assert_eq!(fs::read_to_string(&branch).unwrap(), format!("{person}\n"));
            if done {
                break;
            }
        }
    }
    assert!(proven > 25, "only {proven} times");
}

fn has_own_folder(git_dir: &std::path::Path) -> bool {
    let name = gate::id::Nonce::from_random(*b"0123456789abcdef").to_string();
    snapshot(git_dir).keys().any(|path| path.ends_with(&format!("gitgate/{name}")))
}
