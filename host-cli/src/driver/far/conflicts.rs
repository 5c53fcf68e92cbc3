//! A branch that somebody else moves is never overwritten, and nothing of the sandbox is lost.

use std::rc::Rc;

use gate::ledger::PushResult;
use gate::policy::Caller;
use gix_hash::ObjectId;
use serde_json::{Value, json};

use super::person::Person;
use super::scene::{Scene, begun, called, deep, id, outcome, push_to, strict};
use crate::support::Repo;
use crate::support::github::Server;

/// A scene whose sandbox has a staged commit, and a commit of somebody else that the branch does
/// not have yet.
fn ready(has_graph: bool) -> (Scene, Repo) {
    let repo = begun();
    let scene = Scene::with_work(Server::of(&repo).with_graph(has_graph));
    repo.write("b.md", "theirs\n").commit("Theirs");
    scene.server.borrow_mut().objects.extend(repo.objects(&["main"]).0);
    (scene, repo)
}

/// The push was a conflict, and after a pull it lands on top of what is there.
fn is_conflict(scene: &Scene, pushed: &Value, theirs: ObjectId) {
    assert_eq!(pushed["status"], "conflict", "{pushed}");
    assert_eq!(id(&pushed["conflict"]["targetHead"]), theirs, "{pushed}");
    assert_eq!((scene.main(), scene.server.borrow().moves), (theirs, 0));
    assert!(scene.pushes().iter().all(|(_, result)| *result == Some(PushResult::NotLanded)));
    let sandbox = &mut scene.open();
    assert_eq!(scene.staged(sandbox), ["One"]);
    // The hint can be followed as it is.
    let hint = pushed["hint"].as_str().unwrap();
    let source: Value = serde_json::from_str(&hint[hint.find('{').unwrap()..=hint.find('}').unwrap()]).unwrap();
    scene.agent(sandbox, "git_pull", json!({ "source": source }));
    let pushed = scene.user(sandbox, "git_push", push_to("main"));
    assert_eq!(pushed["status"], "success");
    assert_eq!((scene.main(), scene.server.borrow().moves), (id(&pushed["commitSha"]), 1));
    assert_eq!(scene.server.borrow().commit(scene.main()).parents, [theirs]);
    assert_eq!(scene.staged(sandbox), Vec::<String>::new());
}

#[test]
fn attack_17_a_branch_that_has_moved_since_the_pull_is_a_conflict_before_anybody_is_asked() {
    deep(|| {
        let (scene, repo) = ready(false);
        scene.publish(&repo, "refs/heads/main");
        let mut person = Person::default();
        let call = called(Caller::User, "git_push", &push_to("main"));
        let pushed = scene.play(&mut scene.open(), call, strict(), &mut person, usize::MAX).over().unwrap();
        assert_eq!(person.pushes, Vec::<String>::new());
        assert!(scene.pushes().is_empty());
        is_conflict(&scene, &outcome(pushed).unwrap(), repo.id("main"));
    });
}

#[test]
fn attack_17_a_branch_that_moves_while_a_person_reads_is_a_conflict() {
    deep(|| {
        for has_graph in [false, true] {
            let (scene, repo) = ready(has_graph);
            let (server, theirs) = (Rc::clone(&scene.server), repo.id("main"));
            let meanwhile: Box<dyn FnOnce()> = Box::new(move || server.borrow_mut().set_main(theirs));
            let mut person = Person { meanwhile: Some(meanwhile), ..Person::default() };
            let call = called(Caller::User, "git_push", &push_to("main"));
            let pushed = scene.play(&mut scene.open(), call, strict(), &mut person, usize::MAX).over().unwrap();
            assert_eq!(person.pushes.len(), 1);
            is_conflict(&scene, &outcome(pushed).unwrap(), theirs);
        }
    });
}

#[test]
fn attack_17_a_branch_that_moves_at_any_request_of_a_push_is_a_conflict() {
    deep(|| {
        for has_graph in [false, true] {
            let (scene, repo) = ready(has_graph);
            let (from, theirs) = (scene.sent(), repo.id("main"));
            let whole = scene.copied();
            whole.user(&mut whole.open(), "git_push", push_to("main"));
            for at in from..whole.sent() {
                let scene = scene.copied();
                scene.server.borrow_mut().happens(at, move |server| server.set_main(theirs));
                let pushed = scene.user(&mut scene.open(), "git_push", push_to("main"));
                is_conflict(&scene, &pushed, theirs);
            }
        }
    });
}

#[test]
fn attack_17_a_branch_that_is_deleted_or_made_meanwhile_is_a_conflict() {
    deep(|| {
        for (branch, appears) in [("main", false), ("topic", true)] {
            let (scene, repo) = ready(false);
            let (old, theirs, name) = (scene.main(), repo.id("main"), format!("refs/heads/{branch}"));
            let (server, changed) = (Rc::clone(&scene.server), name.clone());
            let meanwhile: Box<dyn FnOnce()> = Box::new(move || {
                let refs = &mut server.borrow_mut().refs;
                refs.insert("refs/heads/kept".to_owned(), old);
                let _ = if appears { refs.insert(changed, theirs) } else { refs.remove(&changed) };
            });
            let mut person = Person { meanwhile: Some(meanwhile), ..Person::default() };
            let call = called(Caller::User, "git_push", &push_to(branch));
            let sandbox = &mut scene.open();
            let pushed = outcome(scene.play(sandbox, call, strict(), &mut person, usize::MAX).over().unwrap()).unwrap();
            assert_eq!(pushed["status"], "conflict", "{pushed}");
            assert_eq!(scene.server.borrow().refs.get(&name).copied(), appears.then_some(theirs));
            assert_eq!(scene.server.borrow().moves, 0);
            assert_eq!(scene.staged(sandbox), ["One"]);
        }
    });
}
