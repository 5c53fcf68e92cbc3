//! Functions of arrays.

use std::cmp::Ordering;

use jaq_core::native::Fun;

use super::values;
use crate::commands::jq::access;
use crate::commands::jq::arithmetic;
use crate::commands::jq::kind::Kind;
use crate::commands::jq::ledger;
use crate::commands::jq::sort;
use crate::commands::jq::stream;
use crate::commands::jq::value::{Fail, List, Val, fail};

/// All of them.
pub fn all() -> Vec<Fun<Kind>> {
    values! {
        "add" => |value, ()| added(&value),
        "length" => |value, ()| length(&value),
        "contains"(part) => |value, part: Val| arithmetic::contains(&value, &part).map(Val::Bool),
        "indices"(part) => |value, part: Val| match value {
            Val::Null => Ok(Val::Null),
            value => Ok(Val::list(access::indices(&value, &part)?.into_iter().map(Val::count))),
        },
        "reverse" => |value: Val, ()| match &value {
            Val::Null => Ok(Val::list([])),
            Val::Text(text) => Ok(Val::text(text.text().chars().rev().collect::<String>())),
            Val::List(list) => Ok(Val::list(list.items().iter().rev().cloned())),
            value => Err(fail(format!("Cannot reverse {}", value.shown()))),
        },
        "sort" => |value, ()| Ok(Val::list(sorted(&value)?)),
        "unique" => |value, ()| {
            let mut items = sorted(&value)?;
            items.dedup_by(|one, other| one.order(other).is_eq());
            Ok(Val::list(items))
        },
        "min" => |value, ()| extreme(&value, &value, Ordering::Less),
        "max" => |value, ()| extreme(&value, &value, Ordering::Greater),
        "!min_by"(keys) => |value, keys: Val| extreme(&value, &keys, Ordering::Less),
        "!max_by"(keys) => |value, keys: Val| extreme(&value, &keys, Ordering::Greater),
        "!sort_by"(keys) => |value, keys: Val| {
            Ok(Val::list(keyed(&value, &keys)?.into_iter().map(|(_, item)| item.clone())))
        },
        "!group_by"(keys) => |value, keys: Val| {
            let groups = keyed(&value, &keys)?;
            let groups = groups.chunk_by(|one, other| one.0.order(other.0).is_eq());
            Ok(Val::list(groups.map(|group| Val::list(group.iter().map(|(_, item)| (*item).clone())))))
        },
        "!unique_by"(keys) => |value, keys: Val| {
            let mut items = keyed(&value, &keys)?;
            items.dedup_by(|one, other| one.0.order(other.0).is_eq());
            Ok(Val::list(items.into_iter().map(|(_, item)| item.clone())))
        },
        "flatten"(depth) => |value: Val, depth: Val| {
            let depth = depth.as_num().ok_or_else(|| fail("flatten depth must be a number"))?;
            if depth < 0.0 {
                return Err(fail("flatten depth must not be negative"));
            }
            let mut flat = List::default();
            flatten(&value, depth, &mut flat)?;
            Ok(Val::List(flat.into()))
        },
        "transpose" => |value, ()| transposed(&value),
        "bsearch"(sought) => |value: Val, sought: Val| {
            let found = array(&value, "searched from")?.binary_search_by(|item| item.order(&sought));
            Ok(match found {
                Ok(at) => Val::count(at),
                Err(at) => Val::Num(-1.0 - Val::count(at).as_num().unwrap_or(0.0)),
            })
        },
        "!events" => |value, ()| Ok(Val::list(stream::events(&value))),
        "!truncated"(depth) => |event, depth: Val| {
            let depth = depth.as_num().unwrap_or(0.0).max(0.0);
            let depth = usize::try_from(crate::commands::jq::number::whole(depth)).unwrap_or(usize::MAX);
            Ok(Val::list(stream::truncated(&event, depth)))
        },
    }
}

