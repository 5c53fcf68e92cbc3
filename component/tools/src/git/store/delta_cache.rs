//! Caches pack objects that are bases of deltas.
//!
//! A pack stores most objects as deltas. The base is usually the same file or folder one commit later. A walk through history needs such
//! objects one after the other, and without this cache it would rebuild each one from the first.

use std::collections::{BTreeMap, VecDeque};

use gix::objs::Kind;
use gix_pack::cache::DecodeEntry;

/// Size limit of the cache, in bytes.
const BYTES: usize = 16 << 20;

/// Size limit of a cached object, in bytes. Larger ones would evict all others.
const LARGEST: usize = BYTES / 8;

/// The objects that were decoded last.
#[derive(Default)]
pub struct DeltaCache {
    objects: BTreeMap<Place, Object>,
    /// In the order of insertion.
    order: VecDeque<Place>,
    bytes: usize,
}

/// A pack, and the offset of an object in it.
type Place = (u32, u64);

struct Object {
    kind: Kind,
    data: Vec<u8>,
    /// Size in the pack, in bytes.
    packed: usize,
}

impl DecodeEntry for DeltaCache {
    fn put(&mut self, pack_id: u32, offset: u64, data: &[u8], kind: Kind, compressed_size: usize) {
        let place = (pack_id, offset);
        if data.len() > LARGEST || self.objects.contains_key(&place) {
            return;
        }
        self.bytes += data.len();
        self.objects.insert(place, Object { kind, data: data.to_vec(), packed: compressed_size });
        self.order.push_back(place);
        while self.bytes > BYTES
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= self.objects.remove(&oldest).map_or(0, |object| object.data.len());
        }
    }

    fn get(&mut self, pack_id: u32, offset: u64, out: &mut Vec<u8>) -> Option<(Kind, usize)> {
        let object = self.objects.get(&(pack_id, offset))?;
        out.clear();
        out.extend_from_slice(&object.data);
        Some((object.kind, object.packed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_last_is_kept_as_far_as_there_is_room() {
        let mut cache = DeltaCache::default();
        let mut out = Vec::new();
        for at in 0..20 {
            cache.put(1, at, &vec![at as u8; LARGEST], Kind::Blob, 7);
            assert!(cache.bytes <= BYTES);
        }
        let kept: Vec<u64> = (0..20).filter(|at| cache.get(1, *at, &mut out).is_some()).collect();
        assert_eq!(kept, (12..20).collect::<Vec<_>>());
        assert_eq!((cache.get(1, 19, &mut out), out[0], out.len()), (Some((Kind::Blob, 7)), 19, LARGEST));
        cache.put(2, 0, &vec![0; LARGEST + 1], Kind::Blob, 7);
        assert_eq!(cache.get(2, 0, &mut out), None);
    }
}
