//! The stand-in for the component: what it holds is numbers, and its records say how they change.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::AttachmentId;

/// A change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Change {
    /// A call, with the attachments that it has brought.
    Add(u64, Vec<AttachmentId>),
    /// The last call is taken back.
    Undo,
    /// A push has landed.
    Landed(u64),
    /// Everything, for a shorter journal.
    All(Numbers),
}

/// What a sandbox holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Numbers {
    pub(super) calls: Vec<(u64, Vec<AttachmentId>)>,
    pub(super) landed: Vec<u64>,
}

impl Numbers {
    pub(super) fn apply(&mut self, change: Change) {
        match change {
            Change::Add(number, needs) => self.calls.push((number, needs)),
            Change::Undo => drop(self.calls.pop()),
            Change::Landed(number) if self.landed.contains(&number) => {}
            Change::Landed(number) => self.landed.push(number),
            Change::All(all) => *self = all,
        }
    }

    pub(super) fn needs(&self) -> Vec<AttachmentId> {
        self.calls.iter().flat_map(|(_, needs)| needs.iter().copied()).collect()
    }
}

/// The end of a journal: each record has a hash over the one before it, as the component's have.
pub(super) type Link = [u8; 32];

/// The record of a change: its length, its hash, its text.
pub(super) fn record(change: &Change, link: &mut Link) -> Vec<u8> {
    let text = serde_json::to_vec(change).unwrap();
    *link = next(link, &text);
    [&(text.len() as u32).to_be_bytes()[..], &link[..], &text].concat()
}

fn next(link: &Link, text: &[u8]) -> Link {
    Sha256::new().chain_update(link).chain_update(text).finalize().into()
}

/// What a journal says, how much of it is whole, and its end. Only the last record may be torn. An attachment that is not `given` is missed.
pub(super) fn replay(mut journal: &[u8], given: &[AttachmentId]) -> (Numbers, u64, Link) {
    let (mut numbers, mut whole, mut link) = (Numbers::default(), 0, Link::default());
    while let Some((head, rest)) = journal.split_first_chunk::<36>() {
        let len = u32::from_be_bytes(*head.first_chunk().unwrap()) as usize;
        let Some(text) = rest.get(..len) else { break };
        let hash = next(&link, text);
        if hash != head[4..] {
            break;
        }
        let change: Change = serde_json::from_slice(text).unwrap();
        if let Change::Add(_, needs) = &change {
            assert!(needs.iter().all(|id| given.contains(id)), "an attachment is missing");
        }
        numbers.apply(change);
        (whole, link, journal) = (whole + 36 + len as u64, hash, &rest[len..]);
    }
    assert!(numbers.needs().iter().all(|id| given.contains(id)), "an attachment is missing");
    (numbers, whole, link)
}
