//! The packs that were pushed to a server.
//!
//! The next push builds on them, and the server would have to be asked for them again. So each is kept as an
//! attachment, which the intent to push it names.

use gate::hex;
use gate::ledger::{Intent, Ledger, PushResult};
use gate::target::CanonicalTarget;
use serde::{Deserialize, Serialize};

use super::storage::Held;
use super::{Attachments, LedgerLog};
use crate::attachment::{Attachment, AttachmentId};
use crate::error::{HostError, Result};

/// The latest pushes whose packs are kept. What older ones brought is read from the server.
const MOST: usize = 500;

/// What a host has to do to push to a server, as it is recorded with the intent: nothing, but it keeps the pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushedPack {
    /// The attachment, in hexadecimal digits.
    pub pack: String,
}

impl PushedPack {
    /// The pack with these bytes.
    pub fn of(bytes: &bytes::Bytes) -> Self {
        PushedPack { pack: hex::encode(&Attachment::new(bytes.clone()).id) }
    }
}

/// Keeps a pack that is about to be pushed.
///
/// # Errors
/// It cannot be stored: then it is read from the server later.
pub fn keep(attachments: &Attachments, held: &Held, pack: bytes::Bytes) -> Result<()> {
    attachments.add(held, &Attachment::new(pack))
}

/// The packs that were pushed, to `target` or to all.
///
/// # Errors
/// The ledger cannot be read.
pub fn packs(ledger: &LedgerLog, target: Option<&CanonicalTarget>) -> Result<Vec<AttachmentId>> {
    let ledger = ledger.read().map_err(HostError::from)?;
    let is_wanted = |intent: &&Intent| target.is_none_or(|target| intent.target == *target) && landed(&ledger, intent);
    let mut packs: Vec<_> = ledger.intents().filter(is_wanted).filter_map(pack).collect();
    packs.drain(..packs.len().saturating_sub(MOST));
    Ok(packs)
}

fn landed(ledger: &Ledger, intent: &Intent) -> bool {
    ledger.result(intent.nonce) == Some(PushResult::Landed)
}

/// Those of an earlier version have none, and pushes to a disk.
fn pack(intent: &Intent) -> Option<AttachmentId> {
    hex::decode(intent.host.get("plan")?.get("pack")?.as_str()?)
}
