//! Sparse checkouts, with what `git merge` does to the same repository as the oracle.

use super::support::*;
use std::fs;
use std::path::Path;

/// Every index entry with its flag, and every file of the worktree.
fn seen(repo: &Path) -> (String, Vec<String>) {
    let files = snapshot(repo).into_keys().filter(|path| path != ".git" && !path.starts_with(".git/"));
    let files = files.filter(|path| !repo.join(path).is_dir()).collect();
    (git(repo, &["ls-files", "-t", "-s"]), files)
}

#[test]
fn new_files_are_written_where_git_would_write_them() {
    let files =
        ["top=t\n", "in/a=a\n", "in/deep/x=x\n", "out/b=b\n", "out/c.md=c\n", "a/b/k=k\n", "st*r/s=s\n", "K/k=k\n"];
    let new = [
        "top2=t\n",
        "in/new=n\n",
        "in/deep/new=n\n",
        "in/other/new=n\n",
        "out/new.md=n\n",
        "out/sub/new=n\n",
        "a/new=n\n",
        "a/b/new.md=n\n",
        "a/b/c/new=n\n",
        "st*r/new=n\n",
        "star/new=n\n",
        "fresh/new=n\n",
        "k2.MD=n\n",
        "in/a=changed\n",
        "out/b=changed\n",
        "out/c.md-",
    ];
    for (patterns, config) in [
        (&["--cone", "in"][..], ""),
        (&["--cone", "--skip-checks", "in/deep", "a/b", "st*r"], ""),
        (&["--cone"], ""),
        (&["--no-cone", "/*", "!/out/"], ""),
        (&["--no-cone", "*.md", "!out/*.md", "in/"], ""),
        (&["--no-cone", "in/**", "/top*", "a/*/new.md"], ""),
        (&["--no-cone", "a*", "!/a/b/", "c", "# out", "\\#out"], ""),
        (&["--no-cone", "!*", "new*", "!/in/"], ""),
        (&["--no-cone", "*.md", "/IN/"], "core.ignoreCase"),
        (&["--no-cone", "/*", "!/none"], "core.sparseCheckout"),
    ] {
        let scene = Scene::new(&files);
        if config == "core.ignoreCase" {
            scene.git(&["config", config, "true"]);
        }
        scene.git(&[&["sparse-checkout", "set", "--no-sparse-index"], patterns].concat());
        if config == "core.sparseCheckout" {
            scene.git(&["config", "--worktree", config, "false"]);
        }
        let push = scene.push("main", &new);
        let oracle = scene.temp.path().join("oracle");
        assert!(std::process::Command::new("cp").arg("-a").arg(&scene.repo).arg(&oracle).status().unwrap().success());
        git(&oracle, &["fetch", "-q", "../sandbox", "HEAD"]);
        git(&oracle, &["merge", "-q", "--ff-only", "FETCH_HEAD"]);
        scene.land(&push).unwrap();
        scene.assert_landed(&push, "");
        assert_eq!(seen(&scene.repo), seen(&oracle), "{patterns:?} {config}");
    }
}

#[test]
fn a_linked_worktree_has_its_own_patterns() {
    let scene = Scene::new(&["in/a=a\n", "out/b=b\n"]);
    scene.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    let linked = scene.temp.path().join("linked");
    git(&linked, &["sparse-checkout", "set", "--no-sparse-index", "in"]);
    let push = scene.push("side", &["in/n=n\n", "out/n=n\n"]);
    scene.land(&push).unwrap();
    assert_landed(&linked, &push, "");
    assert!(linked.join("in/n").exists() && !linked.join("out").exists());
    let push = scene.push("main", &["out/m=m\n"]);
    scene.land(&push).unwrap();
    assert!(scene.repo.join("out/m").exists());
}

#[test]
fn a_file_that_is_there_all_the_same_is_updated() {
    let scene = Scene::new(&["in/a=a\n", "out/b=b\n", "out/c=c\n"]);
    scene.git(&["sparse-checkout", "set", "--no-sparse-index", "in"]);
    edit(&scene.repo, &["out/b=b\n"]);
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
    let push = scene.push("main", &["out/b=b2\n", "out/c=c2\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert_eq!(fs::read_to_string(scene.repo.join("out/b")).unwrap(), "b2\n");
    assert!(!scene.repo.join("out/c").exists());

    edit(&scene.repo, &["out/b=mine\n"]);
    let push = scene.push("main", &["out/b=b3\n"]);
    scene.assert_conflict(&push, crate::remote::Obstacle::Dirty, &["out/b"]);
}
