//! Settles a push that was interrupted, by what the branch shows.

use super::{Fault, Repository, Running, Settled, api::Api, exchange, fetch::descends, refs::tip, settled};
use crate::{ledger::Intent, time::Timestamp};

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
            Ok(settled(&intent, there, is_beyond, sent, now))
        })))
    }
}
