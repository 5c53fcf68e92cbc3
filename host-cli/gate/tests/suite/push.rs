//! Pushes build on the branch's actual head.

use crate::support::{
    Repo, Store,
    packer::{self, Packer},
    pushing::{Scene, facts, request},
};
use gate::{
    ConflictReason, Fault, FaultKind,
    push::{PushLimits, check},
};
use gix_object::Kind;

fn kind(result: Result<gate::push::CheckedPush, Fault>) -> FaultKind {
    result.expect_err("the push must be refused").kind
}

#[test]
fn what_git_packs_for_a_push_is_exact() {
    let scene = Scene::simple();
    scene.repo.write("a/b/c.txt", "deep\n").write("x", "1\n").commit("one");
    scene.repo.write("x", "2\n").remove("kept.txt").commit("two");
    let checked = scene.check("main").unwrap();
    assert_eq!(checked.new_head(), scene.repo.id("HEAD"));
    assert_eq!(checked.old(), Some(scene.base));
    assert_eq!(checked.pack().objects().len(), 9);
}

#[test]
fn a_merge_of_two_lines_is_exact() {
    let scene = Scene::merge();
    assert!(scene.check("main").is_ok());
}

#[test]
fn a_merge_with_a_branch_that_the_target_has_is_a_fast_forward() {
    let repo = Repo::new();
    repo.write("a", "a\n").commit("base");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("s", "s\n").commit("side");
    repo.git(&["checkout", "-q", "main"]);
    let mut scene = Scene::of(repo);
    scene.target = scene.repo.objects(&["main", "side"]);
    scene.repo.write("m", "m\n").commit("main");
    scene.repo.git(&["merge", "-q", "-m", "merge", "side"]);
    let pack = scene.repo.pack(&["HEAD", &format!("^{}", scene.base), "^side"]);
    let pushed = request("main", Some(scene.base), scene.repo.id("HEAD"), pack);
    assert!(check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).is_ok());
}

#[test]
fn a_fast_forward_to_what_the_target_has_needs_no_object() {
    let repo = Repo::new();
    let old = repo.write("a", "1\n").commit("one");
    repo.write("a", "2\n").commit("two");
    let new = repo.write("a", "3\n").commit("three");
    let target = repo.objects(&["main"]);
    let push = |old, new| {
        let pushed = request("other", Some(old), new, Packer::new().finish());
        check(pushed, &target, facts(Some(old)), &PushLimits::default())
    };
    assert!(push(old, new).is_ok());
    assert_eq!(
        kind(push(new, old)),
        FaultKind::Conflict { reason: ConflictReason::NonFastForward, target_head: Some(new) }
    );
}

#[test]
fn a_new_branch_may_start_anywhere_in_the_target_or_nowhere() {
    let scene = Scene::simple();
    scene.repo.write("new", "new\n").commit("new");
    let limits = PushLimits::default();
    let pushed = request("topic", None, scene.repo.id("HEAD"), scene.pack());
    assert!(check(pushed, &scene.target, facts(None), &limits).is_ok());
    let pushed = request("topic", None, scene.base, Packer::new().finish());
    assert!(check(pushed, &scene.target, facts(None), &limits).is_ok());
    let pushed = request("topic", None, scene.repo.id("HEAD"), scene.repo.pack(&["HEAD"]));
    assert!(check(pushed, &Store::default(), facts(None), &limits).is_ok());
}

#[test]
fn attack_17_a_branch_that_moved_is_a_conflict_that_says_where_it_is() {
    let scene = Scene::simple();
    scene.repo.write("a", "a\n").commit("mine");
    let elsewhere = packer::id(Kind::Commit, b"another");
    for (head, expected) in [(Some(elsewhere), Some(elsewhere)), (None, None)] {
        let result = check(scene.request("main"), &scene.target, facts(head), &PushLimits::default());
        let reason = ConflictReason::NonFastForward;
        assert_eq!(kind(result), FaultKind::Conflict { reason, target_head: expected });
    }
    let mut appeared = scene.request("main");
    appeared.old = None;
    let result = check(appeared, &scene.target, facts(Some(scene.base)), &PushLimits::default());
    let (reason, target_head) = (ConflictReason::NonFastForward, Some(scene.base));
    assert_eq!(kind(result), FaultKind::Conflict { reason, target_head });
}

#[test]
fn a_rewritten_history_is_a_conflict() {
    let scene = Scene::simple();
    scene.repo.git(&["commit", "-q", "--amend", "-m", "rewritten"]);
    let reason = ConflictReason::NonFastForward;
    assert_eq!(kind(scene.check("main")), FaultKind::Conflict { reason, target_head: Some(scene.base) });
    scene.repo.git(&["checkout", "-q", "--orphan", "other"]);
    scene.repo.commit("orphan");
    assert_eq!(kind(scene.check("main")), FaultKind::Conflict { reason, target_head: Some(scene.base) });
}

#[test]
fn nothing_to_push_is_refused() {
    assert_eq!(kind(Scene::simple().check("main")), FaultKind::Refused);
}
