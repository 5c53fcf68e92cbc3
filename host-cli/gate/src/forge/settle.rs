//! What a branch shows of a push that was interrupted.

use gix_hash::ObjectId;

use crate::{
    ledger::{Intent, Settlement, settle},
    time::Timestamp,
};

/// Seconds for which a request may still be on its way after it was sent.
pub const GRACE: u64 = 5 * 60;

/// What the branch shows about an intent without an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// The branch is at the new head or beyond.
    Landed,
    /// The branch is where it was, and no request is on its way; or none was ever sent.
    NotLanded,
    /// The branch is elsewhere, or gone.
    InDoubt,
    /// The branch is where it was, but a request may still move it. The intent stays open.
    NotYet {
        /// Ask again after so many seconds.
        seconds: u64,
    },
}

impl Settled {
    /// What the host records; `None` if the intent stays open.
    pub fn settlement(self) -> Option<Settlement> {
        match self {
            Settled::Landed => Some(Settlement::Landed),
            Settled::NotLanded => Some(Settlement::NotLanded),
            Settled::InDoubt => Some(Settlement::InDoubt),
            Settled::NotYet { .. } => None,
        }
    }
}

/// What is shown by a branch that is at `there`. `is_beyond` says whether that descends from the new head,
/// and `sent` when the last request was about to be sent that moves the branch, if one was.
pub(crate) fn settled(
    intent: &Intent,
    there: Option<ObjectId>,
    is_beyond: bool,
    sent: Option<Timestamp>,
    now: Timestamp,
) -> Settled {
    match (settle(intent, there, is_beyond), sent) {
        (Settlement::Landed, _) => Settled::Landed,
        // Whoever moved the branch elsewhere, it was not this push.
        (_, None) => Settled::NotLanded,
        (Settlement::InDoubt, Some(_)) => Settled::InDoubt,
        (Settlement::NotLanded, Some(sent)) => match rest_of_grace(sent, now) {
            0 => Settled::NotLanded,
            seconds => Settled::NotYet { seconds },
        },
    }
}

fn rest_of_grace(sent: Timestamp, now: Timestamp) -> u64 {
    // If the clock went back, the elapsed time is unknown, and the whole of it has to pass.
    let elapsed = now.0.saturating_sub(sent.0);
    GRACE.saturating_sub(elapsed)
}
