//! What the benchmark measures of a large review: 20,000 lines in 5,000 files.

use std::time::{Duration, Instant};

use super::Desk;
use crate::review::highlight;
use crate::support::Repo;
use crate::support::pushing::Scene;

const FILES: usize = 5_000;

fn large() -> Scene {
    let repo = Repo::new();
    let lines = |file: usize| (0..40).map(move |line| format!("    let value_{line} = compute({file}, {line});\n"));
    let path = |file: usize| format!("src/area{}/part{}/file{file}.rs", file % 20, file % 7);
    for file in 0..FILES {
        repo.write(&path(file), lines(file).collect::<String>());
    }
    repo.commit("base");
    let scene = Scene::of(repo);
    for file in 0..FILES {
        let changed = lines(file).enumerate().map(|(at, line)| match at {
            5 | 30 => line.replace("compute", "compute_all"),
            _ => line,
        });
        scene.repo.write(&path(file), changed.collect::<String>());
    }
    scene.repo.commit("work");
    scene
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Prints what `cargo xtask bench` reads: it asserts nothing, because a busy machine is no fault of the code.
#[test]
#[ignore = "the benchmark runs it"]
fn a_large_review_in_figures() {
    let scene = large();
    let review = scene.review("topic");
    highlight::prepare();
    let resident = resident();
    let began = Instant::now();
    let mut desk = Desk::of(&review, (200, 60));
    let rows = desk.screen.rows();
    let first = began.elapsed();
    assert_eq!(rows.len(), 60);
    let mut keys: Vec<Duration> = Vec::new();
    let pressed =
        ["}", "j", " ", "]", "[", "n", "z", "z", "\t", "j", "\t", "s", "s", "G", "g", "}", "x", "u", "w", "w"];
    for key in pressed.iter().cycle().take(2_000) {
        let began = Instant::now();
        desk.keys(key);
        let rows = desk.screen.rows();
        keys.push(began.elapsed());
        assert_eq!(rows.len(), 60);
        desk.screen.colour();
    }
    keys.sort_unstable();
    let p95 = keys[keys.len() * 95 / 100];
    let rise = self::resident().saturating_sub(resident);
    println!(
        "review: {FILES} files: first screen {:.1} ms, a key {:.2} ms at the 95th percentile and {:.1} ms at most, {:.0} MB",
        millis(first),
        millis(p95),
        millis(*keys.last().expect("keys were pressed")),
        rise as f64 / 1e6
    );
}

/// Bytes of memory that the process has, where the system tells it.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().map_or(0, |kilobytes| kilobytes * 1024)
}
