//! Steps that make branches with their upstreams, configuration and logs, and steps that make broken refs.

use std::fs;

use super::words::pick;
use super::{BRANCHES, Scene, operations};

/// A random change of a branch.
pub fn change(scene: &mut Scene) {
    let branch = pick(&mut scene.random, BRANCHES);
    let other = pick(&mut scene.random, &["main", "side", "topic/one", "f"]);
    match scene.random.usize(..16) {
        0 | 1 => remote(scene),
        2..=4 => section(scene, branch),
        5 => scene.git(&["pack-refs", "--all"]),
        6 | 7 => moved(scene, branch),
        8 => scene.git(&["symbolic-ref", &format!("refs/heads/{branch}"), &format!("refs/heads/{other}")]),
        9 => scene.git(&["checkout", "--quiet", branch, "--"]),
        10 => scene.git(&[
            "branch",
            "--quiet",
            &format!("{branch}/{}", pick(&mut scene.random.clone(), &["x", "y/z", "日本"])),
        ]),
        11 => {
            let value = pick(&mut scene.random, &["false", "always", "true"]);
            scene.configure(&format!("[core]\n\tlogAllRefUpdates = {value}\n"));
        }
        12 => by_hand(scene, branch),
        13 => left_over(scene, branch),
        14 => scene.git(&["update-ref", &format!("refs/tags/{other}"), "HEAD~1"]),
        _ => like_an_id(scene),
    }
}

/// An operation that returns to the branch where it began.
pub fn operation(scene: &mut Scene) {
    match scene.random.bool() {
        true => operations::begin(scene),
        false => operations::by_hand(scene),
    }
}

/// A remote and some of its branches. Sometimes its refspec has an unusual destination.
fn remote(scene: &mut Scene) {
    let name = pick(&mut scene.random, &["up", "origin", "a.b"]);
    let refspec = match scene.random.usize(..12) {
        0 => "+refs/*:refs/*".to_owned(),
        1 => "+refs/heads/main:refs/remotes/up/main".to_owned(),
        2 => format!("refs/heads/*:refs/remotes/{name}/*\n\tfetch = ^refs/heads/side"),
        _ => format!("+refs/heads/*:refs/remotes/{name}/*"),
    };
    scene.configure(&format!("[remote \"{name}\"]\n\turl = elsewhere\n\tfetch = {refspec}\n"));
    for branch in ["main", "side", "topic/one"] {
        let from = pick(&mut scene.random, &["HEAD", "HEAD~1", "side", "nowhere"]);
        scene.git(&["update-ref", &format!("refs/remotes/{name}/{branch}"), from]);
    }
    if scene.random.bool() {
        scene.git(&["symbolic-ref", &format!("refs/remotes/{name}/HEAD"), &format!("refs/remotes/{name}/main")]);
    }
}

/// The configuration section of a branch, in a spelling that people use.
fn section(scene: &mut Scene, branch: &str) {
    let branch = if scene.random.bool() { "main" } else { branch };
    let header = match scene.random.usize(..9) {
        0 => format!("  [branch  \"{branch}\"] ; why\n"),
        1 => format!("[branch \"{branch}\"] rebase = true\n"),
        // This form allows no slash in a name.
        2 => format!("[branch.{}]\n", branch.replace('/', "")),
        3 => format!("[Branch \"{branch}\"]\n"),
        4 => format!("# of {branch}\n[branch \"{branch}\"]\n\tdescription = \"some [words]\"\n"),
        _ => format!("[branch \"{branch}\"]\n"),
    };
    let remote = pick(&mut scene.random, &["origin", "up", ".", "nowhere", "\"a.b\""]);
    let merge =
        pick(&mut scene.random, &["refs/heads/main", "refs/heads/side", "refs/heads/gone", "main", "refs/tags/v1"]);
    let lines = match scene.random.usize(..6) {
        0 => format!("merge = {merge}\n\n# a comment\n  remote={remote}\n"),
        1 => format!("\tremote = {remote}\n\tmerge = {merge}\n\tmerge = refs/heads/main\n"),
        2 => "\t; nothing\n".to_owned(),
        _ => format!("\tremote = {remote}\n\tmerge = {merge}\n"),
    };
    scene.configure(&format!("{header}{lines}"));
}

