//! What is said about the pushes to each branch, and what of them was looked at: two records a branch, so that a mark is written without
//! all comments, and a comment without all marks.

use std::rc::Rc;

use gate::comment::Comment;
use gate::hex;
use gate::refname::BranchRef;
use gate::seen::Seen;
use gate::target::CanonicalTarget;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::storage::{Held, Item, Kind, Storage};
use crate::error::{ErrorKind, HostError, Result};

/// Where pushes go that are reviewed together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// The repository.
    pub target: CanonicalTarget,
    /// The branch.
    pub reference: BranchRef,
}

impl Topic {
    /// The key of its records.
    fn key(&self) -> String {
        let whole = format!("{}\n{}", self.target, self.reference);
        format!("{}.json", hex::encode(&Sha256::digest(whole.as_bytes())[..16]))
    }
}

/// What is kept under a topic.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<T> {
    topic: Topic,
    what: T,
}

/// The comments and marks of a sandbox.
#[derive(Debug)]
pub struct Reviews {
    storage: Rc<dyn Storage>,
}

impl Reviews {
    /// Those in `storage`.
    pub fn new(storage: Rc<dyn Storage>) -> Self {
        Reviews { storage }
    }

    /// The comments on pushes to a branch, in the order in which they were made.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn comments(&self, topic: &Topic) -> Result<Vec<Comment>> {
        self.read(Kind::Comments, topic).map(Option::unwrap_or_default)
    }

    /// Every topic with comments.
    ///
    /// # Errors
    /// As for [`Reviews::comments`].
    pub fn all_comments(&self) -> Result<Vec<(Topic, Vec<Comment>)>> {
        let mut all = Vec::new();
        for key in self.storage.records(Kind::Comments)? {
            all.extend(self.at::<Vec<Comment>>(Kind::Comments, &key)?.map(|kept| (kept.topic, kept.what)));
        }
        Ok(all)
    }

    /// Puts these in the place of a branch's comments.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn put_comments(&self, held: &Held, topic: &Topic, comments: &[Comment]) -> Result<()> {
        self.put(held, Kind::Comments, topic, (!comments.is_empty()).then_some(comments))
    }

    /// What was looked at in pushes to a branch. Of a record that cannot be read, nothing.
    pub fn seen(&self, topic: &Topic) -> Seen {
        self.read(Kind::Seen, topic).ok().flatten().unwrap_or_default()
    }

    /// Puts this in the place of what was looked at.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put_seen(&self, held: &Held, topic: &Topic, seen: &Seen) -> Result<()> {
        self.put(held, Kind::Seen, topic, (!seen.is_empty()).then_some(seen))
    }

    /// Where there is something else than a record, with the reason.
    ///
    /// # Errors
    /// If the records cannot be listed.
    pub fn damaged(&self) -> Result<Vec<(String, String)>> {
        let mut damaged = Vec::new();
        for key in self.storage.records(Kind::Comments)? {
            damaged.extend(self.why::<Vec<Comment>>(Kind::Comments, &key));
        }
        for key in self.storage.records(Kind::Seen)? {
            damaged.extend(self.why::<Seen>(Kind::Seen, &key));
        }
        Ok(damaged)
    }

    fn why<T: for<'de> Deserialize<'de>>(&self, kind: Kind, key: &str) -> Option<(String, String)> {
        let error = self.at::<T>(kind, key).err()?;
        Some((self.storage.place(Item::Record(kind, key)), error.message))
    }

    fn read<T: for<'de> Deserialize<'de>>(&self, kind: Kind, topic: &Topic) -> Result<Option<T>> {
        let kept = self.at::<T>(kind, &topic.key())?;
        Ok(kept.filter(|kept| kept.topic == *topic).map(|kept| kept.what))
    }

    fn at<T: for<'de> Deserialize<'de>>(&self, kind: Kind, key: &str) -> Result<Option<Kept<T>>> {
        let wrong = |why: String| {
            let place = self.storage.place(Item::Record(kind, key));
            HostError::new(ErrorKind::Damaged, format!("cannot read {place}: {why}"))
                .hint("move the file away to go on without it")
        };
        let Some(text) = self.storage.record(kind, key).map_err(|error| wrong(error.message))? else { return Ok(None) };
        let kept: Kept<T> = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        if kept.topic.key() != key {
            return Err(wrong("it belongs to another branch".to_owned()));
        }
        Ok(Some(kept))
    }

    fn put<T: Serialize + ?Sized>(&self, held: &Held, kind: Kind, topic: &Topic, what: Option<&T>) -> Result<()> {
        let key = topic.key();
        let Some(what) = what else { return self.storage.remove(held, kind, &key) };
        let text = serde_json::to_vec(&serde_json::json!({ "topic": topic, "what": what }));
        self.storage.put(held, kind, &key, &text.expect("it has only string keys"))
    }
}

