//! What became of a proposal, in the words that git shows behind `remote:`.

use gate::policy::PushMode;
use serde_json::Value;

use crate::answer::Reply;
use crate::sandbox::Sandbox;
use crate::screen;
use crate::wit::{ErrorKind, ToolError};

/// What a client is told of a branch.
pub(super) struct Outcome {
    /// Lines for the person.
    pub words: String,
    /// Why the branch did not get there; `None` if it is where it shall be, or waits for that.
    pub refused: Option<String>,
    /// Whether a person has decided, and not in its favour.
    pub is_decided: bool,
    /// Whether it waits for a person.
    pub waits: bool,
}

/// What is said to who does not wait.
pub(super) const LATER: &str = "Push again to hear what was decided, or with the push option wait to wait for it.\n\
                                Amend it, and push, to replace it.\n";

pub(super) fn outcome(reply: Reply, sandbox: &Sandbox) -> Outcome {
    match reply {
        Reply::Done(Ok(result)) => done(&serde_json::from_str(&result.structured).unwrap_or_default(), &result.text),
        Reply::Done(Err(error)) => failed(&error, sandbox.push_mode()),
        Reply::NotApproved(not) => {
            let hint = screen::line(&sandbox.platform().words(&not.hint));
            if not.waits {
                let what = not.push.as_ref().map_or_else(String::new, |push| {
                    format!(" for {} ({})", screen::line(&push.target), screen::line(&push.branch))
                });
                let words = format!("proposed{what}, waiting for review\nfor the reviewer: {hint}\n");
                Outcome { words, refused: None, is_decided: false, waits: true }
            } else {
                let reason = screen::line(&not.reason);
                let words = format!("not proposed: {reason}\nhint: {hint}\n");
                Outcome { words, refused: Some(reason), is_decided: false, waits: false }
            }
        }
    }
}

fn done(result: &Value, text: &str) -> Outcome {
    match result["status"].as_str() {
        Some("success") => {
            Outcome { words: format!("{}\n", text.trim_end()), refused: None, is_decided: false, waits: false }
        }
        Some("changes-requested") => Outcome {
            words: format!("{}\n", text.trim_end()),
            refused: Some(format!(
                "changes requested: {}",
                screen::line(result["changes"]["reason"].as_str().unwrap_or_default())
            )),
            is_decided: true,
            waits: false,
        },
        _ => Outcome {
            words: format!("{}\n", text.trim_end()),
            refused: Some(screen::line(result["conflict"]["message"].as_str().unwrap_or("the target has moved"))),
            is_decided: false,
            waits: false,
        },
    }
}

fn failed(error: &ToolError, mode: PushMode) -> Outcome {
    let hint = format!("hint: {}\n", error.hint.trim_end());
    match &error.kind {
        ErrorKind::Rejected(reason) => Outcome {
            words: format!("rejected: {}\n", screen::line(reason)),
            refused: Some(format!("rejected: {}", screen::line(reason))),
            is_decided: true,
            waits: false,
        },
        // It is staged. In any other mode a rule denies it.
        ErrorKind::NotPermitted if mode == PushMode::Manual => Outcome {
            words: "staged: the user reviews it, and pushes it themselves\n".to_owned(),
            refused: None,
            is_decided: false,
            waits: false,
        },
        _ => Outcome { words: hint, refused: Some(error.message.clone()), is_decided: false, waits: false },
    }
}
