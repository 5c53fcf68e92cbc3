//! Numbers that are wanted, such as `+3`, and times.

use bstr::ByteSlice;

use crate::commands::numbers::whole;

/// Nanoseconds.
pub const SECOND: i128 = 1_000_000_000;
/// Seconds.
pub const DAY: i128 = 86_400;

/// How a number is to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Less,
    Equal,
    Greater,
}

/// The numbers that are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Count(Order, u64);

/// The sign before a number, and the rest.
pub fn order(text: &[u8]) -> (Order, &[u8]) {
    match text {
        [b'+', rest @ ..] => (Order::Greater, rest),
        [b'-', rest @ ..] => (Order::Less, rest),
        rest => (Order::Equal, rest),
    }
}

impl Count {
    /// Reads a number with its sign.
    pub fn read(text: &[u8]) -> Option<Count> {
        let (order, digits) = order(text);
        Some(Count(order, whole(digits)?))
    }

    /// Whether a number is wanted.
    pub fn is(self, number: u64) -> bool {
        match self.0 {
            Order::Less => number < self.1,
            Order::Equal => number == self.1,
            Order::Greater => number > self.1,
        }
    }
}

/// The times that are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    order: Order,
    /// Later times are newer than what is wanted.
    from: i128,
    /// How long the span is that counts as equal.
    length: i128,
}

impl Window {
    /// Reads an age in days or minutes, as seen from a time.
    pub fn read(text: &[u8], unit: i128, from: i128) -> Option<Window> {
        let (order, digits) = order(text);
        let digits = digits.to_str().ok()?;
        // What is younger than a day begins a second before the next day.
        let from = if unit == DAY && order == Order::Less { from + (DAY - 1) * SECOND } else { from };
        let is_number =
            digits.trim_start_matches(['+', '-']).starts_with(|char: char| char.is_ascii_digit() || char == '.');
        let number: f64 = digits.parse().ok().filter(|number: &f64| is_number && number.is_finite())?;
        let nanos = number * (unit * SECOND) as f64;
        Some(Window { order, from: from - nanos.clamp(-1e30, 1e30) as i128, length: unit * SECOND })
    }

    /// Whether a time is wanted. Old times have great ages.
    pub fn has(self, time: i128) -> bool {
        match self.order {
            Order::Less => time > self.from,
            Order::Greater => time < self.from,
            Order::Equal => time > self.from && time <= self.from + self.length,
        }
    }
}
