//! Landings of many files: they wait for the disk together, and are as safe as those of a few.

use std::cell::Cell;

use rustix::io::Errno;

use super::crash::until_it;
use super::support::*;
use crate::remote::land::disk::Disk;
use crate::remote::land::execute::execute;
use crate::remote::land::recover::recover;
use crate::remote::{LandError, Recovered};

const FILES: usize = 200;

/// A checked-out branch with many files, and a push that changes half of them and brings as many.
fn scene() -> (Scene, Push) {
    let files = |numbers: std::ops::Range<usize>, content: &str| -> Vec<String> {
        numbers.map(|n| format!("part{}/{n:03}={content} {n}\n", n % 4)).collect()
    };
    let edit = |files: &[String]| Scene::new(&files.iter().map(String::as_str).collect::<Vec<_>>());
    let scene = edit(&files(0..FILES, "old"));
    let changed = files(FILES / 2..FILES + FILES / 2, "new");
    let push = scene.push("main", &changed.iter().map(String::as_str).collect::<Vec<_>>());
    (scene, push)
}

/// Lands with a disk on which `step` fails so, and gives how often it was asked to make something durable.
fn land(scene: &Scene, push: &Push, step: &str, error: Errno) -> (Result<(), LandError>, usize) {
    let waits = Cell::new(0);
    let hook = |now: &'static str| {
        waits.set(waits.get() + usize::from(["fsync", "sync", "syncfs"].contains(&now)));
        if now == step { Err(error) } else { Ok(()) }
    };
    let plan = scene.plan(push).unwrap();
    let landed = execute(&Disk::watched(&hook), &scene.target(), &push.pack, &plan);
    (landed.map(drop), waits.get())
}

#[test]
#[cfg(any(target_os = "linux", target_os = "android"))]
fn many_files_wait_for_the_disk_together() {
    let (scene, push) = scene();
    let (landed, waits) = land(&scene, &push, "", Errno::IO);
    landed.unwrap();
    scene.assert_landed(&push, "");
    assert!(waits < 50, "it waited {waits} times");
}

#[test]
#[cfg(any(target_os = "linux", target_os = "android"))]
fn where_the_system_cannot_wait_for_all_at_once_each_file_waits() {
    let (scene, push) = scene();
    let (landed, waits) = land(&scene, &push, "syncfs", Errno::NOSYS);
    landed.unwrap();
    scene.assert_landed(&push, "");
    assert!(waits >= FILES, "it waited {waits} times");
}

#[test]
#[cfg(any(target_os = "linux", target_os = "android"))]
fn a_disk_that_does_not_take_the_new_content_undoes_the_landing() {
    let (scene, push) = scene();
    let before = snapshot(&scene.repo.join("part0"));
    let (landed, _) = land(&scene, &push, "syncfs", Errno::IO);
    assert!(matches!(landed, Err(LandError::Failed(_))), "{landed:?}");
    assert_eq!(snapshot(&scene.repo.join("part0")), before);
    assert_eq!(scene.git(&["rev-parse", "main"]).trim(), push.old.unwrap().to_string());
    assert_sound(&scene.repo);
}

#[test]
fn a_landing_of_many_files_cut_off_in_the_middle_is_finished() {
    for (step, nth, state) in [
        ("create", FILES / 2, Recovered::NotLanded),
        ("rename", FILES / 2, Recovered::Landed),
        ("sync", 6, Recovered::Landed),
    ] {
        let (scene, push) = scene();
        let plan = scene.plan(&push).unwrap();
        let seen = Cell::new(0);
        // What is synced before the branch moves is another matter.
        let moved = || step != "sync" || push.new == *scene.git(&["rev-parse", "main"]).trim();
        let dies = |now: &'static str| now == step && moved() && seen.replace(seen.get() + 1) == nth;
        assert!(until_it(dies, |disk| execute(disk, &scene.target(), &push.pack, &plan)).is_none(), "{step}");
        let observed = gix::ObjectId::from_hex(scene.git(&["rev-parse", "main"]).trim().as_bytes()).unwrap();
        let report = recover(&Disk::new(), &scene.target(), &plan, Some(observed)).unwrap();
        assert_eq!(report.state, state, "{step}");
        match state {
            Recovered::Landed => scene.assert_landed(&push, ""),
            _ => assert_sound(&scene.repo),
        }
    }
}
