//! Runs what `bc` was given.

use std::collections::HashMap;
use std::rc::Rc;

use super::number::Number;
use super::parse::program;
use super::tokens::escaped;
use super::tree::{Argument, Expression, Function, Place, Printed, Statement};
use crate::exec::Ended;
use crate::state::Shell;

/// The deepest nesting of calls.
const DEEPEST: usize = 150;

/// The most digits of a number.
const LONGEST: usize = 1 << 20;

/// The largest index of an array.
const ELEMENTS: i64 = 16_777_215;

/// Why statements do not go on.
enum Stop {
    Break,
    Continue,
    Return(Number),
    Halt,
    /// What the program did wrong.
    Error(String),
    Ended(Ended),
}

impl From<Ended> for Stop {
    fn from(ended: Ended) -> Stop {
        Stop::Ended(ended)
    }
}

impl From<crate::world::Halt> for Stop {
    fn from(halt: crate::world::Halt) -> Stop {
        Stop::Ended(halt.into())
    }
}

type Done<T> = Result<T, Stop>;

/// Variables, functions, and what was printed.
pub struct Machine {
    shell: Shell,
    values: HashMap<String, Number>,
    arrays: HashMap<String, HashMap<i64, Number>>,
    functions: HashMap<String, Rc<Function>>,
    scale: usize,
    input: u64,
    output: u64,
    last: Number,
    width: usize,
    column: usize,
    depth: usize,
    /// What was printed.
    pub out: Vec<u8>,
    /// What was said about errors.
    pub errors: Vec<u8>,
}

