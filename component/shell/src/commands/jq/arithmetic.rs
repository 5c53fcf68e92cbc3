//! What the operators do with values.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use jaq_core::ValR;

use super::ledger;
use super::map::Map;
use super::number;
use super::value::{Fail, Val, admitted, fail, list_mut, map_mut};

fn cannot(one: &Val, other: &Val, be: &str) -> Fail {
    fail(format!("{} and {} cannot {be}", one.shown(), other.shown()))
}

/// Two texts as one. Too long a text is an error behind which nothing goes on.
fn joined(one: &str, other: &str) -> Val {
    if !ledger::room(one.len() + other.len()) {
        return Val::Null;
    }
    ledger::bytes(one.len() + other.len());
    Val::text([one, other].concat())
}

impl Add for Val {
    type Output = ValR<Val>;

    fn add(self, other: Val) -> ValR<Val> {
        Ok(match (self, other) {
            (Val::Null, value) | (value, Val::Null) => value,
            (Val::Num(one), Val::Num(other)) => Val::Num(one + other),
            (Val::Text(one), Val::Text(other)) => joined(one.text(), other.text()),
            (Val::List(mut one), Val::List(other)) => {
                if !ledger::room((one.items().len() + other.items().len()) * size_of::<Val>()) {
                    return Ok(Val::Null);
                }
                let list = list_mut(&mut one);
                for item in other.items() {
                    list.push(item.clone());
                }
                ledger::work(u32::try_from(other.items().len() / 16).unwrap_or(u32::MAX));
                Val::List(one)
            }
            (Val::Map(mut one), Val::Map(other)) => {
                let map = map_mut(&mut one);
                for (key, value) in other.iter() {
                    map.insert(key.clone(), value.clone());
                }
                ledger::work(u32::try_from(other.len() / 4).unwrap_or(u32::MAX));
                Val::Map(one)
            }
            (one, other) => return Err(cannot(&one, &other, "be added")),
        })
    }
}

impl Sub for Val {
    type Output = ValR<Val>;

    fn sub(self, other: Val) -> ValR<Val> {
        match (&self, &other) {
            (Val::Num(one), Val::Num(other)) => Ok(Val::Num(one - other)),
            (Val::List(one), Val::List(other)) => {
                let rest = one.items().iter().filter(|item| !other.items().contains(item));
                Ok(Val::list(rest.cloned()))
            }
            (one, other) => Err(cannot(one, other, "be subtracted")),
        }
    }
}

/// A text so many times.
fn repeated(text: &str, count: f64) -> Val {
    if count <= 0.0 || count.is_nan() {
        return Val::Null;
    }
    let count = usize::try_from(number::whole(count).max(1)).unwrap_or(usize::MAX);
    if !ledger::room(text.len().saturating_mul(count)) {
        return Val::Null;
    }
    ledger::bytes(text.len() * count);
    Val::text(text.repeat(count))
}

/// Two objects as one, with the objects in them.
fn merged(one: &mut Map, other: &Map, depth: u32) {
    for (key, value) in other.iter() {
        if !ledger::term() || admitted(Val::Null, &mut depth.clone()).is_none() {
            return;
        }
        let value = match (one.take(key.text()), value) {
            (Val::Map(mut one), Val::Map(other)) => {
                merged(map_mut(&mut one), other, depth + 1);
                Val::Map(one)
            }
            (_, value) => value.clone(),
        };
        one.insert(key.clone(), value);
    }
}

impl Mul for Val {
    type Output = ValR<Val>;

    fn mul(self, other: Val) -> ValR<Val> {
        match (self, other) {
            (Val::Num(one), Val::Num(other)) => Ok(Val::Num(one * other)),
            (Val::Text(text), Val::Num(count)) | (Val::Num(count), Val::Text(text)) => Ok(repeated(text.text(), count)),
            (Val::Map(mut one), Val::Map(other)) => {
                merged(map_mut(&mut one), &other, 1);
                Ok(Val::Map(one))
            }
            (one, other) => Err(cannot(&one, &other, "be multiplied")),
        }
    }
}

/// The parts of a text between others.
pub fn split(text: &str, between: &str) -> Val {
    ledger::bytes(text.len());
    if text.is_empty() {
        return Val::list([]);
    }
    if between.is_empty() {
        return Val::list(text.chars().map(Val::text));
    }
    Val::list(text.split(between).map(Val::text))
}

impl Div for Val {
    type Output = ValR<Val>;

    fn div(self, other: Val) -> ValR<Val> {
        match (&self, &other) {
            (Val::Num(_), Val::Num(0.0)) => Err(cannot(&self, &other, "be divided because the divisor is zero")),
            (Val::Num(one), Val::Num(other)) => Ok(Val::Num(one / other)),
            (Val::Text(text), Val::Text(between)) => Ok(split(text.text(), between.text())),
            (one, other) => Err(cannot(one, other, "be divided")),
        }
    }
}

impl Rem for Val {
    type Output = ValR<Val>;

    fn rem(self, other: Val) -> ValR<Val> {
        match (&self, &other) {
            (Val::Num(one), Val::Num(other)) if one.is_nan() || other.is_nan() => Ok(Val::Num(f64::NAN)),
            (Val::Num(one), Val::Num(by)) => match number::whole(*one).checked_rem(number::whole(*by)) {
                Some(rest) => Ok(Val::Num(number::real(rest))),
                // The one other case is the least number by -1.
                None if number::whole(*by) == -1 => Ok(Val::Num(0.0)),
                None => Err(cannot(&self, &other, "be divided (remainder) because the divisor is zero")),
            },
            (one, other) => Err(cannot(one, other, "be divided (remainder)")),
        }
    }
}

impl Neg for Val {
    type Output = ValR<Val>;

    fn neg(self) -> ValR<Val> {
        match self {
            Val::Num(number) => Ok(Val::Num(-number)),
            value => Err(fail(format!("{} cannot be negated", value.shown()))),
        }
    }
}

/// Whether a value has another in it, as `contains` sees it.
pub fn contains(one: &Val, other: &Val) -> Result<bool, Fail> {
    if !ledger::term() {
        return Ok(false);
    }
    match (one, other) {
        (Val::Map(one), Val::Map(other)) => {
            for (key, sought) in other.iter() {
                match one.get(key.text()) {
                    Some(value) if contains(value, sought)? => (),
                    _ => return Ok(false),
                }
            }
            Ok(true)
        }
        (Val::List(one), Val::List(other)) => {
            for sought in other.items() {
                let mut found = false;
                for item in one.items().iter().filter(|item| item.kind() == sought.kind()) {
                    found = found || contains(item, sought)?;
                    if found || ledger::over() {
                        break;
                    }
                }
                if !found {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Val::Text(one), Val::Text(other)) => {
            ledger::bytes(one.text().len());
            Ok(one.text().contains(other.text()))
        }
        (one, other) if one.kind() == other.kind() => Ok(one == other),
        (one, other) => Err(cannot(one, other, "have their containment checked")),
    }
}
