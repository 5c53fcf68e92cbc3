//! Generates rows of kinds of values such that every two kinds of two arguments meet.

use std::collections::BTreeSet;

use fastrand::Rng;

use super::calls::Tool;

/// Kinds of two arguments, each with the argument's position.
type Pair = [(usize, usize); 2];

/// The number of random attempts to complete a row.
const TRIES: usize = 40;

/// Rows that contain every permitted pair of kinds. Leaving an argument out is a kind too.
pub fn rows(tool: &Tool) -> Vec<Vec<usize>> {
    let mut random = Rng::with_seed(7);
    let mut missing: BTreeSet<Pair> = pairs(tool).into_iter().collect();
    let mut rows = Vec::new();
    while let Some(pair) = missing.first().copied() {
        let candidates = (0..TRIES).filter_map(|_| complete(tool, &pair, &mut random));
        let best = candidates.max_by_key(|row| met(row).filter(|pair| missing.contains(pair)).count());
        match best {
            Some(row) => {
                missing.retain(|pair| !met(&row).any(|met| met == *pair));
                rows.push(row);
            }
            // The arguments exclude each other.
            None => _ = missing.remove(&pair),
        }
    }
    rows
}

/// The pairs in `row`.
pub fn met(row: &[usize]) -> impl Iterator<Item = Pair> {
    let two =
        move |first: usize| (first + 1..row.len()).map(move |second| [(first, row[first]), (second, row[second])]);
    (0..row.len()).flat_map(two)
}

/// All pairs of kinds of two arguments.
fn pairs(tool: &Tool) -> Vec<Pair> {
    let count: Vec<usize> = tool.arguments.iter().map(|argument| argument.kinds.len()).collect();
    let mut pairs = Vec::new();
    for first in 0..count.len() {
        for second in first + 1..count.len() {
            for a in 0..=count[first] {
                pairs.extend((0..=count[second]).map(|b| [(first, a), (second, b)]));
            }
        }
    }
    pairs
}

/// The pairs that a call can have. Whether arguments go together depends only on which ones are given, not on their kinds.
pub fn permitted(tool: &Tool) -> Vec<Pair> {
    let together = together(tool);
    let is_given = |(at, kind): (usize, usize)| (at, kind > 0);
    pairs(tool).into_iter().filter(|pair| together.contains(&pair.map(is_given))).collect()
}

/// The pairs of arguments that no call has both of, by name.
pub fn excluded(tool: &Tool) -> Vec<[&'static str; 2]> {
    let together = together(tool);
    let count = tool.arguments.len();
    let two = (0..count).flat_map(|first| (first + 1..count).map(move |second| [first, second]));
    let apart = two.filter(|two| !together.contains(&two.map(|at| (at, true))));
    apart.map(|two| two.map(|at| tool.arguments[at].name)).collect()
}

/// The pairs of arguments, each given or not, that occur in some permitted call. This tries all combinations.
fn together(tool: &Tool) -> BTreeSet<[(usize, bool); 2]> {
    let count = tool.arguments.len();
    let mut together = BTreeSet::new();
    for given in 0..1_usize << count {
        let is_given = |at: usize| given >> at & 1 == 1;
        let row: Vec<usize> = (0..count).map(|at| usize::from(is_given(at))).collect();
        if tool.permits_row(&row) {
            together.extend(met(&row).map(|pair| pair.map(|(at, kind)| (at, kind > 0))));
        }
    }
    together
}

fn complete(tool: &Tool, pair: &Pair, random: &mut Rng) -> Option<Vec<usize>> {
    let row = |random: &mut Rng| {
        let mut row: Vec<usize> = tool
            .arguments
            .iter()
            .map(|argument| if random.usize(..3) == 0 { 0 } else { random.usize(..=argument.kinds.len()) })
            .collect();
        pair.iter().for_each(|&(at, kind)| row[at] = kind);
        row
    };
    (0..TRIES).map(|_| row(random)).find(|row| tool.permits_row(row))
}
