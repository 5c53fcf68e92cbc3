//! How the landing of a push on a server ended.

use gix_hash::ObjectId;

use super::Fault;

/// How a landing ended, other than with a [`Fault`], after which the branch is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Landing {
    /// The branch is at the approved commit, or at one that descends from it.
    Landed {
        /// Where it is.
        tip: ObjectId,
        /// What the server says to the person, such as where to ask for a merge: a few lines, each shortened and
        /// escaped for a terminal.
        said: Vec<String>,
    },
    /// The branch was elsewhere, and the push did not move it. The fault is a
    /// [`FaultKind::Conflict`](crate::FaultKind::Conflict) with the branch's head.
    Conflict(crate::Fault),
    /// A request to move the branch was sent, and nobody knows what became of it: the intent stays
    /// open, and [`Server::settle`](super::Server::settle) finds out later.
    InDoubt(Fault),
}
