//! Changes to JSON with comments. What does not change keeps every byte.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

use super::change::{Change, Taken, Unfit, What, entries};

/// JSON, with comments and trailing commas, which all clients that take JSON at all either take or
/// never write.
const DIALECT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A list with more items than this stands on several lines.
const ON_ONE_LINE: usize = 4;

/// Makes the changes. Returns the text and what takes them back, in the order in which they were
/// made.
pub fn apply(text: &str, changes: &[Change]) -> Result<(String, Vec<Taken>), Unfit> {
    let root = parse(text)?;
    if root.value().is_none() {
        root.set_value(CstInputValue::Object(Vec::new()));
    }
    let top = root.object_value().ok_or_else(|| Unfit::syntax("a JSON object", "its outermost value is another"))?;
    let mut taken = Vec::new();
    for change in changes {
        let path = change.path();
        let (name, parents) = path.split_last().expect("a change has a path");
        let (object, made) = enter_or_make(&top, parents)?;
        let former = property(&object, name, path)?;
        let done = match change {
            Change::Set { value, last, .. } => set(&object, name, former, value, *last),
            Change::Add { items, .. } => add(&object, name, former, items, path)?,
        };
        taken.extend(done.map(|(what, also)| Taken { path: path.to_vec(), made: made + also, what }));
    }
    let text = if taken.is_empty() { text.to_owned() } else { root.to_string() };
    Ok((text, taken))
}

/// Takes changes back. What is not as they left it stays.
pub fn revert(text: &str, taken: &[Taken]) -> Result<String, Unfit> {
    let root = parse(text)?;
    let Some(top) = root.object_value() else { return Ok(text.to_owned()) };
    let mut formers = Vec::new();
    for Taken { path, made, what } in taken.iter().rev() {
        let (name, parents) = path.split_last().expect("a change has a path");
        let Some(object) = enter(&top, parents) else { continue };
        let Ok(Some(value)) = property(&object, name, path) else { continue };
        match what {
            What::Set { value: ours, .. } if value.to_serde_value().as_ref() != Some(ours) => continue,
            What::Set { former: Some(former), .. } => {
                let mark = mark(text, formers.len());
                object.get(name).expect("it was there").set_value(CstInputValue::String(mark.clone()));
                formers.push((format!("\"{mark}\""), former));
                continue;
            }
            What::Set { former: None, .. } => object.get(name).expect("it was there").remove(),
            What::Added(items) => {
                let Some(list) = value.as_array() else { continue };
                let ours = |node: &CstNode| items.iter().any(|item| holds(node, item));
                list.elements().into_iter().filter(ours).for_each(CstNode::remove);
                if *made > 0 && is_empty_list(&list) {
                    object.get(name).expect("it was there").remove();
                } else {
                    continue;
                }
            }
        }
        let also = usize::from(matches!(what, What::Added(_)));
        remove_empty(&top, parents, made - also);
    }
    // Only now, since a value with comments is no input of the tree's.
    Ok(formers.iter().fold(root.to_string(), |text, (mark, former)| text.replacen(mark, former, 1)))
}

/// A string that is not in the text, a different one for each number.
fn mark(text: &str, number: usize) -> String {
    let mut mark = format!("\u{e000}{number}\u{e000}");
    while text.contains(&mark) {
        mark.push('\u{e000}');
    }
    mark
}

/// True if there is nothing in the file but an object without anything, comments included.
pub fn says_nothing(text: &str) -> bool {
    text.chars().filter(|char| !char.is_whitespace()).eq(['{', '}'])
}

fn parse(text: &str) -> Result<CstRootNode, Unfit> {
    CstRootNode::parse(text, &DIALECT).map_err(|error| Unfit::syntax("JSON", error))
}

