//! What a body brings to a sandbox here: a world that stands still, nothing near, and a person.

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use gate::approval::{Decision, Proposal};
use gate::ledger::How;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use host::approve::Revision;
use host::around::{Around, Guard, Phase};
use host::hint::Act;
use host::moment::Moment;
use host::target::{Near, Progress, Repository, Silent, TargetError, TargetErrorKind, TargetSpec};

use crate::approve::{Approver, CallDecision, CallRequest, Offer, PushDecision, Response};
use crate::error::Result;
use crate::screen;

/// The world around a sandbox: its time is what a test says, and its randomness is a counter.
#[derive(Clone)]
pub(super) struct Fixed {
    nanos: Cell<u64>,
    drawn: Cell<u64>,
}

impl Default for Fixed {
    fn default() -> Self {
        Fixed { nanos: Cell::new(1_767_225_600_000_000_000), drawn: Cell::new(0) }
    }
}

impl Fixed {
    /// Lets time pass.
    pub(super) fn pass(&self, time: Duration) {
        self.nanos.set(self.nanos.get() + u64::try_from(time.as_nanos()).unwrap());
    }

    pub(super) fn seconds(&self) -> u64 {
        self.nanos.get() / 1_000_000_000
    }
}

impl Around for Fixed {
    fn now(&self) -> Moment {
        Moment { nanos: self.nanos.get(), utc_offset: 3600 }
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        self.drawn.set(self.drawn.get() + 1);
        bytes.iter_mut().zip(self.drawn.get().to_le_bytes().iter().cycle()).for_each(|(byte, drawn)| *byte = *drawn);
        Ok(())
    }

    fn who(&self) -> String {
        "ada".to_owned()
    }

    fn act(&self, act: &Act) -> String {
        screen::hint::act(act)
    }

    fn ensure_wanted(&self) -> Result<()> {
        Ok(())
    }

    fn during(&self, _: Phase) -> Guard {
        Box::new(())
    }

    fn doing(&self, _: &str) -> Guard {
        Box::new(())
    }

    fn progress(&self) -> Box<dyn Progress> {
        Box::new(Silent)
    }
}

/// No repository is near.
pub(super) struct NotNear;

impl Near for NotNear {
    fn open(&self, _: &TargetSpec, _: &Path) -> Result<Box<dyn Repository>, TargetError> {
        Err(TargetError::new(TargetErrorKind::Unsupported, "there are no folders here"))
    }

    fn known(&self, _: &CanonicalTarget, _: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError> {
        Err(TargetError::new(TargetErrorKind::Unsupported, "there are no folders here"))
    }

    fn create(&self, _: &Path, _: &[u8]) -> Result<()> {
        panic!("no file is written")
    }
}

/// Somebody who says yes to everything, and what they have seen.
#[derive(Default)]
pub(super) struct Person {
    /// Says no instead.
    pub(super) refuses: bool,
    /// The calls that they were asked about.
    pub(super) calls: Vec<String>,
    /// The pushes that they were shown.
    pub(super) pushes: Vec<String>,
    /// What they were told.
    pub(super) notes: Vec<String>,
    /// They take their time, so what they are asked is kept before.
    pub(super) takes_time: bool,
    /// How they edit the first push.
    pub(super) revises: Option<Revision>,
    /// What happens while they read a push.
    pub(super) meanwhile: Option<Box<dyn FnOnce()>>,
}

impl Approver for Person {
    fn call(&mut self, request: &CallRequest) -> Response<CallDecision> {
        self.calls.push(format!("{}\n{}", request.summary, request.detail));
        Response::Given(match self.refuses {
            true => CallDecision::Reject("not now".to_owned()),
            false => CallDecision::Approve,
        })
    }

    fn push(&mut self, proposal: &Proposal, _: Option<&Offer>) -> Response<PushDecision> {
        self.pushes.push(format!("{}\n{}", proposal.review().warnings(), proposal.review().whole()));
        self.meanwhile.take().into_iter().for_each(|happens| happens());
        if let Some(revision) = self.revises.take() {
            return Response::Given(PushDecision::Revise(revision));
        }
        Response::Given(PushDecision::Decided(match self.refuses {
            true => Decision::Reject { reason: "not now".to_owned() },
            false => Decision::Approve { digest: proposal.digest() },
        }))
    }

    fn takes_time(&self) -> bool {
        self.takes_time
    }

    fn how(&self) -> How {
        How::Unattended
    }

    fn tell(&mut self, message: &str) {
        self.notes.push(message.to_owned());
    }
}
