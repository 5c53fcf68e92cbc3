//! Typed steps from a checked push to the permission to write it.
//!
//! ```text
//! CheckedPush --propose--> Proposal --decide--> Approved<Push> --redeem--> Redeemed
//! ```
//!
//! Each step consumes the one before, and only this crate can create them. A host therefore cannot
//! write a push that nobody approved, nor write it twice, too late, or with other bytes than
//! reviewed:
//!
//! ```compile_fail
//! use gate::approval::{Approved, Push};
//! fn forge(push: Push) -> Approved<Push> {
//!     Approved { what: push }
//! }
//! ```
//!
//! ```
//! fn once(approved: gate::approval::Approved<gate::approval::Push>, pack: bytes::Bytes) {
//!     let _ = approved.redeem(pack);
//! }
//! ```
//!
//! ```compile_fail
//! fn twice(approved: gate::approval::Approved<gate::approval::Push>, pack: bytes::Bytes) {
//!     let _ = approved.redeem(pack.clone());
//!     let _ = approved.redeem(pack);
//! }
//! ```
//!
//! ```compile_fail
//! fn copied(approved: &gate::approval::Approved<gate::approval::Push>) -> gate::approval::Approved<gate::approval::Push> {
//!     approved.clone()
//! }
//! ```

use bytes::Bytes;
use gix_hash::ObjectId;
use gix_object::Kind;
use patch::sort::sort_by_key;

use crate::{
    digest::{Digest, Subject},
    error::{Fault, FaultKind},
    id::{Nonce, SandboxId},
    objects::{Objects, Supplied},
    pack::{self, PackLimits, VerifiedPack},
    push::CheckedPush,
    refname::BranchRef,
    review::Review,
    signing::Signed,
    target::CanonicalTarget,
    time::Timestamp,
};

/// How many seconds after its review a proposal may be approved.
pub const VALID_SECONDS: u64 = 15 * 60;

/// Records spent nonces. The host stores it durably.
pub trait Nonces {
    /// Marks `nonce` as spent. Returns only once that survives a crash.
    ///
    /// # Errors
    /// [`FaultKind::Spent`] if it was spent before, [`FaultKind::Host`] if it cannot be recorded.
    fn spend(&mut self, nonce: Nonce) -> Result<(), Fault>;
}

/// A person's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Write the push that was shown with this digest.
    Approve {
        /// The digest as it was shown.
        digest: Digest,
    },
    /// Do not write it.
    Reject {
        /// Why, for the agent to read; may be empty.
        reason: String,
    },
}

/// Why the push must not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The person rejected it.
    #[error("the push was rejected")]
    Rejected {
        /// Their reason.
        reason: String,
    },
    /// The approval is invalid: another digest, too late, or used before.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A push under review. The same push, nonce and time give the same proposal in any process.
#[derive(Debug)]
pub struct Proposal {
    push: CheckedPush,
    review: Review,
    digest: Digest,
    nonce: Nonce,
    shown_at: Timestamp,
}

impl CheckedPush {
    /// Prepares the review. `target` is what the push was checked against, `nonce` is new for each
    /// proposal, and `shown_at` is the current time.
    ///
    /// # Errors
    /// As [`Review::of`].
    pub fn propose(self, target: &dyn Objects, nonce: Nonce, shown_at: Timestamp) -> Result<Proposal, Fault> {
        let review = Review::of(&self, target)?;
        let digest = self.digest(&nonce);
        Ok(Proposal { push: self, review, digest, nonce, shown_at })
    }

    /// The digest of its proposal with this nonce. If an earlier proposal with that nonce has the same one, it was of the same push.
    pub fn digest(&self, nonce: &Nonce) -> Digest {
        Digest::of(&Subject {
            sandbox: &self.sandbox,
            nonce,
            target: &self.target,
            reference: &self.reference,
            old: self.old,
            new: self.new,
            pack: &self.pack,
        })
    }
}

impl Proposal {
    /// The review to show.
    pub fn review(&self) -> &Review {
        &self.review
    }

    /// The review alone, of a push that is not approved any more.
    pub fn into_review(self) -> Review {
        self.review
    }

    /// The digest that an approval must name.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The nonce that an approval spends.
    pub fn nonce(&self) -> Nonce {
        self.nonce
    }

    /// The time of the review.
    pub fn shown_at(&self) -> Timestamp {
        self.shown_at
    }

    /// The time from which it can no longer be approved.
    pub fn expires_at(&self) -> Timestamp {
        self.shown_at.plus(VALID_SECONDS)
    }

