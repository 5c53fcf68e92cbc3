//! Variables, elements and fields: how they are read and assigned.

use std::rc::Rc;

use super::code::{Arr, NF, SPECIAL, Slot, Target};
use super::machine::{Machine, Place, fatal};
use super::value::{TableRef, Text, Value};
use crate::exec::Ended;

impl Machine {
    pub fn variable(&mut self, slot: Slot) -> &mut Value {
        match slot {
            Slot::Global(number) => &mut self.globals[number],
            Slot::Local(number) => {
                let base = self.frames.last().expect("only functions have local variables").base;
                &mut self.stack[base + number]
            }
        }
    }

    /// An array. What has no value becomes one.
    pub fn table(&mut self, arr: Arr) -> Result<TableRef, Ended> {
        let slot = match arr {
            Arr::Slot(slot) => slot,
            Arr::Stack => match self.pop() {
                Value::Array(table) => return Ok(table),
                _ => return fatal("attempt to use a scalar as an array"),
            },
        };
        let variable = self.variable(slot);
        if let Value::Unset = variable {
            *variable = Value::Array(TableRef::default());
        }
        match variable {
            Value::Array(table) | Value::Maybe(table) => Ok(Rc::clone(table)),
            _ => {
                let name = match slot {
                    Slot::Global(number) => self.program.globals[number].clone(),
                    Slot::Local(_) => "of a function".to_owned(),
                };
                fatal(format!("attempt to use scalar `{name}' as an array"))
            }
        }
    }

    /// What is assigned to. Takes its key and array from the stack.
    pub fn place(&mut self, target: Target) -> Result<Place, Ended> {
        Ok(match target {
            Target::Record => Place::Record,
            Target::Slot(slot) => Place::Slot(slot),
            Target::Elem(arr) => {
                let key = self.pop_text();
                Place::Elem(self.table(arr)?, key)
            }
            Target::Field => Place::Field(self.pop_number()),
            Target::Nowhere => Place::Nowhere(self.pop()),
        })
    }

    pub fn get(&mut self, place: &Place) -> Result<Value, Ended> {
        match place {
            Place::Record => Ok(self.whole_record()),
            Place::Slot(slot) => self.load(*slot),
            Place::Elem(table, key) => Ok(self.element(table, Rc::clone(key))),
            Place::Field(number) => self.field(*number),
            Place::Nowhere(value) => Ok(value.clone()),
        }
    }

    pub fn set(&mut self, place: &Place, value: Value) -> Result<(), Ended> {
        match place {
            Place::Record => self.set_record(self.text(&value)),
            Place::Slot(slot) => return self.store(*slot, value),
            Place::Elem(table, key) => {
                if matches!(table.borrow().get(&**key), Some(Value::Array(_))) {
                    return fatal("attempt to use an array in a scalar context");
                }
                self.hold(64 + key.len())?;
                table.borrow_mut().insert(Rc::clone(key), value);
            }
            Place::Field(number) => return self.set_field(*number, value),
            Place::Nowhere(_) => (),
        }
        Ok(())
    }

    pub fn load(&mut self, slot: Slot) -> Result<Value, Ended> {
        if slot == Slot::Global(NF) {
            self.split_record()?;
        }
        match self.variable(slot) {
            Value::Array(_) => fatal("attempt to use an array in a scalar context"),
            Value::Maybe(_) => Ok(Value::Unset),
            value => Ok(value.clone()),
        }
    }

    fn store(&mut self, slot: Slot, value: Value) -> Result<(), Ended> {
        let value = match value {
            Value::Regex(_) => Value::Text(self.text(&value)),
            Value::Array(_) | Value::Maybe(_) => Value::Unset,
            value => value,
        };
        if let Value::Array(_) = self.variable(slot) {
            return fatal("attempt to use an array in a scalar context");
        }
        match slot {
            Slot::Global(number) if number < SPECIAL.len() => self.set_special(number, value),
            slot => {
                *self.variable(slot) = value;
                Ok(())
            }
        }
    }

    fn element(&mut self, table: &TableRef, key: Text) -> Value {
        self.made += 64;
        table.borrow_mut().entry(key).or_insert(Value::Unset).clone()
    }

    pub fn element_of(&mut self, arr: Arr, may_be_array: bool) -> Result<Value, Ended> {
        let key = self.pop_text();
        let table = self.table(arr)?;
        match self.element(&table, key) {
            Value::Array(_) if !may_be_array => fatal("attempt to use an array in a scalar context"),
            value => Ok(value),
        }
    }

    /// A variable for a function. It stays open whether it is an array, until one of both uses it.
    pub fn argument(&mut self, slot: Slot) -> Result<Value, Ended> {
        if slot == Slot::Global(NF) {
            self.split_record()?;
        }
        let variable = self.variable(slot);
        if let Value::Unset = variable {
            *variable = Value::Maybe(TableRef::default());
        }
        Ok(variable.clone())
    }

    pub fn sub_array(&mut self, arr: Arr) -> Result<(), Ended> {
        let key = self.pop_text();
        let outer = self.table(arr)?;
        let mut table = outer.borrow_mut();
        let value = table.entry(key).or_insert(Value::Unset);
        if let Value::Unset = value {
            let Some(inner) = outer.inner() else { return fatal("arrays lie in each other too deeply") };
            *value = Value::Array(inner);
        }
        let Value::Array(_) = value else { return fatal("attempt to use a scalar as an array") };
        self.stack.push(value.clone());
        Ok(())
    }
}
