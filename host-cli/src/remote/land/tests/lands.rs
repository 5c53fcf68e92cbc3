//! Pushes that land, and what git says of the repository afterwards.

use super::support::*;
use crate::remote::Target;
use crate::remote::TargetSpec;
use std::fs;

#[test]
fn a_checked_out_branch_gets_its_files_and_a_clean_status() {
    let scene = Scene::new(&["a.txt=one\n", "d/b.txt=two\n", "d/c.txt=three\n", "e/only.txt=x\n"]);
    let push = scene.push(
        "main",
        &["a.txt=one\nmore\n", "new/deep/file.txt=n\n", "e/only.txt-", "d/c.txt!=three\n", "link->a.txt"],
    );
    let landed = scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert_eq!(landed.updated, ["a.txt", "d/c.txt", "e/only.txt", "link", "new/deep/file.txt"]);
    assert!(landed.kept.is_empty() && landed.kept_copies.is_empty());
    assert!(!scene.repo.join("e").exists(), "an emptied folder goes");
    assert_eq!(fs::read_to_string(scene.repo.join("a.txt")).unwrap(), "one\nmore\n");
    assert_eq!(scene.git(&["diff-files"]), "", "the stat data is fresh");
    assert_eq!(scene.git(&["write-tree"]), scene.git(&["rev-parse", "HEAD^{tree}"]));
}

