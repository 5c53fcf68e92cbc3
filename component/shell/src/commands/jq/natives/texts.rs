//! Functions of strings.

use jaq_core::native::Fun;

use super::values;
use crate::commands::jq::kind::Kind;
use crate::commands::jq::value::{Fail, Val, fail};
use crate::commands::jq::{arithmetic, ledger, number, write};

/// All of them.
pub fn all() -> Vec<Fun<Kind>> {
    values! {
        "ascii_downcase" => |value, ()| Ok(Val::text(text(&value, "ascii_downcase")?.to_ascii_lowercase())),
        "ascii_upcase" => |value, ()| Ok(Val::text(text(&value, "ascii_upcase")?.to_ascii_uppercase())),
        "utf8bytelength" => |value: Val, ()| match value.as_text() {
            Some(text) => Ok(Val::count(text.len())),
            None => Err(fail(format!("{} only strings have UTF-8 byte length", value.shown()))),
        },
        "explode" => |value, ()| Ok(Val::list(text(&value, "explode")?.chars().map(|letter| Val::Num(f64::from(u32::from(letter)))))),
        "implode" => |value, ()| imploded(&value),
        "startswith"(part) => |value, part| both(&value, &part, "startswith").map(|(text, part)| Val::Bool(text.starts_with(part))),
        "endswith"(part) => |value, part| both(&value, &part, "endswith").map(|(text, part)| Val::Bool(text.ends_with(part))),
        "ltrimstr"(part) => |value: Val, part: Val| Ok(match (value.as_text(), part.as_text()) {
            (Some(text), Some(part)) => text.strip_prefix(part).map(Val::text).unwrap_or(value),
            _ => value,
        }),
        "rtrimstr"(part) => |value: Val, part: Val| Ok(match (value.as_text(), part.as_text()) {
            (Some(text), Some(part)) => text.strip_suffix(part).map(Val::text).unwrap_or(value),
            _ => value,
        }),
        "trim" => |value, ()| Ok(Val::text(trimmable(&value)?.trim_matches(blank))),
        "ltrim" => |value, ()| Ok(Val::text(trimmable(&value)?.trim_start_matches(blank))),
        "rtrim" => |value, ()| Ok(Val::text(trimmable(&value)?.trim_end_matches(blank))),
        "split"(between) => |value: Val, between: Val| match (value.as_text(), between.as_text()) {
            (Some(text), Some(between)) => Ok(arithmetic::split(text, between)),
            _ => Err(fail("split input and separator must be strings")),
        },
        "join"(between) => |value, between: Val| joined(&value, &between),
    }
}

fn text<'v>(value: &'v Val, name: &str) -> Result<&'v str, Fail> {
    let text = value.as_text().ok_or_else(|| fail(format!("{name} input must be a string")))?;
    ledger::bytes(text.len());
    Ok(text)
}

fn trimmable(value: &Val) -> Result<&str, Fail> {
    value.as_text().ok_or_else(|| fail(format!("{} cannot be trimmed", value.shown())))
}

fn blank(letter: char) -> bool {
    letter.is_whitespace()
}

fn both<'v>(value: &'v Val, part: &'v Val, name: &str) -> Result<(&'v str, &'v str), Fail> {
    match (value.as_text(), part.as_text()) {
        (Some(text), Some(part)) => Ok((text, part)),
        _ => Err(fail(format!("{name}() requires string inputs"))),
    }
}

fn imploded(value: &Val) -> Result<Val, Fail> {
    let points = value.as_list().ok_or_else(|| fail("implode input must be an array"))?;
    ledger::bytes(points.len());
    let mut text = String::new();
    for point in points {
        let point = point.as_num().ok_or_else(|| fail("Unicode codepoint must be numeric"))?;
        let letter = u32::try_from(number::whole(point)).ok().and_then(char::from_u32);
        text.push(letter.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Ok(Val::text(text))
}

/// The items of an array, put together with something between them.
fn joined(value: &Val, between: &Val) -> Result<Val, Fail> {
    let items: Vec<&Val> = match value {
        Val::List(list) => list.items().iter().collect(),
        Val::Map(map) => map.iter().map(|(_, item)| item).collect(),
        value => return Err(fail(format!("Cannot iterate over {}", value.shown()))),
    };
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            match between {
                Val::Text(between) => out.push_str(between.text()),
                Val::Null => (),
                other => {
                    let so_far = Val::text(out);
                    return Err(fail(format!("{} and {} cannot be added", so_far.shown(), other.shown())));
                }
            }
        }
        match item {
            Val::Null => (),
            Val::Text(text) => out.push_str(text.text()),
            Val::Num(_) | Val::Bool(_) => out.push_str(&write::compact(item)),
            item => {
                let so_far = Val::text(out);
                return Err(fail(format!("{} and {} cannot be added", so_far.shown(), item.shown())));
            }
        }
        if !ledger::term() || !ledger::room(out.len()) {
            break;
        }
    }
    ledger::bytes(out.len());
    Ok(Val::text(out))
}
