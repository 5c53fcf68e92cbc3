//! Functions of objects, and of all values.

use std::rc::Rc;

use jaq_core::native::Fun;

use super::values;
use crate::commands::jq::kind::Kind;
use crate::commands::jq::ledger;
use crate::commands::jq::map::{Key, Map};
use crate::commands::jq::read;
use crate::commands::jq::value::{Fail, Val, fail};
use crate::commands::jq::{access, number, write};

/// All of them.
pub fn all() -> Vec<Fun<Kind>> {
    values! {
        "null" => |_: Val, ()| Ok(Val::Null),
        "true" => |_: Val, ()| Ok(Val::Bool(true)),
        "false" => |_: Val, ()| Ok(Val::Bool(false)),
        "type" => |value: Val, ()| Ok(Val::text(value.kind())),
        "tojson" => |value: Val, ()| Ok(Val::text(write::compact(&value))),
        "tostring" => |value: Val, ()| Ok(jaq_core::ValT::into_string(value)),
        "@text" => |value: Val, ()| Ok(jaq_core::ValT::into_string(value)),
        "@json" => |value: Val, ()| Ok(Val::text(write::compact(&value))),
        "fromjson" => |value: Val, ()| match value.as_text() {
            Some(text) => read::single(text).map_err(fail),
            None => Err(fail(format!("{} cannot be parsed as JSON", value.shown()))),
        },
        "tonumber" => |value: Val, ()| match &value {
            Val::Num(number) => Ok(Val::Num(*number)),
            Val::Text(text) => match number::read(text.text().trim_ascii()) {
                Some(number) => Ok(Val::Num(number)),
                None => Err(fail(format!("Cannot parse '{}' as a number", text.text()))),
            },
            value => Err(fail(format!("{} cannot be parsed as a number", value.shown()))),
        },
        "keys" => |value, ()| keys(&value, true),
        "keys_unsorted" => |value, ()| keys(&value, false),
        "has"(key) => |value: Val, key: Val| match (&value, &key) {
            (Val::Map(map), Val::Text(name)) => Ok(Val::Bool(map.get(name.text()).is_some())),
            (Val::List(list), Val::Num(at)) => {
                Ok(Val::Bool(*at >= 0.0 && access::place(*at, 0).is_some_and(|at| at < list.items().len())))
            }
            (value, key) => Err(fail(format!("Cannot check whether {} has a {} key", value.kind(), key.kind()))),
        },
        "to_entries" => |value, ()| entries(&value),
        "from_entries" => |value, ()| from_entries(&value),
        "!named" => |value, ()| Ok(named(&value)),
    }
}

fn keys(value: &Val, sorts: bool) -> Result<Val, Fail> {
    match value {
        Val::Map(map) if sorts => Ok(Val::list(map.sorted().into_iter().map(|(key, _)| key.value()))),
        Val::Map(map) => Ok(Val::list(map.iter().map(|(key, _)| key.value()))),
        Val::List(list) => Ok(Val::list((0..list.items().len()).map(Val::count))),
        value => Err(fail(format!("{} has no keys", value.shown()))),
    }
}

fn entries(value: &Val) -> Result<Val, Fail> {
    let (name, content) = (Key::new("key"), Key::new("value"));
    let entry = |key: Val, value: &Val| {
        let mut map = Map::default();
        map.insert(name.clone(), key);
        map.insert(content.clone(), value.clone());
        Val::Map(Rc::new(map))
    };
    match value {
        Val::Map(map) => Ok(Val::list(map.iter().map(|(key, value)| entry(key.value(), value)))),
        Val::List(list) => {
            let items = list.items().iter().enumerate();
            Ok(Val::list(items.map(|(at, value)| entry(Val::count(at), value))))
        }
        value => Err(fail(format!("{} has no keys", value.shown()))),
    }
}

fn from_entries(value: &Val) -> Result<Val, Fail> {
    let entries: Vec<&Val> = match value {
        Val::List(list) => list.items().iter().collect(),
        Val::Map(map) => map.iter().map(|(_, value)| value).collect(),
        value => return Err(fail(format!("Cannot iterate over {}", value.shown()))),
    };
    let mut map = Map::default();
    for entry in entries {
        if !ledger::work(1) {
            break;
        }
        let Val::Map(entry) = entry else { return access::part(entry, &Val::text("key")) };
        let mut keys = ["key", "k", "name", "Name", "Key", "K"].iter().filter_map(|name| entry.get(name));
        let first = keys.clone().find(|key| !matches!(key, Val::Null | Val::Bool(false)));
        let key = match first.or_else(|| keys.find(|key| !matches!(key, Val::Null))).unwrap_or(&Val::Null) {
            Val::Text(text) => Key(Rc::clone(text)),
            key @ (Val::Num(_) | Val::Bool(_) | Val::Null) => Key::new(&write::compact(key)),
            key => return Err(fail(format!("Cannot use {} as object key", key.shown()))),
        };
        let values = ["value", "v", "Value", "V"];
        let value = values.iter().find_map(|name| entry.get(name)).cloned().unwrap_or_default();
        map.insert(key, value);
    }
    Ok(Val::Map(Rc::new(map)))
}

/// The named groups of a match, as an object.
fn named(found: &Val) -> Val {
    let groups = access::part(found, &Val::text("captures")).unwrap_or_default();
    let mut map = Map::default();
    for group in groups.as_list().unwrap_or(&[]) {
        let Val::Map(group) = group else { continue };
        if let Some(Val::Text(name)) = group.get("name") {
            map.insert(Key(Rc::clone(name)), group.get("string").cloned().unwrap_or_default());
        }
    }
    Val::Map(Rc::new(map))
}
