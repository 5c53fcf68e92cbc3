//! The machine that runs a program: its state, its stack, and what it may hold.

use std::rc::Rc;

use super::code::{CONVFMT, IGNORECASE, Program, Slot};
use super::expression::Cache;
use super::fields::Record;
use super::input::Inputs;
use super::output::Outputs;
use super::value::{TableRef, Text, Value};
use crate::exec::Ended;
use crate::regexp::Regex;
use crate::world::{Halt, Now};

/// A function that runs.
pub struct Frame {
    /// Where the function before it goes on.
    pub back: usize,
    /// Where its variables are on the stack.
    pub base: usize,
}

/// The state of a program that runs.
pub struct Machine {
    pub program: Rc<Program>,
    pub globals: Vec<Value>,
    pub stack: Vec<Value>,
    pub frames: Vec<Frame>,
    pub ranges: Vec<bool>,
    pub record: Record,
    pub inputs: Inputs,
    pub outputs: Outputs,
    pub cache: Cache,
    pub now: Now,
    /// The seed of `rand`, and its state.
    pub seed: f64,
    pub random: u64,
    /// The most bytes that it may hold.
    pub most: usize,
    /// Bytes that were made since the last time that all were counted.
    pub made: usize,
    /// The status it ends with.
    pub status: i32,
    /// The next instruction.
    pub at: usize,
}

/// Where something is assigned to.
pub enum Place {
    Record,
    Slot(Slot),
    Elem(TableRef, Text),
    Field(f64),
    Nowhere(Value),
}

/// An error that ends the program.
pub fn fatal<T>(message: impl Into<String>) -> Result<T, Ended> {
    Err(Ended::Failed(message.into()))
}

impl Machine {
    pub fn pop(&mut self) -> Value {
        self.stack.pop().expect("an instruction finds what those before have left")
    }

    pub fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub fn pop_number(&mut self) -> f64 {
        self.pop().number()
    }

    pub fn convfmt(&self) -> Text {
        self.globals[CONVFMT].shown(b"%.6g")
    }

    /// A value as a text.
    pub fn text(&self, value: &Value) -> Text {
        match value {
            Value::Text(text) | Value::Input(text) => Rc::clone(text),
            Value::Num(number) if number.fract() != 0.0 => value.shown(&self.convfmt()),
            value => value.shown(b""),
        }
    }

    pub fn pop_text(&mut self) -> Text {
        let value = self.pop();
        self.text(&value)
    }

    /// Counts bytes that are made, and fails if the program holds too many.
    pub fn hold(&mut self, bytes: usize) -> Result<(), Ended> {
        self.made = self.made.saturating_add(bytes);
        if self.made <= self.most / 2 {
            return Ok(());
        }
        let all: usize = self.globals.iter().chain(&self.stack).map(Value::bytes).sum();
        if all.saturating_add(bytes) > self.most {
            let most = self.most >> 20;
            return Err(Halt::TooLarge(format!("The script holds more than {most} MiB in memory")).into());
        }
        // What is held leaves so much less until it is counted again.
        self.made = all / 2;
        Ok(())
    }

    pub fn ignores_case(&self) -> bool {
        self.globals[IGNORECASE].is_true()
    }

    /// A value as an expression.
    pub fn regex(&mut self, value: &Value) -> Result<Rc<Regex>, Ended> {
        let ignores_case = self.ignores_case();
        match value {
            Value::Regex(literal) if !ignores_case => Ok(Rc::clone(&literal.regex)),
            value => {
                let source = self.text(value);
                self.cache.get(&source, ignores_case).map_err(Ended::Failed)
            }
        }
    }
}