fn array<'v>(value: &'v Val, be: &str) -> Result<&'v [Val], Fail> {
    value.as_list().ok_or_else(|| fail(format!("{} cannot be {be}, as it is not an array", value.shown())))
}

fn length(value: &Val) -> Result<Val, Fail> {
    Ok(match value {
        Val::Null => Val::Num(0.0),
        Val::Bool(_) => return Err(fail(format!("{} has no length", value.shown()))),
        Val::Num(number) => Val::Num(number.abs()),
        Val::Text(text) => {
            ledger::bytes(text.text().len());
            Val::count(text.text().chars().count())
        }
        Val::List(list) => Val::count(list.items().len()),
        Val::Map(map) => Val::count(map.len()),
    })
}

/// The sum of all items. Texts and arrays are put together at once.
fn added(value: &Val) -> Result<Val, Fail> {
    let items: Vec<Val> = match value {
        Val::List(list) => list.items().to_vec(),
        Val::Map(map) => map.iter().map(|(_, value)| value.clone()).collect(),
        value => return Err(fail(format!("Cannot iterate over {}", value.shown()))),
    };
    if items.len() > 1 && items.iter().all(|item| matches!(item, Val::Text(_))) {
        let mut sum = String::new();
        for item in items.iter().filter_map(Val::as_text) {
            if !ledger::bytes(item.len() + 64) || !ledger::room(sum.len() + item.len()) {
                break;
            }
            sum.push_str(item);
        }
        return Ok(Val::text(sum));
    }
    let mut sum = Val::Null;
    for item in items {
        sum = (sum + item)?;
        if !ledger::term() {
            break;
        }
    }
    Ok(sum)
}

fn sorted(value: &Val) -> Result<Vec<Val>, Fail> {
    Ok(sort::sorted(array(value, "sorted")?.to_vec(), Val::order))
}

/// The items with their keys, sorted by these.
fn keyed<'v>(value: &'v Val, keys: &'v Val) -> Result<Vec<(&'v Val, &'v Val)>, Fail> {
    let items = array(value, "sorted")?;
    let keyed: Vec<_> = array(keys, "sorted")?.iter().zip(items).collect();
    Ok(sort::sorted(keyed, |one, other| one.0.order(other.0)))
}

/// The item of the least or greatest key: of the least ones the first, of the greatest the last.
fn extreme(value: &Val, keys: &Val, order: Ordering) -> Result<Val, Fail> {
    let (items, keys) = (array(value, "compared")?, array(keys, "compared")?);
    let mut best: Option<(&Val, &Val)> = None;
    for (key, item) in keys.iter().zip(items) {
        let better = best.is_none_or(|(known, _)| {
            let found = key.order(known);
            found == order || (found.is_eq() && order.is_gt())
        });
        if better {
            best = Some((key, item));
        }
    }
    Ok(best.map_or(Val::Null, |(_, item)| item.clone()))
}

fn flatten(value: &Val, depth: f64, flat: &mut List) -> Result<(), Fail> {
    let mut each = |item: &Val| match item {
        Val::List(_) if depth > 0.0 && ledger::term() => flatten(item, depth - 1.0, flat),
        item => {
            ledger::term();
            flat.push(item.clone());
            Ok(())
        }
    };
    match value {
        Val::List(list) => list.items().iter().try_for_each(each),
        Val::Map(map) => map.iter().try_for_each(|(_, item)| each(item)),
        value => Err(fail(format!("Cannot iterate over {}", value.shown()))),
    }
}

fn transposed(value: &Val) -> Result<Val, Fail> {
    let rows: Vec<&[Val]> = array(value, "transposed")?.iter().map(|row| row.as_list().unwrap_or(&[])).collect();
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let column = |at: usize| Val::list(rows.iter().map(|row| row.get(at).cloned().unwrap_or_default()));
    Ok(Val::list((0..width).map(column)))
}
