//! The instructions that need nothing from outside.

use std::cell::RefCell;
use std::rc::Rc;

use super::code::{Math, Op, Order, SUBSEP};
use super::machine::{Frame, Machine, fatal};
use super::value::{Table, Text, Value};
use crate::exec::Ended;

/// How deeply functions may call each other.
const DEEPEST: usize = 20_000;

impl Machine {
    /// Runs an instruction that needs nothing from outside.
    pub fn step(&mut self, op: Op) -> Result<(), Ended> {
        match op {
            Op::Num(number) => self.push(Value::Num(number)),
            Op::Const(number) => self.push(self.program.consts[number].clone()),
            Op::Unset => self.push(Value::Unset),
            Op::Pop => drop(self.pop()),
            Op::Load(slot) => {
                let value = self.load(slot)?;
                self.push(value);
            }
            Op::Take(slot) => {
                let value = match self.variable(slot) {
                    Value::Array(_) => return fatal("attempt to use an array in a scalar context"),
                    Value::Maybe(_) => Value::Unset,
                    value => std::mem::take(value),
                };
                self.push(value);
            }
            Op::Arg(slot) => {
                let value = self.argument(slot)?;
                self.push(value);
            }
            Op::Elem(arr) | Op::ElemArg(arr) => {
                let value = self.element_of(arr, matches!(op, Op::ElemArg(_)))?;
                self.push(value);
            }
            Op::Field => {
                let number = self.pop_number();
                let value = self.field(number)?;
                self.push(value);
            }
            Op::SubArray(arr) => self.sub_array(arr)?,
            Op::ArrayArg(arr) => {
                let table = self.table(arr)?;
                self.push(Value::Array(table));
            }
            Op::In(arr) => {
                let table = self.table(arr)?;
                let key = self.pop_text();
                let has = table.borrow().contains_key(&*key);
                self.push(Value::truth(has));
            }
            Op::Delete(arr) => {
                let key = self.pop_text();
                self.table(arr)?.borrow_mut().remove(&*key);
            }
            Op::DeleteAll(arr) => *self.table(arr)?.borrow_mut() = Table::default(),
            Op::Join(count) => self.join(count),
            Op::Assign(target) => {
                let value = match self.pop() {
                    regex @ Value::Regex(_) => Value::Text(self.text(&regex)),
                    value => value,
                };
                let place = self.place(target)?;
                self.set(&place, value.clone())?;
                self.push(value);
            }
            Op::Modify(target, math) => {
                let other = self.pop_number();
                let place = self.place(target)?;
                let number = self.get(&place)?.number();
                let value = Value::Num(calculated(math, number, other)?);
                self.set(&place, value.clone())?;
                self.push(value);
            }
            Op::Step(target, step, is_postfix) => {
                let place = self.place(target)?;
                let number = self.get(&place)?.number();
                self.set(&place, Value::Num(number + step))?;
                self.push(Value::Num(if is_postfix { number } else { number + step }));
            }
            Op::Math(math) => {
                let other = self.pop_number();
                let number = self.pop_number();
                self.push(Value::Num(calculated(math, number, other)?));
            }
            Op::Concat => self.concat()?,
            Op::Neg => {
                let number = self.pop_number();
                self.push(Value::Num(-number));
            }
            Op::Plus => {
                let number = self.pop_number();
                self.push(Value::Num(number));
            }
            op => self.decide(op)?,
        }
        Ok(())
    }

