//! Pushes that await a decision, so that another process can approve what this one showed.

use patch::sort::sort_by_key;
use std::rc::Rc;

use gate::digest::Digest;
use gate::id::Nonce;
use gate::push::CheckedPush;
use gate::refname::BranchRef;
use gate::signing::Signature;
use gate::target::CanonicalTarget;
use gate::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::share;
use super::storage::{Held, Item, Kind, Storage};
use crate::error::Result;

/// What binds an approval to a push. Whoever approves it makes the call again.
///
/// Nothing in it is trusted when it is read again: the push is checked and its digest computed
/// anew, with this nonce. If that gives the digest that was shown, it is the same push.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pending {
    /// The target.
    pub target: CanonicalTarget,
    /// The branch.
    pub reference: BranchRef,
    /// The nonce that an approval spends.
    pub nonce: Nonce,
    /// The digest that an approval must name.
    pub digest: Digest,
    /// When it was shown.
    pub shown_at: Timestamp,
    /// The signatures of its commits. Made again they might be others, and the digest another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<Signature>,
}

impl Pending {
    /// The one of these that is of this push.
    pub fn of_push<'a>(all: &'a [Pending], push: &CheckedPush) -> Option<&'a Pending> {
        all.iter().find(|pending| push.digest(&pending.nonce) == pending.digest)
    }
}

/// The most pending pushes. Further ones replace the latest to the branch with the most, at the target
/// with the most.
const MOST: usize = 100;

/// The pending pushes, one record each.
#[derive(Debug)]
pub struct PendingPushes {
    storage: Rc<dyn Storage>,
}

impl PendingPushes {
    /// The pushes in `storage`.
    pub fn new(storage: Rc<dyn Storage>) -> Self {
        PendingPushes { storage }
    }

    /// Stores a push that was shown. What has expired is removed on the way.
    pub fn add(&self, held: &Held, pending: &Pending) -> Result<()> {
        let mut others = self.all()?;
        others.retain(|other| {
            let valid = is_valid(other, pending.shown_at);
            if !valid {
                self.remove(held, other.nonce);
            }
            valid && other.nonce != pending.nonce
        });
        sort_by_key(&mut others, |other| other.shown_at);
        others.push(pending.clone());
        let kind = |pending: &Pending| (pending.target.to_string(), pending.reference.to_string());
        let kinds: Vec<_> = others.iter().map(kind).collect();
        share::surplus(&kinds, MOST).into_iter().for_each(|surplus| self.remove(held, others[surplus].nonce));
        let text = serde_json::to_vec_pretty(pending).expect("it has only string keys");
        self.storage.put(held, Kind::Pending, &key(pending.nonce), &text)
    }

    /// Those to `reference` at `target` that are to be shown again as they were: the one that is
    /// `approved`, and what was shown just now, the latest first. To anybody else a push is shown
    /// anew, so that they have time to read it. What has expired is passed over.
    pub fn to(
        &self,
        target: &CanonicalTarget,
        reference: &BranchRef,
        now: Timestamp,
        approved: Option<Digest>,
    ) -> Result<Vec<Pending>> {
        let is_approved = |pending: &Pending| approved == Some(pending.digest);
        let mut found = self.all()?;
        found.retain(|pending| {
            let wanted = is_approved(pending) || now < pending.shown_at.plus(gate::approval::VALID_SECONDS / 3);
            is_valid(pending, now) && wanted && pending.target == *target && pending.reference == *reference
        });
        sort_by_key(&mut found, |pending| std::cmp::Reverse((is_approved(pending), pending.shown_at)));
        Ok(found)
    }

    /// Forgets a push. One that stays is found out by its spent nonce.
    pub fn remove(&self, held: &Held, nonce: Nonce) {
        if let Err(error) = self.storage.remove(held, Kind::Pending, &key(nonce)) {
            tracing::debug!("{error}");
        }
    }

    /// Where there is something else than a pending push, with the reason.
    pub fn damaged(&self) -> Result<Vec<(String, String)>> {
        let keys = self.storage.records(Kind::Pending)?.into_iter();
        Ok(keys.filter_map(|key| Some((self.place(&key), self.read(&key)?.err()?))).collect())
    }

    fn all(&self) -> Result<Vec<Pending>> {
        let mut all = Vec::new();
        for key in self.storage.records(Kind::Pending)? {
            match self.read(&key) {
                Some(Ok(pending)) => all.push(pending),
                // It can only be shown anew, which happens by itself.
                Some(Err(why)) => tracing::warn!("{} is not a pending push: {why}", self.place(&key)),
                None => tracing::debug!("{} disappeared", self.place(&key)),
            }
        }
        Ok(all)
    }

    /// The push in a record, or why there is none. `None` if there is no such record.
    fn read(&self, key: &str) -> Option<Result<Pending, String>> {
        match self.storage.record(Kind::Pending, key) {
            Ok(text) => Some(serde_json::from_slice(&text?).map_err(|error| error.to_string())),
            Err(error) => Some(Err(error.message)),
        }
    }

    fn place(&self, key: &str) -> String {
        self.storage.place(Item::Record(Kind::Pending, key))
    }
}

