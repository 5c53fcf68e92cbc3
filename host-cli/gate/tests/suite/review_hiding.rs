//! A push can hide nothing from the review.

use crate::support::{Repo, pushing::Scene};
use gate::review::{Severity, Status};

fn lines(count: usize) -> String {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn attack_18_every_protected_branch_says_so_with_high_severity() {
    let scene = Scene::simple();
    scene.repo.write("a", "a\n").commit("one");
    for branch in ["main", "master", "production"] {
        let review = scene.review(branch);
        assert_eq!(review.severity(), Severity::High);
        assert_eq!(review.flags[0].sentence(), format!("Pushing directly to {branch} branch"));
    }
    assert_eq!(scene.review("topic").severity(), Severity::Low);
    assert_eq!(scene.sentences(), [""; 0]);
}

#[test]
fn attack_18_a_mode_only_change_is_shown() {
    let scene = Scene::simple();
    scene.repo.git(&["update-index", "--chmod=+x", "kept.txt"]);
    scene.repo.git(&["commit", "-q", "-m", "mode"]);
    let review = scene.review("topic");
    assert_eq!(review.summary(), "M kept.txt (executable now, +0 -0)\n");
    assert_eq!(review.patch(), "diff --git a/kept.txt b/kept.txt\nold mode 100644\nnew mode 100755\n");
    assert_eq!(scene.sentences(), ["Makes kept.txt executable"]);
}

#[test]
fn attack_18_a_rename_with_an_edit_shows_every_edit() {
    let repo = Repo::new();
    repo.write("old-name", lines(200)).commit("base");
    let scene = Scene::of(repo);
    scene.repo.remove("old-name").write("new-name", lines(200).replace("line 77\n", "changed\n")).commit("moved");
    let review = scene.review("topic");
    assert_eq!(review.summary(), "R old-name -> new-name (+1 -1)\n");
    assert!(review.patch().contains("\n-line 77\n+changed\n"), "{}", review.patch());
}

#[test]
fn attack_18_line_ends_alone_are_a_change_of_every_line() {
    let repo = Repo::new();
    repo.write("a", "1\n2\n").write("b", "x\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("a", "1\r\n2\r\n").write("b", "x").commit("ends");
    let review = scene.review("topic");
    assert_eq!(review.summary(), "M a (+2 -2)\nM b (+1 -1)\n");
    assert!(review.patch().contains("\n-1\n-2\n+1\\r\n+2\\r\n"), "{}", review.patch());
    assert!(review.patch().contains("\n+x\n\\ No newline at end of file\n"), "{}", review.patch());
}

#[test]
fn attack_18_bytes_that_are_no_text_are_told_apart() {
    let repo = Repo::new();
    repo.write("latin", b"caf\xe9\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("latin", b"caf\xe8\n").commit("x");
    let tree = scene.repo.id("HEAD^{tree}");
    let who = "A <a> 1 +0000";
    let mut body = format!("tree {tree}\nparent {}\nauthor {who}\ncommitter {who}\n\n", scene.base).into_bytes();
    body.extend_from_slice(b"high \xcb\xc5\xd9\r\n");
    let id = scene.repo.git_with(&["hash-object", "-w", "-t", "commit", "--stdin"], &body);
    scene.repo.git(&["reset", "-q", "--hard", str::from_utf8(&id).unwrap().trim()]);
    let review = scene.review("topic");
    assert!(review.patch().ends_with("\n-caf\\xe9\n+caf\\xe8\n"), "{}", review.patch());
    assert!(review.log().contains("\n    high \\xcb\\xc5\\xd9\\r\n"), "{}", review.log());
}

#[test]
fn attack_18_one_huge_line_is_shown_whole() {
    let scene = Scene::simple();
    scene.repo.write("huge", "x".repeat(3_000_000) + "the end\n").commit("huge");
    assert!(scene.review("topic").patch().ends_with("the end\n"));
}

#[test]
fn attack_18_attributes_hide_nothing() {
    let scene = Scene::simple();
    scene
        .repo
        .write(".gitattributes", "* -diff linguist-generated binary\n")
        .write("evil.sh", "rm -rf ~\n")
        .commit("hidden");
    let review = scene.review("topic");
    assert_eq!(review.summary(), "A .gitattributes (+1)\nA evil.sh (+1)\n");
    assert!(review.patch().contains("\n+rm -rf ~\n"));
    assert_eq!(scene.sentences(), ["Changes .gitattributes, which makes git run filters and hide diffs"]);
}

#[test]
fn attack_18_text_that_a_nul_makes_binary_is_shown_as_text() {
    let scene = Scene::simple();
    scene.repo.write("evil.sh", "#!/bin/sh\nrm -rf ~ # nothing to see here\n\0").commit("disguised");
    let review = scene.review("topic");
    assert!(review.patch().contains("\n+rm -rf ~"), "{}", review.patch());
    assert_eq!(review.flags[0].sentence(), "Contains NUL bytes in evil.sh, which make git hide its text");
    assert_eq!(review.flags[0].severity(), Severity::High);
}

#[test]
fn attack_18_a_script_is_shown_as_text_whatever_bytes_follow_it() {
    let scene = Scene::simple();
    let noise = [&[0; 9000][..], &[0xff; 9000]].concat();
    for tail in [&b"\0\xff"[..], &noise] {
        scene.repo.write("evil.sh", [b"#!/bin/sh\nrm -rf ~\nexit\n", tail].concat()).commit("disguised");
        let review = scene.review("topic");
        assert!(review.patch().contains("\n+rm -rf ~\n"), "{}", review.patch());
        assert_eq!(review.summary().lines().next(), Some("A evil.sh (+4)"));
        assert_eq!(review.flags[0].sentence(), "Contains NUL bytes in evil.sh, which make git hide its text");
    }
}

#[test]
fn attack_18_a_symlink_that_becomes_a_file_is_both() {
    let repo = Repo::new();
    std::os::unix::fs::symlink("kept.txt", repo.path().join("link")).unwrap();
    repo.write("kept.txt", "k\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.remove("link").write("link", "now a file\n").commit("file");
    let review = scene.review("topic");
    assert_eq!(review.files[0].status, Status::TypeChanged);
    assert_eq!(review.summary(), "T link (+1 -1)\n");
    assert_eq!(scene.sentences(), ["Turns link into another kind of file"]);
}

#[test]
fn attack_18_names_that_look_alike_are_named() {
    let repo = Repo::new();
    repo.write("src/config.rs", "c\n").write("README.md", "r\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("readme.md", "r\n").write("src/\u{441}onfig.rs", "c\n").write("SRC/other", "o\n").commit("twins");
    let sentences = scene.sentences();
    for expected in [
        "Adds readme.md, which looks like README.md",
        "Adds src/<U+0441>onfig.rs, which looks like src/config.rs",
        "Adds SRC, which looks like src",
    ] {
        assert!(sentences.contains(&expected.to_owned()), "{expected}: {sentences:?}");
    }
}
