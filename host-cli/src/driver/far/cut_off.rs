//! A push that is cut off anywhere, or whose store or server fails anywhere, has landed once or not
//! at all, and the sandbox, its log and the server agree which.

use std::time::Duration;

use gate::forge::{GRACE, Request};
use gate::ledger::PushResult;
use gate::policy::Caller;
use gix_hash::ObjectId;
use host::answer::Need;
use host::store::{Kind, Storage};
use serde_json::json;

use super::person::Person;
use super::scene::{Outcome, Played, Scene, begun, called, deep, outcome, push_to, small, strict, there};
use crate::error::{ErrorKind, Result};
use crate::support::github::{Server, Trouble};

/// Ways to push: whether the server has GraphQL, and the branch. One that is new is made by REST.
const WAYS: [(bool, &str); 3] = [(false, "main"), (true, "main"), (false, "topic")];

impl Scene {
    fn tip(&self, branch: &str) -> Option<ObjectId> {
        self.server.borrow().refs.get(&format!("refs/heads/{branch}")).copied()
    }

    /// Lets the next host settle what is open, and checks that all agree. `late` is a request that
    /// arrives only after that host has looked.
    fn is_settled(&self, branch: &str, old: Option<ObjectId>, late: Option<Request>) -> bool {
        self.staged(&mut self.open());
        if let Some(request) = late {
            assert!(self.pushes().iter().all(|(_, result)| result.is_none()), "a request is on its way");
            self.server.borrow_mut().answer(request).unwrap();
        }
        if self.pushes().iter().any(|(_, result)| result.is_none()) {
            self.platform.pass(Duration::from_secs(GRACE));
        }
        let sandbox = &mut self.open();
        let staged = self.staged(sandbox);
        let pushes = self.pushes();
        let landed = self.tip(branch) != old;
        assert_eq!(self.server.borrow().moves, usize::from(landed));
        assert_eq!(staged.is_empty(), landed, "{staged:?}");
        match &pushes[..] {
            [] => assert!(!landed),
            [(intent, result)] => {
                assert_eq!(*result, Some(if landed { PushResult::Landed } else { PushResult::NotLanded }));
                assert!(!landed || self.tip(branch) == Some(intent.new));
            }
            more => panic!("{more:?}"),
        }
        // Whoever pushes again gets what they want, once.
        let again = outcome(self.push(sandbox, branch, usize::MAX).over().unwrap()).unwrap();
        assert_eq!(again["status"], "success");
        assert_eq!(again["commits"].as_array().unwrap().is_empty(), landed, "{again}");
        assert_eq!(self.server.borrow().moves, 1);
        assert_eq!(self.staged(sandbox), Vec::<String>::new());
        landed
    }
}

/// Whether the push has landed, as far as its caller was told.
fn told(over: &Result<Outcome>) -> Option<bool> {
    match over {
        Ok(Ok(pushed)) => Some(pushed["status"] == "success"),
        Ok(Err(_)) => Some(false),
        Err(error) => {
            let landed = error.message.starts_with("the push has landed");
            landed.then_some(true).or((error.kind != ErrorKind::InDoubt).then_some(false))
        }
    }
}

#[test]
fn attack_24_a_host_that_is_dropped_at_any_turn_of_a_push_lands_it_once_or_not_at_all() {
    deep(|| {
        for (has_graph, branch) in WAYS {
            let ready = Scene::with_work(small().with_graph(has_graph));
            let old = ready.tip(branch);
            let mut seen = Vec::new();
            for steps in 0.. {
                let scene = ready.copied();
                let played = scene.push(&mut scene.open(), branch, steps);
                let need = match played {
                    Played::Over(over) => {
                        assert_eq!(told(&over.map(outcome)), Some(true));
                        break;
                    }
                    Played::Cut(need) => need,
                };
                let other = scene.copied();
                seen.push(scene.is_settled(branch, old, None));
                if let Some(Need::Http(request)) = need
                    && request.moves
                {
                    assert!(!seen.last().unwrap() && other.is_settled(branch, old, Some(request)));
                }
            }
            assert!(seen.len() >= 12 && seen.iter().any(|landed| *landed) && seen.is_sorted(), "{seen:?}");
        }
    });
}

#[test]
fn attack_24_whichever_step_of_the_store_fails_a_push_lands_once_or_not_at_all() {
    deep(|| {
        for (has_graph, branch) in WAYS {
            let ready = Scene::with_work(small().with_graph(has_graph));
            let old = ready.tip(branch);
            let mut failures = 0;
            for at in 0.. {
                let mut has_failed = false;
                for stays in [false, true] {
                    let scene = ready.copied();
                    let storage = if stays { scene.storage.failing_from(at) } else { scene.storage.failing(at) };
                    let over = scene.push(&mut scene.open_on(storage.clone()), branch, usize::MAX).over();
                    has_failed |= storage.has_failed();
                    let over = over.map(outcome);
                    let landed = scene.is_settled(branch, old, None);
                    assert!(told(&over).is_none_or(|told| told == landed), "step {at}, {stays}: {over:?}");
                }
                failures += usize::from(has_failed);
                if !has_failed {
                    break;
                }
            }
            assert!(failures >= 5, "{failures} steps");
        }
    });
}

