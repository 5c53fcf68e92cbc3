//! Turns the host's errors into tool errors.

use std::path::PathBuf;

use bstr::BString;
use gate::{ConflictReason, Fault, FaultKind, forge};

use crate::error::HostError;
use crate::platform::Platform;
use crate::sandbox::Locked;
use crate::screen::line;
use crate::target::{LandError, Landed, Obstacle, TargetError, TargetErrorKind, Undone};
use crate::wit;

/// The caller may not do this.
pub(crate) fn not_permitted(message: String, hint: String) -> wit::ToolError {
    wit::ToolError::new(wit::ErrorKind::NotPermitted, message, hint)
}

/// A review that compares with nothing shows a file whole.
pub(crate) fn no_hunks(path: &str) -> wit::ToolError {
    wit::ToolError::new(
        wit::ErrorKind::BadArgs,
        format!("{path} has no hunks, because it is new"),
        "Omit hunks to leave out the whole file.",
    )
}

/// A push of one commit alone has no first ones.
pub(crate) fn one_commit() -> wit::ToolError {
    wit::ToolError::new(
        wit::ErrorKind::BadArgs,
        "The push is of one commit alone",
        "Approve it, or reject it: there are no first commits to push without the others.",
    )
}

/// The sandbox has changed since the review, so the push needs a new one.
pub(crate) fn changed() -> wit::AnswerBody {
    wit::AnswerBody::Failed(wit::ToolError::new(
        wit::ErrorKind::Conflict,
        "The sandbox has changed since the push was shown",
        "Push again to review the push as it is now. Nothing was pushed.",
    ))
}

/// A person rejected the call.
pub(crate) fn rejected(reason: String) -> wit::ToolError {
    let message =
        if reason.is_empty() { "Rejected by the user".to_owned() } else { format!("Rejected by the user: {reason}") };
    let hint = "ask the user what to change, and do not repeat the same call; nothing has changed".to_owned();
    wit::ToolError::new(wit::ErrorKind::Rejected(reason), message, hint)
}

/// What an agent says to a comment cannot be noted.
pub(crate) fn comment(error: &HostError, platform: &dyn Platform) -> wit::ToolError {
    wit::ToolError::new(wit::ErrorKind::BadArgs, error.message.clone(), platform.words(&error.hint))
}

/// An error of a target.
pub(crate) fn target(error: &TargetError) -> wit::ToolError {
    let kind = match error.kind {
        TargetErrorKind::BadSpec => wit::ErrorKind::BadArgs,
        TargetErrorKind::NotARepository => wit::ErrorKind::NotARepository,
        TargetErrorKind::NoSuchBranch => wit::ErrorKind::NotFound,
        TargetErrorKind::Damaged
        | TargetErrorKind::MissingObject
        | TargetErrorKind::ReadOnly
        | TargetErrorKind::Unsupported
        | TargetErrorKind::Locked
        | TargetErrorKind::Untrusted
        | TargetErrorKind::Refused
        | TargetErrorKind::Io => wit::ErrorKind::ExecutionFailed,
    };
    wit::ToolError::new(kind, error.to_string(), error.hint.clone().unwrap_or_default())
}

/// An error of a server.
pub(crate) fn server(fault: &forge::Fault) -> wit::ToolError {
    use forge::FaultKind;
    let kind = match &fault.kind {
        FaultKind::NotFound | FaultKind::Renamed { .. } | FaultKind::MissingObject { .. } => wit::ErrorKind::NotFound,
        FaultKind::Unauthorized | FaultKind::Forbidden | FaultKind::Archived => wit::ErrorKind::NotPermitted,
        FaultKind::BadName => wit::ErrorKind::BadArgs,
        FaultKind::EmptyRemote
        | FaultKind::Limited { .. }
        | FaultKind::WrongObject { .. }
        | FaultKind::Inexact { .. }
        | FaultKind::Unsendable { .. }
        | FaultKind::TooLarge
        | FaultKind::Malformed
        | FaultKind::Refused
        | FaultKind::Remote { .. }
        | FaultKind::NoAnswer
        | FaultKind::Over
        | FaultKind::Gate(_) => wit::ErrorKind::ExecutionFailed,
    };
    wit::ToolError::new(kind, fault.message.clone(), fault.hint.clone())
}

