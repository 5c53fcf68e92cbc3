//! An approval holds for one push, once, for 15 minutes.

use crate::support::{
    packer::{self, Packer},
    pushing::{SHOWN, Scene, Spent, facts, nonce, request},
};
use gate::{
    Fault, FaultKind,
    approval::{Decision, Nonces, Refusal, VALID_SECONDS},
    digest::Digest,
    id::Nonce,
    push::{PushLimits, TargetFacts, check},
    time::Timestamp,
};
use gix_object::Kind;

fn scene() -> Scene {
    let scene = Scene::simple();
    scene.repo.write("a", "a\n").commit("one");
    scene
}

fn approve(digest: Digest) -> Decision {
    Decision::Approve { digest }
}

fn kind(refusal: Refusal) -> FaultKind {
    match refusal {
        Refusal::Fault(fault) => fault.kind,
        Refusal::Rejected { reason } => panic!("rejected: {reason}"),
    }
}

#[test]
fn an_approved_push_gives_its_objects_out() {
    let scene = scene();
    let proposal = scene.propose("main", nonce(1));
    let digest = proposal.digest();
    let mut spent = Spent::default();
    let approved = proposal.decide(approve(digest), SHOWN, &mut spent).unwrap();
    assert_eq!(spent.0, [nonce(1)]);
    let redeemed = approved.redeem(scene.pack()).unwrap();
    assert_eq!(redeemed.target().to_string(), "local:/target");
    assert_eq!(redeemed.reference().as_str(), "refs/heads/main");
    assert_eq!((redeemed.old(), redeemed.new_head()), (Some(scene.base), scene.repo.id("HEAD")));
    let objects: Vec<_> = redeemed.objects().collect::<Result<_, Fault>>().unwrap();
    assert_eq!(objects.iter().map(|(_, kind, _)| *kind).collect::<Vec<_>>(), [Kind::Blob, Kind::Tree, Kind::Commit]);
    for (id, kind, data) in objects {
        assert_eq!(packer::id(kind, &data), id);
    }
}

#[test]
fn a_rejection_carries_its_reason_and_spends_nothing() {
    let mut spent = Spent::default();
    let decision = Decision::Reject { reason: "not today".into() };
    let refusal = scene().propose("main", nonce(1)).decide(decision, SHOWN, &mut spent).unwrap_err();
    assert_eq!(refusal, Refusal::Rejected { reason: "not today".into() });
    assert!(spent.0.is_empty());
}

#[test]
fn attack_17_an_approval_expires_after_15_minutes() {
    let scene = scene();
    let decide = |now| {
        let proposal = scene.propose("main", nonce(1));
        let digest = proposal.digest();
        let mut spent = Spent::default();
        let result = proposal.decide(approve(digest), now, &mut spent).map(|approved| approved.digest());
        (result, spent.0.len())
    };
    assert!(decide(SHOWN.plus(VALID_SECONDS - 1)).0.is_ok());
    for now in [SHOWN.plus(VALID_SECONDS), Timestamp(u64::MAX), Timestamp(SHOWN.0 - 1), Timestamp(0)] {
        let (result, spent) = decide(now);
        assert_eq!(kind(result.unwrap_err()), FaultKind::Expired);
        assert_eq!(spent, 0);
    }
}

#[test]
fn attack_17_an_approval_is_spent_once() {
    let scene = scene();
    let mut spent = Spent::default();
    let decide = |spent: &mut Spent| {
        let proposal = scene.propose("main", nonce(1));
        let digest = proposal.digest();
        proposal.decide(approve(digest), SHOWN, spent).map(|approved| approved.nonce())
    };
    assert!(decide(&mut spent).is_ok());
    assert_eq!(kind(decide(&mut spent).unwrap_err()), FaultKind::Spent);
}

#[test]
fn a_nonce_that_cannot_be_kept_gives_no_leave() {
    struct Full;
    impl Nonces for Full {
        fn spend(&mut self, _: Nonce) -> Result<(), Fault> {
            Err(Fault::new(FaultKind::Host, "no space left"))
        }
    }
    let proposal = scene().propose("main", nonce(1));
    let digest = proposal.digest();
    assert_eq!(kind(proposal.decide(approve(digest), SHOWN, &mut Full).unwrap_err()), FaultKind::Host);
}

#[test]
fn attack_17_a_digest_of_another_push_is_refused_and_spends_nothing() {
    let scene = scene();
    let other = scene.propose("other", nonce(1)).digest();
    let mut spent = Spent::default();
    let refusal = scene.propose("main", nonce(1)).decide(approve(other), SHOWN, &mut spent).unwrap_err();
    assert_eq!(kind(refusal), FaultKind::Refused);
    assert!(spent.0.is_empty());
}

