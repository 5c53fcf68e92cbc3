//! Sorting and building maps through few instances of the algorithm.
//!
//! `slice::sort_by` is compiled anew for each type and each closure, and so is collecting into a `BTreeMap`, which sorts first. An instance
//! is 4 to 30 KB of the component. Here one algorithm sorts positions, whatever they stand for.

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

/// Sorts as [`slice::sort_by`] does: what is equal stays in its order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    // Most of what is sorted was read in order.
    if items.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return;
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    positions(&mut order, &|one, other| compare(&items[one], &items[other]));
    arrange(items, order);
}

/// The map of `entries`, the last of those with equal keys.
pub fn map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    // Unlike `collect`, this inserts one after the other.
    map.extend(entries);
    map
}

#[inline(never)]
fn positions(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_by(|one, other| compare(*one, *other));
}

/// Moves the item at `order[n]` to `n`, for every `n`: one cycle of the permutation after the other.
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

    /// Few different keys, each with the place it began at.
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