#[cfg(test)]
mod tests {
    use gate::comment::{Place, Weight};
    use gate::time::Timestamp;
    use gix_hash::ObjectId;

    use super::super::memory::MemoryStorage;
    use super::super::storage::Wait;
    use super::*;

    fn topic(branch: &str) -> Topic {
        Topic { target: "bare:/t.git".parse().unwrap(), reference: BranchRef::from_branch(branch).unwrap() }
    }

    fn comment(id: &str) -> Comment {
        Comment {
            id: id.to_owned(),
            commit: ObjectId::null(gix_hash::Kind::Sha1),
            place: Place::Push,
            weight: Weight::Must,
            text: "why?".to_owned(),
            by: "ada".to_owned(),
            at: Timestamp(1),
            sent: false,
            replies: Vec::new(),
            settled: None,
            leaves: None,
        }
    }

    #[test]
    fn comments_are_of_one_branch_of_one_repository() {
        let storage = MemoryStorage::default();
        let reviews = Reviews::new(Rc::new(storage.clone()));
        let held = storage.lock(Wait::Not).unwrap();
        let (main, other) = (topic("main"), topic("other"));
        reviews.put_comments(&held, &main, &[comment("1"), comment("2")]).unwrap();
        reviews.put_comments(&held, &other, &[comment("3")]).unwrap();
        assert_eq!(reviews.comments(&main).unwrap().len(), 2);
        assert_eq!(reviews.comments(&topic("none")).unwrap(), []);
        assert_eq!(reviews.all_comments().unwrap().len(), 2);
        reviews.put_comments(&held, &main, &[]).unwrap();
        assert_eq!(storage.records(Kind::Comments).unwrap().len(), 1, "nothing is kept of nothing");
        assert!(reviews.seen(&main).is_empty());
    }

    #[test]
    fn a_record_that_is_none_is_an_error_and_named_to_a_check() {
        let storage = MemoryStorage::default();
        let reviews = Reviews::new(Rc::new(storage.clone()));
        let held = storage.lock(Wait::Not).unwrap();
        storage.put(&held, Kind::Comments, &topic("main").key(), b"{").unwrap();
        storage.put(&held, Kind::Seen, &topic("main").key(), b"{").unwrap();
        assert_eq!(reviews.comments(&topic("main")).unwrap_err().kind, ErrorKind::Damaged);
        assert!(reviews.seen(&topic("main")).is_empty(), "it is only seen again");
        assert_eq!(reviews.damaged().unwrap().len(), 2);
        reviews.put_comments(&held, &topic("main"), &[comment("1")]).unwrap();
        let text = storage.record(Kind::Comments, &topic("main").key()).unwrap().unwrap();
        storage.put(&held, Kind::Comments, &topic("x").key(), &text).unwrap();
        assert_eq!(reviews.comments(&topic("x")).unwrap_err().kind, ErrorKind::Damaged);
    }
}
