//! Random sequences of changing calls, in a sandbox and as git commands in an equal directory. After every step both are in the same state, or
//! both have refused it in the same words.

mod action;
mod calls;
mod known;
mod sequence;
mod state;
mod twins;

use self::sequence::{Origin, Tally};
use super::seeds;

/// How many sequences are run where nobody says otherwise.
const SEQUENCES: u64 = 1000;
/// How many steps one has.
const STEPS: usize = 25;
/// How often every argument of every tool is given, and has done something, at least.
const LEAST: usize = 100;

#[test]
fn random_sequences_of_changing_calls_do_what_git_does() {
    let mut tally = Tally::run(seeds(SEQUENCES), STEPS, Origin::Seed);
    tally.assert_right();
    let is_whole = |name: &str| std::env::var_os(name).is_none();
    if is_whole("GITGATE_SEED") && is_whole("GITGATE_SCENES") {
        tally.assert_enough(LEAST);
    }
}
