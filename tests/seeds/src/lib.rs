//! Which seeds a random test runs.
//!
//! A test has seeds of its own, the same in every run. Two environment variables choose others:
//! `GITGATE_SEED` names the first and `GITGATE_SCENES` how many. A seed alone is run alone, which
//! is how a finding is looked at again.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

use std::ops::Range;

/// Names the first seed.
pub const SEED: &str = "GITGATE_SEED";
/// Names how many seeds there are.
pub const SCENES: &str = "GITGATE_SCENES";

/// The seeds to run: `usual`, unless the environment chooses others.
///
/// # Panics
///
/// If a variable is set to something other than a whole number.
pub fn of(usual: Range<u64>) -> Range<u64> {
    choose(usual, number(SEED), number(SCENES))
}

/// True if the environment chooses no seeds. What a test promises of its seeds as a whole, such as
/// how often they lead to a conflict, holds only then.
pub fn are_usual() -> bool {
    number(SEED).is_none() && number(SCENES).is_none()
}

fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is not a whole number: {value}")))
}

fn choose(usual: Range<u64>, seed: Option<u64>, scenes: Option<u64>) -> Range<u64> {
    let count = match (seed, scenes) {
        (_, Some(scenes)) => scenes,
        (Some(_), None) => 1,
        (None, None) => usual.end - usual.start,
    };
    let first = seed.unwrap_or(usual.start);
    first..first + count
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn the_environment_chooses_seeds() {
        assert_eq!(choose(10..34, None, None), 10..34);
        assert_eq!(choose(10..34, Some(7), None), 7..8);
        assert_eq!(choose(10..34, None, Some(3)), 10..13);
        assert_eq!(choose(10..34, Some(7), Some(3)), 7..10);
    }
}