/// The value of that name. Fails if there are two of them: which one counts is not said.
fn property(object: &CstObject, name: &str, path: &[String]) -> Result<Option<CstNode>, Unfit> {
    let named = |name: &str| object.properties().iter().filter(|at| at.decoded_name().as_deref() == Some(name)).count();
    match named(name) {
        0 => Ok(None),
        1 => Ok(object.get(name).and_then(|property| property.value())),
        _ => Err(Unfit::form(path, "two values")),
    }
}

fn enter(top: &CstObject, path: &[String]) -> Option<CstObject> {
    path.iter().try_fold(top.clone(), |object, name| object.object_value(name))
}

/// The object at `path`, and how many objects were made to reach it.
fn enter_or_make(top: &CstObject, path: &[String]) -> Result<(CstObject, usize), Unfit> {
    let (mut object, mut made) = (top.clone(), 0);
    for (depth, name) in path.iter().enumerate() {
        let path = &path[..=depth];
        object = match property(&object, name, path)? {
            Some(value) => value.as_object().ok_or_else(|| Unfit::form(path, "no object"))?,
            None => {
                made += 1;
                let property = object.append(name, CstInputValue::Object(Vec::new()));
                property.object_value().expect("it was made as one")
            }
        };
    }
    Ok((object, made))
}

/// Sets a value. Returns what was done, and how many lists were made, if anything was done.
fn set(object: &CstObject, name: &str, former: Option<CstNode>, value: &Value, last: bool) -> Option<(What, usize)> {
    let is_pattern_behind = || {
        let names = object.properties().into_iter().filter_map(|property| property.decoded_name());
        names.skip_while(|other| other != name).skip(1).any(|other| other.contains('*'))
    };
    let is_overridden = last && former.is_some() && is_pattern_behind();
    if !is_overridden && former.as_ref().and_then(CstNode::to_serde_value).as_ref() == Some(value) {
        return None;
    }
    let text = former.as_ref().map(ToString::to_string);
    match object.get(name) {
        Some(property) if is_overridden => {
            property.remove();
            object.append(name, input(value));
        }
        Some(property) => property.set_value(input(value)),
        None => drop(object.append(name, input(value))),
    }
    Some((What::Set { value: value.clone(), former: text }, 0))
}

/// Adds items, as [`set`] sets a value.
fn add(
    object: &CstObject,
    name: &str,
    former: Option<CstNode>,
    items: &[String],
    path: &[String],
) -> Result<Option<(What, usize)>, Unfit> {
    let list = match &former {
        Some(value) => value.as_array().ok_or_else(|| Unfit::form(path, "no list"))?,
        None => {
            let made = object.append(name, CstInputValue::Array(Vec::new())).array_value();
            let made = made.expect("it was made as one");
            if items.len() > ON_ONE_LINE {
                made.ensure_multiline();
            }
            made
        }
    };
    let there = list.elements();
    let new: Vec<String> = items.iter().filter(|item| !there.iter().any(|node| holds(node, item))).cloned().collect();
    for item in &new {
        list.append(CstInputValue::String(item.clone()));
    }
    let made = usize::from(former.is_none());
    Ok((made > 0 || !new.is_empty()).then_some((What::Added(new), made)))
}

fn holds(node: &CstNode, item: &str) -> bool {
    node.as_string_lit().and_then(|string| string.decoded_value().ok()).as_deref() == Some(item)
}

fn is_empty_list(list: &CstArray) -> bool {
    list.elements().is_empty() && !list.children().iter().any(CstNode::is_comment)
}

/// Removes the deepest `count` objects on `path`, as far as nothing is in them.
fn remove_empty(top: &CstObject, path: &[String], count: usize) {
    for depth in (path.len().saturating_sub(count)..path.len()).rev() {
        let (Some(above), Some(object)) = (enter(top, &path[..depth]), enter(top, &path[..=depth])) else { return };
        if !object.properties().is_empty() || object.children().iter().any(CstNode::is_comment) {
            return;
        }
        above.get(&path[depth]).expect("it was entered").remove();
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(values) => CstInputValue::Object(
            entries(values).into_iter().map(|(name, value)| (name.clone(), input(value))).collect(),
        ),
    }
}
