//! A push to a new branch is compared with the target, even if the sandbox does not know how far the target moved.

use crate::support::{
    Repo,
    pushing::{Scene, facts, request},
};
use gate::{
    push::{PushLimits, TargetFacts, check},
    review::Review,
};

#[test]
fn attack_18_a_new_branch_shows_edits_and_deletions_after_the_target_has_moved() {
    let repo = Repo::new();
    repo.write("f1.txt", "one\ntwo\n").write("verify.txt", "check\n").commit("init");
    let old = repo.id("HEAD");
    repo.write("other.txt", "o\n").commit("moved");
    let mut scene = Scene::of(repo);
    scene.target = scene.repo.objects(&["HEAD"]);
    let moved = scene.repo.id("HEAD");
    scene.repo.git(&["reset", "-q", "--hard", &old.to_string()]);
    scene.repo.write("f1.txt", "one\nBACKDOOR\n").remove("verify.txt").commit("mine");
    // The sandbox's state: it does not know that the target's head builds on the commit it started from.
    let pushed = request("topic", None, scene.repo.id("HEAD"), scene.repo.pack(&["HEAD"]));
    let review = |tips| {
        let facts = TargetFacts { tips, ..facts(None) };
        let push = check(pushed.clone(), &scene.target, facts, &PushLimits::default()).unwrap();
        Review::of(&push, &scene.target).unwrap()
    };
    let shown = review(Some(vec![moved]));
    assert_eq!(shown.summary(), "M f1.txt (+1 -1)\nD verify.txt (-1)\n");
    assert_eq!((shown.base, shown.commits.len()), (Some(old), 1));
    assert!(shown.intermediate.is_empty());
    // The review leaves nothing out that no ref of the target reaches.
    assert_eq!(review(Some(vec![])).commits.len(), 2);
    assert_eq!(review(None).commits.len(), 2);
}
