//! Attachments: packs and their indexes, each a blob.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use bytes::Bytes;
use gix_hash::ObjectId;
use patch::sort::sort_by_key;
use sha2::{Digest, Sha256};

use super::storage::{Blob, Held, Item, Storage};
use crate::attachment::{Attachment, AttachmentId, INDEX_HEAD};
use crate::error::{ErrorKind, HostError, Result};

/// Bytes that are read at once where nobody else says how many.
const PART: usize = 1 << 20;

/// All attachments of a sandbox.
#[derive(Clone, Debug)]
pub struct Attachments {
    storage: Rc<dyn Storage>,
}

impl Attachments {
    /// The attachments in `storage`.
    pub fn new(storage: Rc<dyn Storage>) -> Self {
        Attachments { storage }
    }

    /// Stores one durably, unless it is already stored and whole.
    pub fn add(&self, held: &Held, attachment: &Attachment) -> Result<()> {
        let Attachment { id, content, .. } = attachment;
        if self.has(id) { Ok(()) } else { self.storage.add_blob(held, id, content) }
    }

    /// True if the attachment exists and is whole. An unused one may have been damaged unnoticed.
    fn has(&self, id: &AttachmentId) -> bool {
        match self.storage.blob(id) {
            Ok(Some(blob)) => blob.is_known_whole() || self.pass(id, blob, PART, true, |_, _| Ok(())).is_ok(),
            Ok(None) => false,
            Err(error) => {
                // One that cannot be read is stored again, like a damaged one.
                tracing::debug!("{error}");
                false
            }
        }
    }

    /// Checks the whole attachment, whatever an earlier check found.
    pub fn verify(&self, id: &AttachmentId) -> Result<()> {
        self.pass(id, self.open(id)?, PART, false, |_, _| Ok(()))
    }

    /// The ids of all attachments, sorted.
    pub fn list(&self) -> Result<Vec<AttachmentId>> {
        self.storage.blobs()
    }

    /// Passes the content of `id` to `take` in order, in parts of at most `part` bytes, each with
    /// the total size.
    ///
    /// The content is checked on the way, so `take` must not rely on it before this returns. What
    /// was whole recently and is unchanged since is trusted: its objects are checked when they are
    /// read, as in git.
    pub fn read(&self, id: &AttachmentId, part: usize, take: impl FnMut(u64, &[u8]) -> Result<()>) -> Result<()> {
        self.pass(id, self.open(id)?, part, true, take)
    }

    /// The whole content of `id`.
    pub fn whole(&self, id: &AttachmentId) -> Result<Bytes> {
        let mut content = Vec::new();
        self.read(id, 1 << 17, |size, part| {
            if content.is_empty() {
                content.reserve_exact(usize::try_from(size).unwrap_or_default());
            }
            content.extend_from_slice(part);
            Ok(())
        })?;
        Ok(content.into())
    }

    /// The bytes of `id`.
    pub fn size(&self, id: &AttachmentId) -> Result<u64> {
        Ok(self.open(id)?.size())
    }

    /// These ranges of the content of `id`, all inside it. If they are most of it, they share one buffer. Otherwise nothing else of it stays
    /// in memory.
    pub fn ranges(&self, id: &AttachmentId, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let named: u64 = ranges.iter().map(|range| range.end - range.start).sum();
        if named > self.size(id)? / 2 {
            let whole = self.whole(id)?;
            return Ok(ranges.iter().map(|range| whole.slice(range.start as usize..range.end as usize)).collect());
        }
        let mut order: Vec<usize> = (0..ranges.len()).collect();
        sort_by_key(&mut order, |at| ranges[*at].start);
        let (mut found, mut first, mut begin) = (vec![Vec::new(); ranges.len()], 0, 0);
        self.read(id, PART, |_, part| {
            let end = begin + part.len() as u64;
            for at in order[first..].iter().take_while(|at| ranges[**at].start < end) {
                let [from, to] = [ranges[*at].start, ranges[*at].end].map(|at| (at.clamp(begin, end) - begin) as usize);
                if found[*at].is_empty() {
                    found[*at].reserve_exact((ranges[*at].end - ranges[*at].start) as usize);
                }
                found[*at].extend_from_slice(&part[from..to]);
            }
            first += order[first..].iter().take_while(|at| ranges[**at].end <= end).count();
            begin = end;
            Ok(())
        })?;
        Ok(found.into_iter().map(Bytes::from).collect())
    }

