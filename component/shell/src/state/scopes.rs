//! The variables, and those that functions hide for a while.

use std::collections::BTreeMap;
use std::rc::Rc;

use bstr::BString;

use crate::value::{Value, Variable};

/// All variables. What a function declares as its own hides what was there until it returns.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    /// Shared with the subshells, until one of them changes something.
    now: Rc<BTreeMap<String, Rc<Variable>>>,
    hidden: Vec<BTreeMap<String, Option<Rc<Variable>>>>,
}

/// How many references lead on at most.
const REFERENCES: usize = 16;

impl Scopes {
    /// The name that a name stands for.
    pub fn resolved<'a>(&'a self, mut name: &'a str) -> &'a str {
        for _ in 0..REFERENCES {
            let Some(Variable { reference: true, value: Some(Value::Text(to)), .. }) = self.itself(name) else { break };
            let Ok(to) = std::str::from_utf8(to) else { break };
            if to.is_empty() || to == name {
                break;
            }
            name = to;
        }
        name
    }

    /// A variable, by what its name stands for.
    pub fn get(&self, name: &str) -> Option<&Variable> {
        self.itself(self.resolved(name))
    }

    /// The variable itself, whatever it stands for.
    pub fn itself(&self, name: &str) -> Option<&Variable> {
        self.now.get(name).map(|variable| &**variable)
    }

    /// The text of a variable.
    pub fn text(&self, name: &str) -> Option<&BString> {
        self.get(name)?.value.as_ref()?.text()
    }

    /// The variable of this name, to be changed. It is made, if it is not there.
    pub fn entry(&mut self, name: &str) -> &mut Variable {
        Rc::make_mut(Rc::make_mut(&mut self.now).entry(name.to_owned()).or_default())
    }

    /// Removes a variable.
    pub fn remove(&mut self, name: &str) {
        Rc::make_mut(&mut self.now).remove(name);
    }

    /// Names and variables, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Variable)> {
        self.now.iter().map(|(name, variable)| (name, &**variable))
    }

    /// Whether a function runs.
    pub fn in_function(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// Begins a function.
    pub fn enter(&mut self) {
        self.hidden.push(BTreeMap::new());
    }

    /// Ends it.
    pub fn leave(&mut self) {
        let now = Rc::make_mut(&mut self.now);
        for (name, was) in self.hidden.pop().into_iter().flatten() {
            match was {
                Some(was) => now.insert(name, was),
                None => now.remove(&name),
            };
        }
    }

    /// Makes the variable the function's own.
    pub fn hide(&mut self, name: &str) {
        let Some(scope) = self.hidden.last_mut() else { return };
        if !scope.contains_key(name) {
            let now = Rc::make_mut(&mut self.now);
            let was = now.remove(name);
            // bash keeps whether it is exported.
            if was.as_ref().is_some_and(|was| was.exported) {
                now.insert(name.to_owned(), Rc::new(Variable { exported: true, ..Variable::default() }));
            }
            scope.insert(name.to_owned(), was);
        }
    }

    /// Whether the running function has made the variable its own.
    pub fn is_own(&self, name: &str) -> bool {
        self.hidden.last().is_some_and(|scope| scope.contains_key(name))
    }
}
