//! Settles a push that was interrupted, by what the branch shows.

use super::{
    Fault, Repository,
    api::Api,
    exchange::{Running, exchange},
    fetch::descends,
    refs::tip,
};
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

/// Finds out what became of an intent.
pub struct Settle(Running<Settled>);

exchange!(Settle => Settled);

impl Settle {
    /// Settles `intent` at the time `now`. `sent` is when the last request that
    /// [moves](super::Request::moves) was about to be sent, as the host recorded it; `None` if the
    /// host has recorded none.
    ///
    /// # Errors
    /// [`FaultKind::BadName`](super::FaultKind::BadName) if its target is not on GitHub.
    pub fn new(intent: &Intent, sent: Option<Timestamp>, now: Timestamp) -> Result<Self, Fault> {
        let repository = Repository::try_from(&intent.target)?;
        let intent = intent.clone();
        Ok(Settle(Running::new(|wire| async move {
            let api = Api::new(wire, repository);
            let there = tip(&api, &intent.reference).await?;
            let is_beyond = match there {
                Some(tip) if Some(tip) != intent.old => descends(&api, tip, intent.new).await?,
                _ => false,
            };
            Ok(match (settle(&intent, there, is_beyond), sent) {
                (Settlement::Landed, _) => Settled::Landed,
                // Whoever moved the branch elsewhere, it was not this push.
                (_, None) => Settled::NotLanded,
                (Settlement::InDoubt, Some(_)) => Settled::InDoubt,
                (Settlement::NotLanded, Some(sent)) => match rest_of_grace(sent, now) {
                    0 => Settled::NotLanded,
                    seconds => Settled::NotYet { seconds },
                },
            })
        })))
    }
}

fn rest_of_grace(sent: Timestamp, now: Timestamp) -> u64 {
    // If the clock went back, the elapsed time is unknown, and the whole of it has to pass.
    let elapsed = now.0.saturating_sub(sent.0);
    GRACE.saturating_sub(elapsed)
}
