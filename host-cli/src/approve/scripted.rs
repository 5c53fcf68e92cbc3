//! Answers that were given on the command line.

use gate::approval::{Decision, Proposal};
use gate::digest::Digest;
use gate::ledger::How;
use gate::time::Timestamp;

use super::{Approver, CallDecision, CallRequest, Offer, PushDecision, Word};
use crate::moment::Moment;

/// Whole minutes that are left.
fn minutes(now: Timestamp, end: Timestamp) -> u64 {
    end.0.saturating_sub(now.0) / 60
}

/// What the command line says about approvals.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    /// `--yes`
    pub yes: bool,
    /// `--approve DIGEST`
    pub digest: Option<Digest>,
    /// Whether the person's configuration lets `--yes` answer for a push.
    pub unattended: bool,
}

impl Approver for Scripted {
    fn call(&mut self, request: &CallRequest<'_>) -> Word<CallDecision> {
        if self.yes {
            return Word::Given(CallDecision::Approve);
        }
        Word::Nobody {
            reason: format!("{} needs approval: {}", request.tool, request.summary),
            hint: "add --yes, or run it in a terminal to be asked".to_owned(),
        }
    }

    fn digest(&self) -> Option<Digest> {
        self.digest
    }

    fn push(&mut self, proposal: &Proposal, _offer: Option<&Offer>) -> Word<PushDecision> {
        let shown = proposal.digest();
        match self.digest {
            Some(digest) if digest == shown => Word::Given(PushDecision::Decided(Decision::Approve { digest })),
            Some(_) => Word::Nobody {
                reason:
                    "the digest is of another push than this one, or of one that was shown more than 15 minutes ago"
                        .to_owned(),
                hint: format!("look at it again, and approve it with --approve {shown}"),
            },
            None if self.yes && self.unattended => {
                Word::Given(PushDecision::Decided(Decision::Approve { digest: shown }))
            }
            None if self.yes => Word::Nobody {
                reason: "--yes does not answer for a push".to_owned(),
                hint: format!("approve it with --approve {shown}, or set `unattended = true` in gitgate.toml"),
            },
            None => Word::Nobody {
                reason: "the push is not approved".to_owned(),
                hint: format!(
                    "approve it with --approve {shown} within {} minutes, or run it in a terminal to be asked",
                    minutes(Moment::now().timestamp(), proposal.expires_at())
                ),
            },
        }
    }

    fn how(&self) -> How {
        if self.digest.is_some() { How::Digest } else { How::Unattended }
    }

    fn tell(&mut self, message: &str) {
        crate::report::note(message);
    }
}
