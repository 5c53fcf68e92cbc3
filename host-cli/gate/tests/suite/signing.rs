//! The host signs the commits of a push. No other signature leaves.

use crate::support::{
    github::{self, Server},
    hex,
    pushing::{SHOWN, Scene, Spent, facts, nonce},
};
use gate::{
    FaultKind,
    approval::{Decision, Redeemed},
    forge::{Fault, Landing},
    github::Land,
    objects::Nothing,
    push::{CheckedPush, Peculiarity, PushLimits, PushRequest, TargetFacts, Usual, check},
    review::{Flag, Review},
    signing::Signed,
    time::Timestamp,
};
use gix_hash::ObjectId;
use patch::signature::{with_parents, with_signature};

const OWN: &str = "C O Mitter <committer@example.com>";

/// A push to `main` by somebody who commits as `own`.
fn checked(scene: &Scene, own: &str, signed: &Signed) -> Result<CheckedPush, gate::Fault> {
    let facts = TargetFacts {
        commits: Some(Usual { identity: None, committer: Some(own.to_owned()), now: Timestamp(1_700_000_000) }),
        signed: signed.clone(),
        peculiarities: vec![Peculiarity::Signs],
        ..facts(Some(scene.base))
    };
    let request = PushRequest { target: github::repository().target(), ..scene.request("main") };
    check(request, &scene.target, facts, &PushLimits::default())
}

/// Approves it.
fn approved(scene: &Scene, push: CheckedPush) -> Redeemed {
    let proposal = push.propose(&scene.target, nonce(1), SHOWN).unwrap();
    let digest = proposal.digest();
    let decided = proposal.decide(Decision::Approve { digest }, SHOWN, &mut Spent::default()).unwrap();
    decided.redeem(scene.pack()).unwrap()
}

/// Signs with a signature of nobody's.
fn sign(push: &CheckedPush) -> Signed {
    push.sign::<()>(&Nothing, &mut |_, content| Ok(format!("signs\n{} bytes\n", content.len()))).unwrap()
}

/// Makes the signed commits, as the sandbox does, and moves HEAD to the last.
fn put(scene: &Scene, signed: &Signed) {
    let mut successors: Vec<(ObjectId, ObjectId)> = Vec::new();
    for signature in &signed.signatures {
        let content = scene.repo.git(&["cat-file", "commit", &signature.commit.to_string()]);
        let renamed = with_parents(&content, &|id| {
            let found = successors.iter().find(|(old, _)| *old == hex(id));
            found.map(|(_, made)| made.to_string())
        });
        let made = with_signature(&renamed, &signature.text);
        let made = scene.repo.git_with(&["hash-object", "-t", "commit", "-w", "--stdin"], &made);
        successors.push((signature.commit, hex(made.trim_ascii())));
    }
    let (_, head) = successors.last().expect("there are signatures");
    scene.repo.git(&["reset", "-q", "--hard", &head.to_string()]);
}

fn two() -> Scene {
    let scene = Scene::simple();
    scene.repo.write("a", "1\n").commit("one");
    scene.repo.write("a", "2\n").commit("two");
    scene
}

#[test]
fn each_commit_is_signed_as_it_is_on_top_of_the_signed_ones() {
    for scene in [two(), Scene::merge()] {
        let push = checked(&scene, OWN, &Signed::default()).unwrap();
        let review = Review::of(&push, &scene.target).unwrap();
        assert!(review.commits.iter().all(|commit| !commit.signed) && review.flags.contains(&Flag::Unsigned));
        let signed = sign(&push);
        assert_eq!(signed.signatures.len(), review.commits.len());
        let content = scene.repo.git(&["cat-file", "commit", &signed.signatures[0].commit.to_string()]);
        assert!(signed.signatures[0].is_of(&content) && !signed.signatures[0].is_of(b"tree 1\n"));
        put(&scene, &signed);
        let push = checked(&scene, OWN, &signed).unwrap();
        assert!(signed.contains(&push.new_head()));
        let review = Review::of(&push, &scene.target).unwrap();
        assert!(review.commits.iter().all(|commit| commit.signed) && !review.flags.contains(&Flag::Unsigned));
        assert!(review.log().contains("\nSigned: with your key\nAuthor"), "{}", review.log());
        assert!(sign(&push).signatures.is_empty(), "nothing is signed twice");
        scene.repo.git(&["fsck", "--strict"]);
    }
}

