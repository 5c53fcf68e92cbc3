//! Settles a push that was interrupted between intent and outcome.

use gix_hash::ObjectId;

use super::{Intent, PushResult};

/// What the branch shows about an intent without an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// The branch is at the new head or beyond: record it as landed and tell the sandbox.
    Landed,
    /// The branch is where it was: record that, and ask again if it is still wanted.
    NotLanded,
    /// The branch is elsewhere, or gone: block it and tell the person.
    InDoubt,
}

impl From<Settlement> for PushResult {
    fn from(settlement: Settlement) -> PushResult {
        match settlement {
            Settlement::Landed => PushResult::Landed,
            Settlement::NotLanded => PushResult::NotLanded,
            Settlement::InDoubt => PushResult::InDoubt,
        }
    }
}

/// Settles `intent` by its branch's current head `observed` (`None` if it does not exist), and
/// whether that commit is a descendant of the intent's new head.
pub fn settle(intent: &Intent, observed: Option<ObjectId>, is_descendant_of_new: bool) -> Settlement {
    if observed == intent.old {
        // An old head cannot descend from the new one, whatever the host says.
        Settlement::NotLanded
    } else if observed == Some(intent.new) || observed.is_some() && is_descendant_of_new {
        Settlement::Landed
    } else {
        Settlement::InDoubt
    }
}