#[test]
fn attack_24_whatever_goes_wrong_with_a_request_a_push_lands_once_or_not_at_all() {
    deep(|| {
        for (has_graph, branch) in WAYS {
            let ready = Scene::with_work(small().with_graph(has_graph));
            let old = ready.tip(branch);
            let from = ready.sent();
            let whole = ready.copied();
            whole.push(&mut whole.open(), branch, usize::MAX).over().unwrap();
            for index in from..whole.sent() {
                for trouble in Trouble::ALL {
                    let scene = ready.copied();
                    scene.server.borrow_mut().trouble(index, trouble);
                    let over = scene.push(&mut scene.open(), branch, usize::MAX).over().map(outcome);
                    let landed = scene.is_settled(branch, old, None);
                    let what = &whole.server.borrow().asked()[index];
                    assert!(told(&over).is_none_or(|told| told == landed), "{what}, {trouble:?}: {over:?}");
                }
            }
        }
    });
}

#[test]
fn attack_24_a_push_whose_requests_cannot_be_sent_any_more_lands_once_or_not_at_all() {
    deep(|| {
        for (has_graph, branch) in WAYS {
            let ready = Scene::with_work(small().with_graph(has_graph));
            let old = ready.tip(branch);
            for offline_from in ready.sent().. {
                let mut scene = ready.copied();
                scene.offline_from = offline_from;
                let over = scene.push(&mut scene.open(), branch, usize::MAX).over().map(outcome);
                let is_done = matches!(over, Ok(Ok(_)));
                // What cannot be asked about settles nothing, and is no reason to fail another call.
                let open = |scene: &Scene| scene.pushes().iter().filter(|(_, result)| result.is_none()).count();
                let before = open(&scene);
                scene.staged(&mut scene.open());
                assert_eq!(open(&scene), before);
                scene.offline_from = usize::MAX;
                let landed = scene.is_settled(branch, old, None);
                assert!(told(&over).is_none_or(|told| told == landed), "{over:?}");
                if is_done {
                    break;
                }
            }
        }
    });
}

#[test]
fn a_pull_that_is_cut_off_or_fails_anywhere_has_happened_or_has_not() {
    let repo = begun();
    repo.write("src/a.rs", "a\n").write("src/b.rs", "b\n").commit("Files");
    deep(move || {
        for arguments in [json!({ "source": there() }), json!({ "source": there(), "paths": ["src/a.rs"] })] {
            let ready = Scene::new(Server::of(&repo), &["github:octo/hello"]);
            let pull = || called(Caller::Agent, "git_pull", &arguments);
            let is_sound = |scene: &Scene| {
                let sandbox = &mut scene.open();
                scene.agent(sandbox, "git_pull", arguments.clone());
                let read = scene.agent(sandbox, "git_show", json!({ "commit": "HEAD:src/b.rs" }));
                assert_eq!(read["blob"]["size"], 2);
                assert_eq!(scene.staged(sandbox), Vec::<String>::new());
            };
            let person = &mut Person::default();
            for steps in 0.. {
                let scene = ready.copied();
                let played = scene.play(&mut scene.open(), pull(), strict(), person, steps);
                is_sound(&scene);
                if let Played::Over(over) = played {
                    outcome(over.unwrap()).unwrap();
                    assert!(steps > 10, "{steps} steps");
                    break;
                }
            }
            for at in 0.. {
                let scene = ready.copied();
                let storage = scene.storage.failing(at);
                drop(scene.play(&mut scene.open_on(storage.clone()), pull(), strict(), person, usize::MAX));
                is_sound(&scene);
                if !storage.has_failed() {
                    assert!(at > 3, "{at} steps");
                    break;
                }
            }
        }
    });
}

#[test]
fn a_push_is_kept_before_a_person_is_asked_and_can_be_approved_by_another_host() {
    deep(|| {
        let scene = Scene::with_work(small());
        let push = || called(Caller::User, "git_push", &push_to("main"));
        let pending = |scene: &Scene| scene.storage.records(Kind::Pending).unwrap().len();
        for steps in 0.. {
            let dropped = scene.copied();
            let person = &mut Person { takes_time: true, ..Person::default() };
            match dropped.play(&mut dropped.open(), push(), strict(), person, steps) {
                Played::Cut(Some(Need::Ask(_))) => {
                    assert_eq!(pending(&dropped), 1);
                    // Whoever asks again shows the same push, and the same digest approves it.
                    let sandbox = &mut dropped.open();
                    outcome(dropped.play(sandbox, push(), strict(), person, usize::MAX).over().unwrap()).unwrap();
                    assert_eq!(pending(&dropped), 0);
                    break;
                }
                Played::Cut(_) => assert_eq!(pending(&dropped), 0),
                Played::Over(over) => panic!("nobody was asked: {over:?}"),
            }
        }
    });
}