    /// As [`read`](Self::read), but uses and records earlier checks only with `notes`.
    fn pass(
        &self,
        id: &AttachmentId,
        mut blob: Box<dyn Blob>,
        part: usize,
        notes: bool,
        mut take: impl FnMut(u64, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let size = blob.size();
        let mut hash = (!notes || !blob.is_known_whole()).then(Sha256::new);
        let mut buf = vec![0; part.min(usize::try_from(size).unwrap_or(part)).max(1)];
        let mut done = 0;
        loop {
            let read = blob.read(&mut buf)?;
            if read == 0 {
                break;
            }
            if let Some(hash) = &mut hash {
                hash.update(&buf[..read]);
            }
            done += read as u64;
            take(size, &buf[..read])?;
        }
        let is_checked = hash.is_none();
        if done != size || hash.is_some_and(|hash| hash.finalize()[..] != id[..]) {
            return Err(self.damaged(id));
        }
        if notes && !is_checked {
            blob.note_whole();
        }
        if size == 0 {
            take(0, &[])?;
        }
        Ok(())
    }

    /// The ids of all objects in the stored packs, from their indexes. The host verifies every
    /// object before it stores a pack with its index.
    pub fn packed(&self) -> Result<HashSet<ObjectId>> {
        let mut packed = HashSet::new();
        for id in self.list()? {
            if self.is_index(&id)? {
                let mut index = Vec::new();
                let read = self.read(&id, PART, |_, part| {
                    index.extend_from_slice(part);
                    Ok(())
                });
                match read {
                    // The sandbox is open, so it does not need this one. A push may leave out only
                    // objects that were verified.
                    Err(error) if error.kind == ErrorKind::Damaged => {
                        tracing::warn!("{error}");
                        continue;
                    }
                    read => read?,
                }
                packed.extend(ids_of_index(&index).ok_or_else(|| self.damaged(&id))?);
            }
        }
        Ok(packed)
    }

    fn is_index(&self, id: &AttachmentId) -> Result<bool> {
        let mut blob = self.open(id)?;
        let mut head = [0; INDEX_HEAD.len()];
        let mut done = 0;
        while done < head.len() {
            match blob.read(&mut head[done..])? {
                0 => return Ok(false),
                read => done += read,
            }
        }
        Ok(head == INDEX_HEAD)
    }

    /// Removes every attachment that is not in `needed`.
    pub fn keep_only(&self, held: &Held, needed: &[AttachmentId]) -> Result<()> {
        let mut ids = self.list()?;
        ids.retain(|id| !needed.contains(id));
        ids.iter().try_for_each(|id| self.storage.remove_blob(held, id))
    }

    fn open(&self, id: &AttachmentId) -> Result<Box<dyn Blob>> {
        let missing = || {
            let what = format!("cannot open {}: it is missing", self.storage.place(Item::Blob(id)));
            HostError::new(ErrorKind::Storage, what).hint("restore it from a backup")
        };
        self.storage.blob(id)?.ok_or_else(missing)
    }

    fn damaged(&self, id: &AttachmentId) -> HostError {
        let what = format!("the attachment {} is damaged", self.storage.place(Item::Blob(id)));
        HostError::new(ErrorKind::Damaged, what).hint(
            "restore the file from a backup, or create the sandbox again from its repository; the disk may be failing",
        )
    }
}

/// The ids in an index of version 2. They follow the fan-out of 256 counts, the last of which is
/// the total.
fn ids_of_index(index: &[u8]) -> Option<impl Iterator<Item = ObjectId> + '_> {
    let (fan_out, rest) = index.strip_prefix(&INDEX_HEAD)?.split_at_checked(256 * 4)?;
    let count = u32::from_be_bytes(*fan_out.last_chunk()?);
    let ids = rest.get(..usize::try_from(count).ok()?.checked_mul(20)?)?;
    Some(ids.chunks_exact(20).map(ObjectId::from_bytes_or_panic))
}

#[cfg(test)]
mod tests {
    use super::super::memory::MemoryStorage;
    use super::super::storage::Wait;
    use super::*;

    fn held(attachments: &Attachments) -> Held {
        attachments.storage.lock(Wait::Not).unwrap()
    }

    fn add(attachments: &Attachments, content: &[u8]) -> Result<AttachmentId> {
        let attachment = Attachment::new(content.to_vec());
        attachments.add(&held(attachments), &attachment).map(|()| attachment.id)
    }

