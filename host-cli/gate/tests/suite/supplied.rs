//! Pushes a whole history to an empty target: the rules for new objects do not apply to objects
//! that the host itself supplied.

use crate::support::{
    Repo,
    packer::{self, Packer},
    pushing::{SHOWN, Spent, facts, nonce, request},
};
use gate::{
    Fault, FaultKind,
    approval::Decision,
    objects::{Nothing, Supplied},
    push::{CheckedPush, PushLimits, PushRequest, TargetFacts, check},
    review::{Review, Screen},
};
use gix_hash::ObjectId;
use gix_object::Kind;
use std::collections::HashSet;

/// An old history in the style of other tools, as a pack, with its head and ids.
fn old() -> (Packer, ObjectId, HashSet<ObjectId>) {
    let mut packer = Packer::new();
    let script = packer.blob(b"#!/bin/sh\n");
    let secret = packer.blob(b"KEY=hunter2\n");
    let folder = packer.tree(&[("100664", b"x", script)]);
    let empty = packer.tree(&[]);
    let first = packer.tree(&[
        ("100755", b".github", script),
        ("040000", b"dir", folder),
        ("40000", b"empty", empty),
        ("100644", b"key", secret),
    ]);
    let second = packer.tree(&[("100755", b".github", script), ("040000", b"dir", folder)]);
    let who = "A <a> 1 +0000";
    let one = format!("tree {first}\nauthor {who}\ncommitter {who}\ngpgsig x\nHG:extra y\n\nold\n");
    let one = packer.object(Kind::Commit, one.as_bytes());
    let two = packer.commit(second, &[one], "older\n");
    let ids = HashSet::from([script, secret, folder, empty, first, second, one, two]);
    (packer, two, ids)
}

/// The same with one more commit by the sandbox, which changes `name` to `content`.
fn new(name: &[u8], content: &[u8]) -> (PushRequest, HashSet<ObjectId>) {
    let (mut packer, head, ids) = old();
    let blob = packer.blob(content);
    let tree = packer.tree(&[("100644", name, blob)]);
    let new = packer.commit(tree, &[head], "by the sandbox\n");
    (request("main", None, new, packer.finish()), ids)
}

fn check_with(pushed: PushRequest, ids: HashSet<ObjectId>) -> Result<CheckedPush, Fault> {
    let supplied = Supplied::by(move |id| ids.contains(id));
    check(pushed, &Nothing, TargetFacts { supplied, ..facts(None) }, &PushLimits::default())
}

#[test]
fn faults_of_format_that_the_host_supplied_pass_and_those_of_the_sandbox_do_not() {
    let (pushed, ids) = new(b"a", b"new\n");
    assert_eq!(check_with(pushed.clone(), HashSet::new()).unwrap_err().kind, FaultKind::MalformedObject);
    assert!(check_with(pushed, ids.clone()).is_ok());
    // For each faulty object: without it among the supplied ones, the push is refused.
    let (pushed, _) = new(b"a", b"new\n");
    let refused = ids.iter().filter(|id| {
        let mut fewer = ids.clone();
        fewer.remove(*id);
        check_with(pushed.clone(), fewer).is_err()
    });
    assert_eq!(refused.count(), 4, "two trees and a folder with odd modes, and a commit with odd headers");
}

#[test]
fn attack_09_what_the_sandbox_adds_is_held_to_every_rule() {
    let (pushed, ids) = new(b".gitmodules", b"[submodule \"../../x\"]\n\turl = ./x\n");
    assert!(check_with(pushed, ids).unwrap_err().message.contains(".gitmodules"));
}

#[test]
fn a_review_compares_with_what_the_host_supplied() {
    let (pushed, ids) = new(b"a", b"new\n");
    let head = pushed.new;
    let review = Review::of(&check_with(pushed, ids).unwrap(), &Nothing).unwrap();
    assert_eq!(review.summary(), "D .github (-1)\nA a (+1)\nD dir/x (-1)\n");
    assert_eq!(review.commits.iter().map(|commit| commit.id).collect::<Vec<_>>(), [head]);
    assert!(review.intermediate.is_empty());
    assert_eq!(review.supplied, 2);
    let said: Vec<_> = review.flags.iter().map(|flag| flag.sentence()).collect();
    assert_eq!(
        said,
        [
            "Pushing directly to main branch",
            "Creates the new branch main",
            "Includes 2 earlier commits that this sandbox was created with, not listed here"
        ]
    );
}

