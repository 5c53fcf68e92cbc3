//! Who decides about a push to a server, and what they decide about.

use std::rc::Rc;
use std::time::Duration;

use gate::ledger::PushResult;
use gate::policy::{Base, By, Caller, Policy, PolicyFile};
use host::answer::{NotApproved, Ruled};
use host::approve::Revision;
use host::settings::policy::REMEMBERED;
use serde_json::json;

use super::super::{Advance, Here, Reply};
use super::person::Person;
use super::scene::{Scene, begun, called, deep, id, outcome, push_to, small, strict};

/// The requests since `from` that write something.
fn writing(scene: &Scene, from: usize) -> Vec<String> {
    let asked = scene.server.borrow().asked().split_off(from);
    asked.into_iter().filter(|asked| !asked.starts_with("GET ")).collect()
}

#[test]
fn a_push_that_is_rejected_sends_nothing() {
    deep(|| {
        let scene = Scene::with_work(small());
        let (sandbox, from, old) = (&mut scene.open(), scene.sent(), scene.main());
        let mut person = Person { refuses: true, ..Person::default() };
        let call = called(Caller::User, "git_push", &push_to("main"));
        let error = outcome(scene.play(sandbox, call, strict(), &mut person, usize::MAX).over().unwrap()).unwrap_err();
        assert_eq!(error.message, "Rejected by the user: not now");
        assert_eq!((writing(&scene, from), scene.main()), (Vec::new(), old));
        assert_eq!(scene.staged(sandbox), ["One"]);
        assert!(scene.pushes().is_empty());
    });
}

#[test]
fn a_push_is_edited_before_it_is_approved() {
    deep(|| {
        let scene = Scene::with_work(small());
        let sandbox = &mut scene.open();
        let message = Some("Another message".to_owned());
        let revises = Some(Revision { message, ..Revision::default() });
        let mut person = Person { revises, ..Person::default() };
        let call = called(Caller::User, "git_push", &push_to("main"));
        let pushed = outcome(scene.play(sandbox, call, strict(), &mut person, usize::MAX).over().unwrap()).unwrap();
        assert_eq!(person.pushes.len(), 2);
        assert!(person.pushes[0].contains("One") && person.pushes[1].contains("Another message"));
        assert_eq!(scene.main(), id(&pushed["commitSha"]));
        let landed = scene.server.borrow().told(scene.main());
        assert_eq!(landed["message"], "Another message");
        assert_eq!(scene.staged(sandbox), Vec::<String>::new());
    });
}

#[test]
fn an_agents_push_that_is_edited_waits_once_and_not_at_its_end() {
    deep(|| {
        let scene = Scene::with_work(small()).assisted();
        let sandbox = &mut scene.open();
        let message = Some("Another message".to_owned());
        let revises = Some(Revision { message, ..Revision::default() });
        let mut person = Person { revises, takes_time: true, ..Person::default() };
        let call = called(Caller::Agent, "git_push", &push_to("main"));
        outcome(scene.play(sandbox, call, strict(), &mut person, usize::MAX).over().unwrap()).unwrap();
        assert_eq!(person.pushes.len(), 2);
        assert_eq!(sandbox.store.waiting.all().unwrap(), []);
    });
}

/// A push of what is staged, by somebody who reads it on a screen unless they `shows` nothing, and what happens while they read it.
fn read_while(
    shows: bool,
    happens: impl FnOnce(&Scene) + 'static,
) -> (Scene, Person, Result<serde_json::Value, NotApproved>) {
    let scene = Scene::with_work(small());
    let meanwhile = scene.clone();
    let mut person = Person { shows, meanwhile: Some(Box::new(move || happens(&meanwhile))), ..Person::default() };
    let call = called(Caller::User, "git_push", &push_to("main"));
    let reply = scene.play(&mut scene.open(), call, strict(), &mut person, usize::MAX).over().unwrap();
    let outcome = match reply {
        Reply::NotApproved(not) => Err(*not),
        reply => Ok(outcome(reply).unwrap()),
    };
    (scene, person, outcome)
}

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn a_review_on_a_screen_does_not_expire_and_a_digest_does() {
    deep(|| {
        let (scene, person, outcome) = read_while(true, |scene| scene.platform.pass(HOUR));
        assert_eq!(outcome.unwrap()["status"], "success");
        assert_eq!(
            (person.pushes.len(), person.notes),
            (1, Vec::new()),
            "nothing has changed, so nobody is asked again"
        );
        assert_eq!(scene.pushes()[0].1, Some(PushResult::Landed));
        let (scene, _, outcome) = read_while(false, |scene| scene.platform.pass(HOUR));
        assert_eq!(outcome.unwrap_err().reason, "the review of this push has expired");
        assert!(scene.pushes().is_empty());
    });
}

