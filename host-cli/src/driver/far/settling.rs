//! What becomes of a push that was cut off is found out from the branch, and never guessed.

use std::time::Duration;

use gate::forge::GRACE;
use gate::ledger::PushResult;
use gate::policy::Caller;
use host::answer::{Advance, Given, Need, Settling};
use host::store::{Kind, Storage};
use serde_json::json;

use super::super::Servers;
use super::person::Person;
use super::scene::{Played, Scene, begun, called, deep, push_to, small, strict};
use crate::error::ErrorKind;
use crate::support::Repo;
use crate::support::github::Server;

/// Cuts a push off when its request to move the branch is about to be sent, and lets the server act
/// on it if `arrives`.
fn cut_off(scene: &Scene, branch: &str, arrives: bool) {
    for steps in 0.. {
        let played = scene.copied();
        if let Played::Cut(Some(Need::Http(request))) = played.push(&mut played.open(), branch, steps)
            && request.moves
        {
            scene.push(&mut scene.open(), branch, steps + usize::from(arrives));
            break;
        }
    }
}

fn results(scene: &Scene) -> Vec<(String, Option<PushResult>)> {
    scene.pushes().into_iter().map(|(intent, result)| (intent.reference.branch().to_owned(), result)).collect()
}

/// A scene with work, and commits of somebody else: one beside the work, and one on top of it.
fn with_others() -> (Scene, Repo) {
    let repo = begun();
    let scene = Scene::with_work(Server::of(&repo));
    repo.write("b.md", "theirs\n").commit("Theirs");
    scene.server.borrow_mut().objects.extend(repo.objects(&["main"]).0);
    (scene, repo)
}

#[test]
fn a_settling_that_is_cut_off_or_fails_anywhere_is_taken_up_by_the_next() {
    deep(|| {
        for arrives in [false, true] {
            let ready = Scene::with_work(small());
            cut_off(&ready, "main", arrives);
            ready.platform.pass(Duration::from_secs(GRACE));
            let look = || called(Caller::Agent, "git_status", &json!({}));
            let is_settled = |scene: &Scene| {
                // A host that could not settle it leaves it alone for a while, and a new one does
                // not.
                assert_eq!(scene.staged(&mut scene.open()).is_empty(), arrives);
                let result = if arrives { PushResult::Landed } else { PushResult::NotLanded };
                assert_eq!(results(scene), [("main".to_owned(), Some(result))]);
            };
            let person = &mut Person::default();
            for steps in 0.. {
                let scene = ready.copied();
                let played = scene.play(&mut scene.open(), look(), strict(), person, steps);
                is_settled(&scene);
                if let Played::Over(over) = played {
                    over.unwrap();
                    assert!(steps > 0, "{steps} steps");
                    break;
                }
            }
            for at in 0.. {
                let scene = ready.copied();
                let storage = scene.storage.failing(at);
                drop(scene.play(&mut scene.open_on(storage.clone()), look(), strict(), person, usize::MAX));
                is_settled(&scene);
                if !storage.has_failed() {
                    assert!(at > 0, "{at} steps");
                    break;
                }
            }
        }
    });
}

#[test]
fn what_may_move_a_branch_is_recorded_before_it_is_sent() {
    deep(|| {
        let scene = Scene::with_work(small());
        for steps in 0.. {
            let dropped = scene.copied();
            let Played::Cut(Some(need)) = dropped.push(&mut dropped.open(), "main", 2 * steps) else { break };
            let is_move = matches!(need, Need::Http(request) if request.moves);
            let recorded = dropped.storage.records(Kind::Sent).unwrap();
            let open: Vec<_> = dropped.ledger().open_intents().map(|intent| intent.nonce.to_string()).collect();
            assert_eq!(recorded.len(), usize::from(is_move));
            assert!(!is_move || open == recorded, "{open:?}");
        }
        scene.push(&mut scene.open(), "main", usize::MAX).over().unwrap();
        assert_eq!(scene.storage.records(Kind::Sent).unwrap(), Vec::<String>::new());
    });
}