#[test]
fn folders_and_files_may_change_places() {
    let scene = Scene::new(&["file=f\n", "folder/x=x\n", "folder/y/z=z\n", "link->file", "keep=k\n"]);
    let push =
        scene.push("main", &["file-", "file/inside=i\n", "folder-", "folder=now a file\n", "link-", "link/a=a\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
}

#[test]
fn a_file_may_become_a_link_and_a_link_a_file() {
    let scene = Scene::new(&["a=a\n", "b->a"]);
    let push = scene.push("main", &["a->b", "b=b\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert_eq!(fs::read_link(scene.repo.join("a")).unwrap().to_str(), Some("b"));
}

#[test]
fn unrelated_changes_of_the_person_are_untouched() {
    let scene = Scene::new(&["a=a\n", "mine=m\n", "staged=s\n", "gone=g\n", "d/x=x\n"]);
    edit(&scene.repo, &["mine=my work\n", "staged=staged work\n", "gone-", "d/untracked=u\n"]);
    scene.git(&["add", "staged"]);
    let dirty = scene.git(&["status", "--porcelain", "-uall"]);
    let push = scene.push("main", &["a=b\n", "d/y=y\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, &dirty);
    assert_eq!(fs::read_to_string(scene.repo.join("mine")).unwrap(), "my work\n");
}

#[test]
fn a_change_in_the_second_of_the_old_index_is_still_seen() {
    let scene = Scene::new(&["a=a\n", "mine=one\n"]);
    // As many bytes, and in the same second as the index: git knows it only by comparing contents.
    edit(&scene.repo, &["mine=two\n"]);
    let push = scene.push("main", &["a=b\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, " M mine\n");
}

#[test]
fn another_branch_moves_without_touching_the_worktree() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["branch", "side"]);
    edit(&scene.repo, &["a=dirty\n"]);
    let index = fs::read(scene.repo.join(".git/index")).unwrap();
    let push = scene.push("side", &["a=b\n"]);
    assert_eq!(scene.land(&push).unwrap(), Default::default());
    scene.assert_landed(&push, " M a\n");
    assert_eq!(fs::read(scene.repo.join(".git/index")).unwrap(), index);
}

#[test]
fn a_new_branch_is_made_with_its_log() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("feature/deep/new", &["a=b\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert_eq!(scene.git(&["reflog", "-1", "--format=%gs by %gn", "feature/deep/new"]), "gitgate: push by gitgate\n");
}

#[test]
fn the_logs_of_branch_and_head_get_the_line_git_would_write() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["config", "user.name", "Per <son>"]);
    scene.git(&["config", "user.email", "p@example.org"]);
    let push = scene.push("main", &["a=b\n"]);
    scene.land(&push).unwrap();
    let line = format!("{} {} Per son <p@example.org> 1700000100 -0130\tgitgate: push\n", push.old.unwrap(), push.new);
    for log in ["HEAD", "refs/heads/main"] {
        assert!(fs::read_to_string(scene.repo.join(".git/logs").join(log)).unwrap().ends_with(&line), "{log}");
    }
}

#[test]
fn a_bare_repository_takes_a_push_and_logs_only_where_told() {
    let scene = Scene::bare(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n", "c/d=e\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert!(!scene.repo.join("logs").exists());

    scene.git(&["config", "core.logAllRefUpdates", "true"]);
    let push = scene.push("other", &["a=c\n"]);
    scene.land(&push).unwrap();
    assert!(scene.repo.join("logs/refs/heads/other").exists());
}

#[test]
fn packed_refs_are_compared_and_overridden() {
    let scene = Scene::bare(&["a=a\n"]);
    scene.git(&["pack-refs", "--all"]);
    let push = scene.push("main", &["a=b\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
}

#[test]
fn an_unborn_branch_is_born_with_its_worktree() {
    let scene = Scene::new(&[]);
    edit(&scene.repo, &["untracked=u\n"]);
    let push = scene.push("main", &["a=a\n", "d/b!=b\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "?? untracked\n");
}

#[test]
fn a_linked_worktree_is_updated_where_the_branch_is_checked_out_there() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    let linked = scene.temp.path().join("linked");
    let push = scene.push("side", &["a=b\n", "n=n\n"]);
    scene.land(&push).unwrap();
    assert_landed(&linked, &push, "");
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
    assert_eq!(fs::read_to_string(scene.repo.join("a")).unwrap(), "a\n");
}

#[test]
fn a_linked_worktree_names_the_repository_it_belongs_to() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    let linked = TargetSpec::parse("local:linked").unwrap();
    let linked = Target::open(&linked, scene.temp.path()).unwrap();
    assert_eq!(linked.canonical(), scene.target().canonical());
}

#[test]
fn a_detached_worktree_is_not_the_branchs() {
    let scene = Scene::new(&["a=a\n"]);
    scene.git(&["checkout", "-q", "--detach"]);
    let push = scene.push("main", &["a=b\n"]);
    assert_eq!(scene.land(&push).unwrap(), Default::default());
    scene.assert_landed(&push, "");
    assert_eq!(fs::read_to_string(scene.repo.join("a")).unwrap(), "a\n");
}

#[test]
fn many_objects_stay_the_pack_they_came_in() {
    let scene = Scene::new(&["a=a\n"]);
    let files: Vec<String> = (0..150).map(|n| format!("many/{n}={n}\n")).collect();
    let push = scene.push("main", &files.iter().map(String::as_str).collect::<Vec<_>>());
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    let name = format!(".git/objects/pack/pack-{}", push.pack.checksum());
    assert!(scene.repo.join(format!("{name}.pack")).exists() && scene.repo.join(format!("{name}.idx")).exists());
}

#[test]
fn a_file_outside_a_sparse_checkout_changes_in_the_index_only() {
    let scene = Scene::new(&["in/a=a\n", "out/b=b\n", "out/c=c\n"]);
    scene.git(&["sparse-checkout", "set", "--no-sparse-index", "in"]);
    let push = scene.push("main", &["in/a=a2\n", "out/b=b2\n", "out/c-"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert!(!scene.repo.join("out").exists());
}

#[test]
fn a_sparse_index_is_read_and_stays_true() {
    let scene = Scene::new(&["in/a=a\n", "out/b/c=c\n", "out/b/d=d\n", "other/deep/e=e\n", "top=t\n"]);
    scene.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    assert!(scene.git(&["ls-files", "--sparse"]).contains("out/\n"));
    let push = scene.push("main", &["in/a=a2\n", "out/b/c=c2\n", "out/new=n\n", "out/b/d-"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert!(!scene.repo.join("out").exists());
    // git folds the folders again when it writes the index.
    scene.git(&["reset", "-q"]);
    assert_eq!(scene.git(&["ls-files", "--sparse"]), "in/a\nother/\nout/\ntop\n");
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_disk_without_executable_bits_keeps_them_in_the_index() {
    let scene = Scene::new(&["a!=a\n", "b=b\n"]);
    scene.git(&["config", "core.fileMode", "false"]);
    edit(&scene.repo, &["a=a\n"]);
    let push = scene.push("main", &["a!=a2\n", "b!=b\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
}

#[test]
fn empty_folders_make_way() {
    let scene = Scene::new(&["a=a\n"]);
    fs::create_dir_all(scene.repo.join("new/empty/deep")).unwrap();
    fs::create_dir_all(scene.repo.join(".git/refs/heads/topic/gone")).unwrap();
    let push = scene.push("main", &["new=a file now\n"]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    let push = scene.push("topic", &["a=b\n"]);
    scene.land(&push).unwrap();
    assert_eq!(scene.git(&["rev-parse", "topic"]).trim(), push.new.to_string());
}

#[test]
fn names_that_are_not_utf8_land() {
    use std::os::unix::ffi::OsStrExt as _;
    let scene = Scene::new(&["a=a\n"]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9 \\x");
    fs::write(scene.temp.path().join("sandbox").join(name), "x\n").unwrap();
    let push = scene.push("main", &[]);
    scene.land(&push).unwrap();
    scene.assert_landed(&push, "");
    assert_eq!(fs::read(scene.repo.join(name)).unwrap(), b"x\n");
}

#[test]
fn indices_of_every_kind_are_read_and_stay_true() {
    for options in
        [&["--split-index"][..], &["--index-version=4"], &["--untracked-cache"], &["--assume-unchanged", "quiet"]]
    {
        let scene = Scene::new(&["a=a\n", "d/b=b\n", "quiet=q\n"]);
        scene.git(&[&["update-index"], options].concat());
        scene.git(&["status"]);
        let push = scene.push("main", &["a=b\n", "d/c=c\n"]);
        scene.land(&push).unwrap();
        scene.assert_landed(&push, "");
        edit(&scene.repo, &["quiet=changed\n"]);
        let seen = if options.contains(&"quiet") { "" } else { " M quiet\n" };
        assert_eq!(scene.git(&["status", "--porcelain"]), seen, "{options:?}");
    }
}

#[test]
fn replacements_are_not_what_the_branch_has() {
    let scene = Scene::new(&["a=a\n", "b=b\n"]);
    scene.git(&["config", "core.useReplaceRefs", "true"]);
    edit(&scene.repo, &["a=other\n", "b-"]);
    scene.git(&["commit", "-qam", "other"]);
    scene.git(&["replace", "HEAD~1", "HEAD"]);
    scene.git(&["--no-replace-objects", "reset", "-q", "--hard", "HEAD~1"]);
    let push = scene.push("main", &["a=b\n"]);
    assert_eq!(scene.land(&push).unwrap().updated, ["a"]);
    scene.assert_landed(&push, "");
}
