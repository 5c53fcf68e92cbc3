//! What is in the way of a push is found before anything changes, and is named.

use super::support::*;
use crate::remote::land::{disk::Disk, execute::execute};
use crate::remote::{LandError, Obstacle};
use std::fs;

#[test]
fn a_changed_file_is_named() {
    let scene = Scene::new(&["a=a\n", "b=b\n", "c=c\n", "d=d\n"]);
    edit(&scene.repo, &["a=mine\n", "b-", "c!=c\n"]);
    let push = scene.push("main", &["a=theirs\n", "b=theirs\n", "c=theirs\n", "d=theirs\n"]);
    scene.assert_conflict(&push, Obstacle::Dirty, &["a", "b", "c"]);
}

#[test]
fn staged_changes_are_named() {
    let scene = Scene::new(&["a=a\n", "b=b\n"]);
    edit(&scene.repo, &["a=staged\n", "n=n\n", "f=f\n"]);
    scene.git(&["add", "a"]);
    scene.git(&["add", "-N", "n"]);
    scene.git(&["add", "f"]);
    let push = scene.push("main", &["a=theirs\n", "n=theirs\n", "f/x=theirs\n"]);
    scene.assert_conflict(&push, Obstacle::Staged, &["a", "f", "n"]);
}

#[test]
fn an_untracked_file_in_the_way_is_named() {
    let scene = Scene::new(&["a=a\n", "d/x=x\n", ".gitignore=ignored\n"]);
    edit(&scene.repo, &["n=mine\n", "d/mine=mine\n", "ignored=mine\n", "f=mine\n"]);
    let push =
        scene.push("main", &["n=theirs\n", "d-", "d=a file\n", "f/deep=theirs\n", ".gitignore-", "ignored=theirs\n"]);
    scene.assert_conflict(&push, Obstacle::Untracked, &["d/mine", "f", "ignored", "n"]);
}

#[test]
fn attack_08_a_symlinked_folder_is_never_written_through() {
    let scene = Scene::new(&["d/x=x\n", "a=a\n"]);
    let outside = scene.temp.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("x"), "x\n").unwrap();
    edit(&scene.repo, &["d-", "d->../outside", "new->../outside"]);
    let push = scene.push("main", &["d/x=theirs\n"]);
    scene.assert_conflict(&push, Obstacle::Symlink, &["d"]);
    let push = scene.push("main", &["d/x=x\n", "new/x=theirs\n"]);
    scene.assert_conflict(&push, Obstacle::Untracked, &["new"]);
}

#[test]
fn a_repository_inside_the_worktree_is_not_written_into() {
    let scene = Scene::new(&["a=a\n"]);
    fs::create_dir(scene.repo.join("inner")).unwrap();
    git(&scene.repo.join("inner"), &["init", "-q"]);
    for path in ["inner/x", "inner/new/x"] {
        let push = scene.push("main", &["inner-", &format!("{path}=x\n")]);
        scene.assert_conflict(&push, Obstacle::Untracked, &["inner"]);
    }
    fs::create_dir_all(scene.repo.join("inner/sub")).unwrap();
    fs::create_dir_all(scene.repo.join("other/deep/.git")).unwrap();
    let push = scene.push("main", &["inner/x-", "inner/sub/x=x\n", "inner/sub/y=y\n", "other/deep/er/x=x\n", "o=o\n"]);
    scene.assert_conflict(&push, Obstacle::Untracked, &["inner", "other/deep"]);
}

#[test]
fn unmerged_entries_and_operations_under_way_are_conflicts() {
    let scene = Scene::new(&["a=a\n", "b=b\n"]);
    let push = scene.push("main", &["b=theirs\n"]);
    scene.git(&["checkout", "-q", "-b", "side"]);
    edit(&scene.repo, &["a=side\n"]);
    scene.git(&["commit", "-qam", "side"]);
    scene.git(&["checkout", "-q", "main"]);
    let rebased = scene.push("main", &[]);
    edit(&scene.repo, &["a=main\n"]);
    scene.git(&["commit", "-qam", "main"]);
    assert!(!try_git(&scene.repo, &["merge", "side"]).0);
    let push = Push { old: Some(head(&scene)), ..push };
    scene.assert_conflict(&push, Obstacle::InProgress, &[]);
    fs::remove_file(scene.repo.join(".git/MERGE_HEAD")).unwrap();
    scene.assert_conflict(&push, Obstacle::Unmerged, &["a", "a", "a"]);

    scene.git(&["reset", "-q", "--hard"]);
    assert!(!try_git(&scene.repo, &["rebase", "side"]).0);
    let push = Push { old: Some(branch(&scene, "main")), ..rebased };
    scene.assert_conflict(&push, Obstacle::InProgress, &[]);
}

fn head(scene: &Scene) -> gix::ObjectId {
    branch(scene, "HEAD")
}

fn branch(scene: &Scene, name: &str) -> gix::ObjectId {
    gix::ObjectId::from_hex(scene.git(&["rev-parse", name]).trim().as_bytes()).unwrap()
}

#[test]
fn locks_of_others_are_conflicts_and_stay() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n"]);
    fs::write(scene.repo.join(".git/index.lock"), "").unwrap();
    scene.assert_conflict(&push, Obstacle::IndexLocked, &[]);
    fs::remove_file(scene.repo.join(".git/index.lock")).unwrap();
    fs::write(scene.repo.join(".git/refs/heads/main.lock"), "").unwrap();
    scene.assert_conflict(&push, Obstacle::RefLocked, &[]);
}

