//! Settling an interrupted push by the state of its branch.

use gate::forge::{Fault, FaultKind, GRACE, Settled};
use gate::github::Settle;
use gate::ledger::Settlement;
use gate::time::Timestamp;
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::support::github::{Server, Trouble, repository};
use crate::support::pushing::{SHOWN, intent};
use crate::support::{Repo, packer};

/// A repository on GitHub with a commit, a child of it, and a sibling of the child.
struct Scene {
    server: Server,
    old: ObjectId,
    new: ObjectId,
    other: ObjectId,
}

impl Scene {
    fn new() -> Self {
        let repo = Repo::new();
        let old = repo.write("a", "a\n").commit("old");
        let mut server = Server::of(&repo);
        let tree = repo.id("main^{tree}");
        let mut commit = |message| server.keep(Kind::Commit, packer::commit(tree, &[old], message));
        let (new, other) = (commit("new"), commit("other"));
        Scene { server, old, new, other }
    }

    fn settle(mut self, old: Option<ObjectId>, sent: Option<u64>, now: u64) -> Result<Settled, Fault> {
        let intent = intent(repository().target(), old, self.new);
        self.server.drive(Settle::new(&intent, sent.map(Timestamp), Timestamp(now)).unwrap())
    }

    fn at(mut self, tip: Option<ObjectId>) -> Self {
        match tip {
            Some(tip) => self.server.set_main(tip),
            None => {
                self.server.refs.insert("refs/heads/x".to_owned(), self.old);
                self.server.refs.remove("refs/heads/main");
            }
        }
        self
    }
}

const SENT: u64 = SHOWN.0 + 100;
const LONG_AFTER: u64 = SENT + GRACE;

#[test]
fn a_branch_at_the_new_head_or_beyond_has_landed() {
    let scene = Scene::new();
    let (old, new) = (Some(scene.old), scene.new);
    assert_eq!(scene.at(Some(new)).settle(old, Some(SENT), SENT), Ok(Settled::Landed));
    let mut scene = Scene::new();
    let tree = scene.server.commit(scene.new).tree;
    let beyond = scene.server.keep(Kind::Commit, packer::commit(tree, &[scene.new], "beyond"));
    assert_eq!(scene.at(Some(beyond)).settle(old, Some(SENT), SENT), Ok(Settled::Landed));
}

#[test]
fn a_branch_at_the_old_head_proves_nothing_while_a_request_may_be_on_its_way() {
    let settle = |now| {
        let scene = Scene::new();
        let old = Some(scene.old);
        scene.at(old).settle(old, Some(SENT), now)
    };
    assert_eq!(settle(SENT), Ok(Settled::NotYet { seconds: GRACE }));
    assert_eq!(settle(SENT + GRACE - 1), Ok(Settled::NotYet { seconds: 1 }));
    assert_eq!(settle(LONG_AFTER), Ok(Settled::NotLanded));
    // The clock went back.
    assert_eq!(settle(SENT - 1000), Ok(Settled::NotYet { seconds: GRACE }));
}

#[test]
fn a_branch_elsewhere_or_gone_is_in_doubt() {
    let scene = Scene::new();
    let (old, other) = (Some(scene.old), scene.other);
    assert_eq!(scene.at(Some(other)).settle(old, Some(SENT), LONG_AFTER), Ok(Settled::InDoubt));
    assert_eq!(Scene::new().at(None).settle(old, Some(SENT), LONG_AFTER), Ok(Settled::InDoubt));
}

#[test]
fn a_push_that_never_sent_a_request_to_move_has_not_landed_wherever_the_branch_is() {
    let scene = Scene::new();
    let (old, other) = (Some(scene.old), scene.other);
    assert_eq!(scene.at(Some(other)).settle(old, None, SENT), Ok(Settled::NotLanded));
    assert_eq!(Scene::new().at(old).settle(old, None, SENT), Ok(Settled::NotLanded));
    assert_eq!(Scene::new().at(None).settle(old, None, SENT), Ok(Settled::NotLanded));
}

#[test]
fn a_branch_that_was_to_be_made_and_is_not_there_has_not_landed() {
    assert_eq!(Scene::new().at(None).settle(None, Some(SENT), LONG_AFTER), Ok(Settled::NotLanded));
    assert_eq!(Scene::new().at(None).settle(None, Some(SENT), SENT + 1), Ok(Settled::NotYet { seconds: GRACE - 1 }));
}

#[test]
fn only_what_is_settled_is_recorded() {
    let settled = [Settled::Landed, Settled::NotLanded, Settled::InDoubt, Settled::NotYet { seconds: 1 }];
    let recorded = [Some(Settlement::Landed), Some(Settlement::NotLanded), Some(Settlement::InDoubt), None];
    assert_eq!(settled.map(Settled::settlement), recorded);
}

#[test]
fn what_cannot_be_read_leaves_the_intent_open() {
    for (trouble, kind) in [
        (Trouble::CutBefore, FaultKind::NoAnswer),
        (Trouble::NotFound, FaultKind::NotFound),
        (Trouble::Unauthorized, FaultKind::Unauthorized),
        (Trouble::Malformed, FaultKind::Malformed),
    ] {
        let mut scene = Scene::new();
        let old = Some(scene.old);
        scene.server = scene.server.troubled_from(0, trouble);
        assert_eq!(scene.settle(old, Some(SENT), LONG_AFTER).unwrap_err().kind, kind);
    }
}
