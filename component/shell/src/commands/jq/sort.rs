//! Sorting. The sort of Rust's library may panic if an order contradicts itself, as this one does when it gives up.

use std::cmp::Ordering;

use super::ledger;

/// Sorts items, and leaves those that are equal in their order. Stops when it is over.
pub fn sorted<T: Clone>(mut items: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut width = 1;
    while width < items.len() && !ledger::over() {
        let mut merged = Vec::with_capacity(items.len());
        for pair in items.chunks(2 * width) {
            let (mut one, mut other) = pair.split_at(width.min(pair.len()));
            while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
                if order(first, second).is_le() {
                    merged.push(first.clone());
                    one = rest;
                } else {
                    merged.push(second.clone());
                    other = others;
                }
            }
            merged.extend_from_slice(one);
            merged.extend_from_slice(other);
        }
        items = merged;
        width *= 2;
    }
    items
}
