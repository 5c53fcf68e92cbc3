//! Line endings on the disk, as git has them by attributes and configuration.

use super::support::*;
use crate::remote::Obstacle;
use std::fs;

fn read(scene: &Scene, path: &str) -> String {
    fs::read_to_string(scene.repo.join(path)).unwrap()
}

#[test]
fn autocrlf_compares_and_writes_as_git_does() {
    let scene = Scene::new(&["a.txt=one\ntwo\n", "b.txt=x\n"]);
    scene.git(&["config", "core.autocrlf", "true"]);
    edit(&scene.repo, &["a.txt-", "b.txt-"]);
    scene.git(&["checkout", "-q", "."]);
    assert_eq!(read(&scene, "a.txt"), "one\r\ntwo\r\n");
    let push = scene.push("main", &["a.txt=one\nthree\n", "c.txt=new\n", "bin=\0\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert_eq!((read(&scene, "a.txt"), read(&scene, "c.txt")), ("one\r\nthree\r\n".into(), "new\r\n".into()));
    assert_eq!(read(&scene, "bin"), "\0\n");
}

#[test]
fn attributes_that_come_with_the_push_hold_for_its_files() {
    let scene = Scene::new(&["a.txt=one\n", "d/b.txt=two\n"]);
    let push = scene.push(
        "main",
        &[".gitattributes=*.txt text eol=crlf\n", "d/.gitattributes=*.txt eol=lf\n", "a.txt=1\n", "d/b.txt=2\n"],
    );
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert_eq!((read(&scene, "a.txt"), read(&scene, "d/b.txt")), ("1\r\n".into(), "2\n".into()));
}

#[test]
fn attributes_that_go_with_the_push_held_for_the_old_files() {
    let scene = Scene::new(&[".gitattributes=*.txt text eol=crlf\n", "a.txt=one\n"]);
    edit(&scene.repo, &["a.txt-"]);
    scene.git(&["checkout", "-q", "."]);
    assert_eq!(read(&scene, "a.txt"), "one\r\n");
    let push = scene.push("main", &[".gitattributes-", "a.txt=two\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert_eq!(read(&scene, "a.txt"), "two\n");
}

#[test]
fn attack_10_filters_idents_and_encodings_are_conflicts_and_run_nothing() {
    for attribute in ["filter=evil", "filter=lfs", "ident", "working-tree-encoding=UTF-16"] {
        let scene = Scene::new(&["a.txt=a\n", "b.txt=b\n"]);
        scene.ignore_attributes_in_the_sandbox();
        let proof = scene.temp.path().join("ran");
        for step in ["clean", "smudge", "process"] {
            scene.git(&["config", &format!("filter.evil.{step}"), &format!("touch {}", proof.display())]);
        }
        // Attributes that the push brings, and attributes that the worktree has.
        let push = scene.push("main", &[&format!(".gitattributes=a.txt {attribute}\n"), "a.txt=a2\n"]);
        scene.assert_conflict(&push, Obstacle::Filter, &["a.txt"]);
        fs::write(scene.repo.join(".git/info/attributes"), format!("b.txt {attribute}\n")).unwrap();
        let push = scene.push("main", &[".gitattributes-", "b.txt=b2\n"]);
        scene.assert_conflict(&push, Obstacle::Filter, &["b.txt"]);
        assert!(!proof.exists());
    }
}

#[test]
fn attack_21_rules_that_take_for_ever_are_refused_for_deep_paths_and_hold_for_others() {
    let rules = format!(".gitattributes={}b text\n", "**/z/".repeat(5));
    let deep = |content| format!("{}b={content}\n", "y/".repeat(60));
    let refused = |scene: &Scene, edits: &[&str]| {
        let before = snapshot(&scene.repo);
        let error = scene.land(&scene.push("main", edits)).unwrap_err().to_string();
        assert!(error.contains("has too many ** for a path as deep as `y/y/"), "{error}");
        assert!(before == snapshot(&scene.repo));
    };
    refused(&Scene::new(&["a.txt=a\n"]), &[&rules, &deep(1)]);

    let scene = Scene::new(&["a.txt=a\n", &deep(1)]);
    let push = scene.push("main", &[&rules, "a.txt=b\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    refused(&scene, &[&deep(2)]);
}