#[test]
fn locks_taken_after_the_plan_are_conflicts_and_stay() {
    for lock in ["index.lock", "refs/heads/main.lock"] {
        let scene = Scene::new(&["a=a\n"]);
        let push = scene.push("main", &["a=b\n"]);
        let plan = scene.plan(&push).unwrap();
        fs::write(scene.repo.join(".git").join(lock), "").unwrap();
        let before = snapshot(&scene.repo);
        let result = execute(&Disk::new(), &scene.target(), &push.pack, &plan);
        assert!(matches!(
            result,
            Err(LandError::Conflict { obstacle: Obstacle::IndexLocked | Obstacle::RefLocked, .. })
        ));
        assert_eq!(snapshot(&scene.repo), before);
    }
}

#[test]
fn attack_17_a_branch_that_moved_after_the_plan_is_not_overwritten() {
    for edits in [&["b=person\n"][..], &["a=person\n"]] {
        let scene = Scene::new(&["a=a\n", "b=b\n"]);
        let push = scene.push("main", &["a=theirs\n"]);
        let plan = scene.plan(&push).unwrap();
        edit(&scene.repo, edits);
        scene.git(&["commit", "-qam", "person"]);
        let before = snapshot(&scene.repo);
        match execute(&Disk::new(), &scene.target(), &push.pack, &plan) {
            Err(LandError::Conflict { obstacle: Obstacle::NonFastForward, target_head, .. }) => {
                assert_eq!(target_head, Some(head(&scene)));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(snapshot(&scene.repo), before);
    }
}

#[test]
fn a_file_changed_after_the_plan_is_a_conflict() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=theirs\n"]);
    let plan = scene.plan(&push).unwrap();
    edit(&scene.repo, &["a=mine\n"]);
    let before = snapshot(&scene.repo);
    let result = execute(&Disk::new(), &scene.target(), &push.pack, &plan);
    assert!(matches!(result, Err(LandError::Conflict { obstacle: Obstacle::Dirty, .. })), "{result:?}");
    assert_eq!(snapshot(&scene.repo), before);
}

#[test]
fn a_branch_name_in_the_way_of_another_is_a_conflict() {
    for packed in [false, true] {
        let scene = Scene::bare(&["a=a\n"]);
        scene.git(&["branch", "topic/one"]);
        if packed {
            scene.git(&["pack-refs", "--all"]);
        }
        let push = scene.push("topic", &["a=b\n"]);
        scene.assert_conflict(&push, Obstacle::RefName, &[]);
        let push = scene.push("main/below", &["a=c\n"]);
        scene.assert_conflict(&push, Obstacle::RefName, &[]);
    }
}

#[test]
fn a_symbolic_branch_is_not_written_through() {
    let scene = Scene::bare(&["a=a\n"]);
    scene.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    let push = scene.push("alias", &["a=b\n"]);
    scene.assert_conflict(&push, Obstacle::RefName, &[]);
}

#[test]
fn names_that_a_folding_disk_cannot_tell_apart_are_a_conflict() {
    let scene = Scene::new(&["README=r\n", "D/x=x\n"]);
    scene.git(&["config", "core.ignoreCase", "true"]);
    let push = scene.push("main", &["readme=lower\n", "d/y=y\n", "ok=ok\n", "n/A=1\n", "n/a=2\n"]);
    scene.assert_conflict(&push, Obstacle::Collision, &["d/y", "n/a", "readme"]);
    let push = scene.push("main", &["readme-", "d-", "n-", "README-", "Readme=renamed\n"]);
    scene.land(&push).unwrap();
}

#[test]
fn a_submodule_entry_is_a_conflict_where_the_branch_is_checked_out() {
    let scene = Scene::new(&["a=a\n"]);
    let sandbox = scene.temp.path().join("sandbox");
    let id = scene.git(&["rev-parse", "HEAD"]);
    git(&sandbox, &["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", id.trim())]);
    git(&sandbox, &["commit", "-q", "-m", "sub"]);
    fs::create_dir(sandbox.join("sub")).unwrap();
    let push = scene.push("main", &[]);
    scene.assert_conflict(&push, Obstacle::Submodule, &["sub"]);
}

#[test]
fn a_submodule_that_points_elsewhere_is_named_once() {
    let scene = Scene::new(&["a=a\n"]);
    let id = scene.git(&["rev-parse", "HEAD"]);
    let to = |id: &str| format!("160000,{id},sub");
    scene.git(&["update-index", "--add", "--cacheinfo", &to(id.trim())]);
    scene.git(&["commit", "-q", "-m", "sub"]);
    let sandbox = scene.temp.path().join("sandbox");
    git(&sandbox, &["pull", "-q"]);
    fs::create_dir_all(sandbox.join("sub")).unwrap();
    git(&sandbox, &["update-index", "--cacheinfo", &to(&"1".repeat(40))]);
    git(&sandbox, &["commit", "-q", "-m", "elsewhere"]);
    let push = scene.push("main", &[]);
    scene.assert_conflict(&push, Obstacle::Submodule, &["sub"]);
}

#[test]
fn a_worktree_that_is_not_there_is_a_conflict() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    fs::remove_dir_all(scene.temp.path().join("linked")).unwrap();
    let push = scene.push("side", &["a=b\n"]);
    scene.assert_conflict(&push, Obstacle::Worktree, &[]);
}
