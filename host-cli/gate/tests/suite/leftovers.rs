//! Commits that the target stores but no ref reaches: nobody vouches for them.

use crate::support::{
    Repo, Store,
    packer::{self, Packer},
    pushing::{Scene, facts, request},
};
use gate::{
    Fault, FaultKind,
    objects::Objects,
    push::{CheckedPush, PushLimits, TargetFacts, check},
    review::{Review, Severity},
};
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

/// A target whose branch was reset by two commits, and the first of them.
fn scene() -> (Scene, ObjectId) {
    let repo = Repo::new();
    repo.write("kept.txt", "kept\n").commit("base");
    let base = repo.id("HEAD");
    let first = repo.write("dir/left.txt", "left\n").commit("left over");
    repo.write("dir/more.txt", "more\n").commit("left over, too");
    let target = repo.objects(&["HEAD"]);
    (Scene { repo, base, target }, first)
}

/// A push that creates a branch on the leftover commits, without any of their objects.
fn push(
    scene: &Scene,
    target: &dyn Objects,
    tips: Option<Vec<ObjectId>>,
    old: Option<ObjectId>,
) -> Result<CheckedPush, Fault> {
    let mut packer = Packer::new();
    let new = packer.commit(scene.repo.id("HEAD^{tree}"), &[scene.repo.id("HEAD")], "on top\n");
    let facts = TargetFacts { tips, ..facts(old) };
    check(request("topic", old, new, packer.finish()), target, facts, &PushLimits::default())
}

#[test]
fn attack_17_a_leftover_commit_must_be_whole_to_be_built_on() {
    let (scene, first) = scene();
    let everything = scene.repo.objects(&["HEAD", &format!("^{}", scene.base)]);
    for old in [None, Some(scene.base)] {
        for tips in [None, Some(Vec::new()), Some(vec![scene.base])] {
            assert!(push(&scene, &scene.target, tips.clone(), old).is_ok());
            for gone in everything.0.keys() {
                let mut target = scene.target.clone();
                target.0.remove(gone);
                let fault = push(&scene, &target, tips.clone(), old).unwrap_err();
                // If the missing object cuts the way to the branch's head, nobody can know that the push builds on it.
                let cut = old.is_some() && *gone == first && matches!(fault.kind, FaultKind::Conflict { .. });
                assert!(cut || fault.kind == FaultKind::MissingObject, "{fault}");
            }
        }
    }
    // The target vouches for everything its refs reach, so nothing below is read.
    let mut target = scene.target.clone();
    target.0.remove(&first);
    assert!(push(&scene, &target, Some(vec![scene.repo.id("HEAD")]), None).is_ok());
}

#[test]
fn attack_17_the_push_does_not_bring_what_a_leftover_lacks() {
    let (scene, _) = scene();
    let mut target = scene.target.clone();
    target.0.remove(&packer::id(Kind::Blob, b"left\n"));
    let mut packer = Packer::new();
    packer.blob(b"left\n");
    let new = packer.commit(scene.repo.id("HEAD^{tree}"), &[scene.repo.id("HEAD")], "on top\n");
    let facts = TargetFacts { tips: Some(vec![scene.base]), ..facts(None) };
    let fault = check(request("topic", None, new, packer.finish()), &target, facts, &PushLimits::default());
    assert_eq!(fault.unwrap_err().kind, FaultKind::MissingObject);
}

#[test]
fn attack_19_commits_that_the_target_has_let_go_are_not_brought_back_unsaid() {
    let (scene, _) = scene();
    let flags = |tips: Option<Vec<ObjectId>>| {
        let checked = push(&scene, &scene.target, tips, None).unwrap();
        let review = Review::of(&checked, &scene.target).unwrap();
        review.flags.iter().map(|flag| (flag.severity(), flag.sentence())).collect::<Vec<_>>()
    };
    let said = (Severity::High, "Restores 2 commits that no branch of the target has any more".to_owned());
    assert_eq!(flags(Some(vec![scene.base]))[0], said);
    assert!(!flags(Some(vec![scene.base, scene.repo.id("HEAD")])).contains(&said));
    assert!(!flags(None).contains(&said), "a host that does not know the refs cannot tell");
}

/// Counts the reads from a target.
struct Counted<'a>(&'a Store, std::cell::Cell<usize>);

impl Objects for Counted<'_> {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        self.1.set(self.1.get() + 1);
        self.0.find(id, out)
    }
}

#[test]
fn a_branch_from_where_a_ref_is_reads_no_history() {
    let repo = Repo::new();
    for number in 0..50 {
        repo.write(&format!("dir/{number}"), "x").commit("more");
    }
    repo.git(&["tag", "-a", "-m", "tag", "v1", "HEAD~30"]);
    let tag = repo.id("v1");
    let scene = Scene::of(repo);
    let mut target = scene.target.clone();
    target.0.extend(scene.repo.objects(&["v1"]).0);
    let reads = |on: &str, tips: Option<Vec<ObjectId>>| {
        let counted = Counted(&target, std::cell::Cell::new(0));
        let mut packer = Packer::new();
        let new = packer.commit(scene.repo.id(&format!("{on}^{{tree}}")), &[scene.repo.id(on)], "on top\n");
        let facts = TargetFacts { tips, ..facts(None) };
        check(request("topic", None, new, packer.finish()), &counted, facts, &PushLimits::default()).unwrap();
        counted.1.get()
    };
    let head = scene.repo.id("HEAD");
    assert!(reads("HEAD", Some(vec![head])) < 10);
    assert!(reads("HEAD~30", Some(vec![tag])) < 10, "a tag counts as what it tags");
    assert!((20..60).contains(&reads("HEAD~20", Some(vec![head]))), "the commits between, without their files");
    assert!(reads("HEAD", None) > 100, "everything is followed where the refs are not known");
}

#[test]
fn refs_that_point_to_no_commit_or_to_nothing_reach_nothing() {
    let (scene, _) = scene();
    let tips = vec![packer::id(Kind::Blob, b"left\n"), packer::id(Kind::Blob, b"absent"), scene.repo.id("HEAD^{tree}")];
    assert!(push(&scene, &scene.target, Some(tips), None).is_ok());
}
