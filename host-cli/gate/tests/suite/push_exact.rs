//! Pushes contain exactly the objects that the branch lacks, each of the kind that names it.

use crate::support::{
    Repo, Store,
    packer::{self, Packer},
    pushing::{Scene, facts, request},
};
use gate::{
    Fault, FaultKind,
    objects::Objects,
    push::{PushLimits, check},
};
use gix_object::Kind;

fn kind(result: Result<gate::push::CheckedPush, Fault>) -> FaultKind {
    result.expect_err("the push must be refused").kind
}

fn tree_of(store: &Store, commit: gix_hash::ObjectId) -> gix_hash::ObjectId {
    crate::support::hex(&store.0[&commit].1[5..45])
}

#[test]
fn every_object_that_is_left_out_is_missed() {
    let scene = Scene::simple();
    scene.repo.write("dir/a", "a\n").write("dir/b", "b\n").commit("one");
    let whole = scene.repo.objects(&["HEAD", &format!("^{}", scene.base)]);
    let ids: Vec<_> = whole.0.keys().copied().collect();
    for left_out in &ids {
        let mut packer = Packer::new();
        for (id, (kind, data)) in &whole.0 {
            if id != left_out {
                assert_eq!(packer.object(*kind, data), *id);
            }
        }
        let pushed = request("main", Some(scene.base), scene.repo.id("HEAD"), packer.finish());
        let result = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default());
        assert_eq!(kind(result), FaultKind::MissingObject, "{left_out}");
    }
}

#[test]
fn attack_19_every_object_that_is_not_needed_is_refused() {
    let scene = Scene::simple();
    let tree = scene.repo.write("a", "a\n").commit("one");
    let whole = scene.repo.objects(&["HEAD", &format!("^{}", scene.base)]);
    let (_, old_commit) = &scene.target.0[&scene.base];
    let stowaways = [
        (Kind::Blob, b"a secret".to_vec()),
        (Kind::Tree, packer::tree(&[])),
        (Kind::Commit, packer::commit(tree_of(&whole, tree), &[], "hidden")),
        (Kind::Commit, old_commit.clone()),
        (Kind::Tag, format!("object {}\ntype commit\ntag t\ntagger A <a> 0 +0000\n\n", scene.base).into_bytes()),
        (Kind::Blob, b"kept\n".to_vec()),
    ];
    for (stowaway, data) in stowaways {
        let mut packer = Packer::new();
        for (kind, data) in whole.0.values() {
            packer.object(*kind, data);
        }
        packer.object(stowaway, &data);
        let pushed = request("main", Some(scene.base), scene.repo.id("HEAD"), packer.finish());
        let result = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default());
        assert_eq!(kind(result), FaultKind::UnneededObject, "{stowaway} {:?}", String::from_utf8_lossy(&data));
    }
}

#[test]
fn an_object_of_another_kind_than_named_is_refused() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let blob = packer.blob(b"x\n");
    let tree = packer.tree(&[("40000", b"x", blob)]);
    let new = packer.commit(tree, &[scene.base], "a blob as a folder\n");
    let pushed = request("main", Some(scene.base), new, packer.finish());
    let result = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default());
    assert_eq!(kind(result), FaultKind::MalformedObject);

    let mut packer = Packer::new();
    let blob = packer.blob(b"x\n");
    let new = packer.commit(blob, &[scene.base], "a blob as the tree\n");
    let pushed = request("main", Some(scene.base), new, packer.finish());
    let result = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default());
    assert_eq!(kind(result), FaultKind::MalformedObject);

    let mut packer = Packer::new();
    let new = packer.blob(b"not a commit\n");
    let pushed = request("main", Some(scene.base), new, packer.finish());
    let result = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default());
    assert_eq!(kind(result), FaultKind::MalformedObject);
}

