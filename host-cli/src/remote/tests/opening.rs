//! Which repositories open, and under which name.

use std::fs;

use super::*;
use crate::remote::{Remotes, TargetErrorKind};

fn refused(text: &str) -> TargetErrorKind {
    let error = open(text).unwrap_err();
    assert!(error.hint.is_some(), "{error}");
    error.kind
}

#[test]
fn one_repository_has_one_name() {
    let scene = Scene::new(&["a=a\n"]);
    std::os::unix::fs::symlink(&scene.repo, scene.temp.path().join("link")).unwrap();
    let real = scene.repo.canonicalize().unwrap();
    for place in [scene.repo.clone(), scene.temp.path().join("link"), scene.repo.join("../repo/.git")] {
        let target = open(&format!("local:{}", place.display())).unwrap();
        assert_eq!(target.canonical().to_string(), format!("local:{}", real.display()));
    }
    let bare = Scene::bare(&["a=a\n"]);
    let target = open(&format!("bare:{}", bare.repo.display())).unwrap();
    assert_eq!(target.canonical().to_string(), format!("bare:{}", bare.repo.canonicalize().unwrap().display()));
}

#[test]
fn a_linked_worktree_is_its_repository_with_a_head_of_its_own() {
    let scene = Scene::new(&["a=a\n"]);
    let linked = scene.temp.path().join("linked");
    scene.git(&["worktree", "add", "-q", "-b", "side", linked.to_str().unwrap()]);
    let target = open(&format!("local:{}", linked.display())).unwrap();
    assert_eq!(target.canonical(), scene.target().canonical());
    assert_eq!(target.branch().unwrap().unwrap().branch(), "side");
    assert_eq!(target.refs(Remotes::Without).unwrap().head.as_deref(), Some("refs/heads/side"));
    assert_eq!(scene.target().refs(Remotes::Without).unwrap().head.as_deref(), Some("refs/heads/main"));

    git(&linked, &["checkout", "-q", "--detach"]);
    assert_eq!(target.branch().unwrap(), None);
    let commit = scene.git(&["rev-parse", "HEAD"]);
    let detached = target.refs(Remotes::Without).unwrap().detached.map(|id| id.to_string());
    assert_eq!(detached.as_deref(), Some(commit.trim()));
    assert_eq!(scene.target().branch().unwrap().unwrap().branch(), "main");
}

#[test]
fn what_cannot_be_opened_says_why() {
    let scene = Scene::new(&["a=a\n"]);
    let temp = scene.temp.path();
    assert_eq!(refused(&format!("local:{}", temp.display())), TargetErrorKind::NotARepository);
    assert_eq!(refused(&format!("local:{}/nowhere", temp.display())), TargetErrorKind::NotARepository);
    assert_eq!(refused(&format!("bare:{}", scene.repo.display())), TargetErrorKind::BadSpec);
    assert_eq!(refused(&format!("local:{}", Scene::bare(&["a=a\n"]).repo.display())), TargetErrorKind::NotARepository);
    let bare = Scene::bare(&["a=a\n"]);
    assert_eq!(refused(&format!("local:{}", bare.repo.display())), TargetErrorKind::BadSpec);

    for (format, args) in [("sha256", ["--object-format=sha256"]), ("reftable", ["--ref-format=reftable"])] {
        git(temp, &["init", "-q", args[0], format]);
        assert_eq!(refused(&format!("local:{}/{format}", temp.display())), TargetErrorKind::Unsupported, "{format}");
    }
    scene.git(&["config", "remote.origin.promisor", "true"]);
    assert_eq!(refused(&format!("local:{}", scene.repo.display())), TargetErrorKind::Unsupported);
    fs::write(scene.repo.join(".git/config"), "[broken").unwrap();
    assert_eq!(refused(&format!("local:{}", scene.repo.display())), TargetErrorKind::Damaged);
    fs::remove_file(scene.repo.join(".git/config")).unwrap();
    fs::remove_file(scene.repo.join(".git/HEAD")).unwrap();
    assert_eq!(refused(&format!("local:{}", scene.repo.display())), TargetErrorKind::Damaged);
}

#[test]
fn a_repository_of_another_user_is_not_believed() {
    let scene = Scene::new(&["a=a\n"]);
    // Only the superuser can give a folder away; for everybody else a folder of the superuser's stands in.
    if std::os::unix::fs::chown(scene.repo.join(".git"), Some(12345), None).is_ok() {
        std::os::unix::fs::chown(&scene.repo, Some(12345), None).unwrap();
        assert_eq!(refused(&format!("local:{}", scene.repo.display())), TargetErrorKind::Untrusted);
    } else {
        assert!(gix::sec::identity::is_path_owned_by_current_user(Path::new("/")).is_ok_and(|owned| !owned));
    }
}

#[test]
fn the_environment_changes_nothing() {
    // Includes lead elsewhere, and a repository's own configuration is data, not instructions.
    let scene = Scene::new(&["a=a\n"]);
    fs::write(scene.temp.path().join("other"), "[extensions]\n\tpartialClone = x\n").unwrap();
    scene.git(&["config", "include.path", "../../other"]);
    assert!(open(&format!("local:{}", scene.repo.display())).is_ok());
}
