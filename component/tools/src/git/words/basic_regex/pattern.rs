//! Compiles a pattern and searches for it.

use std::cell::RefCell;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::{start, syntax};

use crate::deadline::{Deadline, units};
use crate::error::ToolError;

/// The size limit of a compiled pattern, in bytes. Nobody writes a larger pattern by hand.
const MAX_COMPILED: usize = 1 << 20;

/// The limit on the nesting of groups and repetitions after translation.
const MAX_DEPTH: u32 = 400;

/// The size limit of the automaton's cached states, in bytes. When the cache is full, it is cleared.
const MAX_STATES: usize = 8 << 20;

/// Matches a pattern against lines.
#[derive(Debug)]
pub struct Pattern {
    automaton: DFA,
    /// The states built so far.
    made: RefCell<Cache>,
    /// The most that one byte costs, in units of work.
    units_per_byte: u32,
}

impl Pattern {
    /// Compiles a pattern in the syntax of the `regex` crates, for one line. `None` if it is too large.
    pub fn new(pattern: &str) -> Option<Pattern> {
        let states = NFA::compiler()
            .syntax(syntax::Config::new().unicode(false).utf8(false).nest_limit(MAX_DEPTH))
            .configure(
                thompson::Config::new()
                    .utf8(false)
                    .nfa_size_limit(Some(MAX_COMPILED))
                    .which_captures(WhichCaptures::None),
            )
            .build(pattern)
            .ok()?;
        let units_per_byte = units(states.states().len()).saturating_add(1);
        let automaton =
            DFA::builder().configure(DFA::config().cache_capacity(MAX_STATES)).build_from_nfa(states).ok()?;
        let made = RefCell::new(automaton.create_cache());
        Some(Pattern { automaton, made, units_per_byte })
    }

    /// Whether the pattern matches anywhere in `line`, which has no line feed.
    ///
    /// # Errors
    ///
    /// If the deadline has passed.
    pub fn is_in(&self, line: &[u8], deadline: &Deadline) -> Result<bool, ToolError> {
        let automaton = &self.automaton;
        let made = &mut *self.made.borrow_mut();
        let never_gives_up = "no number of states is too many, and no byte is one to give up at";
        let mut state = automaton.start_state(made, &start::Config::new()).expect(never_gives_up);
        // The automaton reports a match one byte late.
        for byte in line {
            deadline.poll_units(self.units_per_byte)?;
            state = automaton.next_state(made, state, *byte).expect(never_gives_up);
            if state.is_match() {
                return Ok(true);
            }
            if state.is_dead() {
                return Ok(false);
            }
        }
        let end = automaton.next_eoi_state(made, state).expect(never_gives_up);
        Ok(end.is_match())
    }
}
