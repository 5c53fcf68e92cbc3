//! Repositories that lie on the disk in other ways than `git init` makes them: git finds their worktrees, and so must a
//! landing, or the branch moves and the next commit of the person takes the push back.

use super::support::*;
use crate::remote::{Target, TargetErrorKind, TargetSpec};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The same repository under each of these names, and a push to it ends in its worktree.
fn assert_lands(scene: &Scene, names: &[&str]) {
    let open = |name: &str| {
        let spec = TargetSpec::parse(&format!("local:{name}")).unwrap();
        Target::open(&spec, scene.temp.path()).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let canonical = scene.target().canonical().clone();
    assert_eq!(open(canonical.location()).canonical(), &canonical);
    for (n, name) in names.iter().enumerate() {
        let target = open(name);
        assert_eq!(target.canonical(), &canonical, "{name}");
        let push = scene.push("main", &[&format!("a={n}\n"), &format!("n{n}=n\n")]);
        let plan = plan(&target, &push).unwrap();
        let landed = super::super::execute::execute(&super::super::disk::Disk::new(), &target, &push.pack, &plan);
        assert_eq!(landed.unwrap().updated, ["a".to_owned(), format!("n{n}")], "{name}");
        scene.assert_landed(&push, "");
        assert_eq!(scene.git(&["reflog", "-1", "--format=%gs", "HEAD"]), "gitgate: push\n");
    }
}

fn move_git_folder(scene: &Scene, to: &str) {
    let to = scene.temp.path().join(to);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::rename(scene.repo.join(".git"), to).unwrap();
}

#[test]
fn a_separate_git_folder_belongs_to_the_worktree_that_leads_to_it() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["init", "-q", "--separate-git-dir", "../sep.git"]);
    assert_lands(&scene, &["repo", "repo/.git"]);

    // From the git folder, or from a linked worktree, nothing leads to the main one.
    scene.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    for name in ["sep.git", "linked"] {
        let spec = TargetSpec::parse(&format!("local:{name}")).unwrap();
        let error = Target::open(&spec, scene.temp.path()).unwrap_err();
        assert_eq!(error.kind, TargetErrorKind::Unsupported, "{error}");
        assert!(error.hint.is_some());
    }
    let push = scene.push("side", &["a=b\n"]);
    scene.land(&push).unwrap();
    assert_landed(&scene.temp.path().join("linked"), &push, "");
}

#[test]
fn a_git_folder_may_be_a_link() {
    for to in ["real.git", "elsewhere/.git"] {
        let scene = Scene::new(&["a=a\n"]);
        move_git_folder(&scene, to);
        symlink(scene.temp.path().join(to), scene.repo.join(".git")).unwrap();
        assert_lands(&scene, &["repo", "repo/.git"]);
    }
}

#[test]
fn a_configured_worktree_is_where_the_configuration_says() {
    for (worktree, name) in [("../../repo", "place"), ("../../repo", "place/.git")] {
        let mut scene = Scene::new(&["a=a\n"]);
        move_git_folder(&scene, "place/.git");
        scene.repo = scene.temp.path().join("place");
        scene.git(&["config", "core.worktree", worktree]);
        assert_lands(&scene, &[name]);
        assert_eq!(fs::read_to_string(scene.temp.path().join("repo/a")).unwrap(), "0\n");
    }
    let mut scene = Scene::new(&["a=a\n"]);
    move_git_folder(&scene, "bundled.git");
    fs::write(scene.repo.join(".git"), "gitdir: ../bundled.git\n").unwrap();
    scene.git(&["config", "core.worktree", "../repo"]);
    assert_lands(&scene, &["repo", "bundled.git"]);
    scene.repo = scene.temp.path().join("bundled.git");
    scene.git(&["config", "core.worktree", "../nowhere"]);
    let spec = TargetSpec::parse("local:bundled.git").unwrap();
    assert!(Target::open(&spec, scene.temp.path()).is_err());
}

#[test]
fn a_submodule_is_updated_where_it_is_checked_out() {
    let mut scene = Scene::new(&["a=a\n"]);
    let above = scene.temp.path().join("above");
    git(scene.temp.path(), &["init", "-q", "-b", "main", "above"]);
    git(&above, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../repo", "sub"]);
    scene.repo = above.join("sub");
    assert_lands(&scene, &["above/sub", "above/.git/modules/sub"]);
    assert_eq!(git(&above, &["submodule", "status"]).chars().next(), Some('+'));
}

#[test]
fn a_bare_repository_beside_its_worktrees_updates_them() {
    let scene = Scene::bare(&["a=a\n"]);
    scene.git(&["worktree", "add", "-q", "../linked", "main"]);
    let push = scene.push("main", &["a=b\n"]);
    assert_eq!(scene.land(&push).unwrap().updated, ["a"]);
    assert_landed(&scene.temp.path().join("linked"), &push, "");
}

#[test]
fn a_head_that_is_a_link_of_links_has_the_branch_checked_out() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    scene.git(&["symbolic-ref", "HEAD", "refs/heads/alias"]);
    let push = scene.push("main", &["a=b\n"]);
    assert_eq!(scene.land(&push).unwrap().updated, ["a"]);
    scene.assert_landed(&push, "");
    assert_eq!(scene.target().branch().unwrap().unwrap().as_str(), "refs/heads/main");
}

#[test]
fn folders_of_the_git_folder_may_be_links_to_elsewhere() {
    for folder in ["objects", "objects/pack", "refs", "logs"] {
        let scene = Scene::new(&["a=a\n"]);
        let inside = scene.repo.join(".git").join(folder);
        let elsewhere = scene.temp.path().join("elsewhere");
        fs::rename(&inside, &elsewhere).unwrap();
        symlink(&elsewhere, &inside).unwrap();
        assert_lands(&scene, &["repo"]);
        let files: Vec<String> = (0..120).map(|n| format!("many/{n}={n}\n")).collect();
        let push = scene.push("main", &files.iter().map(String::as_str).collect::<Vec<_>>());
        scene.land(&push).unwrap();
        scene.assert_landed(&push, "");
        assert!(is_link(&inside) && !elsewhere.join("pack").is_symlink(), "{folder}");
    }
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().unwrap().is_symlink()
}