#[test]
fn a_history_without_a_new_commit_says_so() {
    let (packer, head, ids) = old();
    let review =
        Review::of(&check_with(request("topic", None, head, packer.finish()), ids).unwrap(), &Nothing).unwrap();
    assert!(review.files.is_empty() && review.commits.is_empty());
    assert!(
        review.prompt_box(&Screen::default()).contains("(the sandbox was created with it)"),
        "{}",
        review.prompt_box(&Screen::default())
    );
}

#[test]
fn attack_19_content_of_the_sandbox_that_only_an_intermediate_commit_holds_is_listed() {
    let (mut packer, head, ids) = old();
    let blob = packer.blob(b"TOKEN=1\n");
    let known = packer::id(Kind::Blob, b"#!/bin/sh\n");
    let with = packer.tree(&[("100644", b"other", known), ("100644", b"token", blob)]);
    let middle = packer.commit(with, &[head], "in between\n");
    let new = packer.commit(packer::id(Kind::Tree, b""), &[middle], "gone\n");
    let review = Review::of(&check_with(request("topic", None, new, packer.finish()), ids).unwrap(), &Nothing).unwrap();
    let listed: Vec<_> = review.intermediate.iter().map(|file| file.change.shown_path()).collect();
    assert_eq!(listed, ["other", "token"], "a name that the sandbox made is its own, whatever stands under it");
}

#[test]
fn attack_17_the_digest_covers_what_was_supplied_and_the_bytes_are_verified_again() {
    let propose = |pushed: PushRequest, ids: HashSet<ObjectId>| {
        check_with(pushed, ids).unwrap().propose(&Nothing, nonce(1), SHOWN).unwrap()
    };
    let (pushed, ids) = new(b"a", b"new\n");
    let pack = pushed.pack.clone();
    let proposal = propose(pushed.clone(), ids.clone());
    let digest = proposal.digest();
    // The origin of an object does not change what leaves.
    let (more, mut all) = (pushed.clone(), ids.clone());
    all.insert(packer::id(Kind::Blob, b"new\n"));
    assert_eq!(propose(more, all).digest(), digest);
    let approved = proposal.decide(Decision::Approve { digest }, SHOWN, &mut Spent::default()).unwrap();
    assert_eq!(approved.redeem(pack).unwrap().objects().count(), 11);
    // No history can have one more old object under the same head. Another head has another digest.
    let (other, ids) = new(b"a", b"newer\n");
    assert_ne!(propose(other, ids).digest(), digest);
}

#[test]
fn objects_that_nobody_needs_are_refused_though_the_host_supplied_them() {
    let (mut packer, head, mut ids) = old();
    ids.insert(packer.blob(b"stowaway"));
    let fault = check_with(request("topic", None, head, packer.finish()), ids).unwrap_err();
    assert_eq!(fault.kind, FaultKind::UnneededObject);
}

#[test]
fn a_history_of_git_is_exported_with_few_lines() {
    let repo = Repo::new();
    for number in 0..200 {
        repo.write("a", format!("{number}\n")).write(&format!("f{number}"), "x\n").commit("old");
    }
    let ids: HashSet<ObjectId> = repo.objects(&["main"]).0.keys().copied().collect();
    repo.write("a", "by the sandbox\n").commit("new");
    let pushed = request("topic", None, repo.id("main"), repo.pack(&["main"]));
    let review = Review::of(&check_with(pushed, ids).unwrap(), &Nothing).unwrap();
    assert_eq!(review.summary(), "M a (+1 -1)\n");
    assert!(review.prompt_box(&Screen::default()).lines().count() < 20, "{}", review.prompt_box(&Screen::default()));
    let expected = repo.git(&["diff", "--no-color", "--abbrev=12", "main~1", "main"]);
    assert_eq!(review.patch(), String::from_utf8(expected).unwrap());
}
