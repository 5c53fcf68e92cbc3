//! Pushes from a repository that takes the place of the sandbox's.

use bytes::Bytes;
use gate::{
    Fault,
    approval::{Decision, Nonces, Proposal, Redeemed},
    digest::Digest,
    id::{Nonce, SandboxId},
    ledger::{Brief, Decided, How, Intent},
    push::{CheckedPush, PushLimits, PushRequest, TargetFacts, check},
    review::{Flag, Review},
    target::CanonicalTarget,
    time::Timestamp,
};
use gix_hash::ObjectId;

use super::{Repo, Store};

pub const SHOWN: Timestamp = Timestamp(1_700_000_000);

pub fn nonce(byte: u8) -> Nonce {
    Nonce::from_random([byte; 16])
}

pub fn sandbox() -> SandboxId {
    "default".parse().unwrap()
}

/// A request to move `branch` of `/target` from `old` to `new` with `pack`.
pub fn request(branch: &str, old: Option<ObjectId>, new: ObjectId, pack: Bytes) -> PushRequest {
    PushRequest {
        sandbox: sandbox(),
        target: "local:/target".parse().unwrap(),
        reference: format!("refs/heads/{branch}").parse().unwrap(),
        old,
        new,
        pack,
    }
}

/// The intent to move `main` of `target`.
pub fn intent(target: CanonicalTarget, old: Option<ObjectId>, new: ObjectId) -> Intent {
    Intent {
        sandbox: sandbox(),
        call_id: "1".to_owned(),
        call: serde_json::Value::Null,
        nonce: nonce(1),
        digest: "00".repeat(32).parse::<Digest>().unwrap(),
        approved: Decided { by: Brief::of("ada"), how: How::Prompt },
        target,
        reference: "refs/heads/main".parse().unwrap(),
        old,
        new,
        at: SHOWN,
        host: serde_json::Value::Null,
    }
}

pub fn facts(head: Option<ObjectId>) -> TargetFacts {
    TargetFacts { current_head_of_ref: head, ..TargetFacts::default() }
}

/// A repository whose commits up to a mark are the target's.
pub struct Scene {
    pub repo: Repo,
    pub base: ObjectId,
    pub target: Store,
}

impl Scene {
    /// Makes all commits so far the target's.
    pub fn of(repo: Repo) -> Self {
        let base = repo.id("HEAD");
        let target = repo.objects(&["HEAD"]);
        Scene { repo, base, target }
    }

    /// A target with one file, `kept.txt`.
    pub fn simple() -> Self {
        let repo = Repo::new();
        repo.write("kept.txt", "kept\n").commit("base");
        Scene::of(repo)
    }

    /// The same with two lines of work beyond the target, merged: `main.txt` on one, `side.txt` on the other.
    pub fn merge() -> Self {
        let scene = Scene::simple();
        scene.repo.git(&["checkout", "-q", "-b", "side"]);
        scene.repo.write("side.txt", "side\n").commit("side");
        scene.repo.git(&["checkout", "-q", "main"]);
        scene.repo.write("main.txt", "main\n").commit("main");
        scene.repo.git(&["merge", "-q", "-m", "merge", "side"]);
        scene
    }

    /// The pack of the repository's work beyond the target.
    pub fn pack(&self) -> Bytes {
        self.repo.pack(&["HEAD", &format!("^{}", self.base)])
    }

    pub fn request(&self, branch: &str) -> PushRequest {
        request(branch, Some(self.base), self.repo.id("HEAD"), self.pack())
    }

    pub fn check(&self, branch: &str) -> Result<CheckedPush, Fault> {
        check(self.request(branch), &self.target, facts(Some(self.base)), &PushLimits::default())
    }

    pub fn propose(&self, branch: &str, nonce: Nonce) -> Proposal {
        self.check(branch).unwrap().propose(&self.target, nonce, SHOWN).unwrap()
    }

    /// The approved push of all work to `branch` of `target`, which is at `old`.
    pub fn approved(&self, branch: &str, old: Option<ObjectId>, target: CanonicalTarget) -> Redeemed {
        let pack = self.pack();
        let request = PushRequest { target, ..request(branch, old, self.repo.id("HEAD"), pack.clone()) };
        let facts = TargetFacts { tips: Some(vec![self.base]), ..facts(old) };
        let push = check(request, &self.target, facts, &PushLimits::default()).unwrap();
        let proposal = push.propose(&self.target, nonce(1), SHOWN).unwrap();
        let digest = proposal.digest();
        proposal.decide(Decision::Approve { digest }, SHOWN, &mut Spent::default()).unwrap().redeem(pack).unwrap()
    }

    pub fn review(&self, branch: &str) -> Review {
        Review::of(&self.check(branch).unwrap(), &self.target).unwrap()
    }

    /// The sentences of the flags of a push to the branch `topic`.
    pub fn sentences(&self) -> Vec<String> {
        self.review("topic").flags.iter().map(Flag::sentence).collect()
    }
}

/// Nonces in memory.
#[derive(Default)]
pub struct Spent(pub Vec<Nonce>);

impl Nonces for Spent {
    fn spend(&mut self, nonce: Nonce) -> Result<(), Fault> {
        if self.0.contains(&nonce) {
            return Err(Fault::new(gate::FaultKind::Spent, "spent"));
        }
        self.0.push(nonce);
        Ok(())
    }
}