    /// Comparisons, and what they lead to.
    fn decide(&mut self, op: Op) -> Result<(), Ended> {
        match op {
            Op::Compare(order) => {
                let (other, one) = (self.pop(), self.pop());
                let is = self.compared(order, &one, &other);
                self.push(Value::truth(is));
            }
            Op::Match(wanted) => {
                let pattern = self.pop();
                let regex = self.regex(&pattern)?;
                let text = self.pop_text();
                self.push(Value::truth(regex.is_match(&text) == wanted));
            }
            Op::MatchRecord => {
                let pattern = self.pop();
                let regex = self.regex(&pattern)?;
                let (Value::Input(text) | Value::Text(text)) = self.whole_record() else {
                    unreachable!("it is a text")
                };
                self.push(Value::truth(regex.is_match(&text)));
            }
            Op::Not | Op::Bool => {
                let is = self.pop().is_true();
                self.push(Value::truth(is == matches!(op, Op::Bool)));
            }
            Op::Jump(to) => self.at = to,
            Op::JumpFalse(to) | Op::JumpTrue(to) => {
                if self.pop().is_true() == matches!(op, Op::JumpTrue(_)) {
                    self.at = to;
                }
            }
            Op::InRange(number, to) => {
                if self.ranges[number] {
                    self.at = to;
                }
            }
            Op::SetRange(number, is) => self.ranges[number] = is,
            Op::Keys(arr) => {
                let table = self.table(arr)?;
                let keys = self.sorted_keys(&table)?;
                self.push(Value::Keys(Rc::new(RefCell::new(keys.into_iter()))));
            }
            Op::NextKey(to) => {
                let Some(Value::Keys(keys)) = self.stack.last() else { unreachable!("its keys are on the stack") };
                let key = keys.borrow_mut().next();
                match key {
                    Some(key) => self.push(Value::Input(key)),
                    None => self.at = to,
                }
            }
            Op::Case => {
                let case = self.pop();
                let subject = self.stack.last().cloned().unwrap_or_default();
                let is = match case {
                    Value::Regex(_) => self.regex(&case)?.is_match(&self.text(&subject)),
                    Value::Num(_) => subject.is_numeric() && self.compared(Order::Eq, &subject, &case),
                    case => !matches!(subject, Value::Num(_)) && self.text(&subject) == self.text(&case),
                };
                self.push(Value::truth(is));
            }
            Op::Call(number, count) => self.call(number, count)?,
            Op::Return => {
                let value = self.pop();
                let frame = self.frames.pop().expect("only functions return");
                self.stack.truncate(frame.base);
                self.push(match value {
                    Value::Array(_) | Value::Maybe(_) => Value::Unset,
                    value => value,
                });
                self.at = frame.back;
            }
            _ => unreachable!("the others need something from outside"),
        }
        Ok(())
    }

    fn compared(&self, order: Order, one: &Value, other: &Value) -> bool {
        let format =
            if matches!((one, other), (Value::Num(_), Value::Num(_))) { Text::default() } else { self.convfmt() };
        let found = one.order(other, &format);
        match order {
            Order::Less => found.is_some_and(std::cmp::Ordering::is_lt),
            Order::LessEq => found.is_some_and(std::cmp::Ordering::is_le),
            Order::Eq => found.is_some_and(std::cmp::Ordering::is_eq),
            Order::NotEq => !found.is_some_and(std::cmp::Ordering::is_eq),
            Order::Greater => found.is_some_and(std::cmp::Ordering::is_gt),
            Order::GreaterEq => found.is_some_and(std::cmp::Ordering::is_ge),
        }
    }

    fn call(&mut self, number: usize, count: usize) -> Result<(), Ended> {
        if self.frames.len() >= DEEPEST {
            return fatal(format!("functions call each other more than {DEEPEST} deep"));
        }
        let function = &self.program.functions[number];
        let entry = function.entry.expect("calls of unknown functions were refused");
        let missing = function.params - count;
        self.frames.push(Frame { back: self.at, base: self.stack.len() - count });
        self.stack.extend(std::iter::repeat_n(Value::Unset, missing));
        self.at = entry;
        Ok(())
    }

    fn join(&mut self, count: usize) {
        let parts = self.stack.split_off(self.stack.len() - count);
        let parts: Vec<Text> = parts.iter().map(|part| self.text(part)).collect();
        let between = self.text(&self.globals[SUBSEP]);
        let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_slice()).collect();
        self.push(Value::text(parts.join(&between[..])));
    }

    fn concat(&mut self) -> Result<(), Ended> {
        let other = self.pop_text();
        // Nobody else has the value that was taken, so it can grow in its place.
        let mut text = match self.pop() {
            Value::Text(text) => text,
            value => self.text(&value),
        };
        let grows = Rc::strong_count(&text) == 1;
        self.hold(other.len() + if grows { 0 } else { text.len() })?;
        if let Some(own) = Rc::get_mut(&mut text) {
            own.extend_from_slice(&other);
            self.push(Value::Text(text));
            return Ok(());
        }
        let mut joined = Vec::with_capacity(text.len() + other.len());
        joined.extend_from_slice(&text);
        joined.extend_from_slice(&other);
        self.push(Value::text(joined));
        Ok(())
    }
}

fn calculated(math: Math, number: f64, other: f64) -> Result<f64, Ended> {
    Ok(match math {
        Math::Add => number + other,
        Math::Sub => number - other,
        Math::Mul => number * other,
        Math::Div if other == 0.0 => return fatal("division by zero attempted"),
        Math::Div => number / other,
        Math::Rem if other == 0.0 => return fatal("division by zero attempted in `%'"),
        Math::Rem => number % other,
        Math::Pow => number.powf(other),
    })
}
