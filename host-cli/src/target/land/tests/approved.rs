//! The whole way of a push through the gate, by the functions that the host calls.

use gate::approval::{Decision, Nonces, Redeemed};
use gate::id::Nonce;
use gate::push::{CheckedPush, PushLimits, PushRequest, TargetFacts, check};
use gate::time::Timestamp;
use gate::{Fault, FaultKind};

use super::support::*;
use crate::target::land::{Committer, LandError, Plan, Recovered, execute, plan, recover};
use crate::target::{Silent, Target, TargetErrorKind};

/// A record of nonces that is gone with the test.
#[derive(Default)]
struct Spent(Vec<Nonce>);

impl Nonces for Spent {
    fn spend(&mut self, nonce: Nonce) -> Result<(), Fault> {
        if self.0.contains(&nonce) {
            return Err(Fault::new(FaultKind::Spent, "spent"));
        }
        self.0.push(nonce);
        Ok(())
    }
}

fn checked(target: &Target, push: &Push) -> CheckedPush {
    let request = PushRequest {
        sandbox: "test".parse().unwrap(),
        target: target.canonical().clone(),
        reference: push.reference.parse().unwrap(),
        old: push.old,
        new: push.new,
        pack: push.pack.bytes().clone(),
    };
    let facts = TargetFacts {
        current_head_of_ref: target.tip(&push.reference.parse().unwrap()).unwrap(),
        ..Default::default()
    };
    check(request, &target.objects().unwrap(), facts, &PushLimits::default()).unwrap()
}

fn approve(target: &Target, push: CheckedPush, nonce: Nonce) -> Redeemed {
    let pack = push.pack().bytes().clone();
    let proposal = push.propose(&target.objects().unwrap(), nonce, Timestamp(1000)).unwrap();
    let digest = proposal.digest();
    let approved = proposal.decide(Decision::Approve { digest }, Timestamp(1001), &mut Spent::default()).unwrap();
    approved.redeem(pack).unwrap()
}

#[test]
fn an_approved_push_lands_as_planned_and_recovery_has_nothing_left_to_do() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n", "n=n\n"]);
    let target = scene.target();
    let nonce = Nonce::from_random([7; 16]);
    let checked = checked(&target, &push);
    let planned = plan(&target, &checked, &nonce, &Committer::default()).unwrap();
    let recorded = serde_json::to_value(&planned).unwrap();
    let landed = execute(&target, &approve(&target, checked, nonce), &planned, &Silent).unwrap();
    assert_eq!(landed.updated, ["a", "n"]);
    scene.assert_landed(&push, "");

    // Between the end of the landing and the record of its outcome the person goes back to the old content.
    edit(&scene.repo, &["a=a\n"]);
    let recorded: Plan = serde_json::from_value(recorded).unwrap();
    let report = recover(&target, &recorded, Some(push.new)).unwrap();
    assert_eq!((report.state, report.landed), (Recovered::Landed, Default::default()));
    scene.assert_landed(&push, " M a\n");
}

#[test]
fn attack_17_an_approval_lands_only_what_it_was_given_for() {
    let scene = Scene::new(&["a=a\n"]);
    let other = Scene::bare(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n"]);
    let target = scene.target();
    let nonce = Nonce::from_random([7; 16]);
    let planned = plan(&target, &checked(&target, &push), &nonce, &Committer::default()).unwrap();
    let before = snapshot(scene.temp.path());
    let refused = |target: &Target, redeemed: Redeemed| {
        assert!(
            matches!(execute(target, &redeemed, &planned, &Silent), Err(LandError::Failed(error)) if error.kind == TargetErrorKind::Refused)
        );
    };
    refused(&target, approve(&target, checked(&target, &push), Nonce::from_random([8; 16])));
    refused(&other.target(), approve(&target, checked(&target, &push), nonce));
    let elsewhere = Push { reference: "refs/heads/other".to_owned(), old: None, ..push };
    refused(&target, approve(&target, checked(&target, &elsewhere), nonce));
    assert_eq!(snapshot(scene.temp.path()), before);
}

#[test]
fn a_plan_of_another_version_is_left_to_it() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n"]);
    let mut recorded = serde_json::to_value(scene.plan(&push).unwrap()).unwrap();
    recorded["version"] = 99.into();
    let planned: Plan = serde_json::from_value(recorded).unwrap();
    let error = recover(&scene.target(), &planned, push.old).unwrap_err();
    assert!(matches!(error, LandError::Failed(error) if error.kind == TargetErrorKind::Unsupported));
}

#[test]
fn a_branch_that_is_nowhere_known_is_in_doubt() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n"]);
    let planned = scene.plan(&push).unwrap();
    edit(&scene.repo, &["a=person\n"]);
    scene.git(&["commit", "-qam", "person"]);
    let before = snapshot(&scene.repo);
    let target = scene.target();
    let report = recover(&target, &planned, target.tip(&push.reference.parse().unwrap()).unwrap()).unwrap();
    assert_eq!(report.state, Recovered::InDoubt);
    assert_eq!(snapshot(&scene.repo), before);
}
