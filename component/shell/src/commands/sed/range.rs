//! Which lines a command is for.

use super::script::{Address, Command, To};

/// Where a command is in its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Outside.
    Idle,
    /// Inside, up to the line of this number if the end is a number.
    Active(u64),
}

impl Range {
    /// Where a command begins. The line before the first is there already for `0,/re/`.
    pub fn first(command: &Command) -> Range {
        match (&command.from, &command.to) {
            (Some(Address::Line(0)), Some(_)) => Range::Active(0),
            _ => Range::Idle,
        }
    }

    /// What it is at a line where the range begins: idle, if it ends there as well.
    pub fn begun(to: &To, line: u64) -> Range {
        let end = match to {
            To::Line(end) => *end,
            To::Plus(count) => line.saturating_add(*count),
            To::Multiple(0) => line,
            To::Multiple(of) => (line / of + 1).saturating_mul(*of),
            To::Other(_) => return Range::Active(0),
        };
        if end <= line { Range::Idle } else { Range::Active(end) }
    }
}
