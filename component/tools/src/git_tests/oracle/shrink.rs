//! Shrinks a failing case until it needs all that is left.

use serde_json::Value;

use super::calls::{Call, Tool};
use super::facts::Facts;
use super::judge::{Difference, Judge};
use super::scene::{Scene, Step};

/// A wrong call on the scene of these steps.
pub struct Case {
    pub steps: Vec<Step>,
    pub call: Call,
    pub difference: Difference,
}

/// Removes arguments, items of lists, and steps of the scene, as long as the call stays wrong.
pub fn shrink(mut case: Case, tool: &Tool, judge: Judge<'_>) -> Case {
    while smaller_call(&mut case, tool, judge) | fewer_steps(&mut case, tool, judge) {}
    case
}

/// Builds the scene of these steps, and checks whether the call is wrong on it.
fn wrong(steps: &[Step], call: &Call, tool: &Tool, judge: Judge<'_>) -> Option<Difference> {
    let mut scene = Scene::build(steps);
    let facts = Facts::of(&mut scene);
    let is_call = tool.permits_call(&facts, &call.arguments);
    let folder = call.arguments.get("working_dir").and_then(Value::as_str);
    let is_there = folder.is_none_or(|folder| facts.folders.iter().any(|known| known == folder));
    if is_call && is_there { judge(&mut scene, &facts, tool, call) } else { None }
}

fn smaller_call(case: &mut Case, tool: &Tool, judge: Judge<'_>) -> bool {
    let mut is_smaller = false;
    while let Some((call, difference)) = candidates(&case.call)
        .into_iter()
        .find_map(|call| wrong(&case.steps, &call, tool, judge).map(|difference| (call, difference)))
    {
        case.call = call;
        case.difference = difference;
        is_smaller = true;
    }
    is_smaller
}

/// The call without one of its arguments, or without one item of a list.
fn candidates(call: &Call) -> Vec<Call> {
    let mut smaller = Vec::new();
    for (name, value) in &call.arguments {
        let mut without = call.clone();
        without.arguments.remove(name);
        smaller.push(without);
        for at in 0..value.as_array().map_or(0, |list| if list.len() > 1 { list.len() } else { 0 }) {
            let mut shorter = call.clone();
            let list = shorter.arguments.get_mut(name).and_then(Value::as_array_mut);
            list.expect("it is a list").remove(at);
            smaller.push(shorter);
        }
    }
    smaller
}

/// Removes halves of the steps, then quarters, and so on.
fn fewer_steps(case: &mut Case, tool: &Tool, judge: Judge<'_>) -> bool {
    let before = case.steps.len();
    let mut length = before.div_ceil(2);
    while length > 0 {
        let mut start = 0;
        while start < case.steps.len() {
            let end = (start + length).min(case.steps.len());
            let mut steps = case.steps.clone();
            steps.drain(start..end);
            match wrong(&steps, &case.call, tool, judge) {
                Some(difference) => {
                    case.steps = steps;
                    case.difference = difference;
                }
                None => start = end,
            }
        }
        length /= 2;
    }
    case.steps.len() < before
}
