//! Checks a push against its target, and prepares it for review.

use std::cell::RefCell;

use bytes::Bytes;
use gate::approval::Proposal;
use gate::digest::Digest;
use gate::id::Nonce;
use gate::policy::Policy;
use gate::push::{CheckedPush, Peculiarity, PushLimits, PushRequest, TargetFacts, Usual, check};
use gate::refname::BranchRef;
use gate::signing::Signed;
use gate::time::Timestamp;
use gix_hash::ObjectId;

use crate::answer::call::invocation::Invocation;
use crate::answer::call::suspend::Halting;
use crate::answer::misbehaved;
use crate::answer::push::{Prepared, signing};
use crate::answer::recovery::unsettled::ensure_free;
use crate::answer::repository::opened::Basis;
use crate::answer::repository::{self, Known};
use crate::answer::wording::tool_error;
use crate::error::HostError;
use crate::moment::Moment;
use crate::platform::{self, Platform, Signer};
use crate::sandbox::Sandbox;
use crate::store::Pending;
use crate::target::{Committer, RawPlan};
use crate::wit;

/// A proposal, and the steps that write it.
pub(crate) type Shown = Result<(Proposal, RawPlan), wit::AnswerBody>;

/// Checks a push, and prepares it for review.
pub(crate) fn prepare(
    invocation: &mut Invocation,
    push: &wit::Push,
    pack: &Bytes,
    sandbox: &mut Sandbox,
) -> Halting<Result<Prepared, wit::AnswerBody>> {
    // The component may push only to a target whose refs the host has just read.
    let Some(mut target) = invocation.named.remove(&push.target) else {
        return Err(misbehaved("it pushes to a target whose refs it did not ask for").into());
    };
    let (reference, old, new) = match parse(push) {
        Ok(parsed) => parsed,
        Err(refused) => return Ok(Err(refused)),
    };
    let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
    ensure_free(&ledger, target.canonical(), &reference, &sandbox.name())?;
    let request = PushRequest {
        sandbox: sandbox.file.id.name(),
        target: target.canonical().clone(),
        reference,
        old,
        new,
        pack: pack.clone(),
    };
    let _checking = sandbox.platform().doing("Checking the push");
    // What is only ruled about is not signed.
    let signer = match invocation.is_hypothetical {
        true => None,
        false => sandbox.platform().signer(&request.target, &sandbox.file),
    };
    // Only who signs asks what is the sandbox's own.
    let given = signer.as_ref().map(|_| repository::given(sandbox)).transpose()?;
    let showing = Showing {
        request: &request,
        policy: &invocation.policy,
        approved: invocation.digest,
        signed: &invocation.signed,
        signing: signer.as_deref().zip(given.as_ref()),
        made: RefCell::default(),
    };
    let show = |basis: &Basis<'_>, sandbox: &Sandbox| showing.show(basis, sandbox);
    let checked = target.check(&request.reference, &show, &mut invocation.exchanges, sandbox);
    let Showing { made, .. } = showing;
    match checked {
        Ok(Ok((proposal, plan))) => {
            let signatures = invocation.signed.signatures.clone();
            Ok(Ok(Prepared { proposal, plan, target, request, signatures }))
        }
        Ok(Err(refused)) => {
            // With the signatures it is asked about again.
            if let Some(signed) = made.into_inner() {
                invocation.signed = signed;
                invocation.named.insert(push.target.clone(), target);
            }
            Ok(Err(refused))
        }
        Err(halt) => {
            invocation.named.insert(push.target.clone(), target);
            Err(halt)
        }
    }
}

/// What the commits of a sandbox say of themselves.
pub(crate) fn usual(sandbox: &Sandbox) -> Usual {
    let file = &sandbox.file;
    let [identity, committer] = [&file.identity, &file.committer].map(|who| who.as_ref().map(ToString::to_string));
    Usual { identity, committer, now: sandbox.platform().now().timestamp() }
}

fn committer(sandbox: &Sandbox, now: Moment) -> Committer {
    let identity = sandbox.file.committer.as_ref().or(sandbox.file.identity.as_ref());
    Committer {
        identity: identity.map(|identity| (identity.name.clone(), identity.email.clone())),
        seconds: now.seconds(),
        offset_minutes: now.utc_offset / 60,
    }
}

