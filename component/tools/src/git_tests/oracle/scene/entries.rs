//! Steps that change the index.

use std::fs;

use super::words::{self, pick};
use super::{Scene, history};

/// A random change of the index.
pub fn change(scene: &mut Scene) {
    let Some(path) = scene.some_existing() else {
        return;
    };
    match scene.random.usize(..9) {
        0..=3 => scene.git(&["add", "--", &path]),
        4 => scene.git(&["rm", "--quiet", "-r", "--cached", "--", &path]),
        5 => scene.git(&["add", "-A"]),
        6 => scene.git(&["add", "-N", "--", &path]),
        7 => scene.git(&["update-index", "--skip-worktree", &path]),
        _ => scene.git(&["update-index", "--assume-unchanged", &path]),
    }
}

/// Unmerged paths with all seven sets of stages, with a file in their place or without.
pub fn unmerged(scene: &mut Scene) {
    let blobs: Vec<String> = (0..3)
        .map(|_| {
            let text = words::text(&mut scene.random);
            fs::write(scene.sandbox.real("../blob"), text).unwrap();
            scene.output(&["hash-object", "-w", "../blob"]).trim_end().to_owned()
        })
        .collect();
    let mut lines = String::new();
    for _ in 0..scene.random.usize(1..4) {
        let path = scene.path();
        if path.contains(['\n', '\t', '"']) {
            continue;
        }
        lines.push_str(&format!("0 {} 0\t{path}\n", "0".repeat(40)));
        let shape = scene.random.usize(1..8);
        for (stage, blob) in (1..=3).zip(&blobs) {
            if shape & (1 << (stage - 1)) != 0 {
                let mode = pick(&mut scene.random, &["100644", "100644", "100644", "100755"]);
                lines.push_str(&format!("{mode} {blob} {stage}\t{path}\n"));
            }
        }
        if scene.random.bool() {
            let text = words::text(&mut scene.random);
            scene.put(&path, &text);
        }
    }
    scene.feed(&["update-index", "--index-info"], lines.as_bytes());
}

/// An index entry for a submodule, and a folder that is not its repository.
pub fn populated_submodule(scene: &mut Scene) {
    let path = pick(&mut scene.random, super::SUBMODULES);
    let info = format!("160000,{},{path}", history::SUBMODULE_AT);
    scene.git(&["update-index", "--add", "--cacheinfo", &info]);
    // git does not look into a folder that is not a repository.
    scene.put(&format!("{path}/inside"), b"in a submodule\n");
}

/// Gives all files the same old time, and returns that time.
pub fn age(scene: &Scene) -> std::time::SystemTime {
    let then = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    for path in scene.existing() {
        let real = scene.sandbox.real(&path);
        if real.symlink_metadata().is_ok_and(|found| found.is_file()) {
            fs::File::options().append(true).open(real).unwrap().set_modified(then).unwrap();
        }
    }
    then
}

/// Makes files and index older than today, as after a checkout yesterday.
pub fn settled(scene: &mut Scene) {
    let then = age(scene);
    scene.git(&["update-index", "-q", "--refresh"]);
    if let Ok(index) = fs::File::options().append(true).open(scene.sandbox.real(".git/index")) {
        index.set_modified(then + std::time::Duration::from_secs(100)).unwrap();
    }
}
