//! The identities of committers and in reflogs.

use crate::call::Moment;
use crate::error::{ErrorKind, ToolError};
use crate::options::Identity;

/// The signatures of a new commit.
#[derive(Clone, Debug)]
pub struct Signatures {
    /// Who has written it.
    pub author: gix::actor::Signature,
    /// Who has made it.
    pub committer: gix::actor::Signature,
}

/// The signature of a commit at `now`.
///
/// # Errors
///
/// Without an identity, with the message that the requirements give (SRD, FR-GIT-COMMIT-05).
pub fn signature(identity: Option<&Identity>, now: Moment) -> Result<gix::actor::Signature, ToolError> {
    let identity = identity.filter(|identity| !identity.name.trim().is_empty() && !identity.email.trim().is_empty());
    let identity = identity.ok_or_else(|| {
        ToolError::new(
            ErrorKind::ExecutionFailed,
            "Git user.name or user.email not configured. Run: git config --global user.name 'Your Name' && git config --global user.email 'you@example.com'",
        )
        .hint("Ask the user to set the identity, on their machine or when they open the sandbox.")
    })?;
    // Receivers refuse such identities (git-fsck), and every commit on top of them.
    let is_bad = |value: &str| value.contains(|c: char| c.is_ascii_control() || matches!(c, '<' | '>'));
    if is_bad(&identity.name) || is_bad(&identity.email) {
        return Err(ToolError::failed("Git user.name or user.email contains a character that a commit cannot store")
            .hint("Ask the user to set an identity without <, > and control characters."));
    }
    Ok(gix::actor::Signature {
        name: identity.name.as_str().into(),
        email: identity.email.as_str().into(),
        time: now.git_time(),
    })
}

/// The signature for a reflog line. Without an identity, it names the sandbox itself, because a reflog line needs a name.
pub fn reflog_signature(identity: Option<&Identity>, now: Moment) -> gix::actor::Signature {
    signature(identity, now).unwrap_or_else(|_| gix::actor::Signature {
        name: "gitgate".into(),
        email: "gitgate@localhost".into(),
        time: now.git_time(),
    })
}