fn key(nonce: Nonce) -> String {
    format!("{nonce}.json")
}

fn is_valid(pending: &Pending, now: Timestamp) -> bool {
    pending.shown_at <= now && now < pending.shown_at.plus(gate::approval::VALID_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::super::memory::MemoryStorage;
    use super::super::storage::Wait;
    use super::*;

    fn pending(nonce: u8, branch: &str, shown_at: u64) -> Pending {
        Pending {
            target: "bare:/t.git".parse().unwrap(),
            reference: BranchRef::from_branch(branch).unwrap(),
            nonce: Nonce::from_random([nonce; 16]),
            digest: nonce.to_string().repeat(64).parse().unwrap(),
            shown_at: Timestamp(shown_at),
            signatures: Vec::new(),
        }
    }

    fn files() -> (MemoryStorage, PendingPushes) {
        let storage = MemoryStorage::default();
        (storage.clone(), PendingPushes::new(Rc::new(storage)))
    }

    fn held(files: &PendingPushes) -> Held {
        files.storage.lock(Wait::Not).unwrap()
    }

    fn to(files: &PendingPushes, shown: &Pending, now: u64, approved: Option<Digest>) -> Vec<Pending> {
        files.to(&shown.target, &shown.reference, Timestamp(now), approved).unwrap()
    }

    #[test]
    fn the_latest_push_to_a_branch_is_found_first_and_others_are_not() {
        let (_, files) = files();
        let (early, late) = (pending(1, "main", 100), pending(2, "main", 200));
        let other = pending(3, "other", 200);
        assert_eq!(to(&files, &early, 200, None), []);
        for pending in [&early, &late, &other] {
            files.add(&held(&files), pending).unwrap();
        }
        assert_eq!(to(&files, &early, 200, None), [late.clone(), early.clone()]);
        assert_eq!(to(&files, &early, 200, Some(early.digest)), [early.clone(), late.clone()]);
        files.remove(&held(&files), late.nonce);
        assert_eq!(to(&files, &early, 200, None), [early]);
    }

    #[test]
    fn attack_17_what_was_shown_too_long_ago_or_in_the_future_is_forgotten() {
        let (storage, files) = files();
        let shown = pending(1, "main", 1000);
        files.add(&held(&files), &shown).unwrap();
        assert_eq!(to(&files, &shown, 1899, Some(shown.digest)).len(), 1);
        assert_eq!(to(&files, &shown, 1900, Some(shown.digest)), []);
        assert_eq!(to(&files, &shown, 999, Some(shown.digest)), []);
        // Who looks holds no lock, so it goes when the next one is kept.
        assert_eq!(storage.records(Kind::Pending).unwrap().len(), 1);
        let next = pending(2, "other", 1900);
        files.add(&held(&files), &next).unwrap();
        assert_eq!(storage.records(Kind::Pending).unwrap(), [key(next.nonce)]);
        files.add(&held(&files), &Pending { shown_at: Timestamp(1899), ..shown }).unwrap();
        assert_eq!(storage.records(Kind::Pending).unwrap(), [key(shown.nonce)], "that one is in the future");
    }

    #[test]
    fn a_push_is_shown_anew_in_time_unless_it_is_the_approved_one() {
        let (_, files) = files();
        let shown = pending(1, "main", 1000);
        files.add(&held(&files), &shown).unwrap();
        assert_eq!(to(&files, &shown, 1299, None).len(), 1);
        assert_eq!(to(&files, &shown, 1300, None), []);
        assert_eq!(to(&files, &shown, 1300, Some("f".repeat(64).parse().unwrap())), []);
        assert_eq!(to(&files, &shown, 1899, Some(shown.digest)), [shown]);
    }

    #[test]
    fn attack_21_pending_pushes_do_not_grow_without_bound() {
        let (storage, files) = files();
        let honest = pending(1, "honest", 1000);
        files.add(&held(&files), &honest).unwrap();
        for number in 0..400_u32 {
            let mut nonce = [7; 16];
            nonce[..4].copy_from_slice(&number.to_be_bytes());
            files
                .add(&held(&files), &Pending { nonce: Nonce::from_random(nonce), ..pending(2, "flood", 1001) })
                .unwrap();
        }
        assert_eq!(storage.records(Kind::Pending).unwrap().len(), MOST);
        assert_eq!(to(&files, &honest, 1001, None), [honest]);
        files.add(&held(&files), &pending(3, "later", 5000)).unwrap();
        assert_eq!(storage.records(Kind::Pending).unwrap().len(), 1, "what has expired is gone");
    }

    #[test]
    fn a_file_that_is_no_pending_push_is_passed_over() {
        let (storage, files) = files();
        storage.put(&held(&files), Kind::Pending, "x.json", b"{").unwrap();
        let shown = pending(1, "main", 1);
        files.add(&held(&files), &shown).unwrap();
        assert_eq!(to(&files, &shown, 1, None), [shown]);
        let damaged = files.damaged().unwrap();
        assert_eq!((damaged.len(), damaged[0].0.as_str()), (1, "pending/x.json"));
    }
}