#[test]
fn a_leftover_tree_of_the_target_must_be_whole_to_be_built_on() {
    let scene = Scene::simple();
    let (absent, mut target) = (packer::id(Kind::Blob, b"never written"), scene.target.clone());
    let leftover = packer::tree(&[("100644", b"gone", absent)]);
    let leftover_id = packer::id(Kind::Tree, &leftover);
    target.0.insert(leftover_id, (Kind::Tree, leftover));
    let mut packer = Packer::new();
    let tree = packer.tree(&[("40000", b"dir", leftover_id)]);
    let new = packer.commit(tree, &[scene.base], "on a leftover\n");
    let pushed = request("main", Some(scene.base), new, packer.finish());
    let result = check(pushed, &target, facts(Some(scene.base)), &PushLimits::default());
    assert_eq!(kind(result), FaultKind::MissingObject);
}

#[test]
fn a_push_whose_objects_the_target_has_already_can_be_repeated() {
    let mut scene = Scene::simple();
    scene.repo.write("a", "a\n").commit("one");
    // A host that was killed between the objects and the ref leaves this behind.
    scene.target = scene.repo.objects(&["HEAD"]);
    assert!(scene.check("main").is_ok());
}

#[test]
fn a_revert_to_what_the_history_has_is_exact() {
    let repo = Repo::new();
    repo.write("a", "first\n").write("dir/b", "first\n").commit("one");
    repo.write("a", "second\n").write("dir/b", "second\n").commit("two");
    let scene = Scene::of(repo);
    scene.repo.write("a", "first\n").write("dir/b", "first\n").commit("revert");
    // Git leaves out objects from the history; another packer may send them.
    assert!(scene.check("main").is_ok());
    let mut packer = Packer::new();
    let mut data = Vec::new();
    let everything = scene.repo.objects(&["HEAD"]);
    let new = scene.repo.id("HEAD");
    for id in [new, tree_of(&everything, new)] {
        let kind = everything.find(&id, &mut data).unwrap().unwrap();
        packer.object(kind, &data);
    }
    packer.blob(b"first\n");
    let pushed = request("main", Some(scene.base), new, packer.finish());
    assert!(check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).is_ok());
}

#[test]
fn attack_21_a_tree_ten_thousand_deep_does_not_overflow_and_is_too_large_to_show() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let mut id = packer.blob(b"deep\n");
    let mut mode = "100644";
    for _ in 0..10_000 {
        id = packer.tree(&[(mode, b"d", id)]);
        mode = "40000";
    }
    let new = packer.commit(id, &[scene.base], "deep\n");
    let pushed = request("main", Some(scene.base), new, packer.finish());
    let checked = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).unwrap();
    let fault = gate::review::Review::of(&checked, &scene.target).unwrap_err();
    assert_eq!(fault.kind, FaultKind::TooLarge);
}

#[test]
fn attack_21_ten_thousand_commits_do_not_overflow() {
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let tree = tree_of(&scene.target, scene.base);
    let mut new = scene.base;
    for number in 0..10_000 {
        new = packer.commit(tree, &[new], &format!("commit {number}\n"));
    }
    let pushed = request("main", Some(scene.base), new, packer.finish());
    let checked = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).unwrap();
    let review = gate::review::Review::of(&checked, &scene.target).unwrap();
    assert_eq!(review.commits.len(), 10_000);
    assert_eq!(review.commits[0].subject, "commit 0");
}

#[test]
fn attack_19_a_leftover_tree_of_the_target_brings_no_name_of_an_empty_folder() {
    let scene = Scene::simple();
    let mut target = scene.target.clone();
    let empty = packer::id(Kind::Tree, b"");
    let leftover = packer::tree(&[("40000", b"KEY=hunter2", empty)]);
    let leftover_id = packer::id(Kind::Tree, &leftover);
    target.0.extend([(empty, (Kind::Tree, Vec::new())), (leftover_id, (Kind::Tree, leftover))]);
    let mut packer = Packer::new();
    let tree = packer.tree(&[("40000", b"dir", leftover_id)]);
    let new = packer.commit(tree, &[scene.base], "on a leftover\n");
    let pushed = request("main", Some(scene.base), new, packer.finish());
    let result = check(pushed, &target, facts(Some(scene.base)), &PushLimits::default());
    assert_eq!(kind(result), FaultKind::MalformedObject);
}
