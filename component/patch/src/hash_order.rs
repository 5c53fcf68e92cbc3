//! The iteration order of git's hash maps.
//!
//! Among equally good candidates git takes the first one its map yields. A merge needs the same order to decide alike. The order depends
//! only on the keys and the order of their insertion.

use std::collections::BTreeMap;

use crate::path::Path;

/// The initial size of a map.
const FIRST_SIZE: usize = 64;
/// The factor by which a map grows.
const GROWTH: usize = 4;
/// A map grows when more than this share of it is in use, in per cent.
const MOST_USED: usize = 80;

/// A map from paths that remembers the insertion order of its keys.
#[derive(Debug, Clone)]
pub(crate) struct HashOrder<V> {
    places: BTreeMap<Path, usize>,
    entries: Vec<(Path, V)>,
    first_size: usize,
}

impl<V> Default for HashOrder<V> {
    fn default() -> Self {
        Self { places: BTreeMap::new(), entries: Vec::new(), first_size: FIRST_SIZE }
    }
}

impl<V> HashOrder<V> {
    pub(crate) fn get(&self, key: &[u8]) -> Option<&V> {
        self.places.get(key).map(|&place| &self.entries[place].1)
    }

    /// Inserts a value, or replaces the value of the key.
    pub(crate) fn insert(&mut self, key: Path, value: V) {
        match self.places.get(&key) {
            Some(&place) => self.entries[place].1 = value,
            None => {
                self.places.insert(key.clone(), self.entries.len());
                self.entries.push((key, value));
            }
        }
    }

    /// All entries, in an order without meaning.
    pub(crate) fn entries(&self) -> &[(Path, V)] {
        &self.entries
    }

    /// All entries, in the order in which git would iterate.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &(Path, V)> {
        let table = self.table();
        // The last insertion into a bucket comes first.
        let order: Vec<usize> = table.into_iter().flat_map(|bucket| bucket.into_iter().rev()).collect();
        order.into_iter().map(|place| &self.entries[place])
    }

    /// A map without entries, of the size that this one has grown to.
    pub(crate) fn emptied(&self) -> Self {
        Self { first_size: self.table().len(), ..Self::default() }
    }

    fn table(&self) -> Vec<Vec<usize>> {
        let hashes: Vec<usize> = self.entries.iter().map(|(key, _)| hash(key) as usize).collect();
        let mut table = vec![Vec::new(); self.first_size];
        for (place, hash) in hashes.iter().enumerate() {
            let bucket = hash % table.len();
            table[bucket].push(place);
            if place + 1 > table.len() * MOST_USED / 100 {
                let mut larger = vec![Vec::new(); table.len() * GROWTH];
                for place in table.into_iter().flat_map(|bucket| bucket.into_iter().rev()) {
                    let bucket = hashes[place] % larger.len();
                    larger[bucket].push(place);
                }
                table = larger;
            }
        }
        table
    }
}

impl HashOrder<u32> {
    pub(crate) fn increment(&mut self, key: &[u8]) {
        match self.places.get(key) {
            Some(&place) => self.entries[place].1 += 1,
            None => self.insert(key.into(), 1),
        }
    }
}

/// FNV-1, 32 bits.
fn hash(key: &[u8]) -> u32 {
    key.iter().fold(0x811c_9dc5, |hash: u32, &byte| hash.wrapping_mul(0x0100_0193) ^ u32::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys<V>(map: &HashOrder<V>) -> Vec<&[u8]> {
        map.in_order().map(|(key, _)| &**key).collect()
    }

    #[test]
    fn the_hash_is_the_one_that_is_published() {
        assert_eq!(hash(b""), 0x811c_9dc5);
        assert_eq!(hash(b"a"), 0x050c_5d7e);
        assert_eq!(hash(b"foobar"), 0x31f0_b262);
    }

    #[test]
    fn of_two_keys_in_one_bucket_the_later_one_comes_first() {
        let mut map = HashOrder::default();
        let bucket = |number: &u32| hash(number.to_string().as_bytes()) % 64;
        let second = (1..).find(|number| bucket(number) == bucket(&0)).expect("there are 64 buckets");
        for number in [0, second] {
            map.insert(number.to_string().into_bytes().into(), ());
        }
        assert_eq!(keys(&map), [second.to_string().as_bytes(), b"0"]);
    }

    #[test]
    fn a_map_grows_when_four_fifths_are_full_and_stays_large() {
        let mut map = HashOrder::default();
        for number in 0..51 {
            map.insert(number.to_string().into_bytes().into(), number);
        }
        assert_eq!(map.table().len(), 64);
        map.insert(b"more".as_slice().into(), 51);
        assert_eq!(map.table().len(), 256);
        assert_eq!(keys(&map).len(), 52);
        let sizes = map.emptied();
        assert_eq!((sizes.table().len(), sizes.entries().len()), (256, 0));
    }

    #[test]
    fn a_value_is_replaced_in_its_place() {
        let mut map = HashOrder::default();
        let key: Path = b"x".as_slice().into();
        map.increment(&key);
        map.increment(&key);
        assert_eq!(map.get(b"x"), Some(&2));
        map.insert(key, 7);
        assert_eq!(map.entries().len(), 1);
        assert_eq!(map.get(b"x"), Some(&7));
    }
}
