//! Parts of values: by index, by range, and all of them. And what jaq's interpreter asks of its values.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::path::Opt;
use jaq_core::{ValR, ValX};

use super::ledger;
use super::map::{Key, Map};
use super::number;
use super::value::{Fail, Val, fail};
use super::write;

impl fmt::Display for Val {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&write::compact(self))
    }
}

impl From<bool> for Val {
    fn from(truth: bool) -> Val {
        Val::Bool(truth)
    }
}

impl From<isize> for Val {
    fn from(number: isize) -> Val {
        Val::Num(number::real(number as i64))
    }
}

impl From<String> for Val {
    fn from(text: String) -> Val {
        Val::text(text)
    }
}

/// A range is an object when it is part of a path.
impl From<Range<Option<Val>>> for Val {
    fn from(range: Range<Option<Val>>) -> Val {
        Val::map([("start", range.start.unwrap_or_default()), ("end", range.end.unwrap_or_default())])
    }
}

impl FromIterator<Val> for Val {
    fn from_iter<T: IntoIterator<Item = Val>>(values: T) -> Val {
        Val::list(values)
    }
}

/// A place in an array of this length, counted from its end if it is negative.
pub fn place(number: f64, length: usize) -> Option<usize> {
    let at = number::whole(number.floor());
    let at = if at < 0 { at.checked_add_unsigned(length as u64)? } else { at };
    if number.is_nan() { None } else { usize::try_from(at).ok() }
}

/// The places between two bounds.
pub fn bounds(range: &Range<Option<&Val>>, length: usize) -> Result<Range<usize>, Fail> {
    let bound = |value: Option<&Val>, usual: usize, round: fn(f64) -> f64| match value {
        None | Some(Val::Null) => Ok(usual),
        Some(Val::Num(number)) if number.is_nan() => Ok(usual),
        Some(Val::Num(number)) => Ok(place(round(*number), length).unwrap_or(0).min(length)),
        Some(_) => Err(fail("Start and end indices of an array slice must be numbers")),
    };
    let begin = bound(range.start, 0, f64::floor)?;
    Ok(begin..bound(range.end, length, f64::ceil)?.max(begin))
}

/// The bytes of a text between two characters.
pub fn characters(text: &str, range: Range<usize>) -> &str {
    ledger::bytes(text.len());
    if text.is_ascii() {
        return &text[range];
    }
    let mut places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let begin = places.nth(range.start).unwrap_or(text.len());
    match range.len() {
        0 => "",
        length => &text[begin..places.nth(length - 1).unwrap_or(text.len())],
    }
}

fn cannot_index(value: &Val, index: &Val) -> Fail {
    match index {
        Val::Text(name) => fail(format!("Cannot index {} with string \"{}\"", value.kind(), name.text())),
        index => fail(format!("Cannot index {} with {}", value.kind(), index.kind())),
    }
}

/// Where an array or a string has another.
pub fn indices(value: &Val, sought: &Val) -> Result<Vec<usize>, Fail> {
    match (value, sought) {
        (Val::Text(text), Val::Text(part)) => {
            let (text, part) = (text.text(), part.text());
            ledger::bytes(text.len());
            if part.is_empty() {
                return Ok(Vec::new());
            }
            let mut found = Vec::new();
            let (mut at, mut count) = (0, 0);
            while let Some(next) = text[at..].find(part) {
                count += text[at..at + next].chars().count();
                found.push(count);
                if !ledger::bytes(next + part.len() + 64) || !ledger::room(found.len() * size_of::<usize>()) {
                    break;
                }
                // They may overlap.
                at += next + part.chars().next().map_or(1, char::len_utf8);
                count += 1;
            }
            Ok(found)
        }
        (Val::List(_), Val::List(part)) if part.items().is_empty() => Ok(Vec::new()),
        (Val::List(list), Val::List(part)) => {
            let parts = list.items().windows(part.items().len()).enumerate().take_while(|_| !ledger::over());
            Ok(parts.filter(|(_, items)| *items == part.items()).map(|(at, _)| at).collect())
        }
        (Val::List(list), sought) => {
            Ok(list.items().iter().enumerate().filter(|(_, item)| *item == sought).map(|(at, _)| at).collect())
        }
        (value, sought) => Err(cannot_index(value, sought)),
    }
}

