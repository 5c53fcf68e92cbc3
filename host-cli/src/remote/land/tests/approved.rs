//! The whole way of a push through the gate, by the traits that the host knows.

use std::path::Path;

use gate::approval::{Decision, Nonces, Redeemed};
use gate::id::Nonce;
use gate::push::{CheckedPush, PushLimits, PushRequest, TargetFacts, check};
use gate::time::Timestamp;
use gate::{Fault, FaultKind};

use super::support::*;
use crate::remote::{
    Committer, Folders, LandError, Near, RawPlan, Recovered, Repository, Silent, TargetErrorKind, TargetSpec,
};

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

/// The scene's repository, as the host opens it.
fn near(scene: &Scene) -> Box<dyn Repository> {
    let target = scene.target();
    let spec = TargetSpec::of_canonical(target.canonical(), None).unwrap();
    let near: &dyn Near = &Folders;
    near.open(&spec, Path::new("/")).unwrap()
}

fn checked(target: &dyn Repository, push: &Push) -> CheckedPush {
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
    check(request, &*target.objects().unwrap(), facts, &PushLimits::default()).unwrap()
}

fn approve(target: &dyn Repository, push: CheckedPush, nonce: Nonce) -> Redeemed {
    let pack = push.pack().bytes().clone();
    let proposal = push.propose(&*target.objects().unwrap(), nonce, Timestamp(1000)).unwrap();
    let digest = proposal.digest();
    let approved = proposal.decide(Decision::Approve { digest }, Timestamp(1001), &mut Spent::default()).unwrap();
    approved.redeem(pack).unwrap()
}

#[test]
fn an_approved_push_lands_as_planned_and_recovery_has_nothing_left_to_do() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n", "n=n\n"]);
    let target = near(&scene);
    let nonce = Nonce::from_random([7; 16]);
    let checked = checked(&*target, &push);
    let planned = target.plan(&checked, &nonce, &Committer::default()).unwrap();
    let recorded = serde_json::to_value(&planned).unwrap();
    let landed = target.execute(&approve(&*target, checked, nonce), &planned, &Silent).unwrap();
    assert_eq!(landed.updated, ["a", "n"]);
    scene.assert_landed(&push, "");

    // Between the end of the landing and the record of its outcome the person goes back to the old content.
    edit(&scene.repo, &["a=a\n"]);
    let recorded: RawPlan = serde_json::from_value(recorded).unwrap();
    let report = target.recover(&recorded, Some(push.new)).unwrap();
    assert_eq!((report.state, report.landed), (Recovered::Landed, Default::default()));
    scene.assert_landed(&push, " M a\n");
}

/// Audit logs of earlier versions hold this text.
#[test]
fn the_record_of_a_plan_keeps_its_form() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n", "n->a"]);
    let target = near(&scene);
    let committer = Committer { identity: None, seconds: 1_700_000_100, offset_minutes: -90 };
    let planned = target.plan(&checked(&*target, &push), &Nonce::from_random([7; 16]), &committer).unwrap();
    let root = scene.repo.canonicalize().unwrap();
    let text = serde_json::to_string(&planned).unwrap().replace(root.to_str().unwrap(), "/repo");
    let (old, new) = (push.old.unwrap(), push.new);
    let expected = [
        format!(r#"{{"log_line":"{old} {new} gitgate <gitgate@localhost> 1700000100 -0130\tgitgate: push\n","#),
        format!(r#""new":"{new}","nonce":"07070707070707070707070707070707","old":"{old}","#),
        r#""reference":"refs/heads/main","version":2,"worktree":{"git_dir":"/repo/.git","paths":["#.to_owned(),
        r#"{"new":{"id":"61780798228d17af2d34fce4cfbdf35556832472","link":false,"mode":"File","#.to_owned(),
        r#""raw":"61780798228d17af2d34fce4cfbdf35556832472"},"#.to_owned(),
        r#""old":{"id":"78981922613b2afb6025042ff6bd878ac1994e85","link":false,"mode":"File","#.to_owned(),
        r#""raw":"78981922613b2afb6025042ff6bd878ac1994e85"},"on_disk":true,"path":"a"},"#.to_owned(),
        r#"{"new":{"id":"2e65efe2a145dda7ee51d1741299f848e5bf752e","link":true,"mode":"Link","#.to_owned(),
        r#""raw":"2e65efe2a145dda7ee51d1741299f848e5bf752e"},"old":null,"on_disk":true,"path":"n"}],"#.to_owned(),
        r#""root":"/repo"}}"#.to_owned(),
    ];
    assert_eq!(text, expected.concat());
}

#[test]
fn attack_17_an_approval_lands_only_what_it_was_given_for() {
    let scene = Scene::new(&["a=a\n"]);
    let other = Scene::bare(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n"]);
    let target = near(&scene);
    let nonce = Nonce::from_random([7; 16]);
    let planned = target.plan(&checked(&*target, &push), &nonce, &Committer::default()).unwrap();
    let before = snapshot(scene.temp.path());
    let refused = |target: &dyn Repository, redeemed: Redeemed| {
        assert!(
            matches!(target.execute(&redeemed, &planned, &Silent), Err(LandError::Failed(error)) if error.kind == TargetErrorKind::Refused)
        );
    };
    refused(&*target, approve(&*target, checked(&*target, &push), Nonce::from_random([8; 16])));
    refused(&*near(&other), approve(&*target, checked(&*target, &push), nonce));
    let elsewhere = Push { reference: "refs/heads/other".to_owned(), old: None, ..push };
    refused(&*target, approve(&*target, checked(&*target, &elsewhere), nonce));
    assert_eq!(snapshot(scene.temp.path()), before);
}

#[test]
fn a_plan_of_another_version_is_left_to_it() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n"]);
    let mut recorded = serde_json::to_value(scene.plan(&push).unwrap()).unwrap();
    recorded["version"] = 99.into();
    let refused = |recorded: &serde_json::Value| {
        let planned: RawPlan = serde_json::from_value(recorded.clone()).unwrap();
        match near(&scene).recover(&planned, push.old) {
            Err(LandError::Failed(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&recorded).kind, TargetErrorKind::Unsupported);
    recorded.as_object_mut().unwrap().remove("reference");
    let unreadable = refused(&recorded);
    assert_eq!(unreadable.kind, TargetErrorKind::Damaged);
    assert_eq!(unreadable.message, "cannot read its plan: missing field `reference`");
}

#[test]
fn a_branch_that_is_nowhere_known_is_in_doubt() {
    let scene = Scene::new(&["a=a\n"]);
    let push = scene.push("main", &["a=b\n"]);
    let planned = RawPlan::of(&scene.plan(&push).unwrap()).unwrap();
    edit(&scene.repo, &["a=person\n"]);
    scene.git(&["commit", "-qam", "person"]);
    let before = snapshot(&scene.repo);
    let target = near(&scene);
    let report = target.recover(&planned, target.tip(&push.reference.parse().unwrap()).unwrap()).unwrap();
    assert_eq!(report.state, Recovered::InDoubt);
    assert_eq!(snapshot(&scene.repo), before);
}
