//! Values at paths: put there, taken away, and changed.

use std::rc::Rc;

use super::access::{bounds, place};
use super::ledger;
use super::map::{Key, Map};
use super::value::{DEEPEST, Fail, List, Val, fail, list_mut, map_mut};

/// Places that an array may have at most because a place behind its end was given a value.
const FARTHEST: usize = 1 << 29;

/// The path that an array is.
pub fn path(value: &Val) -> Result<&[Val], Fail> {
    let path = value.as_list().ok_or_else(|| fail("Path must be specified as an array"))?;
    if path.len() > DEEPEST as usize {
        ledger::too_deep();
        return Ok(&[]);
    }
    Ok(path)
}

fn cannot_index(value: &Val, index: &Val) -> Fail {
    super::access::part(value, index).err().unwrap_or_else(|| fail("Invalid path component"))
}

/// Changes what is at a path. What is not there is null before.
pub fn change(value: Val, path: &[Val], by: &mut dyn FnMut(Val) -> Result<Val, Fail>) -> Result<Val, Fail> {
    let Some((index, rest)) = path.split_first() else { return by(value) };
    if !ledger::term() {
        return Ok(value);
    }
    match (value, index) {
        (Val::Map(mut map), Val::Text(name)) => {
            let fields = map_mut(&mut map);
            let part = change(fields.take(name.text()), rest, by)?;
            fields.insert(Key(Rc::clone(name)), part);
            Ok(Val::Map(map))
        }
        (Val::Null, Val::Text(name)) => {
            let mut map = Map::default();
            map.insert(Key(Rc::clone(name)), change(Val::Null, rest, by)?);
            Ok(Val::Map(Rc::new(map)))
        }
        (Val::List(mut list), Val::Num(number)) => {
            let at = reach(list_mut(&mut list), *number)?;
            let items = list_mut(&mut list);
            if at >= items.items().len() {
                return Ok(Val::Null);
            }
            let part = change(items.take(at), rest, by)?;
            items.set(at, part);
            Ok(Val::List(list))
        }
        (Val::Null, Val::Num(_)) => change(Val::list([]), path, by),
        (value @ (Val::List(_) | Val::Null), Val::Map(range)) => {
            let old = super::access::slice(&value, range.get("start")..range.get("end"))?;
            let new = change(old, rest, by)?;
            let Val::List(new) = new else {
                return Err(fail("A slice of an array can only be assigned another array"));
            };
            let empty = List::default();
            let list = if let Val::List(list) = &value { list } else { &empty };
            let range = bounds(&(range.get("start")..range.get("end")), list.items().len())?;
            let (before, behind) = (&list.items()[..range.start], &list.items()[range.end..]);
            Ok(Val::list(before.iter().chain(new.items()).chain(behind).cloned()))
        }
        (value, index) => Err(cannot_index(&value, index)),
    }
}

/// The place of a number in a list, which grows up to there.
fn reach(list: &mut List, number: f64) -> Result<usize, Fail> {
    let at = place(number, list.items().len()).ok_or_else(|| fail("Out of bounds negative array index"))?;
    if at > FARTHEST {
        return Err(fail("Array index too large"));
    }
    if at >= list.items().len() && !ledger::room(at * size_of::<Val>()) {
        return Ok(at);
    }
    while list.items().len() <= at {
        list.push(Val::Null);
    }
    ledger::work(u32::try_from(at / 1024).unwrap_or(u32::MAX));
    Ok(at)
}

/// The value with another at a path.
pub fn put(value: Val, path: &[Val], part: Val) -> Result<Val, Fail> {
    let mut part = Some(part);
    change(value, path, &mut |_| Ok(part.take().unwrap_or_default()))
}

/// The value without what is at these paths.
pub fn delete(value: Val, paths: &[Val]) -> Result<Val, Fail> {
    let mut sorted = Vec::new();
    for one in paths {
        sorted.push(path(one)?);
    }
    let sorted = super::sort::sorted(sorted, |one, other| {
        let differ = one.iter().zip(*other).map(|(one, other)| one.order(other)).find(|order| order.is_ne());
        differ.unwrap_or_else(|| one.len().cmp(&other.len()))
    });
    if sorted.first().is_some_and(|path| path.is_empty()) {
        return Ok(Val::Null);
    }
    without(value, &sorted)
}

/// The value without what is at these paths, which are sorted, and not empty.
fn without(mut value: Val, paths: &[&[Val]]) -> Result<Val, Fail> {
    let mut last: Vec<&Val> = Vec::new();
    let mut rest = paths;
    // What lies deeper goes first: places do not move for it.
    while let Some(path) = rest.first() {
        let same = rest.iter().take_while(|other| other[0].order(&path[0]).is_eq()).count();
        let (here, others) = rest.split_at(same);
        rest = others;
        if !ledger::term() {
            return Ok(Val::Null);
        }
        if here.iter().any(|path| path.len() == 1) {
            last.push(&path[0]);
            continue;
        }
        let deeper: Vec<&[Val]> = here.iter().map(|path| &path[1..]).collect();
        if value.depth() == 0 && !matches!(value, Val::Null) {
            return Err(fail(format!("Cannot delete fields from {}", value.kind())));
        }
        if !matches!(super::access::part(&value, &path[0])?, Val::Null) {
            value = change(value, &path[..1], &mut |part| without(part, &deeper))?;
        }
    }
    if last.is_empty() { Ok(value) } else { cut(value, &last) }
}

/// The value without these parts of it.
fn cut(value: Val, parts: &[&Val]) -> Result<Val, Fail> {
    match value {
        Val::Null => Ok(Val::Null),
        Val::Map(mut map) => {
            let names: Vec<&str> = parts.iter().filter_map(|part| part.as_text()).collect();
            if let Some(part) = parts.iter().find(|part| part.as_text().is_none()) {
                return Err(fail(format!("Cannot delete field at object index of {}", part.kind())));
            }
            ledger::work(u32::try_from(map.len() / 8).unwrap_or(u32::MAX));
            // They are sorted.
            map_mut(&mut map).retain(|name| names.binary_search(&name).is_err());
            Ok(Val::Map(map))
        }
        Val::List(mut list) => {
            let length = list.items().len();
            let mut gone = vec![false; length];
            for part in parts {
                match part {
                    Val::Num(number) => {
                        if let Some(gone) = place(*number, length).and_then(|at| gone.get_mut(at)) {
                            *gone = true;
                        }
                    }
                    Val::Map(range) => {
                        let range = bounds(&(range.get("start")..range.get("end")), length)?;
                        gone[range].fill(true);
                    }
                    part => {
                        return Err(fail(format!("Cannot delete field at array index of {}", part.kind())));
                    }
                }
            }
            ledger::work(u32::try_from(length / 16).unwrap_or(u32::MAX));
            list_mut(&mut list).retain(|at| !gone[at]);
            Ok(Val::List(list))
        }
        value => Err(fail(format!("Cannot delete fields from {}", value.kind()))),
    }
}
