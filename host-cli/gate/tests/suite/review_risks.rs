//! The review describes risks in words, and sends nothing raw to the terminal.

use crate::support::{
    packer::{self, Packer},
    pushing::{Scene, facts, request},
};
use gate::{
    push::{PushLimits, check},
    review::{Review, Screen, Severity},
};
use gix_object::Kind;

/// A push of hand-made objects on top of a scene.
fn review_of(scene: &Scene, new: gix_hash::ObjectId, packer: Packer) -> Review {
    let pushed = request("topic", Some(scene.base), new, packer.finish());
    let checked = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).unwrap();
    Review::of(&checked, &scene.target).unwrap()
}

#[test]
fn attack_19_content_of_intermediate_commits_is_listed_and_shown() {
    let scene = Scene::simple();
    scene.repo.write("secret.env", "KEY=hunter2\n").commit("oops");
    let oops = scene.repo.id("HEAD").to_hex_with_len(7).to_string();
    scene.repo.remove("secret.env").write("a", "draft\n").commit("remove it");
    scene.repo.write("a", "final\n").commit("finish");
    let review = scene.review("topic");
    assert_eq!(review.summary(), "A a (+1)\n");
    let listed: Vec<_> = review.intermediate.iter().map(|file| file.change.shown_path()).collect();
    assert_eq!(listed, ["secret.env", "a"]);
    assert_eq!(review.flags[0].severity(), Severity::High);
    assert!(review.flags[0].sentence().contains(&format!("intermediate commit {oops}")));
    assert!(review.patch().contains("\n+KEY=hunter2\n") && review.patch().contains("\n+draft\n"), "{}", review.patch());
}

#[test]
fn attack_19_what_a_person_reads_in_the_end_is_listed_but_no_warning() {
    let scene = Scene::simple();
    scene.repo.write("a", "1\n2\n3\n").commit("begin");
    scene.repo.write("a", "1\n2\n3\n4\n").commit("go on");
    let review = scene.review("topic");
    assert_eq!(review.intermediate.len(), 1);
    assert!(review.flags.iter().all(|flag| !flag.sentence().contains("intermediate")), "{:?}", review.flags);
    scene.repo.write("a", "1\nhidden\n3\n4\n").commit("hide");
    scene.repo.write("a", "1\n2\n3\n4\n5\n").commit("take back");
    let review = scene.review("topic");
    let said: Vec<String> = review.flags.iter().map(|flag| flag.sentence().to_string()).collect();
    assert_eq!(said.iter().filter(|said| said.starts_with("Only in the intermediate commit")).count(), 1, "{said:?}");
}

#[test]
fn attack_19_content_that_the_target_had_is_not_called_intermediate() {
    let scene = Scene::simple();
    scene.repo.write("kept.txt", "changed\n").write("b", "b\n").commit("change");
    scene.repo.write("kept.txt", "kept\n").commit("back");
    let review = scene.review("topic");
    let listed: Vec<_> = review.intermediate.iter().map(|file| file.change.shown_path()).collect();
    assert_eq!(listed, ["kept.txt"], "the change in between, and not the way back");
}

#[test]
fn attack_19_a_file_that_is_another_kind_only_in_between_is_listed() {
    for (mode, letter) in [("120000", 'T'), ("100755", 'M')] {
        let scene = Scene::simple();
        scene.repo.write("to", "kept.txt").commit("a target for a link");
        let blob = scene.repo.id("HEAD:to").to_string();
        let scene = Scene::of(scene.repo);
        // Both the content and the path are known. Only the kind differs.
        for mode in [mode, "100644"] {
            scene.repo.git(&["update-index", "--add", "--cacheinfo", &format!("{mode},{blob},kept.txt")]);
            scene.repo.git(&["commit", "-q", "-m", mode]);
        }
        let review = scene.review("topic");
        assert_eq!(review.summary(), "M kept.txt (+1 -1)\n");
        let listed: Vec<_> = review.intermediate.iter().map(|file| &file.change).collect();
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].shown_path(), listed[0].status.letter()), ("kept.txt".to_owned(), letter));
        let old_mode = format!("{:o}", listed[0].new.as_ref().unwrap().mode);
        assert_eq!(old_mode, mode);
        assert!(review.flags[0].sentence().starts_with("Only in the intermediate commit"));
    }
}

#[test]
fn attack_19_a_merge_does_not_call_its_second_line_intermediate() {
    let scene = Scene::merge();
    let review = scene.review("topic");
    assert_eq!(review.summary(), "A main.txt (+1)\nA side.txt (+1)\n");
    assert!(review.intermediate.is_empty());
}

#[test]
fn attack_20_privileged_paths_are_named_in_words() {
    for (path, expected) in [
        (
            ".github/workflows/ci.yml",
            "Changes the workflow .github/workflows/ci.yml, which runs with the repository's secrets",
        ),
        (
            ".GitHub/Workflows/ci.yml",
            "Changes the workflow .GitHub/Workflows/ci.yml, which runs with the repository's secrets",
        ),
        (".gitmodules", "Changes .gitmodules, which makes git fetch other repositories"),
        ("sub/.gitattributes", "Changes sub/.gitattributes, which makes git run filters and hide diffs"),
        (".github/CODEOWNERS", "Changes .github/CODEOWNERS: decides who must review changes"),
        (".vscode/tasks.json", "Changes .vscode/tasks.json: editor settings, which can run tasks"),
        (".claude/settings.json", "Changes .claude/settings.json: agent instructions or settings"),
        ("AGENTS.md", "Changes AGENTS.md: agent instructions or settings"),
        ("web/package-lock.json", "Changes web/package-lock.json: a lock file, which decides which code is installed"),
    ] {
        let scene = Scene::simple();
        scene.repo.write(path, "x\n").commit("privileged");
        assert_eq!(scene.sentences(), [expected]);
    }
}