    fn read(attachments: &Attachments, id: &AttachmentId) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        attachments.read(id, 4, |size, part| {
            all.extend_from_slice(part);
            assert!(part.len() <= 4 && all.len() as u64 <= size);
            Ok(())
        })?;
        Ok(all)
    }

    fn attachments() -> (MemoryStorage, Attachments) {
        let storage = MemoryStorage::default();
        (storage.clone(), Attachments::new(Rc::new(storage)))
    }

    #[test]
    fn an_attachment_is_read_back_by_its_hash_and_stored_once() {
        let (_, attachments) = attachments();
        assert_eq!(attachments.list().unwrap(), Vec::<AttachmentId>::new());
        let id = add(&attachments, b"some content").unwrap();
        assert_eq!(add(&attachments, b"some content").unwrap(), id);
        let empty = add(&attachments, b"").unwrap();
        assert_eq!(attachments.list().unwrap().len(), 2);
        assert_eq!(read(&attachments, &id).unwrap(), b"some content");
        assert_eq!(read(&attachments, &empty).unwrap(), b"");
    }

    #[test]
    fn a_turned_bit_and_a_cut_are_noticed() {
        let (storage, attachments) = attachments();
        let id = add(&attachments, b"some content").unwrap();
        for damage in [&b"some cOntent"[..], b"some conten", b"some content!", b""] {
            storage.overwrite_blob(&id, damage);
            assert_eq!(read(&attachments, &id).unwrap_err().kind, ErrorKind::Damaged);
        }
    }

    #[test]
    fn attack_23_what_is_there_and_damaged_is_stored_again_when_it_comes_again() {
        let (storage, attachments) = attachments();
        let id = add(&attachments, b"some content").unwrap();
        storage.overwrite_blob(&id, b"some cOntent");
        add(&attachments, b"some content").unwrap();
        assert_eq!(read(&attachments, &id).unwrap(), b"some content");
        assert_eq!(attachments.list().unwrap(), [id]);
    }

    #[test]
    fn all_of_an_attachment_is_looked_at_whatever_was_noted_of_it() {
        let (storage, attachments) = attachments();
        let id = add(&attachments, b"some content").unwrap();
        storage.overwrite_blob(&id, b"some cOntent");
        storage.blob(&id).unwrap().unwrap().note_whole();
        read(&attachments, &id).unwrap();
        assert_eq!(attachments.verify(&id).unwrap_err().kind, ErrorKind::Damaged);
    }

    #[test]
    fn what_was_found_whole_is_checked_again_once_it_was_touched() {
        let (storage, attachments) = attachments();
        let id = add(&attachments, b"some content").unwrap();
        let is_known = || storage.blob(&id).unwrap().unwrap().is_known_whole();
        assert!(is_known(), "it was hashed when it was stored");
        storage.overwrite_blob(&id, b"some content");
        assert!(!is_known());
        read(&attachments, &id).unwrap();
        assert!(is_known());
    }

    #[test]
    fn ranges_are_found_in_any_order_and_overlapping() {
        let (_, attachments) = attachments();
        let content: Vec<u8> = (0..3 * PART + 7).map(|at| (at % 251) as u8).collect();
        let id = add(&attachments, &content).unwrap();
        let (part, size) = (PART as u64, content.len() as u64);
        let few = [2 * part - 3..2 * part + 9, 5..9, part..part, 0..7, size - 2..size, part - 1..2 * part - 1];
        let most = [1..size, 0..3];
        for ranges in [&few[..], &most, &[]] {
            let expected: Vec<&[u8]> =
                ranges.iter().map(|range| &content[range.start as usize..range.end as usize]).collect();
            assert_eq!(attachments.ranges(&id, ranges).unwrap(), expected);
        }
    }

    #[test]
    fn a_store_that_fails_at_any_step_leaves_no_attachment_that_is_not_whole() {
        for step in 0.. {
            let (storage, attachments) = attachments();
            let failing = Attachments::new(Rc::new(storage.failing(step)));
            let added = add(&failing, b"some content");
            for id in attachments.list().unwrap() {
                assert_eq!(read(&attachments, &id).unwrap(), b"some content");
            }
            if added.is_ok() {
                assert!(step > 1);
                break;
            }
        }
    }

    #[test]
    fn the_objects_of_all_packs_are_known_by_their_indexes() {
        let (storage, attachments) = attachments();
        let ids = [[1; 20], [255; 20]];
        let counts = (0..=255_u32).flat_map(|first| [u32::from(first > 0) + u32::from(first == 255)]);
        let mut index = INDEX_HEAD.to_vec();
        index.extend(counts.flat_map(u32::to_be_bytes));
        index.extend(ids.concat());
        add(&attachments, &index).unwrap();
        add(&attachments, b"PACK and what follows").unwrap();
        add(&attachments, b"").unwrap();
        assert_eq!(attachments.packed().unwrap(), HashSet::from(ids.map(ObjectId::Sha1)));
        let whole = attachments.list().unwrap();
        index.truncate(index.len() - 1);
        let short = add(&attachments, &index).unwrap();
        assert_eq!(attachments.packed().unwrap_err().kind, ErrorKind::Damaged);
        attachments.keep_only(&held(&attachments), &whole).unwrap();
        // One that is no more what it was counts for nothing, and is in nobody's way.
        storage.overwrite_blob(&short, &index[..index.len() - 1]);
        assert_eq!(attachments.packed().unwrap().len(), 2);
    }

    #[test]
    fn what_nothing_needs_is_removed() {
        let (_, attachments) = attachments();
        let keep = add(&attachments, b"keep").unwrap();
        add(&attachments, b"drop").unwrap();
        attachments.keep_only(&held(&attachments), &[keep]).unwrap();
        assert_eq!(attachments.list().unwrap(), [keep]);
    }
}
