//! A step of a sequence.

use serde_json::Value;

use crate::git_tests::oracle::scene;

/// An action in both repositories.
#[derive(Clone, Debug)]
pub enum Action {
    /// A manual change of the working tree.
    File(scene::Step),
    /// A call of a changing tool.
    Call { tool: &'static str, arguments: Value },
}

impl Action {
    /// The same call without one of its arguments, or without one item of a list.
    pub fn smaller(&self) -> Vec<Action> {
        let Action::Call { tool, arguments } = self else { return Vec::new() };
        let given = arguments.as_object().expect("arguments are an object");
        let mut smaller = Vec::new();
        for (name, value) in given {
            let mut without = given.clone();
            without.remove(name);
            smaller.push(without);
            for at in 0..value.as_array().map_or(0, |list| if list.len() > 1 { list.len() } else { 0 }) {
                let mut shorter = given.clone();
                shorter[name].as_array_mut().expect("it is a list").remove(at);
                smaller.push(shorter);
            }
        }
        smaller.into_iter().map(|arguments| Action::Call { tool, arguments: Value::Object(arguments) }).collect()
    }
}