/// Moves a branch ahead, behind or aside.
fn moved(scene: &mut Scene, branch: &str) {
    let full = format!("refs/heads/{branch}");
    let from = pick(&mut scene.random, &["HEAD", "HEAD~1", "HEAD~2", "main", "side"]);
    let id = match scene.random.bool() {
        true => scene.output(&["commit-tree", "-p", from, "-m", "of its own", &format!("{from}^{{tree}}")]),
        false => scene.output(&["rev-parse", "--verify", "--quiet", from]),
    };
    let current = scene.output(&["symbolic-ref", "--quiet", "HEAD"]);
    if current.trim_end() != full {
        scene.git(&["update-ref", "-m", "moved  here", &full, id.trim_end()]);
    }
}

/// Writes the file of a ref in a form that git does not write.
fn by_hand(scene: &mut Scene, branch: &str) {
    let id = scene.output(&["rev-parse", "--verify", "--quiet", "HEAD"]);
    let content = match scene.random.usize(..8) {
        0 => "nonsense\n".to_owned(),
        1 => format!("{}x\n", id.trim_end()),
        2 => "1".repeat(40) + "\n",
        3 => scene.output(&["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]),
        4 => scene.output(&["rev-parse", "--verify", "--quiet", "refs/tags/v1"]),
        5 => format!("{} \n\n", id.trim_end()),
        6 => String::new(),
        _ => "ref:refs/heads/nowhere".to_owned(),
    };
    let is_dangling = content.starts_with("ref:");
    let name = match scene.random.usize(..6) {
        0 => "x..y".to_owned(),
        1 => "-x".to_owned(),
        // git looks HEAD up as a branch many times, and warns each time.
        2 if !is_dangling => "HEAD".to_owned(),
        _ => format!("{branch}-by-hand"),
    };
    let path = scene.sandbox.real(".git/refs/heads").join(name);
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the branch is no file");
    fs::write(path, content).expect("no folder has such a name");
}

/// Leaves the remains of an interrupted process: empty folders, a log without a branch, or a lock.
fn left_over(scene: &mut Scene, branch: &str) {
    let git = scene.sandbox.real(".git");
    let name = pick(&mut scene.random, &["new", "topic", "other"]);
    match scene.random.usize(..5) {
        0 => drop(fs::create_dir_all(git.join(format!("refs/heads/{name}/a/b")))),
        1 => drop(fs::create_dir_all(git.join(format!("logs/refs/heads/{name}/a/b")))),
        2 => {
            let _ = fs::create_dir_all(git.join(format!("logs/refs/heads/{name}")));
            let _ = fs::write(git.join(format!("logs/refs/heads/{name}/a")), "");
        }
        3 => {
            let _ = fs::create_dir_all(git.join("logs/refs/heads"));
            let _ = fs::write(git.join(format!("logs/refs/heads/{name}")), "");
        }
        _ => {
            let file = git.join(format!("refs/heads/{branch}.lock"));
            let _ = fs::create_dir_all(file.parent().expect("it is in a folder"));
            let _ = fs::write(file, "");
        }
    }
}

/// Creates a branch with the name of a commit id.
fn like_an_id(scene: &mut Scene) {
    let id = scene.output(&["rev-parse", "--verify", "--quiet", "HEAD"]);
    let digits = pick(&mut scene.random, &[5, 7, 40]);
    if id.len() > 40 {
        scene.git(&["branch", "--quiet", "--", &id[..digits]]);
        scene.git(&["update-ref", &format!("refs/heads/{}", &id[..digits]), "HEAD"]);
    }
}
