//! When requests were sent that may move a branch on a server. Until some time has passed, that the
//! branch is where it was proves nothing about such a request.

use std::rc::Rc;

use gate::id::Nonce;
use gate::time::Timestamp;

use super::storage::{Held, Item, Kind, Storage};
use crate::error::{ErrorKind, HostError, Result};

/// The records, by the nonce of the push.
#[derive(Clone, Debug)]
pub struct SentMoves {
    storage: Rc<dyn Storage>,
}

impl SentMoves {
    /// Those in `storage`.
    pub fn new(storage: Rc<dyn Storage>) -> Self {
        SentMoves { storage }
    }

    /// Records that a request of the push with this nonce is about to be sent.
    pub fn note(&self, held: &Held, nonce: Nonce, at: Timestamp) -> Result<()> {
        self.storage.put(held, Kind::Sent, &nonce.to_string(), at.0.to_string().as_bytes())
    }

    /// When the last one was about to be sent. `None` if none ever was.
    pub fn last(&self, nonce: Nonce) -> Result<Option<Timestamp>> {
        let key = nonce.to_string();
        let Some(content) = self.storage.record(Kind::Sent, &key)? else { return Ok(None) };
        let at = str::from_utf8(&content).ok().and_then(|text| text.parse().ok()).ok_or_else(|| {
            let place = self.storage.place(Item::Record(Kind::Sent, &key));
            HostError::new(ErrorKind::Damaged, format!("{place} is not the time of a request"))
                .hint("check the branch of the push yourself before you remove the file")
        })?;
        Ok(Some(Timestamp(at)))
    }

    /// Forgets a push that is settled. A record that stays is of no use to anybody.
    pub fn forget(&self, held: &Held, nonce: Nonce) {
        if let Err(error) = self.storage.remove(held, Kind::Sent, &nonce.to_string()) {
            tracing::debug!("{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::MemoryStorage;
    use super::super::storage::Wait;
    use super::*;

    #[test]
    fn the_last_request_counts_until_its_push_is_settled() {
        let storage = Rc::new(MemoryStorage::default());
        let held = &storage.lock(Wait::Not).unwrap();
        let (sent, nonce) = (SentMoves::new(Rc::clone(&storage) as Rc<dyn Storage>), Nonce::from_random([7; 16]));
        assert_eq!(sent.last(nonce).unwrap(), None);
        sent.note(held, nonce, Timestamp(5)).unwrap();
        sent.note(held, nonce, Timestamp(9)).unwrap();
        assert_eq!(sent.last(nonce).unwrap(), Some(Timestamp(9)));
        assert_eq!(sent.last(Nonce::from_random([8; 16])).unwrap(), None);
        sent.forget(held, nonce);
        assert_eq!(sent.last(nonce).unwrap(), None);
        storage.put(held, Kind::Sent, &nonce.to_string(), b"soon").unwrap();
        assert_eq!(sent.last(nonce).unwrap_err().kind, ErrorKind::Damaged);
    }
}
