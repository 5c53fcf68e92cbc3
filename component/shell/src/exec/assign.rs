//! Assignments.

use std::collections::BTreeMap;

use brush_parser::ast;
use bstr::{BString, ByteSlice};

use super::Ended;
use crate::expand::{self, arithmetic};
use crate::state::Shell;
use crate::value::{Map, Value};

/// An assignment whose words are expanded.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// The variable.
    pub name: String,
    /// The key in an array, as it is written.
    pub index: Option<String>,
    /// Whether it adds to what is there.
    pub appends: bool,
    /// What is assigned.
    pub value: New,
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum New {
    /// A text.
    Text(BString),
    /// Elements of an array, some of which have a key.
    Elements(Vec<(Option<BString>, BString)>),
}

/// Expands the words of an assignment.
pub async fn expanded(shell: &mut Shell, assignment: &ast::Assignment) -> Result<Assigned, Ended> {
    let (name, index) = match &assignment.name {
        ast::AssignmentName::VariableName(name) => (name.clone(), None),
        ast::AssignmentName::ArrayElementName(name, index) => (name.clone(), Some(index.clone())),
    };
    let value = match &assignment.value {
        ast::AssignmentValue::Scalar(word) => New::Text(expand::assigned(shell, word).await?),
        ast::AssignmentValue::Array(elements) => {
            let mut expanded = Vec::new();
            for (key, word) in elements {
                match key {
                    Some(key) => {
                        let key = expand::text(shell, key).await?;
                        expanded.push((Some(key), expand::assigned(shell, word).await?));
                    }
                    None => {
                        let fields = expand::all(shell, std::slice::from_ref(word)).await?;
                        expanded.extend(fields.into_iter().map(|field| (None, field)));
                    }
                }
            }
            New::Elements(expanded)
        }
    };
    Ok(Assigned { name, index, appends: assignment.append, value })
}

/// Assigns it.
pub async fn assign(shell: &mut Shell, assigned: &Assigned) -> Result<(), Ended> {
    let name = shell.vars.resolved(&assigned.name).to_owned();
    if shell.vars.itself(&name).is_some_and(|variable| variable.readonly) {
        return Err(Ended::Fatal(format!("{name}: readonly variable"), 1));
    }
    match (&assigned.value, &assigned.index) {
        (New::Text(text), Some(index)) => element(shell, &name, index, text.clone(), assigned.appends).await,
        (New::Text(text), None) => {
            let value = match assigned.appends {
                true => added(shell, &name, text)?,
                false => text.clone(),
            };
            shell.assign(&name, Value::Text(value))
        }
        (New::Elements(elements), _) => array(shell, &name, elements, assigned.appends).await,
    }
}

/// A text behind what a variable has: their sum, if it is for numbers.
fn added(shell: &mut Shell, name: &str, text: &BString) -> Result<BString, Ended> {
    let was = shell.vars.text(name).cloned().unwrap_or_default();
    if shell.vars.get(name).is_some_and(|variable| variable.integer) {
        let sum = arithmetic::evaluate(shell, &was)?.wrapping_add(arithmetic::evaluate(shell, text)?);
        return Ok(sum.to_string().into());
    }
    shell.hold(was.len() + text.len())?;
    Ok([was, text.clone()].concat().into())
}

async fn array(
    shell: &mut Shell,
    name: &str,
    elements: &[(Option<BString>, BString)],
    appends: bool,
) -> Result<(), Ended> {
    let was = shell.vars.itself(name).and_then(|variable| variable.value.clone());
    let is_map = matches!(was, Some(Value::Map(_)));
    if is_map {
        let mut map = match was {
            Some(Value::Map(map)) if appends => map,
            _ => Map::default(),
        };
        let mut keys = elements.iter();
        while let Some((key, value)) = keys.next() {
            match key {
                Some(key) => map.insert(key.clone(), value.clone()),
                // Keys and values in turns.
                None => map.insert(value.clone(), keys.next().map(|(_, value)| value.clone()).unwrap_or_default()),
            }
        }
        return put(shell, name, Value::Map(map));
    }
    let mut list = match was {
        Some(Value::List(list)) if appends => list,
        Some(Value::Text(text)) if appends => BTreeMap::from([(0, text)]),
        _ => BTreeMap::new(),
    };
    let mut next = list.last_key_value().map_or(0, |(last, _)| last + 1);
    for (key, value) in elements {
        if let Some(key) = key {
            next = arithmetic::run(shell, &key.to_str_lossy()).await?;
        }
        let integer = shell.vars.itself(name).is_some_and(|variable| variable.integer);
        let value = match integer {
            true => arithmetic::evaluate(shell, value)?.to_string().into(),
            false => value.clone(),
        };
        list.insert(next, value);
        next += 1;
    }
    put(shell, name, Value::List(list))
}

/// Sets the whole value of a variable.
fn put(shell: &mut Shell, name: &str, value: Value) -> Result<(), Ended> {
    shell.hold(value.bytes())?;
    let exports = shell.options.allexport;
    let variable = shell.vars.entry(name);
    variable.exported |= exports;
    variable.value = Some(value);
    Ok(())
}

/// Sets an element of an array.
pub async fn element(
    shell: &mut Shell,
    name: &str,
    index: &str,
    mut text: BString,
    appends: bool,
) -> Result<(), Ended> {
    let was = shell.vars.itself(name).and_then(|variable| variable.value.clone());
    if let Some(Value::Map(mut map)) = was {
        let key = expand::key(shell, index).await?;
        if appends {
            text = [map.get(&key).cloned().unwrap_or_default(), text].concat().into();
        }
        map.insert(key, text);
        return put(shell, name, Value::Map(map));
    }
    let mut list = match was {
        Some(Value::List(list)) => list,
        Some(Value::Text(text)) => BTreeMap::from([(0, text)]),
        _ => BTreeMap::new(),
    };
    let mut at = arithmetic::run(shell, index).await?;
    if at < 0 {
        at += list.last_key_value().map_or(0, |(last, _)| last + 1);
        if at < 0 {
            return Err(Ended::Failed(format!("{name}[{index}]: bad array subscript")));
        }
    }
    let integer = shell.vars.itself(name).is_some_and(|variable| variable.integer);
    let old = list.get(&at).cloned().unwrap_or_default();
    let new = match (appends, integer) {
        (true, true) => {
            let sum = arithmetic::evaluate(shell, &old)?.wrapping_add(arithmetic::evaluate(shell, &text)?);
            sum.to_string().into()
        }
        (false, true) => arithmetic::evaluate(shell, &text)?.to_string().into(),
        (true, false) => [old, text].concat().into(),
        (false, false) => text,
    };
    list.insert(at, new);
    put(shell, name, Value::List(list))
}
