//! Random sequences of changing calls, in a sandbox and as git commands in an equal directory. After every step both are in the same state, or
//! both have refused it in the same words.

mod action;
mod calls;
mod known;
mod sequence;
mod state;
mod twins;

use self::calls::{BRANCHES, TOOLS};
use self::sequence::{Course, Tally};
use super::{scene, seeds};

/// How many sequences are run where nobody says otherwise.
const SEQUENCES: u64 = 100;
/// How many steps one has.
const STEPS: usize = 25;
/// How often every argument of every tool has done something, at least: few branches that are drawn can be deleted.
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