#[test]
fn the_old_head_proves_nothing_until_the_grace_time_is_over() {
    deep(|| {
        let scene = Scene::with_work(small());
        cut_off(&scene, "main", false);
        let sandbox = &mut scene.open();
        scene.staged(sandbox);
        assert_eq!(results(&scene), [("main".to_owned(), None)]);
        let error = scene.push(sandbox, "main", usize::MAX).over().unwrap_err();
        assert_eq!(error.kind, ErrorKind::InDoubt, "{error:?}");
        scene.platform.pass(Duration::from_secs(GRACE - 1));
        scene.staged(sandbox);
        assert_eq!(results(&scene), [("main".to_owned(), None)]);
        scene.platform.pass(Duration::from_secs(1));
        assert_eq!(scene.staged(sandbox), ["One"]);
        assert_eq!(results(&scene), [("main".to_owned(), Some(PushResult::NotLanded))]);
    });
}

#[test]
fn a_push_in_doubt_stays_so_until_the_branch_shows_that_it_has_landed() {
    deep(|| {
        let (scene, repo) = with_others();
        cut_off(&scene, "main", true);
        let ours = scene.main();
        // Somebody takes the branch elsewhere by force.
        scene.server.borrow_mut().set_main(repo.id("main"));
        let sandbox = &mut scene.open();
        for _ in 0..3 {
            assert_eq!(scene.staged(sandbox), ["One"]);
            assert_eq!(results(&scene), [("main".to_owned(), Some(PushResult::InDoubt))]);
            scene.platform.pass(Duration::from_secs(GRACE));
        }
        scene.server.borrow_mut().set_main(ours);
        assert_eq!(scene.staged(sandbox), Vec::<String>::new());
        assert_eq!(results(&scene), [("main".to_owned(), Some(PushResult::Landed))]);
    });
}

#[test]
fn an_answer_about_one_push_settles_no_other() {
    deep(|| {
        let scene = Scene::with_work(small());
        cut_off(&scene, "main", false);
        cut_off(&scene, "topic", true);
        assert_eq!(results(&scene), [("main".to_owned(), None), ("topic".to_owned(), None)]);
        let sandbox = &mut scene.open();
        let mut settling = Settling::default();
        loop {
            match settling.advance(sandbox).unwrap() {
                Advance::Done(()) => break,
                Advance::Need(Need::Http(request)) => {
                    // While the server is asked about the second push, the time comes to look at
                    // the first again.
                    if request.path.contains("topic") {
                        scene.platform.pass(Duration::from_secs(GRACE));
                    }
                    settling.give(Given::Http(scene.send(&request).unwrap()));
                }
                Advance::Need(other) => panic!("{other:?}"),
            }
        }
        let expected = [("main", PushResult::NotLanded), ("topic", PushResult::Landed)];
        assert_eq!(results(&scene), expected.map(|(branch, result)| (branch.to_owned(), Some(result))));
    });
}

#[test]
fn a_server_that_does_not_answer_holds_up_no_other_call_for_long() {
    deep(|| {
        for trouble in crate::support::github::Trouble::ALL {
            let scene = Scene::with_work(small());
            cut_off(&scene, "main", false);
            let from = scene.sent();
            (from..from + 100).for_each(|index| scene.server.borrow_mut().trouble(index, trouble));
            let sandbox = &mut scene.open();
            let before = scene.platform.seconds();
            scene.agent(sandbox, "read_file", json!({ "path": "a.md" }));
            let waited = scene.platform.seconds() - before;
            assert!(waited <= 10, "{trouble:?}: {waited} s");
            let asked = scene.sent();
            scene.agent(sandbox, "read_file", json!({ "path": "a.md" }));
            assert_eq!(scene.sent(), asked, "{trouble:?}");
        }
    });
}

#[test]
fn attack_24_a_second_host_does_not_settle_what_the_first_is_landing() {
    deep(|| {
        let scene = Scene::with_work(small());
        let other = scene.clone();
        let from = scene.sent();
        let whole = scene.copied();
        whole.push(&mut whole.open(), "main", usize::MAX).over().unwrap();
        let last = whole.sent() - 1;
        scene.server.borrow_mut().happens(last, move |_| {
            // The model is in use here, so the second host could not even ask it.
            let mut person = Person::default();
            let call = called(Caller::User, "git_status", &json!({}));
            let busy = other.play(&mut other.open(), call, strict(), &mut person, usize::MAX).over().unwrap_err();
            assert_eq!(busy.kind, ErrorKind::Busy);
        });
        assert!(from < last);
        scene.user(&mut scene.open(), "git_push", push_to("main"));
        assert_eq!(results(&scene), [("main".to_owned(), Some(PushResult::Landed))]);
    });
}