#[test]
fn attack_20_executables_symlinks_submodules_and_large_binaries_are_flagged() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let script = packer.blob(b"#!/bin/sh\n");
    let link = packer.blob(b"../../etc/passwd");
    let large = packer.blob(&[&[0u8][..], &vec![0xff; 1 << 20]].concat());
    let tree = packer.tree(&[
        ("100644", b"kept.txt", packer::id(Kind::Blob, b"kept\n")),
        ("100644", b"large.bin", large),
        ("120000", b"link", link),
        ("160000", b"module", packer::id(Kind::Commit, b"elsewhere")),
        ("100755", b"run.sh", script),
    ]);
    let new = packer.commit(tree, &[scene.base], "all\n");
    let review = review_of(&scene, new, packer);
    let sentences: Vec<_> = review.flags.iter().map(|flag| flag.sentence()).collect();
    assert_eq!(
        sentences,
        [
            "Makes link a symlink to ../../etc/passwd",
            "Adds large.bin, a binary file of 1.0 MB",
            "Points the submodule module to a commit that is not part of this review",
            "Makes run.sh executable",
        ]
    );
    assert_eq!(
        review.summary(),
        "A large.bin (binary, 1.0 MB)\nA link (+1)\nA module (submodule, +1)\nA run.sh (executable now, +1)\n"
    );
}

#[test]
fn attack_15_nothing_in_a_review_reaches_the_terminal_raw() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let blob = packer.blob("\x1b]52;c;aGk=\x07 \u{202e}evil\u{200b}\n".as_bytes());
    let name = "a\x1b[2J\u{202e}\nb\tc".as_bytes();
    let mut entries = [("100644", &b"kept.txt"[..], packer::id(Kind::Blob, b"kept\n")), ("100644", name, blob)];
    entries.sort_by_key(|entry| entry.1);
    let tree = packer.tree(&entries);
    let new = packer.commit(tree, &[scene.base], "subject \x1b]0;x\x07 \u{2066}\r\u{9b}31m\n\nbody \x1b[31m\n");
    let review = review_of(&scene, new, packer);
    for text in
        [review.summary(), review.prompt_box(&Screen::default()), review.patch(), review.log(), review.warnings()]
    {
        assert!(text.chars().all(|char| char == '\n' || char == '\t' || !char.is_control()), "{text:?}");
        assert!(!text.contains(['\u{202e}', '\u{200b}', '\u{2066}']), "{text:?}");
    }
    assert_eq!(review.summary().lines().count(), 1);
    assert!(review.summary().contains("<U+202E>"));
    assert!(
        review
            .flags
            .iter()
            .any(|flag| { flag.sentence().starts_with("Contains invisible or reordering characters in the commit") })
    );
    assert!(
        review
            .flags
            .iter()
            .any(|flag| { flag.sentence().starts_with("Contains invisible or reordering characters in the name") })
    );
}

#[test]
fn attack_18_a_name_that_looks_like_others_is_flagged_and_shown_by_code_point() {
    for (name, shown) in [
        ("docs\u{2215}a.md", "docs<U+2215>a.md"),
        ("docs\u{2044}a.md", "docs<U+2044>a.md"),
        ("docs\u{ff0f}a.md", "docs<U+FF0F>a.md"),
        (" ", "<U+0020>"),
        ("kept\u{336}.txt", "kept<U+0336>.txt"),
    ] {
        let scene = Scene::simple();
        scene.repo.write(name, "x\n").commit("odd");
        let review = scene.review("topic");
        assert_eq!(review.summary(), format!("A {shown} (+1)\n"));
        let sentence = format!("Contains characters that look like others in the name {shown}");
        assert!(scene.sentences().contains(&sentence), "{:?}", scene.sentences());
        assert_eq!(review.severity(), Severity::High);
    }
}

#[test]
fn honest_marks_in_text_are_not_called_hidden() {
    let scene = Scene::simple();
    scene.repo.write("a.txt", "\u{feff}done \u{2714}\u{fe0f} \u{1f468}\u{200d}\u{1f469}\n").commit("emoji");
    assert_eq!(scene.sentences(), [""; 0]);
    scene.repo.write("b.txt", "if admin { \u{2066}// check\u{2069}\n").commit("reordered");
    assert_eq!(scene.sentences(), ["Contains invisible or reordering characters in b.txt"]);
}

#[test]
fn attack_18_content_that_stands_elsewhere_hides_no_file_that_is_changed_on_the_way() {
    let scene = Scene::simple();
    scene.repo.write("ci.yml", "jobs: good\n").commit("before");
    let scene = Scene::of(scene.repo);
    scene.repo.write("ci.yml", "jobs: evil\n").write("docs.yml", "jobs: evil\n").commit("on the way");
    scene.repo.write("ci.yml", "jobs: good\n").commit("back");
    let review = scene.review("topic");
    let on_the_way: Vec<_> = review.intermediate.iter().map(|file| file.change.path.to_string()).collect();
    assert_eq!(on_the_way, ["ci.yml"]);
    assert_eq!(review.touched.iter().map(ToString::to_string).collect::<Vec<_>>(), ["ci.yml", "docs.yml"]);
}
