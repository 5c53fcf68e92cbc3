//! Opening, listing and supplying, with git as the oracle.

mod bundles;
mod fetching;
mod naming;
mod opening;
mod refs_and_objects;
mod supplying;

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroU32;
use std::path::Path;

use super::land::support::{Scene, edit, git};
use super::supply::Supplied;
use super::{Target, TargetError, TargetSpec};

fn open(text: &str) -> Result<Target, TargetError> {
    Target::open(&TargetSpec::parse(text).unwrap(), Path::new("/"))
}

/// The supply has just what git says is reachable, and git indexes its pack.
fn assert_whole(repo: &Path, supplied: &Supplied) {
    let listed = git(repo, &["rev-list", "--objects", "--all", "HEAD", "--"]);
    let expected: BTreeSet<&str> = listed.lines().map(|line| &line[..40]).collect();
    let found: BTreeSet<String> = supplied.supply.verified.ids().map(|id| id.to_string()).collect();
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
    let file = tempfile::Builder::new().suffix(".pack").tempfile().unwrap();
    fs::write(file.path(), supplied.supply.verified.bytes()).unwrap();
    git(Path::new("/"), &["index-pack", file.path().to_str().unwrap()]);
    fs::remove_file(file.path().with_extension("idx")).unwrap();
    let _ = fs::remove_file(file.path().with_extension("rev"));
}

/// Loose objects, several packs, tags of every kind, remote-tracking refs, a detached HEAD, garbage.
fn rich() -> Scene {
    let scene = Scene::new(&["a=a\n", "d/b=b\n"]);
    scene.git(&["repack", "-q", "-d"]);
    for n in 0..5 {
        edit(&scene.repo, &[&format!("a={}\n", "line\n".repeat(50 + n)), &format!("d/{n}=x\n")]);
        scene.git(&["add", "-A"]);
        scene.git(&["commit", "-q", "-m", "more"]);
    }
    scene.git(&["repack", "-q", "-d"]);
    scene.git(&["tag", "-a", "-m", "t", "heavy"]);
    scene.git(&["tag", "-a", "-m", "t", "tree", "HEAD^{tree}"]);
    scene.git(&["tag", "blob", "HEAD:a"]);
    scene.git(&["update-ref", "refs/remotes/origin/x", "HEAD~3"]);
    edit(&scene.repo, &["only/remote=r\n"]);
    scene.git(&["add", "-A"]);
    scene.git(&["commit", "-q", "-m", "remote"]);
    scene.git(&["update-ref", "refs/remotes/origin/y", "HEAD"]);
    scene.git(&["reset", "-q", "--hard", "HEAD~1"]);
    edit(&scene.repo, &["garbage=never committed\n"]);
    scene.git(&["add", "garbage"]);
    scene
}