/// A fault of the gate: a conflict is an outcome, anything else an error.
pub(crate) fn fault(fault: &Fault) -> wit::AnswerBody {
    if let FaultKind::Conflict { reason, target_head } = &fault.kind {
        let reason = match reason {
            ConflictReason::NonFastForward => "non-fast-forward",
            ConflictReason::Other => "other",
        };
        return wit::AnswerBody::Conflict(wit::Conflict {
            reason: reason.to_owned(),
            message: fault.message.clone(),
            target_head: target_head.map(|id| id.to_string()),
        });
    }
    let kind = match fault.kind {
        FaultKind::BadRef | FaultKind::BadTarget => wit::ErrorKind::BadArgs,
        FaultKind::UnsafePath => wit::ErrorKind::SandboxViolation,
        FaultKind::Policy => wit::ErrorKind::NotPermitted,
        _ => wit::ErrorKind::ExecutionFailed,
    };
    wit::AnswerBody::Failed(wit::ToolError::new(kind, fault.message.clone(), fault.hint.clone()))
}

/// Why a push did not land.
pub(crate) fn land(error: &LandError, platform: &dyn Platform) -> wit::AnswerBody {
    match error {
        LandError::Conflict { obstacle, target_head, message, hint, .. } => {
            let reason = if *obstacle == Obstacle::NonFastForward { "non-fast-forward" } else { "other" };
            let message = if hint.is_empty() { message.clone() } else { format!("{message} ({hint})") };
            wit::AnswerBody::Conflict(wit::Conflict {
                reason: reason.to_owned(),
                message,
                target_head: target_head.map(|id| id.to_string()),
            })
        }
        LandError::Failed(error) => wit::AnswerBody::Failed(target(error)),
        LandError::Unfinished { .. } => wit::AnswerBody::Failed(wit::ToolError::new(
            wit::ErrorKind::ExecutionFailed,
            error.to_string(),
            platform.words(&error.hint()),
        )),
    }
}

/// An error of the host itself.
pub(crate) fn host(error: &HostError, platform: &dyn Platform) -> wit::AnswerBody {
    wit::AnswerBody::Failed(wit::ToolError::new(
        wit::ErrorKind::ExecutionFailed,
        error.message.clone(),
        platform.words(&error.hint),
    ))
}

/// The component gave an invalid object id.
pub(crate) fn bad_id(text: &str) -> wit::AnswerBody {
    wit::AnswerBody::Failed(wit::ToolError::new(
        wit::ErrorKind::BadArgs,
        format!("'{}' is not an object id", line(text)),
        "",
    ))
}

/// Tells the person which of their files the push left alone.
pub(crate) fn kept(landed: &Landed, locked: &mut Locked<'_>) {
    for path in &landed.kept {
        locked.tell(format!("{} changed while the push ran, so the push left it as it is", line(&path.to_string())));
    }
    copies(&landed.kept_copies, locked);
}

/// Tells the person which of their files were moved back when a push was undone.
pub(crate) fn undone(undone: &Undone, locked: &mut Locked<'_>) {
    for path in &undone.restored {
        locked.tell(format!("{} had been moved aside and is back in its place", line(&path.to_string())));
    }
    copies(&undone.kept_copies, locked);
}

fn copies(kept: &[(BString, PathBuf)], locked: &mut Locked<'_>) {
    for (path, copy) in kept {
        let (path, copy) = (line(&path.to_string()), line(&copy.display().to_string()));
        locked.tell(format!("your version of {path} is now in {copy}"));
    }
}
