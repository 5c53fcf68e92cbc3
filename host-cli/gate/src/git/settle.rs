//! Settles a push that was interrupted, by what the branch shows.

use super::{
    Fault, FaultKind, Forge, Running, Settled, exchange, land::descends, location::Location, refs::tip, remote::Remote,
    settled,
};
use crate::{ledger::Intent, target::TargetKind, time::Timestamp};

/// Finds out what became of an intent.
pub struct Settle(Running<Settled>);

exchange!(Settle => Settled);

impl Settle {
    pub(super) fn new(intent: &Intent, sent: Option<Timestamp>, now: Timestamp) -> Result<Self, Fault> {
        let target = &intent.target;
        let location = match target.kind() {
            TargetKind::Server(Forge::Git) => Location::of(target.location()).ok(),
            _ => None,
        };
        let location =
            location.ok_or_else(|| Fault::new(FaultKind::BadName, format!("'{target}' is not on a git server")))?;
        let intent = intent.clone();
        Ok(Settle(Running::new(|wire| async move {
            let remote = Remote::new(wire, location);
            let there = tip(&remote, &intent.reference).await?;
            let is_beyond = match there {
                Some(tip) if Some(tip) != intent.old => descends(&remote, tip, intent.new).await?,
                _ => false,
            };
            Ok(settled(&intent, there, is_beyond, sent, now))
        })))
    }
}