impl Machine {
    /// One that breaks lines at a width.
    pub fn new(shell: Shell, width: usize) -> Machine {
        Machine {
            shell,
            values: HashMap::new(),
            arrays: HashMap::new(),
            functions: HashMap::new(),
            scale: 0,
            input: 10,
            output: 10,
            last: Number::default(),
            width,
            column: 0,
            depth: 0,
            out: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Runs a program that is right.
    pub fn load(&mut self, text: &[u8]) -> Result<(), Ended> {
        let statements = program(text).expect("the library is right");
        self.run(&statements).map(|_| ())
    }

    /// Runs statements, and says whether all ends.
    pub fn run(&mut self, statements: &[Statement]) -> Result<bool, Ended> {
        match self.all(statements) {
            Ok(()) | Err(Stop::Break | Stop::Continue | Stop::Return(_)) => Ok(false),
            Err(Stop::Halt) => Ok(true),
            Err(Stop::Error(message)) => {
                self.depth = 0;
                self.errors.extend_from_slice(format!("Runtime error (func=(main), adr=0): {message}\n").as_bytes());
                Ok(false)
            }
            Err(Stop::Ended(ended)) => Err(ended),
        }
    }

    fn all(&mut self, statements: &[Statement]) -> Done<()> {
        statements.iter().try_for_each(|statement| self.one(statement))
    }

    fn one(&mut self, statement: &Statement) -> Done<()> {
        self.shell.work(1)?;
        match statement {
            Statement::Value(expression) => {
                let value = self.value(expression)?;
                if !matches!(expression, Expression::Assign(..)) {
                    self.number(&value)?;
                    self.text(b"\n")?;
                    self.last = value;
                }
                Ok(())
            }
            Statement::Silent(expression) => self.value(expression).map(|_| ()),
            Statement::Text(text) => self.text(text),
            Statement::Print(items) => items.iter().try_for_each(|item| match item {
                Printed::Text(text) => self.text(&escaped(text)),
                Printed::Value(expression) => {
                    let value = self.value(expression)?;
                    self.number(&value)?;
                    self.last = value;
                    Ok(())
                }
            }),
            Statement::If(condition, then, other) => {
                let holds = !self.value(condition)?.is_zero();
                self.all(if holds { then } else { other })
            }
            Statement::While(condition, step, body) => loop {
                self.shell.work(1)?;
                if let Some(condition) = condition
                    && self.value(condition)?.is_zero()
                {
                    return Ok(());
                }
                match self.all(body) {
                    Ok(()) | Err(Stop::Continue) => (),
                    Err(Stop::Break) => return Ok(()),
                    Err(stop) => return Err(stop),
                }
                if let Some(step) = step {
                    self.value(step)?;
                }
            },
            Statement::Block(statements) => self.all(statements),
            Statement::Break => Err(Stop::Break),
            Statement::Continue => Err(Stop::Continue),
            Statement::Return(None) => Err(Stop::Return(Number::default())),
            Statement::Return(Some(expression)) => Err(Stop::Return(self.value(expression)?)),
            Statement::Halt => Err(Stop::Halt),
            Statement::Define(function) => {
                self.functions.insert(function.name.clone(), Rc::clone(function));
                Ok(())
            }
        }
    }

    fn text(&mut self, text: &[u8]) -> Done<()> {
        self.out.extend_from_slice(text);
        if let Some(at) = text.iter().rposition(|byte| *byte == b'\n') {
            self.column = text.len() - at - 1;
        } else {
            self.column += text.len();
        }
        self.shell.hold(self.out.len())?;
        Ok(())
    }

    fn number(&mut self, value: &Number) -> Done<()> {
        self.spend(value.cost(), value.cost())?;
        for byte in value.written(self.output).bytes() {
            self.column += 1;
            if self.width > 1 && self.column >= self.width - 1 {
                self.out.extend_from_slice(b"\\\n");
                self.column = 1;
            }
            self.out.push(byte);
        }
        self.shell.hold(self.out.len())?;
        Ok(())
    }

    /// Counts the work of an operation on numbers of these sizes.
    fn spend(&self, one: usize, other: usize) -> Done<()> {
        self.shell.hold((one + other).saturating_mul(16))?;
        let units = one.saturating_mul(other) / 256 + 1;
        self.shell.work(u32::try_from(units).unwrap_or(u32::MAX))?;
        Ok(())
    }

    fn value(&mut self, expression: &Expression) -> Done<Number> {
        match expression {
            Expression::Number(text) => Ok(Number::read(text, self.input)),
            Expression::Grouped(inner) => self.value(inner),
            Expression::Negated(inner) => Ok(self.value(inner)?.negated()),
            Expression::Not(inner) => Ok(Number::from(u64::from(self.value(inner)?.is_zero()))),
            Expression::Place(place) => self.get(place),
            Expression::Assign(place, operation, right) => {
                let mut value = self.value(right)?;
                if let Some(operation) = operation {
                    let now = self.get(place)?;
                    value = self.computed(operation, &now, &value)?;
                }
                self.set(place, value.clone())?;
                Ok(value)
            }
            Expression::Step { place, up, before } => {
                let old = self.get(place)?;
                let one = Number::from(1);
                let new = if *up { old.plus(&one) } else { old.minus(&one) };
                self.set(place, new.clone())?;
                Ok(if *before { new } else { old })
            }
            Expression::Binary(sign, left, right) => self.binary(sign, left, right),
            Expression::Known(name, argument) => {
                let argument = self.value(argument)?;
                self.known(name, &argument)
            }
            Expression::Call(name, arguments) => self.call(name, arguments),
        }
    }

    fn binary(&mut self, sign: &str, left: &Expression, right: &Expression) -> Done<Number> {
        let left = self.value(left)?;
        // Both sides are computed, also where one would do.
        let right = self.value(right)?;
        self.computed(sign, &left, &right)
    }

    fn known(&mut self, name: &str, argument: &Number) -> Done<Number> {
        match name {
            "length" => Ok(Number::from(argument.length() as u64)),
            "scale" => Ok(Number::from(argument.scale as u64)),
            _ => {
                let size = argument.cost() + self.scale / 4;
                self.spend(size, size.saturating_mul(8))?;
                argument.root(self.scale).ok_or_else(|| Stop::Error("Square root of a negative number".to_owned()))
            }
        }
    }

    fn computed(&self, sign: &str, left: &Number, right: &Number) -> Done<Number> {
        let zero = |by: &str| Stop::Error(by.to_owned());
        let room = self.scale / 9;
        self.spend(left.cost() + room, right.cost() + if matches!(sign, "/" | "%") { room } else { 0 })?;
        let order = || left.order(right);
        let holds = |holds: bool| Ok(Number::from(u64::from(holds)));
        match sign {
            "+" => Ok(left.plus(right)),
            "-" => Ok(left.minus(right)),
            "*" => Ok(left.times(right, self.scale)),
            "/" => left.divided(right, self.scale).ok_or_else(|| zero("Divide by zero")),
            "%" => left.rest(right, self.scale).ok_or_else(|| zero("Modulo by zero")),
            "^" => self.power(left, right),
            "<" => holds(order().is_lt()),
            "<=" => holds(order().is_le()),
            ">" => holds(order().is_gt()),
            ">=" => holds(order().is_ge()),
            "==" => holds(order().is_eq()),
            "!=" => holds(order().is_ne()),
            "&&" => holds(!left.is_zero() && !right.is_zero()),
            _ => holds(!left.is_zero() || !right.is_zero()),
        }
    }

    fn power(&self, left: &Number, right: &Number) -> Done<Number> {
        let exponent = right.whole().ok_or_else(|| Stop::Error("exponent too large in raise".to_owned()))?;
        let digits = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX).saturating_mul(left.length());
        if digits > LONGEST && left.length() > 1 || digits > LONGEST * 8 {
            // It would take all the memory there is.
            self.shell.hold(usize::MAX)?;
        }
        self.spend(digits / 9 + 1, digits / 9 + 1)?;
        left.power(exponent, self.scale).ok_or_else(|| Stop::Error("divide by zero".to_owned()))
    }

    fn get(&mut self, place: &Place) -> Done<Number> {
        match place {
            Place::Name(name) => Ok(match name.as_str() {
                "scale" => Number::from(self.scale as u64),
                "ibase" => Number::from(self.input),
                "obase" => Number::from(self.output),
                "last" => self.last.clone(),
                name => self.values.get(name).cloned().unwrap_or_default(),
            }),
            Place::Element(name, index) => {
                let index = self.index(name, index)?;
                Ok(self.arrays.get(name).and_then(|array| array.get(&index)).cloned().unwrap_or_default())
            }
        }
    }

    fn index(&mut self, name: &str, index: &Expression) -> Done<i64> {
        let index = self.value(index)?.whole().filter(|index| (0..=ELEMENTS).contains(index));
        index.ok_or_else(|| Stop::Error(format!("Array {name} subscript out of bounds.")))
    }

    fn set(&mut self, place: &Place, value: Number) -> Done<()> {
        let small = |value: &Number, least: i64, most: i64| value.whole().unwrap_or(most).clamp(least, most) as u64;
        match place {
            Place::Name(name) => match name.as_str() {
                "scale" if value.is_negative() => {
                    self.errors.extend_from_slice(b"Runtime warning (func=(main), adr=0): negative scale, set to 0\n");
                    self.scale = 0;
                }
                "scale" => self.scale = small(&value, 0, LONGEST as i64) as usize,
                "ibase" => self.input = small(&value, 2, 16),
                "obase" => self.output = small(&value, 2, 999_999_999),
                "last" => self.last = value,
                name => drop(self.values.insert(name.to_owned(), value)),
            },
            Place::Element(name, index) => {
                let index = self.index(name, index)?;
                let array = self.arrays.entry(name.clone()).or_default();
                array.insert(index, value);
                let held = array.len() * 64;
                self.shell.hold(held)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, name: &str, arguments: &[Argument]) -> Done<Number> {
        let Some(function) = self.functions.get(name).cloned() else {
            return Err(Stop::Error(format!("Function {name} not defined.")));
        };
        if function.parameters.len() != arguments.len() {
            return Err(Stop::Error("Parameter number mismatch".to_owned()));
        }
        if self.depth >= DEEPEST {
            return Err(Stop::Error(format!("Function {name} calls too many others.")));
        }
        let (mut values, mut arrays) = (Vec::new(), Vec::new());
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            match (parameter.strip_suffix('['), argument) {
                (Some(parameter), Argument::Array(array)) => {
                    arrays.push((parameter, self.arrays.get(array).cloned().unwrap_or_default()));
                }
                (None, Argument::Value(expression)) => values.push((parameter.as_str(), self.value(expression)?)),
                _ => return Err(Stop::Error("Parameter type mismatch".to_owned())),
            }
        }
        for own in &function.own {
            match own.strip_suffix('[') {
                Some(array) => arrays.push((array, HashMap::new())),
                None => values.push((own, Number::default())),
            }
        }
        // What the names had comes back when the function ends.
        let names = values.into_iter().map(|(name, value)| (name, self.values.insert(name.to_owned(), value)));
        let old_values: Vec<_> = names.collect();
        let names = arrays.into_iter().map(|(name, array)| (name, self.arrays.insert(name.to_owned(), array)));
        let old_arrays: Vec<_> = names.collect();
        self.depth += 1;
        let done = self.all(&function.body);
        self.depth = self.depth.saturating_sub(1);
        for (name, value) in old_values.into_iter().rev() {
            drop(self.values.insert(name.to_owned(), value.unwrap_or_default()));
        }
        for (name, array) in old_arrays.into_iter().rev() {
            drop(self.arrays.insert(name.to_owned(), array.unwrap_or_default()));
        }
        match done {
            Ok(()) => Ok(Number::default()),
            Err(Stop::Return(value)) => Ok(value),
            Err(stop) => Err(stop),
        }
    }
}
