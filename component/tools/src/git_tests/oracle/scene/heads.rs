//! Steps that set HEAD, upstreams and configuration.

use std::fs;
use std::io::Write;

use super::Scene;
use super::words::pick;

impl Scene {
    /// Adds lines to the repository's configuration.
    pub fn configure(&mut self, lines: &str) {
        let path = self.sandbox.real(".git/config");
        let mut file = fs::File::options().append(true).open(path).unwrap();
        file.write_all(lines.as_bytes()).unwrap();
        self.sandbox.session.forget();
    }
}

/// Moves HEAD to another branch, detaches it, or makes it unborn.
pub fn head(scene: &mut Scene) {
    match scene.random.usize(..9) {
        0 => scene.git(&["checkout", "--quiet", "--detach", "HEAD~1"]),
        1 => scene.git(&["checkout", "--quiet", "HEAD~0"]),
        2 => {
            let tag = pick(&mut scene.random, super::TAGS);
            scene.git(&["checkout", "--quiet", &format!("tags/{tag}"), "--"]);
        }
        3 => {
            let tag = pick(&mut scene.random, super::TAGS);
            scene.git(&["checkout", "--quiet", tag, "--"]);
        }
        4 => {
            let id = scene.output(&["rev-parse", "--short", "HEAD~1"]);
            scene.git(&["checkout", "--quiet", id.trim_end()]);
        }
        5 => {
            let branch = pick(&mut scene.random, super::BRANCHES);
            scene.git(&["checkout", "--quiet", "--detach", branch, "--"]);
        }
        6 => scene.git(&["checkout", "--quiet", "origin/main"]),
        7 => {
            let branch = pick(&mut scene.random, super::BRANCHES);
            scene.git(&["checkout", "--quiet", branch, "--"]);
        }
        _ => scene.git(&["symbolic-ref", "HEAD", "refs/heads/unborn/branch"]),
    }
    if scene.random.usize(..3) == 0 {
        match scene.random.bool() {
            true => scene.git(&["commit", "--quiet", "--allow-empty", "-m", "moved"]),
            false => scene.git(&["reset", "--quiet", "--soft", "HEAD~1"]),
        }
    }
}

/// An upstream of HEAD's branch, with its configuration: equal, ahead, behind, diverged or gone.
pub fn upstream(scene: &mut Scene) {
    scene.configure("[remote \"origin\"]\n\turl = elsewhere\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n");
    let branch = scene.output(&["symbolic-ref", "--short", "HEAD"]);
    let branch = branch.trim_end();
    let tracking = format!("refs/remotes/origin/{branch}");
    match scene.random.usize(..8) {
        0 => scene.git(&["update-ref", &tracking, "HEAD"]),
        1 => scene.git(&["update-ref", &tracking, "HEAD~1"]),
        2 => scene.git(&["update-ref", &tracking, "HEAD~3"]),
        3 | 4 => {
            let id = scene.output(&["commit-tree", "-p", "HEAD~1", "-m", "theirs", "HEAD^{tree}"]);
            scene.git(&["update-ref", &tracking, id.trim_end()]);
            if scene.random.bool() {
                scene.git(&["branch", "--quiet", &format!("origin/{branch}")]);
            }
        }
        5 => {
            let id = scene.output(&["commit-tree", "-p", "HEAD", "-m", "theirs", "HEAD^{tree}"]);
            scene.git(&["update-ref", &tracking, id.trim_end()]);
        }
        6 => {
            let other = pick(&mut scene.random, super::BRANCHES);
            scene.configure(&format!("[branch \"{branch}\"]\n\tremote = .\n\tmerge = refs/heads/{other}\n"));
            return;
        }
        _ => {}
    }
    if scene.random.usize(..6) > 0 {
        scene.configure(&format!("[branch \"{branch}\"]\n\tremote = origin\n\tmerge = refs/heads/{branch}\n"));
    }
    if scene.random.usize(..3) == 0 {
        scene.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    }
}

/// Configuration that changes the output.
pub fn settings(scene: &mut Scene) {
    match scene.random.usize(..6) {
        2 if !scene.converts => {}
        0 | 1 => {
            scene.configure("[core]\n\tsparseCheckout = true\n");
            if let Some(path) = scene.some_existing() {
                scene.git(&["update-index", "--skip-worktree", &path]);
                if scene.random.bool() {
                    // Removing a folder fails, which is a valid case too.
                    let _ = fs::remove_file(scene.sandbox.real(&path));
                }
            }
        }
        2 => {
            let value = pick(&mut scene.random, &["true", "input"]);
            scene.configure(&format!("[core]\n\tautocrlf = {value}\n"));
        }
        3 => scene.configure("[core]\n\tfileMode = false\n"),
        4 => scene.git(&["gc", "--quiet"]),
        _ => scene.git(&["pack-refs", "--all"]),
    }
}

/// A history with a shallow boundary.
pub fn shallow(scene: &mut Scene) {
    let id = scene.output(&["rev-parse", "--verify", "--quiet", "HEAD~1"]);
    if !id.is_empty() {
        fs::write(scene.sandbox.real(".git/shallow"), id).unwrap();
    }
}

/// A stash.
pub fn stash(scene: &mut Scene) {
    if let Some(path) = scene.some_existing() {
        scene.put(&path, b"to be stashed\n");
        scene.git(&["stash", "push", "--quiet", "-m", "put away"]);
    }
}
