//! Reads a person's decision from JSON that matches the description.

use gate::approval::Decision as PushSaid;
use gate::digest::Digest;
use gate::ledger::How;
use host::answer::{Answered, Said};
use host::approve::{CallDecision, LeftOut, PushDecision, Response, Revision};
use host::error::{ErrorKind, HostError, Result};
use serde::Deserialize;
use serde_json::Value;

/// A person's decision about a waiting call.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "say", rename_all = "camelCase", deny_unknown_fields)]
pub enum Decision {
    /// For a push, its digest is required.
    Approve {
        /// The digest of the push that the person saw.
        digest: Option<String>,
        /// Whether to save the offered rule.
        #[serde(default)]
        remember: bool,
    },
    /// The reason, for the agent.
    Reject {
        /// May be empty.
        reason: String,
    },
    /// The agent is to mend the push: the open comments on it go to the agent.
    AskChanges {
        /// What is to be said besides them; may be empty.
        #[serde(default)]
        reason: String,
    },
    /// The person edited a push, and wants a new question.
    Revise {
        /// The edits.
        revision: Edits,
    },
}

/// Edits to a push, in the request's form.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edits {
    #[serde(default)]
    leave_out: Vec<Out>,
    message: Option<String>,
    upto: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Out {
    path: String,
    hunks: Option<Vec<u32>>,
    context: Option<u32>,
}

impl Edits {
    /// The edits in the host's form.
    pub fn revision(self) -> Revision {
        let out = |Out { path, hunks, context }| LeftOut { path, hunks, context };
        Revision { leave_out: self.leave_out.into_iter().map(out).collect(), message: self.message, upto: self.upto }
    }
}

/// Reads a decision whose shape the description has checked.
pub fn read<T: for<'de> Deserialize<'de>>(value: &Value) -> Result<T> {
    T::deserialize(value).map_err(|error| {
        HostError::new(ErrorKind::Usage, format!("the body does not fit: {error}")).hint("see /openapi.json")
    })
}

/// A digest in a person's decision.
pub fn digest(text: &str) -> Result<Digest> {
    text.parse().map_err(HostError::from)
}

impl Decision {
    /// Decides about a call that stays inside the sandbox.
    ///
    /// # Errors
    /// If the decision only fits a push.
    pub fn about_call(&self) -> Result<Answered> {
        let decision = match self {
            Decision::Approve { .. } => CallDecision::Approve,
            Decision::Reject { reason } => CallDecision::Reject(reason.clone()),
            Decision::Revise { .. } | Decision::AskChanges { .. } => {
                return Err(HostError::new(ErrorKind::Usage, "only a push can be revised")
                    .hint("approve the call, or reject it"));
            }
        };
        Ok(self.answered(How::Prompt, Said::Call, decision))
    }

    /// Decides about a push.
    ///
    /// # Errors
    /// If it approves without the digest of a push.
    pub fn about_push(&self) -> Result<Answered> {
        let (how, decision) = match self {
            Decision::Approve { digest: Some(given), .. } => {
                (How::Digest, PushDecision::Decided(PushSaid::Approve { digest: digest(given)? }))
            }
            Decision::Approve { digest: None, .. } => {
                return Err(HostError::new(ErrorKind::Usage, "an approval of a push names its digest")
                    .hint("give the digest of the push that was shown"));
            }
            Decision::Reject { reason } => {
                (How::Prompt, PushDecision::Decided(PushSaid::Reject { reason: reason.clone() }))
            }
            Decision::AskChanges { reason } => (How::Prompt, PushDecision::AskChanges { reason: reason.clone() }),
            Decision::Revise { revision } => (How::Prompt, PushDecision::Revise(revision.clone().revision())),
        };
        Ok(self.answered(how, Said::Push, decision))
    }

    fn answered<T>(&self, how: How, said: impl FnOnce(Response<T>) -> Said, decision: T) -> Answered {
        let response = match self {
            Decision::Approve { remember: true, .. } => Response::Remembered(decision),
            _ => Response::Given(decision),
        };
        Answered { said: said(response), how, was_shown: true }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_push_is_approved_by_its_digest_only_and_only_a_push_is_edited() {
        let of = |value| read::<Decision>(&value).unwrap();
        let approve = of(json!({ "say": "approve" }));
        assert_eq!(approve.about_push().unwrap_err().kind, ErrorKind::Usage);
        assert!(approve.about_call().is_ok());
        assert!(of(json!({ "say": "approve", "digest": "x" })).about_push().is_err());
        let edits = json!({ "leaveOut": [{ "path": "a", "hunks": [2], "context": 3 }], "message": "m" });
        let revise = of(json!({ "say": "revise", "revision": edits }));
        assert_eq!(revise.about_call().unwrap_err().kind, ErrorKind::Usage);
        let Said::Push(Response::Given(PushDecision::Revise(revision))) = revise.about_push().unwrap().said else {
            panic!("it is an edit");
        };
        let out = LeftOut { path: "a".to_owned(), hunks: Some(vec![2]), context: Some(3) };
        assert_eq!((revision.leave_out, revision.message.as_deref()), (vec![out], Some("m")));
    }
}