    /// Turns a decision into the permission to write. Spends the nonce as the last step.
    ///
    /// # Errors
    /// [`Refusal::Rejected`], or a fault that is [`FaultKind::Expired`], [`FaultKind::Refused`]
    /// (another digest) or what `nonces` says. Whatever the error, the push may be proposed again
    /// with a new nonce.
    pub fn decide(
        self,
        decision: Decision,
        now: Timestamp,
        nonces: &mut dyn Nonces,
    ) -> Result<Approved<Push>, Refusal> {
        let given = match decision {
            Decision::Reject { reason } => return Err(Refusal::Rejected { reason }),
            Decision::Approve { digest } => digest,
        };
        // If the clock went back, the elapsed time is unknown.
        if now >= self.expires_at() || now < self.shown_at {
            return Err(Fault::new(FaultKind::Expired, "the review of this push has expired")
                .with_hint("review the push again, and approve it within 15 minutes")
                .into());
        }
        if given != self.digest {
            return Err(Fault::new(FaultKind::Refused, "the digest belongs to a different push")
                .with_hint("review the push again: it, the target or the sandbox has changed")
                .into());
        }
        nonces.spend(self.nonce)?;
        let CheckedPush { sandbox, target, reference, old, new, limits, supplied, signed, .. } = self.push;
        let (digest, nonce) = (self.digest, self.nonce);
        let limits = limits.pack;
        let what = Push { sandbox, target, reference, old, new, digest, nonce, limits, supplied, signed };
        Ok(Approved { what })
    }
}

/// The permission to do `T` once. Only this crate can create it, and nothing can copy or store it.
#[derive(Debug)]
#[must_use = "an approval that is not redeemed is lost: its nonce is spent"]
pub struct Approved<T> {
    what: T,
}

/// A push that a person approved.
#[derive(Debug)]
pub struct Push {
    sandbox: SandboxId,
    target: CanonicalTarget,
    reference: BranchRef,
    old: Option<ObjectId>,
    new: ObjectId,
    digest: Digest,
    nonce: Nonce,
    limits: PackLimits,
    supplied: Supplied,
    signed: Signed,
}

impl Approved<Push> {
    /// The digest that the approval is bound to.
    pub fn digest(&self) -> Digest {
        self.what.digest
    }

    /// The nonce that was spent for it.
    pub fn nonce(&self) -> Nonce {
        self.what.nonce
    }

    /// Verifies the bytes that are about to be written again, and computes the digest from them.
    /// Returns the objects only if that digest was approved.
    ///
    /// # Errors
    /// [`FaultKind::Refused`] if they are other bytes, or what [`pack::verify`] finds.
    pub fn redeem(self, pack: Bytes) -> Result<Redeemed, Fault> {
        let push = self.what;
        let pack = pack::verify_push(pack, &push.limits, &push.supplied, &push.signed)?;
        let digest = Digest::of(&Subject {
            sandbox: &push.sandbox,
            nonce: &push.nonce,
            target: &push.target,
            reference: &push.reference,
            old: push.old,
            new: push.new,
            pack: &pack,
        });
        if digest != push.digest {
            return Err(Fault::new(FaultKind::Refused, "the pack is not the one that was approved"));
        }
        Ok(Redeemed { push, pack })
    }
}

/// A push to write now: the objects, then the ref from `old` to `new` by compare-and-swap.
#[derive(Debug)]
pub struct Redeemed {
    push: Push,
    pack: VerifiedPack,
}

impl Redeemed {
    /// The sandbox it comes from.
    pub fn sandbox(&self) -> &SandboxId {
        &self.push.sandbox
    }

    /// Where to write.
    pub fn target(&self) -> &CanonicalTarget {
        &self.push.target
    }

    /// The branch to move or make.
    pub fn reference(&self) -> &BranchRef {
        &self.push.reference
    }

    /// The branch's expected head, or `None` if it must not exist.
    pub fn old(&self) -> Option<ObjectId> {
        self.push.old
    }

    /// The branch's new head.
    pub fn new_head(&self) -> ObjectId {
        self.push.new
    }

    /// The approved digest.
    pub fn digest(&self) -> Digest {
        self.push.digest
    }

    /// The nonce that was spent for it.
    pub fn nonce(&self) -> Nonce {
        self.push.nonce
    }

    /// The verified objects as a pack, for hosts that write it whole.
    pub fn pack(&self) -> &VerifiedPack {
        &self.pack
    }

    /// The verified objects one by one: blobs, trees, commits, then tags, so that nearly everything
    /// an object names is written before it.
    pub fn objects(&self) -> impl Iterator<Item = Result<(ObjectId, Kind, Vec<u8>), Fault>> + '_ {
        let rank = |kind| match kind {
            Kind::Blob => 0,
            Kind::Tree => 1,
            Kind::Commit => 2,
            Kind::Tag => 3,
        };
        let mut objects: Vec<_> = self.pack.objects().iter().collect();
        sort_by_key(&mut objects, |object| (rank(object.kind), object.offset));
        objects.into_iter().map(|object| {
            let mut data = Vec::new();
            self.pack.find(&object.id, &mut data)?;
            Ok((object.id, object.kind, data))
        })
    }
}