#[test]
fn what_the_sandbox_has_changed_since_a_person_looked_is_shown_again() {
    fn changes(scene: &Scene) {
        let sandbox = &mut scene.open();
        scene.agent(sandbox, "write_file", json!({ "path": "b.md", "content": "two\n" }));
        scene.agent(sandbox, "git_stage", json!({ "files": ["b.md"], "message": "Two" }));
    }
    deep(|| {
        for time in [Duration::ZERO, HOUR] {
            let (scene, person, outcome) = read_while(true, move |scene| {
                scene.platform.pass(time);
                changes(scene);
            });
            assert_eq!(outcome.unwrap()["commits"].as_array().unwrap().len(), 2);
            assert!(!person.pushes[0].contains("b.md") && person.pushes[1].contains("b.md"));
            let [.., note] = &person.notes[..] else { panic!("{:?}", person.notes) };
            assert!(
                note.starts_with("the push has changed since you looked: new commit ")
                    && note.ends_with(" Two; new file b.md"),
                "{note}"
            );
            assert_eq!(scene.staged(&mut scene.open()), Vec::<String>::new());
        }
    });
}

#[test]
fn a_branch_that_moved_while_a_review_stood_on_a_screen_is_a_conflict() {
    deep(|| {
        let (scene, person, outcome) = read_while(true, |scene| {
            scene.platform.pass(HOUR);
            let repo = begun();
            repo.write("c.md", "theirs\n").commit("Theirs");
            scene.publish(&repo, "refs/heads/main");
        });
        assert_eq!(outcome.unwrap()["status"], "conflict");
        assert_eq!(person.pushes.len(), 1);
        assert!(scene.pushes().iter().all(|(_, result)| *result == Some(PushResult::NotLanded)));
    });
}

#[test]
fn several_commits_land_with_each_other() {
    deep(|| {
        let scene = Scene::with_work(small());
        let (sandbox, old) = (&mut scene.open(), scene.main());
        scene.agent(sandbox, "write_file", json!({ "path": "a.md", "content": "two\n" }));
        let two = scene.agent(sandbox, "git_stage", json!({ "files": ["a.md"], "message": "Two" }));
        let pushed = scene.user(sandbox, "git_push", push_to("main"));
        assert_eq!(pushed["commits"].as_array().unwrap().len(), 2);
        assert_eq!(scene.main(), id(&two["commitSha"]));
        let server = scene.server.borrow();
        let between = server.commit(scene.main()).parents;
        assert_eq!(server.commit(between[0]).parents, [old]);
    });
}

#[test]
fn a_rule_approves_a_push_only_where_the_configuration_lets_it() {
    deep(|| {
        let text = "[[allow]]\ntool = \"git_push\"\ntarget = \"github:octo/*\"\nbranch = \"topic\"\n";
        for unattended in [false, true] {
            let scene = Scene::with_work(small());
            let policy =
                Policy::new(Base::Gate, [PolicyFile::parse(text, "policy.toml", &["git_push"]).unwrap()], unattended);
            let call = called(Caller::User, "git_push", &push_to("topic"));
            let mut person = Person::default();
            let over = scene.play(&mut scene.open(), call, policy, &mut person, usize::MAX).over();
            outcome(over.unwrap()).unwrap();
            assert_eq!(person.pushes.len(), usize::from(!unattended));
            assert_eq!(scene.pushes()[0].1, Some(PushResult::Landed));
        }
    });
}

#[test]
fn to_ask_what_the_rules_say_writes_nothing() {
    deep(|| {
        let scene = Scene::with_work(small());
        let (sandbox, from) = (&mut scene.open(), scene.sent());
        let call = called(Caller::User, "git_push", &push_to("main"));
        let mut ruled = Ruled::new(sandbox, &call, Rc::new(strict())).unwrap();
        let ruling = loop {
            match ruled.advance(sandbox).unwrap() {
                Advance::Done(ruling) => break ruling.unwrap(),
                Advance::Need(need) => ruled.give(Here::new(&mut Person::default(), &scene).perform(&need, None)),
            }
        };
        assert_eq!(ruling.by, By::Protected);
        assert_eq!(writing(&scene, from), Vec::<String>::new());
        assert_eq!(scene.staged(sandbox), ["One"]);
        assert!(scene.pushes().is_empty());
    });
}

#[test]
fn a_rule_that_is_none_is_not_saved() {
    deep(|| {
        let sandbox = Scene::new(small(), &[]).open();
        let (store, held) = (&sandbox.store, sandbox.store.lock.acquire().unwrap());
        sandbox.remember(&held, "[[allow]]\ntool = \"git_stage\"\n").unwrap();
        let saved = store.text(REMEMBERED).unwrap();
        let error = sandbox.remember(&held, "[[allow]]\ntool = \"x\"\n").unwrap_err();
        assert!(error.message.contains("there is no tool \"x\""), "{error:?}");
        assert_eq!(store.text(REMEMBERED).unwrap(), saved);
    });
}
