//! Sorts and builds maps with few instances of the algorithm.
//!
//! The compiler instantiates `slice::sort_by` for each type and closure, and collecting into a `BTreeMap` sorts too. Each instance adds 4
//! to 30 KB to the component. Here one instance sorts positions, whatever they refer to.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Sorts as [`slice::sort`] does.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts as [`slice::sort_by_key`] does.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts as [`slice::sort_by`] does: it is stable.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    // Most inputs are sorted already.
    if items.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return;
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    positions(&mut order, &|one, other| compare(&items[one], &items[other]));
    arrange(items, order);
}

/// The map of `entries`. Of equal keys, the last entry wins.
pub fn map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    // Unlike `collect`, this inserts the entries one by one.
    map.extend(entries);
    map
}

#[inline(never)]
fn positions(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_by(|one, other| compare(*one, *other));
}

/// Moves the item at `order[n]` to `n`, for every `n`, one cycle of the permutation at a time.
fn arrange<T>(items: &mut [T], mut order: Vec<usize>) {
    for start in 0..order.len() {
        let mut at = start;
        while order[at] != start {
            let from = std::mem::replace(&mut order[at], at);
            items.swap(at, from);
            at = from;
        }
        order[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// Few different keys, each with its original position.
    fn items(random: &mut Rng) -> Vec<(u8, usize)> {
        (0..random.usize(..40)).map(|place| (random.u8(..8), place)).collect()
    }

    #[test]
    fn equal_items_stay_in_their_order() {
        for seed in trial::seeds(0..300) {
            let items = items(&mut Rng::with_seed(seed));
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by_key(&mut ours, |(key, _)| *key);
            theirs.sort_by_key(|(key, _)| *key);
            assert_eq!(ours, theirs, "seed {seed}");
            sort(&mut ours);
            assert!(ours.is_sorted(), "seed {seed}");
        }
    }

    #[test]
    fn the_last_of_equal_keys_is_in_the_map() {
        for seed in trial::seeds(0..100) {
            let items = items(&mut Rng::with_seed(seed));
            assert_eq!(map(items.clone()), items.into_iter().collect(), "seed {seed}");
        }
    }
}
