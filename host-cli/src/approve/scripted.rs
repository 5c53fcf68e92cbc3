//! Answers approval questions from the command line's options.

use gate::approval::{Decision, Proposal};
use gate::digest::Digest;
use gate::ledger::How;
use gate::time::Timestamp;
use host::review::Notes;

use super::{Approver, CallDecision, CallRequest, Offer, PushDecision, Response};
use crate::moment;

/// Whole minutes from `now` to `end`.
fn minutes(now: Timestamp, end: Timestamp) -> u64 {
    end.0.saturating_sub(now.0) / 60
}

/// The command line's answers.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    /// `--yes`
    pub yes: bool,
    /// `--approve DIGEST`
    pub digest: Option<Digest>,
    /// `--ask-changes REASON`
    pub changes: Option<String>,
    /// True if the person's configuration lets `--yes` approve a push.
    pub unattended: bool,
    /// True if only a person at a terminal may decide.
    pub needs_terminal: bool,
}

/// How to decide where only a person at a terminal may.
const AT_A_TERMINAL: &str = "run it at a terminal to be asked, or see `gitgate config` for what scripts may do";

impl Approver for Scripted {
    fn call(&mut self, request: &CallRequest) -> Response<CallDecision> {
        if self.yes {
            return Response::Given(CallDecision::Approve);
        }
        Response::Unavailable {
            reason: format!("{} needs approval: {}", request.tool, request.summary),
            hint: if self.needs_terminal { AT_A_TERMINAL } else { "add --yes, or run it in a terminal to be asked" }
                .to_owned(),
        }
    }

    fn digest(&self) -> Option<Digest> {
        self.digest
    }

    fn push(&mut self, proposal: &Proposal, _: Option<&Offer>, _: &Notes<'_>) -> Response<PushDecision> {
        let shown = proposal.digest();
        if let Some(reason) = &self.changes {
            return Response::Given(PushDecision::AskChanges { reason: reason.clone() });
        }
        match self.digest {
            Some(digest) if digest == shown => Response::Given(PushDecision::Decided(Decision::Approve { digest })),
            Some(_) => Response::Unavailable {
                reason: "the digest does not match this push, or is more than 15 minutes old".to_owned(),
                hint: format!("review the push again, then approve it with --approve {shown}"),
            },
            None if self.yes && self.unattended => {
                Response::Given(PushDecision::Decided(Decision::Approve { digest: shown }))
            }
            None if self.needs_terminal => {
                Response::Unavailable { reason: "the push is not approved".to_owned(), hint: AT_A_TERMINAL.to_owned() }
            }
            None if self.yes => Response::Unavailable {
                reason: "--yes does not approve a push".to_owned(),
                hint: format!("approve it with --approve {shown}, or set `unattended = true` in gitgate.toml"),
            },
            None => Response::Unavailable {
                reason: "the push is not approved".to_owned(),
                hint: format!(
                    "approve it with --approve {shown} within {} minutes, or run it in a terminal to be asked",
                    minutes(moment::now().timestamp(), proposal.expires_at())
                ),
            },
        }
    }

    fn how(&self) -> How {
        match (&self.digest, &self.changes) {
            (_, Some(_)) => How::Command,
            (Some(_), None) => How::Digest,
            (None, None) => How::Unattended,
        }
    }

    fn tell(&mut self, message: &str) {
        crate::report::note(message);
    }
}
