//! `gitgate demo`: the main job on a repository that it creates, verified in that repository.

use std::path::PathBuf;

use tests::cli::Cli;
use tests::repo::Repo;
use tests::tree;

#[test]
fn the_demo_proves_its_push_and_leaves_nothing_behind() {
    let cli = Cli::default();
    let temporary = cli.folder().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let mut demo = cli.command(&["demo"]);
    let out = tests::cli::finish(demo.env("TMPDIR", &temporary), b"").ok();
    for proof in [
        "git fsck: clean",
        "Pushing directly to main branch",
        "Greet with an exclamation mark (Demo Agent)",
        "tests/test_greet.py:5: Test an empty name as well",
        "$ git log --oneline | head -3; grep -rn Hello . | cut -d: -f1 | sort -u",
        "bash: line 1: curl: command not found",
        "Since you looked at tests/test_greet.py:",
        "+def test_nobody_is_greeted_too():",
        "Test an empty name (Demo Agent)",
        "[rejected]        main -> main (non-fast-forward)",
        "<<<<<<< ours (sandbox)",
        "Greet at more length (Demo Agent)",
        "The greeting still says {name}, which is no argument any more.",
        "task(main@T001@test-fail): NameError (Demo Agent)",
        "task(main@T001@complete): whole families are greeted (Demo Agent)",
    ] {
        assert!(out.stdout.contains(proof), "{proof} is not in {out:#?}");
    }
    assert_eq!(tree::read(&temporary), tree::Tree::new());
    assert_eq!(tree::read(&cli.work()), tree::Tree::new());
    assert!(!cli.home().join("sandboxes").exists(), "the demo has a home of its own");
}

#[test]
fn what_the_demo_keeps_is_a_repository_in_order() {
    let cli = Cli::default();
    let temporary = cli.folder().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    tests::cli::finish(cli.command(&["demo", "--keep"]).env("TMPDIR", &temporary), b"").ok();
    let kept = std::fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<PathBuf>>();
    let [kept] = kept.as_slice() else { panic!("{kept:?}") };
    let repo = Repo::at(&kept.join("project"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    assert_eq!(
        repo.git(&["log", "--format=%an: %s", "-4", "--skip=5"]),
        "Demo Agent: Greet at more length\nAda Lovelace: Be formal\nDemo Agent: Test an empty name\n\
         Demo Agent: Greet with an exclamation mark"
    );
    assert!(repo.read("src/greet.py").contains("Good day there, {', '.join(names)}!"));
    assert_eq!(repo.git(&["ls-tree", "--name-only", "main", "notes.txt"]), "", "the push deletes it");
    repo.is_sound();
}
