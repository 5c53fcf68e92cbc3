//! A push that is cut off anywhere, or whose store or server fails anywhere, has landed once or not at all, and the sandbox, its log and the
//! server agree which.

use std::time::Duration;

use gate::github::{GRACE, Request};
use gate::ledger::PushResult;
use gix_hash::ObjectId;
use host::answer::Need;

use super::scene::{Outcome, Played, Scene, deep, outcome, small};
use super::support::github::Trouble;
use crate::error::{ErrorKind, Result};

/// Ways to push: whether the server has GraphQL, and the branch.
const WAYS: [(bool, &str); 4] = [(false, "main"), (true, "main"), (false, "topic"), (true, "topic")];

impl Scene {
    fn tip(&self, branch: &str) -> Option<ObjectId> {
        self.server.borrow().refs.get(&format!("refs/heads/{branch}")).copied()
    }

    /// Lets the next host settle what is open, and checks that all agree. `late` is a request that arrives only after that host has looked.
    fn is_settled(&self, branch: &str, old: Option<ObjectId>, late: Option<Request>) -> bool {
        self.staged(&mut self.open());
        if let Some(request) = late {
            assert!(self.pushes().iter().all(|(_, result)| result.is_none()), "a request is on its way");
            self.server.borrow_mut().answer(request).unwrap();
        }
        if self.pushes().iter().any(|(_, result)| result.is_none()) {
            self.around.pass(Duration::from_secs(GRACE));
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