/// A part of a value. What is not there is null.
pub fn part(value: &Val, index: &Val) -> Result<Val, Fail> {
    match (value, index) {
        (Val::Map(map), Val::Text(name)) => Ok(map.get(name.text()).cloned().unwrap_or_default()),
        (Val::List(list), Val::Num(number)) => {
            let at = place(*number, list.items().len());
            Ok(at.and_then(|at| list.items().get(at)).cloned().unwrap_or_default())
        }
        (Val::Null, Val::Text(_) | Val::Num(_)) => Ok(Val::Null),
        (Val::Null | Val::List(_) | Val::Text(_), Val::Map(map)) => slice(value, map.get("start")..map.get("end")),
        (Val::List(_), Val::List(_)) => Ok(Val::list(indices(value, index)?.into_iter().map(Val::count))),
        (value, index) => Err(cannot_index(value, index)),
    }
}

/// A range of a string or an array.
pub fn slice(value: &Val, range: Range<Option<&Val>>) -> Result<Val, Fail> {
    match value {
        Val::Null => Ok(Val::Null),
        Val::List(list) => {
            let range = bounds(&range, list.items().len())?;
            Ok(Val::list(list.items()[range].iter().cloned()))
        }
        Val::Text(text) => {
            let text = text.text();
            ledger::bytes(text.len());
            let range = bounds(&range, text.chars().count())?;
            Ok(Val::text(characters(text, range)))
        }
        value => Err(fail(format!("Cannot index {} with object", value.kind()))),
    }
}

fn cannot_iterate(value: &Val) -> Fail {
    fail(format!("Cannot iterate over {}", value.shown()))
}

/// Updates go by paths, as in jq. So jaq's own are never compiled, and have nothing to say.
fn by_path<'a>() -> ValX<'a, Val> {
    Err(fail("Updates go by paths").into())
}

impl jaq_core::ValT for Val {
    fn from_num(text: &str) -> ValR<Val> {
        number::read(text).map(Val::Num).ok_or_else(|| fail(format!("{text} is not a number")))
    }

    fn from_map<I: IntoIterator<Item = (Val, Val)>>(fields: I) -> ValR<Val> {
        let mut map = Map::default();
        for (name, value) in fields {
            match name {
                Val::Text(name) => map.insert(Key(name), value),
                name => return Err(fail(format!("Object keys must be strings, not {}", name.shown()))),
            }
        }
        Ok(Val::Map(Rc::new(map)))
    }

    fn key_values(self) -> BoxIter<'static, ValR<(Val, Val), Val>> {
        match self {
            Val::List(list) => Box::new(
                (0..list.items().len())
                    .map_while(move |at| ledger::work(1).then(|| Ok((Val::count(at), list.items()[at].clone())))),
            ),
            Val::Map(map) => Box::new((0..map.len()).map_while(move |at| {
                let (key, value) = map.iter().as_slice().get(at)?;
                ledger::work(1).then(|| Ok((key.value(), value.clone())))
            })),
            value => box_once(Err(cannot_iterate(&value))),
        }
    }

    fn values(self) -> BoxIter<'static, ValR<Val>> {
        match self {
            Val::List(list) => Box::new(
                (0..list.items().len()).map_while(move |at| ledger::work(1).then(|| Ok(list.items()[at].clone()))),
            ),
            Val::Map(map) => Box::new((0..map.len()).map_while(move |at| {
                let (_, value) = map.iter().as_slice().get(at)?;
                ledger::work(1).then(|| Ok(value.clone()))
            })),
            value => box_once(Err(cannot_iterate(&value))),
        }
    }

    fn index(self, index: &Val) -> ValR<Val> {
        part(&self, index)
    }

    fn range(self, range: Range<Option<&Val>>) -> ValR<Val> {
        slice(&self, range)
    }

    fn map_values<'a, I: Iterator<Item = ValX<'a, Val>>>(self, _: Opt, _: impl Fn(Val) -> I) -> ValX<'a, Val> {
        by_path()
    }

    fn map_index<'a, I: Iterator<Item = ValX<'a, Val>>>(self, _: &Val, _: Opt, _: impl Fn(Val) -> I) -> ValX<'a, Val> {
        by_path()
    }

    fn map_range<'a, I: Iterator<Item = ValX<'a, Val>>>(
        self,
        _: Range<Option<&Val>>,
        _: Opt,
        _: impl Fn(Val) -> I,
    ) -> ValX<'a, Val> {
        by_path()
    }

    fn as_bool(&self) -> bool {
        self.truth()
    }

    fn into_string(self) -> Val {
        match self {
            Val::Text(text) => Val::Text(text),
            value => Val::text(write::compact(&value)),
        }
    }
}
