//! Runs random sequences of changing calls in a sandbox, and as git commands in an equal directory. After every step, both have the same
//! state, or both have failed with the same message.

mod action;
mod calls;
mod known;
mod sequence;
mod state;
mod twins;

use self::calls::{BRANCHES, TOOLS};
use self::sequence::{Course, Tally};
use super::{scene, seeds};

/// The default number of sequences.
const SEQUENCES: u64 = 100;
/// The number of steps in a sequence.
const STEPS: usize = 25;
/// The minimum number of successful calls with each argument. It is low because few branches can be deleted.
const LEAST: usize = 2;

#[test]
fn random_sequences_of_changing_calls_do_what_git_does() {
    let course = Course { scene: scene::changing, tools: TOOLS, steps: STEPS };
    let mut tally = Tally::run(seeds(SEQUENCES), course);
    tally.assert_right();
    if trial::has_usual_seeds() {
        tally.assert_enough(TOOLS, LEAST);
    }
}

#[test]
fn branches_are_what_they_are_to_git_among_refs_of_any_kind() {
    let course = Course { scene: scene::with_odd_refs, tools: BRANCHES, steps: STEPS };
    Tally::run(seeds(SEQUENCES / 10), course).assert_right();
}