#[test]
fn attack_17_every_part_of_a_push_changes_its_digest() {
    let scene = scene();
    let mut digests = vec![];
    let mut add = |what: &str, digest: Digest| {
        assert!(!digests.contains(&digest), "{what} does not change the digest");
        digests.push(digest);
    };
    let digest = |change: &dyn Fn(&mut gate::push::PushRequest), nonce| {
        let mut pushed = scene.request("main");
        change(&mut pushed);
        let facts = TargetFacts { current_head_of_ref: pushed.old, ..TargetFacts::default() };
        let checked = check(pushed, &scene.target, facts, &PushLimits::default()).unwrap();
        checked.propose(&scene.target, nonce, SHOWN).unwrap().digest()
    };
    add("the push itself", digest(&|_| {}, nonce(1)));
    add("the nonce", digest(&|_| {}, nonce(2)));
    add("the sandbox", digest(&|push| push.sandbox = "other".parse().unwrap(), nonce(1)));
    add("the kind of target", digest(&|push| push.target = "bare:/target".parse().unwrap(), nonce(1)));
    add("the target", digest(&|push| push.target = "local:/target2".parse().unwrap(), nonce(1)));
    add("the branch", digest(&|push| push.reference = "refs/heads/main2".parse().unwrap(), nonce(1)));
    add("the old head", digest(&|push| push.old = None, nonce(1)));
    scene.repo.write("a", "b\n").commit("two");
    add("the new head and its objects", digest(&|_| {}, nonce(1)));
    // The same moment or another: the time is not part of the text on the screen.
    let later = scene.check("main").unwrap().propose(&scene.target, nonce(1), SHOWN.plus(60)).unwrap();
    assert_eq!(later.digest(), digest(&|_| {}, nonce(1)));
}

#[test]
fn a_proposal_is_the_same_in_another_process_and_for_another_packing() {
    let scene = scene();
    let first = scene.propose("main", nonce(1));
    let again = scene.propose("main", nonce(1));
    assert_eq!(first.digest(), again.digest());
    assert_eq!(first.expires_at(), again.expires_at());
    // The digest covers a pack's objects, not its packing.
    let mut packer = Packer::new();
    for (kind, data) in scene.repo.objects(&["HEAD", &format!("^{}", scene.base)]).0.values() {
        packer.object(*kind, data);
    }
    let approved = first.decide(approve(again.digest()), SHOWN, &mut Spent::default()).unwrap();
    assert!(approved.redeem(packer.finish()).is_ok());
}

#[test]
fn attack_17_other_bytes_than_were_approved_are_not_written() {
    let scene = scene();
    let approved = || {
        let proposal = scene.propose("main", nonce(1));
        let digest = proposal.digest();
        proposal.decide(approve(digest), SHOWN, &mut Spent::default()).unwrap()
    };
    let pack = scene.pack();
    let mut damaged = pack.to_vec();
    damaged[20] ^= 1;
    assert_eq!(approved().redeem(damaged.into()).unwrap_err().kind, FaultKind::MalformedPack);
    assert_eq!(approved().redeem(Packer::new().finish()).unwrap_err().kind, FaultKind::Refused);
    let mut more = Packer::new();
    for (kind, data) in scene.repo.objects(&["HEAD", &format!("^{}", scene.base)]).0.values() {
        more.object(*kind, data);
    }
    more.blob(b"one more");
    assert_eq!(approved().redeem(more.finish()).unwrap_err().kind, FaultKind::Refused);
    scene.repo.write("a", "rewritten\n").commit("two");
    let rewritten = scene.pack();
    let proposal = {
        let pushed = request("main", Some(scene.base), scene.repo.id("HEAD~1"), pack.clone());
        let checked = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).unwrap();
        checked.propose(&scene.target, nonce(1), SHOWN).unwrap()
    };
    let digest = proposal.digest();
    let approved = proposal.decide(approve(digest), SHOWN, &mut Spent::default()).unwrap();
    assert_eq!(approved.redeem(rewritten).unwrap_err().kind, FaultKind::Refused);
}

#[test]
fn a_digest_reads_back_from_its_64_digits_and_nothing_else() {
    let digest = scene().propose("main", nonce(1)).digest();
    let hex = digest.to_string();
    assert_eq!(hex.len(), 64);
    assert_eq!(hex.parse::<Digest>().unwrap(), digest);
    for wrong in [&hex[..63], &hex.to_uppercase(), &(hex.clone() + "0"), "", &"g".repeat(64)] {
        assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
    }
}

/// The encoding is a contract with other hosts, so this computes it again from its description.
#[test]
fn the_digest_is_the_documented_encoding_version_1() {
    use sha2::{Digest as _, Sha256};
    let scene = scene();
    let mut fields: Vec<Vec<u8>> = vec![
        b"default".to_vec(),
        vec![1; 16],
        b"local:/target".to_vec(),
        b"refs/heads/main".to_vec(),
        scene.base.as_slice().to_vec(),
        scene.repo.id("HEAD").as_slice().to_vec(),
        3u64.to_be_bytes().to_vec(),
    ];
    let objects = scene.repo.objects(&["HEAD", &format!("^{}", scene.base)]).0;
    let sorted: std::collections::BTreeMap<_, _> = objects.into_iter().collect();
    for (id, (kind, data)) in sorted {
        fields.push(id.as_slice().to_vec());
        fields.push(kind.as_bytes().to_vec());
        fields.push(Sha256::digest(&data).to_vec());
    }
    let mut hasher = Sha256::new();
    hasher.update(b"gitgate push digest 1\n");
    for field in fields {
        hasher.update((field.len() as u64).to_be_bytes());
        hasher.update(field);
    }
    let expected: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(scene.propose("main", nonce(1)).digest().to_string(), expected);
}
