//! Values as a stream of paths, and back.

use std::rc::Rc;

use super::ledger;
use super::value::{Fail, Val, fail};

/// What `tostream` makes of a value.
pub fn events(value: &Val) -> Vec<Val> {
    let mut out = Vec::new();
    let mut path = Vec::new();
    below(value, &mut path, &mut out);
    if let (true, Some(last)) = (has_parts(value), last_key(value)) {
        out.push(Val::list([Val::list([last])]));
    }
    out
}

fn has_parts(value: &Val) -> bool {
    match value {
        Val::List(list) => !list.items().is_empty(),
        Val::Map(map) => map.len() > 0,
        _ => false,
    }
}

fn last_key(value: &Val) -> Option<Val> {
    match value {
        Val::List(list) => list.items().len().checked_sub(1).map(Val::count),
        Val::Map(map) => map.iter().last().map(|(key, _)| key.value()),
        _ => None,
    }
}

fn below(value: &Val, path: &mut Vec<Val>, out: &mut Vec<Val>) {
    if !ledger::term() || !ledger::room(out.len() * size_of::<Val>()) {
        return;
    }
    if !has_parts(value) {
        out.push(Val::list([Val::list(path.iter().cloned()), value.clone()]));
        return;
    }
    let mut each = |key: Val, part: &Val| {
        path.push(key);
        below(part, path, out);
        if let Some(last) = last_key(part).filter(|_| has_parts(part)) {
            let closing = Val::list(path.iter().cloned().chain([last]));
            out.push(Val::list([closing]));
        }
        path.pop();
    };
    match value {
        Val::List(list) => list.items().iter().enumerate().for_each(|(at, part)| each(Val::count(at), part)),
        Val::Map(map) => map.iter().for_each(|(key, part)| each(key.value(), part)),
        _ => (),
    }
}

/// What `fromstream` has put together.
#[derive(Debug, Default)]
pub struct Built(Option<Val>);

impl Built {
    /// Adds an event. Returns the value that it completes.
    pub fn add(&mut self, event: &Val) -> Result<Option<Val>, Fail> {
        let wrong = || fail(format!("{} is no event of a stream", event.shown()));
        let (path, value) = match event.as_list() {
            Some([path @ Val::List(_), value]) => (path, Some(value)),
            Some([path @ Val::List(_)]) => (path, None),
            _ => return Err(wrong()),
        };
        let depth = path.as_list().ok_or_else(wrong)?.len();
        match value {
            Some(value) if depth == 0 => return Ok(Some(value.clone())),
            Some(value) => {
                let whole = self.0.take().unwrap_or_default();
                self.0 = Some(super::paths::put(whole, path.as_list().ok_or_else(wrong)?, value.clone())?);
            }
            None if depth <= 1 => return Ok(self.0.take()),
            None => (),
        }
        Ok(None)
    }
}

/// An event without the first parts of its path. None if it is not so deep.
pub fn truncated(event: &Val, depth: usize) -> Option<Val> {
    let [path, rest @ ..] = event.as_list()? else { return None };
    let path = path.as_list()?;
    if path.len() <= depth {
        return None;
    }
    let path = Val::list(path[depth..].iter().cloned());
    Some(Val::List(Rc::new([path].into_iter().chain(rest.iter().cloned()).collect())))
}