#[test]
fn what_others_made_is_passed_on_as_it_came() {
    let scene = two();
    assert!(sign(&checked(&scene, "Ada <ada@example.org>", &Signed::default()).unwrap()).signatures.is_empty());
    let push = checked(&scene, OWN, &Signed::default()).unwrap();
    let given = scene.repo.objects(&["HEAD~1"]);
    let signed = push.sign::<()>(&given, &mut |_, _| Ok("signs\n".to_owned())).unwrap();
    assert_eq!(signed.signatures.len(), 1, "the first was given to the sandbox");
    // What builds on a signed commit has another parent, so it cannot stay.
    scene.repo.git(&["-c", "user.name=x", "commit", "-q", "--allow-empty", "-m", "three"]);
    let mut command = scene.repo.command(&["commit", "-q", "--allow-empty", "-m", "four"]);
    assert!(command.env("GIT_COMMITTER_EMAIL", "other@example.org").status().unwrap().success());
    assert_eq!(sign(&checked(&scene, OWN, &Signed::default()).unwrap()).signatures.len(), 4);
}

#[test]
fn attack_18_a_signature_that_the_host_did_not_make_is_refused() {
    let scene = two();
    let signed = sign(&checked(&scene, OWN, &Signed::default()).unwrap());
    let mut others = signed.clone();
    // What no review shows would leave in it.
    others.signatures[1].text = "signs\nwith a secret\n".to_owned();
    put(&scene, &others);
    for known in [&signed, &Signed::default()] {
        let fault = checked(&scene, OWN, known).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MalformedObject);
        assert!(fault.message.contains("has a signature that was not made here"), "{fault}");
    }
}

#[test]
fn a_signer_that_fails_ends_it() {
    let push = checked(&two(), OWN, &Signed::default()).unwrap();
    let mut left = 1;
    let outcome = push.sign(&Nothing, &mut |_, _| {
        left -= 1;
        if left < 0 { Err("no key") } else { Ok("signs\n".to_owned()) }
    });
    assert!(matches!(outcome, Err(gate::signing::Failed::Signer("no key"))));
}

#[test]
fn github_gets_the_signatures_and_may_demand_them() {
    for has_graph in [false, true] {
        let land = |scene: &Scene, signed: &Signed| -> (Server, Result<Landing, Fault>) {
            let mut server = Server::before_push(scene).with_graph(has_graph);
            server.wants_signatures = true;
            let push = checked(scene, OWN, signed).unwrap();
            let landed = server.drive(Land::new(approved(scene, push)));
            (server, landed)
        };
        let scene = two();
        let (server, refused) = land(&scene, &Signed::default());
        let fault = match refused {
            Err(fault) => fault.message,
            Ok(other) => panic!("{other:?}"),
        };
        assert!(fault.contains("Commits must have verified signatures"), "{fault}");
        assert_eq!(server.main(), Some(scene.base));
        let signed = sign(&checked(&scene, OWN, &Signed::default()).unwrap());
        put(&scene, &signed);
        let (server, landed) = land(&scene, &signed);
        assert!(matches!(landed, Ok(Landing::Landed { .. })), "{landed:?}");
        assert_eq!(server.main(), Some(scene.repo.id("HEAD")));
        for (id, object) in scene.repo.objects(&["HEAD"]).0 {
            assert_eq!(server.objects.get(&id), Some(&object), "{id}");
        }
    }
}
