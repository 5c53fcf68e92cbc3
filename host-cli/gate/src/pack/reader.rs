//! Reads single objects of a pack, wherever the places of its entries come from.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use gix_hash::oid;
use gix_object::Kind;

use super::{
    cache::Cache,
    delta,
    entry::{self, What},
    inflate::Inflater,
    scan::TRAILER,
};

/// The bytes of a pack, and what was read of them lately.
pub(super) struct Reader {
    pub bytes: Bytes,
    cache: Mutex<Cache>,
    /// The bytes that reading has produced.
    made: AtomicU64,
}

impl Reader {
    pub fn new(bytes: Bytes) -> Self {
        Reader { bytes, cache: Mutex::default(), made: AtomicU64::new(0) }
    }

    /// The bytes that reading has produced. Deltas count when they are inflated.
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// Replaces `out` with the content of the entry at `offset`, and returns its kind. `place` is where the object with an id begins, of
    /// `objects` in all.
    pub fn decode(
        &self,
        mut offset: u64,
        objects: usize,
        place: &dyn Fn(&oid) -> Option<u64>,
        out: &mut Vec<u8>,
    ) -> Result<Kind, &'static str> {
        let mut inflater = Inflater::new();
        // The places of the deltas from the object to the nearest base that is whole or cached. Inflated, those of one chain can take more
        // memory than all contents together.
        let mut deltas = Vec::new();
        let kind = loop {
            if let Some((kind, cached)) = self.cache().get(offset) {
                out.clear();
                out.extend_from_slice(&cached);
                break kind;
            }
            let head = entry::head(self.rest(offset)?)?;
            let base = match head.what {
                What::Whole(kind) => {
                    inflater.inflate(self.rest(offset + head.len as u64)?, head.size, out)?;
                    self.made.fetch_add(out.len() as u64, Ordering::Relaxed);
                    self.cache().put(offset, kind, out);
                    break kind;
                }
                What::Offset(distance) => offset.checked_sub(distance).ok_or("a delta's base is outside the pack")?,
                What::Reference(base) => place(&base).ok_or("a delta's base is not in the pack")?,
            };
            if deltas.len() > objects {
                return Err("a delta chain is longer than the pack");
            }
            deltas.push((offset, head));
            offset = base;
        };
        let (mut delta, mut result) = (Vec::new(), Vec::new());
        while let Some((offset, head)) = deltas.pop() {
            inflater.inflate(self.rest(offset + head.len as u64)?, head.size, &mut delta)?;
            delta::apply(out, &delta, &mut result)?;
            std::mem::swap(out, &mut result);
            self.made.fetch_add((delta.len() + out.len()) as u64, Ordering::Relaxed);
            self.cache().put(offset, kind, out);
        }
        Ok(kind)
    }

    fn rest(&self, offset: u64) -> Result<&[u8], &'static str> {
        let end = self.bytes.len().saturating_sub(TRAILER);
        usize::try_from(offset).ok().and_then(|from| self.bytes.get(from..end)).ok_or("an entry is outside the pack")
    }

    pub fn cache(&self) -> MutexGuard<'_, Cache> {
        // A cache stays usable even if a thread panicked while it held it.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