/// A push that is to be shown.
struct Showing<'a> {
    request: &'a PushRequest,
    policy: &'a Policy,
    /// The digest of the push that was approved in advance.
    approved: Option<Digest>,
    /// Those of its commits that the host has signed.
    signed: &'a Signed,
    /// What signs the others, and what the host has given to the sandbox.
    signing: Option<(&'a dyn Signer, &'a Known)>,
    /// The signatures that it still needs. They are kept, since a push to a server is checked until nothing is lacking.
    made: RefCell<Option<Signed>>,
}

impl Showing<'_> {
    /// Checks the push, and prepares it for review. Shows again what was shown just now: the push with the digest that is approved, if there
    /// is one. A push whose commits are to be signed is refused with the signatures.
    fn show(&self, basis: &Basis<'_>, sandbox: &Sandbox) -> Shown {
        let platform = sandbox.platform();
        let now = platform.now();
        let committer = committer(sandbox, now);
        let earlier = self.earlier(now.timestamp(), sandbox);
        let push = check(self.request.clone(), basis.objects, self.facts(basis, sandbox), &PushLimits::default())
            .map_err(|fault| tool_error::fault(&fault))?;
        self.ensure_signed(&push, &earlier, &*platform)?;
        let (nonce, shown_at) = match Pending::of_push(&earlier, &push) {
            // Its review still holds.
            Some(same) => (same.nonce, same.shown_at),
            None => {
                let nonce = platform::random(&*platform).map_err(|error| tool_error::host(&error, &*platform))?;
                (Nonce::from_random(nonce), now.timestamp())
            }
        };
        let plan = (basis.plan)(&push, &nonce, &committer).map_err(|error| tool_error::land(&error, &*platform))?;
        let proposal = push.propose(basis.objects, nonce, shown_at).map_err(|fault| tool_error::fault(&fault))?;
        Ok((proposal, plan))
    }

    /// The pushes to the same branch that may be shown again.
    fn earlier(&self, now: Timestamp, sandbox: &Sandbox) -> Vec<Pending> {
        let PushRequest { target, reference, .. } = self.request;
        sandbox.store.pending.to(target, reference, now, self.approved).unwrap_or_else(|error| {
            tracing::warn!("cannot read the pending pushes: {error}");
            Vec::new()
        })
    }

    fn ensure_signed(
        &self,
        push: &CheckedPush,
        earlier: &[Pending],
        platform: &dyn Platform,
    ) -> Result<(), wit::AnswerBody> {
        let Some((signer, given)) = self.signing else { return Ok(()) };
        let mut made = self.made.borrow_mut();
        let signed = match &*made {
            Some(made) => made.clone(),
            None => signing::sign(push, given, signer, earlier, platform)?,
        };
        match signed.signatures.is_empty() {
            true => Ok(()),
            false => Err(signing::answer(&made.insert(signed).signatures)),
        }
    }

    fn facts(&self, basis: &Basis<'_>, sandbox: &Sandbox) -> TargetFacts {
        let refs = basis.refs;
        let tips = refs.refs.iter().map(|entry| entry.peeled.unwrap_or(entry.id)).chain(refs.detached).collect();
        let signs = self.signing.map(|_| Peculiarity::Signs);
        TargetFacts {
            current_head_of_ref: basis.tip,
            tips: Some(tips),
            protected: self.policy.protected().clone(),
            allowed: self.policy.allowed_secrets().clone(),
            peculiarities: basis.peculiarities.iter().cloned().chain(signs).collect(),
            commits: Some(usual(sandbox)),
            signed: self.signed.clone(),
            ..TargetFacts::default()
        }
    }
}

fn parse(push: &wit::Push) -> Result<(BranchRef, Option<ObjectId>, ObjectId), wit::AnswerBody> {
    let reference = push.reference.parse().map_err(|fault| tool_error::fault(&fault))?;
    let id = |hex: &str| ObjectId::from_hex(hex.as_bytes()).map_err(|_| tool_error::bad_id(hex));
    Ok((reference, push.old.as_deref().map(id).transpose()?, id(&push.new)?))
}
