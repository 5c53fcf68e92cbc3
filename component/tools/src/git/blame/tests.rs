//! Blame, as the specification has it.
